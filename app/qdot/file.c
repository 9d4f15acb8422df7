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
