// The null space of a matrix of doubles, as vectors with as few entries as possible.
#ifndef QDOT_DERIVE_ROADS_NULLSPACE_H
#define QDOT_DERIVE_ROADS_NULLSPACE_H

#include <stdbool.h>
#include <stdint.h>

// A below this part of its row's largest entry is what rounding has left of zero.
#define NULLSPACE_ZERO 1e-9

// A, rows x columns by rows, is scaled row by row and overwritten by its reduced echelon form.
// is_free[j]: no row determines unknown j; pivot_row[j]: the row of the others. Returns how many
// are free.
uint32_t nullspace_reduce(double *A, uint32_t rows, uint32_t columns, bool *is_free,
                          uint32_t *pivot_row);
// The vector in which the free unknown `free` is 1 and other free ones are 0.
void nullspace_vector(const double *A, uint32_t columns, const bool *is_free,
                      const uint32_t *pivot_row, uint32_t free, double *out);

#endif
