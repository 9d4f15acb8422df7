// The files of the page, as the build has left them: read once, when the server starts.
#ifndef STUDIO_ASSETS_H
#define STUDIO_ASSETS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct Asset {
  const char *path; // of the request
  const char *file, *type;
  bool may_lack;        // the page does without
  char *bytes, *packed; // packed by gzip, or NULL
  size_t length, packed_length;
} Asset;

// From the folder beside the program or, if installed, below share; false where the page was not
// built.
bool assets_load(void);
// NULL where there is none.
const Asset *asset_find(const char *path);

#endif
