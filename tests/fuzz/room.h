// A folder of files for programs under test, removed at the end; and files put into it.
#ifndef QDOT_FUZZ_ROOM_H
#define QDOT_FUZZ_ROOM_H

#include <stddef.h>

// Made at the first call; in memory where the machine has /dev/shm.
const char *room_folder(void);
void room_put(const char *name, const void *bytes, size_t n);
// The bytes of a file there, to be freed; NULL when it is missing.
void *room_get(const char *name, size_t *n);
void room_drop(const char *name);

#endif
