// A run's state kept in a file, complete or not at all.
#include "solve/checkpoint.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/text.h"

typedef struct Header {
  char magic[8];
  uint64_t key, count, sum;
} Header;

static const char magic[8] = {'q', 'd', 'o', 't', 'k', 'e', 'e', 'p'};

static uint64_t sum_of(const double *values, size_t count, uint64_t key) {
  return hash_bytes(values, count * sizeof *values) ^ key;
}

Status checkpoint_write(Arena *scratch, const char *path, uint64_t key, const double *values,
                        size_t count) {
  Mark mark = arena_mark(scratch);
  const char *beside = text_format(scratch, "%s.new", path);
  Header header = {.key = key, .count = count, .sum = sum_of(values, count, key)};
  memcpy(header.magic, magic, sizeof magic);
  FILE *file = fopen(beside, "wb");
  bool ok = file && fwrite(&header, sizeof header, 1, file) == 1 &&
            fwrite(values, sizeof *values, count, file) == count && fflush(file) == 0 &&
            fsync(fileno(file)) == 0;
  if (file && fclose(file) != 0) ok = false;
  ok = ok && rename(beside, path) == 0;
  if (!ok && file) remove(beside);
  arena_release(scratch, mark);
  return ok ? QDOT_OK : QDOT_IO;
}

static Status read_open(FILE *file, Arena *arena, uint64_t key, double **values, size_t *count) {
  Header header;
  if (fread(&header, sizeof header, 1, file) != 1) return QDOT_BAD_FILE;
  if (memcmp(header.magic, magic, sizeof magic) != 0 || header.key != key) return QDOT_BAD_FILE;
  // what a damaged header promises must be there before memory is taken for it
  long here = ftell(file);
  if (fseek(file, 0, SEEK_END) != 0) return QDOT_BAD_FILE;
  if (header.count != (uint64_t)(ftell(file) - here) / sizeof(double)) return QDOT_BAD_FILE;
  if (fseek(file, here, SEEK_SET) != 0) return QDOT_BAD_FILE;
  double *read = arena_array(arena, double, header.count);
  if (fread(read, sizeof *read, header.count, file) != header.count) return QDOT_BAD_FILE;
  if (fgetc(file) != EOF || sum_of(read, header.count, key) != header.sum) return QDOT_BAD_FILE;
  *values = read;
  *count = header.count;
  return QDOT_OK;
}

static void close_file(void *file) { fclose(file); }

Status checkpoint_read(Arena *arena, const char *path, uint64_t key, double **values,
                       size_t *count) {
  FILE *file = fopen(path, "rb");
  if (!file) return QDOT_IO;
  Handle handle;
  guard_register(arena->guard, &handle, file, close_file);
  Status status = read_open(file, arena, key, values, count);
  guard_close(arena->guard, &handle);
  return status;
}
