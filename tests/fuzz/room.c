// Small limits, and files of one folder by the shortest way.
#include "room.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

qdot_context *room_context(void) {
  qdot_limits limits = qdot_limits_defaults();
  limits.memory_bytes = (size_t)256 << 20;
  limits.nodes = 200000;
  limits.seconds = 2;
  limits.statements = 2000;
  return qdot_context_open(&limits);
}

static int forget(void *user, const char *bytes, size_t n) {
  (void)user, (void)bytes, (void)n;
  return 0;
}

qdot_sink room_sink(void) { return (qdot_sink){forget, NULL}; }

static char folder[] = "/dev/shm/qdot-fuzz-XXXXXX";
static char fallback[] = "/tmp/qdot-fuzz-XXXXXX";
static const char *room;
static pid_t owner;

static void path_of(const char *name, char *out, size_t size) {
  snprintf(out, size, "%s/%s", room_folder(), name);
}

// libFuzzer may fork; only the process that made the folder removes it.
static void remove_room(void) {
  DIR *listing = getpid() == owner ? opendir(room) : NULL;
  if (!listing) return;
  for (struct dirent *entry; (entry = readdir(listing));)
    if (entry->d_name[0] != '.') room_drop(entry->d_name);
  closedir(listing);
  rmdir(room);
}

const char *room_folder(void) {
  if (room) return room;
  room = mkdtemp(folder);
  if (!room) room = mkdtemp(fallback);
  if (!room) abort();
  owner = getpid();
  atexit(remove_room);
  return room;
}

void room_put(const char *name, const void *bytes, size_t n) {
  char path[300];
  path_of(name, path, sizeof path);
  FILE *file = fopen(path, "wb");
  if (!file || (n && fwrite(bytes, 1, n, file) != n) || fclose(file) != 0) abort();
}

void *room_get(const char *name, size_t *n) {
  char path[300];
  path_of(name, path, sizeof path);
  struct stat about;
  if (stat(path, &about) != 0) return NULL;
  char *bytes = malloc((size_t)about.st_size + 1);
  FILE *file = fopen(path, "rb");
  if (!file || !bytes) abort();
  *n = fread(bytes, 1, (size_t)about.st_size, file);
  fclose(file);
  return bytes;
}

void room_drop(const char *name) {
  char path[300];
  path_of(name, path, sizeof path);
  unlink(path);
}
