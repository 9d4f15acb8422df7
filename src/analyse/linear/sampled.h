// A sampled loop to first order: how the values just after the samples of one moment lead to those
// a period later.
#ifndef QDOT_ANALYSE_LINEAR_SAMPLED_H
#define QDOT_ANALYSE_LINEAR_SAMPLED_H

#include "analyse/linear/linearized.h"

// x[k+1] = A x[k] + B u[k] with x the state of the linearization, in which held values are states
// of their own, then values that are sampled and not yet delivered; u is held for a period.
struct Sampled {
  double period; // the least that is a whole number of every line's
  uint32_t size, inputs;
  uint32_t waiting;           // the last so many: values on their way,
  const char **waiting_names; // u[1] for the one delivered last
  double *A, *B;
};

// state: with the inputs that are asked for. Refusals are explained if `tells`, and give a status
// in any case. In the arena.
Status sampled_make(Arena *arena, const Linearized *l, const StateSpace *state,
                    const double *values, bool tells, Sampled *out);

// E := exp(A t), n x n.
void matrix_exponential(Arena *scratch, uint32_t n, const double *A, double t, double *E);

#endif
