// Quasi-velocities u, as many as are independent, and the velocities that follow from them.
//
//   u_r = sum_i Y_ri q_i' + y_r     stated by `speed`, or velocities of coordinates
//   0   = sum_i A_ki q_i' + a_k     constraints that hold by themselves where speeds are fewer
//   q'  = W u + w                   both solved
//
// Y, y, A, a, W and w depend on coordinates and t.
#ifndef QDOT_DERIVE_SPEEDS_SPEEDS_H
#define QDOT_DERIVE_SPEEDS_SPEEDS_H

#include "derive/system.h"
#include "expr/algebra/simplify.h"

typedef struct Speeds {
  uint32_t n, count;  // coordinates, speeds
  const Expr *u, *ud; // symbols of the speeds and of their rates
  Expr *meaning;      // u in coordinates and velocities
  bool is_stated;     // by the model
  bool *is_replaced;  // by row of the system: it holds by the choice of the speeds
  uint32_t replaced;  // how many of these
  const Expr *Y, *y;  // of the speeds, then A and a of the replaced rows: n x n by rows, n
  Expr *velocity;     // q' in coordinates and speeds
  Expr *below;        // what each is divided by
  Expr *partial;      // W: dq_i'/du_r, n x count by rows
  Expr *acceleration; // q'' in coordinates, speeds and their rates
} Speeds;

// Speeds of which there are too few or too many, that depend on each other, or that are not linear
// in the velocities are mistakes that are named. Without `speed` these are the velocities of
// coordinates, of those behind `independent` first. All arrays in the keep arena.
Status speeds_derive(Context *cx, const System *system, Speeds *out);
// Does the model state speeds, and can they be used?
Status speeds_check(Context *cx, const System *system);

// Y q' = left - y solved for q', for any left side (n); in the keep arena. The speeds are regular.
void speeds_solve(Context *cx, const Speeds *speeds, const Expr *left, Expr *velocity);
// Velocities and accelerations replaced by speeds and their rates.
void speeds_insert(Context *cx, const Speeds *speeds, const System *system, const Expr *in,
                   uint32_t count, Expr *out);
// The reader's form of expressions in speeds, without velocities; what nobody would read stays.
void speeds_simplify_values(Context *cx, const Speeds *speeds, const System *system,
                            SimplifyLevel level, Expr *at, uint32_t count);
void speeds_simplify(Context *cx, const System *system, SimplifyLevel level, Speeds *speeds);

#endif
