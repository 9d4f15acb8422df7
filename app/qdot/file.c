// Creating small text files.
#include "file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

bool file_create(const char *verb, const char *path, const char *text) {
  FILE *file = fopen(path, "wx");
  bool written = file && fputs(text, file) >= 0;
  int problem = errno;
  if (file && fclose(file) != 0) {
    if (written) problem = errno;
    written = false;
  }
  if (!written) fprintf(stderr, "qdot %s: cannot write %s: %s\n", verb, path, strerror(problem));
  if (file && !written) remove(path);
  return written;
}

bool file_replace(const char *verb, const char *path, const char *text, size_t length) {
  char beside[8400];
  snprintf(beside, sizeof beside, "%s.new", path);
  FILE *file = fopen(beside, "wx");
  bool written = file && fwrite(text, 1, length, file) == length;
  if (file && fclose(file) != 0) written = false;
  written = written && rename(beside, path) == 0;
  if (!written) fprintf(stderr, "qdot %s: cannot write %s: %s\n", verb, path, strerror(errno));
  if (file && !written) remove(beside);
  return written;
}
