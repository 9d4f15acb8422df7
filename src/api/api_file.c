// Reading whole files.
#include "api/api_file.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LARGEST_FILE ((size_t)1 << 30)
#define PATIENCE 10 // seconds for whoever writes into a pipe

static void close_file(void *file) { close((int)(intptr_t)file); }

static Status unreadable(Context *cx, const char *path, int problem) {
  Status status = diag_error_plain(cx, QDOT_IO, "cannot read '%s'", path);
  if (problem == ETIMEDOUT)
    diag_label(cx, "nobody has written into it for %d s", PATIENCE);
  else
    diag_label(cx, "%s", strerror(problem));
  return status;
}

// A file whose size is known to be too large need not be read.
static bool says_it_is_large(int file) {
  struct stat about;
  return fstat(file, &about) == 0 && about.st_size > (off_t)LARGEST_FILE;
}

// Bytes of a file or a pipe; -1 with errno, ETIMEDOUT where nobody writes into it.
static ssize_t read_some(Context *cx, int file, char *bytes, size_t most) {
  double began = context_seconds();
  for (;;) {
    struct pollfd about = {.fd = file, .events = POLLIN};
    context_poll(cx);
    int ready = poll(&about, 1, 20);
    ssize_t n = ready > 0 ? read(file, bytes, most) : -1;
    if (n >= 0) return n;
    if (ready != 0 && errno != EINTR && errno != EAGAIN) return -1;
    if (context_seconds() - began <= PATIENCE) continue;
    errno = ETIMEDOUT;
    return -1;
  }
}

// A file that is no text is refused at its first zero byte, however long it is.
static Status not_a_text(Context *cx, const char *path, const char *bytes, size_t n) {
  bool is_wide = n >= 2 && (memcmp(bytes, "\xff\xfe", 2) == 0 || memcmp(bytes, "\xfe\xff", 2) == 0);
  Status status = diag_error_plain(cx, QDOT_BAD_FILE, "'%s' is not a text file", path);
  diag_note(cx, "%s", is_wide ? "it is UTF-16; save it as UTF-8" : "it contains a zero byte");
  return status;
}

static Status read_all(Context *cx, const char *path, int file, Text *out) {
  char bytes[65536];
  bool large = says_it_is_large(file);
  while (!large) {
    ssize_t n = read_some(cx, file, bytes, sizeof bytes);
    if (n < 0) return unreadable(cx, path, errno);
    if (n == 0) return QDOT_OK;
    if (memchr(bytes, 0, (size_t)n)) return not_a_text(cx, path, bytes, (size_t)n);
    text_add_bytes(out, bytes, (size_t)n);
    large = out->n > LARGEST_FILE;
  }
  return diag_error_plain(cx, QDOT_TOO_LARGE, "'%s' is larger than %d MiB", path,
                          (int)(LARGEST_FILE >> 20));
}

Status file_read(Context *cx, const char *path, Text *out) {
  int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return unreadable(cx, path, errno);
  Handle handle;
  guard_register(&cx->guard, &handle, (void *)(intptr_t)file, close_file);
  *out = text_new(&cx->scratch);
  Status status = read_all(cx, path, file, out);
  guard_close(&cx->guard, &handle);
  return status;
}

// ---- Bytes

enum { LARGEST_BYTES = 1 << 28, BEGINNING = 8 };

static Status read_to_end(Context *cx, const char *path, int file, const char *magic, Text *out) {
  char bytes[65536];
  for (;;) {
    ssize_t n = read_some(cx, file, bytes, sizeof bytes);
    if (n < 0) return unreadable(cx, path, errno);
    if (n == 0) return QDOT_OK;
    text_add_bytes(out, bytes, (size_t)n);
    // what begins otherwise is refused by whoever reads it, however long it is
    if (out->n >= BEGINNING && memcmp(out->at, magic, BEGINNING) != 0) return QDOT_OK;
    if (out->n > LARGEST_BYTES)
      return diag_error_plain(cx, QDOT_TOO_LARGE, "'%s' is larger than %d MiB", path,
                              LARGEST_BYTES >> 20);
  }
}

Status file_read_bytes(Context *cx, const char *path, const char *magic, Text *out) {
  int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return unreadable(cx, path, errno);
  Handle handle;
  guard_register(&cx->guard, &handle, (void *)(intptr_t)file, close_file);
  *out = text_new(&cx->scratch);
  Status status = read_to_end(cx, path, file, magic, out);
  guard_close(&cx->guard, &handle);
  return status;
}
