// A run's state kept in a file, complete or not at all.
#ifndef QDOT_SOLVE_CHECKPOINT_H
#define QDOT_SOLVE_CHECKPOINT_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

// Writes `count` doubles under a key that names what they belong to: to path.new, to the disk, then
// renamed to path, so that a crash leaves the one before. Fails with QDOT_IO.
Status checkpoint_write(Arena *scratch, const char *path, uint64_t key, const double *values,
                        size_t count);

// QDOT_IO when there is none, QDOT_BAD_FILE when it is damaged or belongs to something else. The
// values live in the arena.
Status checkpoint_read(Arena *arena, const char *path, uint64_t key, double **values,
                       size_t *count);

#endif
