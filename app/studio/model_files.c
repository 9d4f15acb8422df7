// The models of one folder.
#include "model_files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char ENDING[] = ".qdot", JOURNAL[] = ".journal";
enum { PATH_LENGTH = LONGEST_NAME + 32, MOST_LISTED = 2000 };

bool folder_open(Folder *folder, const char *path) {
  folder->fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  return folder->fd >= 0;
}

bool file_name_is_good(const char *name) {
  size_t length = strlen(name), ending = sizeof ENDING - 1;
  if (length <= ending || length > LONGEST_NAME || name[0] == '.') return false;
  for (const char *c = name; *c; c++)
    if ((unsigned char)*c < ' ' || *c == 0x7F || strchr("/\\:*?\"<>|", *c)) return false;
  return strcmp(name + length - ending, ENDING) == 0;
}

// .NAME.qdot.journal
static void journal_name(const char *name, char out[PATH_LENGTH]) {
  snprintf(out, PATH_LENGTH, ".%s%s", name, JOURNAL);
}

// ---- Reading

static char *read_whole(int fd, size_t size, size_t *length) {
  char *text = malloc(size + 1);
  *length = 0;
  while (text && *length < size) {
    ssize_t n = read(fd, text + *length, size - *length);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    *length += (size_t)n;
  }
  if (text) text[*length] = 0;
  return text;
}

// Neither a link nor a device nor a pipe, which would not end.
static char *load(const Folder *folder, const char *path, size_t *length, const char **why) {
  int fd = openat(folder->fd, path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  struct stat about;
  char *text = NULL;
  *why = "it cannot be read";
  if (fd < 0) return NULL;
  if (fstat(fd, &about) != 0 || !S_ISREG(about.st_mode))
    *why = "it is not a file";
  else if (about.st_size > LARGEST_FILE)
    *why = "it is larger than 1 MiB";
  else
    text = read_whole(fd, (size_t)about.st_size, length);
  close(fd);
  return text;
}

char *file_load(const Folder *folder, const char *name, size_t *length, const char **why) {
  *why = "only models of this folder, NAME.qdot, can be opened";
  return file_name_is_good(name) ? load(folder, name, length, why) : NULL;
}

char *journal_load(const Folder *folder, const char *name, size_t *length) {
  char path[PATH_LENGTH];
  const char *why;
  if (!file_name_is_good(name)) return NULL;
  journal_name(name, path);
  return load(folder, path, length, &why);
}

// ---- Writing

static bool write_whole(int fd, const char *text, size_t length) {
  while (length > 0) {
    ssize_t n = write(fd, text, length);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    text += n, length -= (size_t)n;
  }
  return true;
}

// Beside it first, then in its place: whoever reads finds the old text or the new one. An existing
// link is replaced, never followed.
static bool replace(const Folder *folder, const char *path, const char *text, size_t length) {
  static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;
  char part[PATH_LENGTH + 8];
  snprintf(part, sizeof part, "%s%s.part", path[0] == '.' ? "" : ".", path);
  pthread_mutex_lock(&one_at_a_time);
  unlinkat(folder->fd, part, 0);
  int fd = openat(folder->fd, part, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
  bool done = fd >= 0 && write_whole(fd, text, length);
  if (fd >= 0) done = close(fd) == 0 && done;
  done = done && renameat(folder->fd, part, folder->fd, path) == 0;
  if (!done && fd >= 0) unlinkat(folder->fd, part, 0);
  pthread_mutex_unlock(&one_at_a_time);
  return done;
}

const char *file_save(const Folder *folder, const char *name, const char *text, size_t length) {
  if (!file_name_is_good(name)) return "models are called NAME.qdot";
  if (!replace(folder, name, text, length)) return "it cannot be written";
  journal_discard(folder, name);
  return NULL;
}

const char *journal_write(const Folder *folder, const char *name, const char *text, size_t length) {
  char path[PATH_LENGTH];
  if (!file_name_is_good(name)) return "models are called NAME.qdot";
  journal_name(name, path);
  return replace(folder, path, text, length)
             ? NULL
             : "what you type cannot be kept: the folder cannot be written";
}

void journal_discard(const Folder *folder, const char *name) {
  char path[PATH_LENGTH];
  if (!file_name_is_good(name)) return;
  journal_name(name, path);
  unlinkat(folder->fd, path, 0);
}

// ---- Listing

static int by_name(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

// The model that a file of the folder belongs to, to be freed; NULL for others.
static char *model_of(const char *entry) {
  size_t length = strlen(entry), journal = sizeof JOURNAL - 1;
  if (file_name_is_good(entry)) return strdup(entry);
  if (entry[0] != '.' || length <= journal + 1 || strcmp(entry + length - journal, JOURNAL) != 0)
    return NULL;
  char *name = strndup(entry + 1, length - journal - 1);
  if (name && !file_name_is_good(name)) free(name), name = NULL;
  return name;
}

void folder_list(const Folder *folder, void (*take)(void *user, const char *name), void *user) {
  char *names[MOST_LISTED];
  size_t n = 0;
  int fd = openat(folder->fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *list = fd >= 0 ? fdopendir(fd) : NULL;
  if (!list) {
    if (fd >= 0) close(fd);
    return;
  }
  for (struct dirent *entry; n < MOST_LISTED && (entry = readdir(list));) {
    char *name = model_of(entry->d_name);
    if (name) names[n++] = name;
  }
  closedir(list);
  qsort(names, n, sizeof *names, by_name);
  for (size_t i = 0; i < n; i++) {
    if (i == 0 || strcmp(names[i], names[i - 1]) != 0) take(user, names[i]);
  }
  for (size_t i = 0; i < n; i++) free(names[i]);
}
