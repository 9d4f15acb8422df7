// Reading whole files.
#include "api/api_file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#define LARGEST_FILE ((size_t)1 << 30)

static void close_stream(void *stream) { fclose(stream); }

static Status unreadable(Context *cx, const char *path, int problem) {
  Status status = diag_error_plain(cx, QDOT_IO, "cannot read '%s'", path);
  diag_label(cx, "%s", strerror(problem));
  return status;
}

// A file whose size is known to be too large need not be read.
static bool says_it_is_large(FILE *stream) {
  struct stat about;
  return fstat(fileno(stream), &about) == 0 && about.st_size > (off_t)LARGEST_FILE;
}

Status file_read(Context *cx, const char *path, Text *out) {
  FILE *stream = fopen(path, "rb");
  if (!stream) return unreadable(cx, path, errno);
  Handle handle;
  guard_register(&cx->guard, &handle, stream, close_stream);
  *out = text_new(&cx->scratch);
  char bytes[65536];
  errno = 0;
  bool large = says_it_is_large(stream);
  for (size_t n; !large && (n = fread(bytes, 1, sizeof bytes, stream)) > 0;) {
    text_add_bytes(out, bytes, n);
    large = out->n > LARGEST_FILE;
  }
  Status status = ferror(stream) ? unreadable(cx, path, errno) : QDOT_OK;
  if (large)
    status = diag_error_plain(cx, QDOT_TOO_LARGE, "'%s' is larger than %d MiB", path,
                              (int)(LARGEST_FILE >> 20));
  guard_close(&cx->guard, &handle);
  return status;
}
