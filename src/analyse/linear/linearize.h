// The exact linearization of a system about an equilibrium or a steady motion.
//
//   balance of forces -> point (numbers) -> independent coordinates -> closed forms of the point
//   -> R, W, Y at the point -> M^, C^, K^, B^ -> state space
//
// Only the matrix Phi_y at the point is inverted. The stiffness that constraints under load add,
// H^T (Phi_q^T lambda)_q R, is kept apart as well.
#ifndef QDOT_ANALYSE_LINEAR_LINEARIZE_H
#define QDOT_ANALYSE_LINEAR_LINEARIZE_H

#include "analyse/equilibrium/closed_form.h"
#include "analyse/equilibrium/operating_point.h"
#include "analyse/linear/reduced.h"
#include "analyse/linear/state_slopes.h"
#include "analyse/linear/switching_point.h"

typedef struct Linearized {
  Context *cx;
  const System *system;
  uint32_t n, p, f, m; // coordinates, independent positions and velocities, rows
  uint32_t inputs, outputs;
  Steady *point;
  double *u; // inputs at the point
  Independent choice;
  uint32_t *rows_kept; // n - f: places among constraints, then contacts
  ClosedForm form;
  bool is_large;     // entries are in shared parts
  bool is_too_large; // exact entries were asked for and would be too many: M, C, K... stay NULL
  bool is_balanced;  // false at a point that is no equilibrium
  // M^ s' + C^ s + K^ z = Q^ + B^ u, exactly; NULL unless asked for
  Expr *M, *C, *K, *B; // f x f, f x f, f x p, f x inputs
  Expr *K_constraint;  // f x p: the part of K that the constraints' forces make
  Expr *R;             // n x p: dq = R z
  Expr *Q;             // f: 0 where the forces balance
  Expr *lambda;        // m: multipliers at the point
  // in all coordinates, before the projection
  FullNumbers full;
  RowNumbers rows;
  // the same as numbers, and the state space of (z, s)
  Reduced number;
  bool has_state_space;  // false where M^ is singular
  uint32_t massless;     // then a coordinate whose mass vanishes
  bool is_pole;          // the coordinates fail here, as longitudes at a pole: massless is one
  StateSpace state;      // A, B
  Kinks kinks;           // functions that switch just here
  double *C_out, *D_out; // outputs x (p + f), outputs x inputs
} Linearized;

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
