// What the engine alone does without: machine code, lanes of programs, files, fibers, clocks.
#include "base/context.h"
#include "base/host/fiber.h"
#include "base/utf8.h"
#include "native/jit.h"
#include "solve/checkpoint.h"

// ---- Machine code: the interpreter runs everywhere

bool jit_compile(Context *cx, const Program *program, uint32_t lanes, JitCode *out) {
  (void)cx, (void)program, (void)lanes, (void)out;
  return false;
}

void jit_close(JitCode *code) { (void)code; }

uint32_t jit_lanes(void) { return 1; }

// ---- Clocks: nobody limits the time of a call, who watches a run ends it

double context_seconds(void) { return 0; }

// ---- Files: a run keeps nothing

Status checkpoint_write(Arena *scratch, const char *path, uint64_t key, const double *values,
                        size_t count) {
  (void)scratch, (void)path, (void)key, (void)values, (void)count;
  return QDOT_IO;
}

Status checkpoint_read(Arena *arena, const char *path, uint64_t key, double **values,
                       size_t *count) {
  (void)arena, (void)path, (void)key, (void)values, (void)count;
  return QDOT_IO;
}

int alone_remove(const char *path) {
  (void)path;
  return -1;
}

// ---- Letters: one byte, one column

size_t utf8_decode(const char *text, size_t n, uint32_t *character) {
  *character = n > 0 ? (unsigned char)*text : 0;
  return n > 0;
}

bool utf8_is_control(uint32_t character) { return character < 32; }

size_t utf8_width(const char *text, size_t n) {
  (void)text;
  return n;
}

// ---- Order: heap sort, which takes no memory

static void swap(unsigned char *a, unsigned char *b, size_t size) {
  for (size_t i = 0; i < size; i++) {
    unsigned char c = a[i];
    a[i] = b[i], b[i] = c;
  }
}

static void sift(unsigned char *list, size_t root, size_t n, size_t size,
                 int (*compare)(const void *, const void *)) {
  for (size_t child = 2 * root + 1; child < n; root = child, child = 2 * root + 1) {
    if (child + 1 < n && compare(list + child * size, list + (child + 1) * size) < 0) child++;
    if (compare(list + root * size, list + child * size) >= 0) return;
    swap(list + root * size, list + child * size, size);
  }
}

void qsort(void *given, size_t n, size_t size, int (*compare)(const void *, const void *)) {
  unsigned char *list = given;
  for (size_t i = n / 2; i-- > 0;) sift(list, i, n, size, compare);
  for (size_t end = n; end-- > 1;) {
    swap(list, list + end * size, size);
    sift(list, 0, end, size, compare);
  }
}
