// A program of a system under construction: what equations.c and its parts share.
// Sources: accelerate.c, equation_parts.c, maker.c
#ifndef QDOT_SIM_MAKER_H
#define QDOT_SIM_MAKER_H

#include "code/eliminate.h"
#include "sim/equations.h"

typedef struct Maker {
  Equations *d;
  Context *cx;
  const System *s;
  ProgramBuilder builder;
  Flattener flat;
} Maker;

void maker_open(Maker *maker, Equations *equations, EquationPart part);
void maker_close(Maker *maker);

// The next outputs; NO_SLOT is 0.
void maker_put(Maker *maker, Slot slot);
void maker_put_exprs(Maker *maker, const Expr *exprs, size_t n);
void maker_put_expr(Maker *maker, Expr e);

// Writes a part. False when it cannot be made because a pivot vanishes whatever the state.
bool maker_make(Maker *maker, EquationPart part);

// ---- The linear system of the accelerations

// Unknowns: z'' (n, then definitions), definition multipliers, lambda of the rows.
typedef struct Saddle {
  Elimination *e;
  uint32_t z, definitions, size; // definitions: how many, 0 for the dense form
  Slot *scale; // by row: what its entries, side and multiplier are multiplied by; NO_SLOT for 1
} Saddle;

// The linear system of the accelerations, solved.
typedef struct Solved {
  Saddle saddle;
  uint32_t rows; // where lambda begins in x
  Slot *x;       // in scratch memory
} Solved;

// The side of a row, or its multiplier, in the scale of the linear system.
Slot maker_scaled(Maker *maker, const Saddle *saddle, uint32_t row, Slot value);
// Writes the accelerations and multipliers; false as above.
bool maker_solve(Maker *maker, Solved *out);
// From here on the symbols of accelerations and multipliers are the solution.
void maker_bind_solution(Maker *maker, const Solved *solved);
bool maker_forward(Maker *maker);
// The correction of least mass-weighted size that removes the residual to first order.
bool maker_projection(Maker *maker, bool velocity);

// Q - h - D - G of one coordinate
Expr maker_applied_force(Maker *maker, uint32_t i);
// Phi_q q' + Phi_t, along the velocity: never through Phi_q.
Expr maker_velocity_residual(Maker *maker, uint32_t row);
void maker_put_power(Maker *maker, const Slot *lambda);

#endif
