// The exact linearization of a system about an equilibrium or a steady motion.
//
//   balance of forces -> point (numbers) -> independent coordinates -> closed forms of the point
//   -> R, W, Y at the point -> M^, C^, K^, B^ -> state space
//
// Only the matrix Phi_y at the point is inverted. The stiffness that constraints under load add,
// H^T (Phi_q^T lambda)_q R, is kept apart as well.
#ifndef QDOT_ANALYSE_LINEAR_LINEARIZE_H
#define QDOT_ANALYSE_LINEAR_LINEARIZE_H

#include "analyse/linear/linearized.h"

typedef struct LinearizeOptions {
  const LinearizeRequest *request; // NULL: at the equilibrium nearest to the start
  bool numbers_only;               // no expressions
} LinearizeOptions;

// The system must have its matrices; values as model_values gives them. Everything is in the keep
// arena. What cannot be done is explained.
Status linearize_system(Context *cx, const System *system, const double *values,
                        const LinearizeOptions *options, Linearized *out);

// The exact entries of a linearization that was made with numbers only; those it has stay. Where
// they would be too large for anybody, is_too_large is set and there are none. QDOT_INCONSISTENT,
// with a message, where their values are not the numbers that they stand for.
Status linearized_add_entries(Linearized *l, const double *values);

// The same about a state that is already known, numbers only; no outputs. What is wrong with the
// state (a singular mechanism) gives a status without a message.
Status linearize_numbers(Balance *b, const StateSlopes *e, const Steady *state, Arena *arena,
                         Linearized *out);

// Lets the kept rows alone carry the forces at the point; which ones those are (m).
bool *linearized_relieve(Balance *b, Linearized *l);

#endif
