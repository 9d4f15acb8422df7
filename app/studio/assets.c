// The files of the page.
#include "assets.h"

#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static Asset assets[] = {
    {.path = "/", .file = "index.html", .type = "text/html; charset=utf-8"},
    {.path = "/studio.js", .file = "studio.js", .type = "text/javascript; charset=utf-8"},
    {.path = "/studio.css", .file = "studio.css", .type = "text/css; charset=utf-8"},
    {.path = "/math.woff2", .file = "math.woff2", .type = "font/woff2", .may_lack = true}};
enum { ASSETS = sizeof assets / sizeof *assets };

static char *read_file(const char *folder, const char *name, const char *ending, size_t *length) {
  char path[PATH_MAX];
  snprintf(path, sizeof path, "%s/%s%s", folder, name, ending);
  FILE *file = fopen(path, "rb");
  struct stat about;
  if (!file) return NULL;
  char *bytes = fstat(fileno(file), &about) == 0 ? malloc((size_t)about.st_size + 1) : NULL;
  if (bytes) *length = fread(bytes, 1, (size_t)about.st_size, file), bytes[*length] = 0;
  fclose(file);
  return bytes;
}

static bool load_from(const char *folder) {
  bool is_whole = true;
  for (int i = 0; i < ASSETS; i++) {
    Asset *a = &assets[i];
    a->bytes = read_file(folder, a->file, "", &a->length);
    a->packed = read_file(folder, a->file, ".gz", &a->packed_length);
    is_whole = is_whole && (a->bytes || a->may_lack);
  }
  return is_whole;
}

bool assets_load(void) {
  static const char *const places[] = {"studio-page", "../share/qdot/studio"};
  char program[PATH_MAX], folder[PATH_MAX + 64];
  const char *told = getenv("QDOT_STUDIO_PAGE"); // for those who change the page
  if (told) return load_from(told);
  ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
  if (n <= 0) return false;
  program[n] = 0;
  const char *beside = dirname(program);
  for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
    snprintf(folder, sizeof folder, "%s/%s", beside, places[i]);
    if (load_from(folder)) return true;
  }
  return false;
}

const Asset *asset_find(const char *path) {
  for (int i = 0; i < ASSETS; i++)
    if (assets[i].bytes && strcmp(assets[i].path, path) == 0) return &assets[i];
  return NULL;
}
