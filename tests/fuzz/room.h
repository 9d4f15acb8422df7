// What fuzzing programs have in common: a context with small limits, a sink that forgets, and a
// folder of files that is removed at the end.
#ifndef QDOT_FUZZ_ROOM_H
#define QDOT_FUZZ_ROOM_H

#include <stddef.h>

#include "qdot/qdot.h"

qdot_context *room_context(void);
qdot_sink room_sink(void);

// Made at the first call; in memory where the machine has /dev/shm.
const char *room_folder(void);
void room_put(const char *name, const void *bytes, size_t n);
// The bytes of a file there, to be freed; NULL when it is missing.
void *room_get(const char *name, size_t *n);
void room_drop(const char *name);

#endif
