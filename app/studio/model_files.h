// The models of one folder. Names are plain: no path leaves the folder, no link is followed.
#ifndef STUDIO_MODEL_FILES_H
#define STUDIO_MODEL_FILES_H

#include <stdbool.h>
#include <stddef.h>

enum { LARGEST_FILE = 1 << 20, LONGEST_NAME = 120 };

// A folder that is open, as a file descriptor.
typedef struct Folder {
  int fd;
} Folder;

bool folder_open(Folder *folder, const char *path);
// NAME.qdot of letters that need no care in a path.
bool file_name_is_good(const char *name);

// The model's text, ended by a zero byte, to be freed; NULL with *why otherwise.
char *file_load(const Folder *folder, const char *name, size_t *length, const char **why);
// Replaces it as a whole and forgets its journal. NULL, or what went wrong.
const char *file_save(const Folder *folder, const char *name, const char *text, size_t length);

// What was typed but not saved: kept beside the model until it is saved or discarded, as a whole,
// so that whoever is killed leaves the last text that was acknowledged.
const char *journal_write(const Folder *folder, const char *name, const char *text, size_t length);
char *journal_load(const Folder *folder, const char *name, size_t *length);
void journal_discard(const Folder *folder, const char *name);

// Calls take for every model, those with a journal only among them, in the order of their names.
void folder_list(const Folder *folder, void (*take)(void *user, const char *name), void *user);

#endif
