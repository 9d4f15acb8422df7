// A program of a system under construction.
// Sources: accelerate.c, equation_along.c, equation_parts.c, equation_program.c
#ifndef QDOT_SIM_EQUATION_PROGRAM_H
#define QDOT_SIM_EQUATION_PROGRAM_H

#include "code/eliminate.h"
#include "sim/equation_maker.h"

typedef struct EquationProgram {
  EquationMaker *from;
  Equations *d;
  Context *cx;
  const System *s;
  ProgramBuilder builder;
  Flattener flat;
} EquationProgram;

void equation_program_open(EquationProgram *maker, EquationMaker *from, EquationPart part);
void equation_program_close(EquationProgram *maker);

// The next outputs; NO_SLOT is 0.
void equation_program_put(EquationProgram *maker, Slot slot);
void equation_program_put_exprs(EquationProgram *maker, const Expr *exprs, size_t n);
void equation_program_put_expr(EquationProgram *maker, Expr e);

// Writes a part. False when it cannot be made because a pivot vanishes whatever the state.
bool equation_program_make(EquationProgram *maker, EquationPart part);

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
Slot equation_program_scaled(EquationProgram *maker, const Saddle *saddle, uint32_t row,
                             Slot value);
// Writes the accelerations and multipliers; false as above.
bool equation_program_solve(EquationProgram *maker, Solved *out);
// From here on the symbols of accelerations and multipliers are the solution.
void equation_program_bind_solution(EquationProgram *maker, const Solved *solved);
bool equation_program_forward(EquationProgram *maker);
// The linear system alone, factored with the first side that is solved for.
Saddle equation_program_saddle(EquationProgram *maker);
// The loss at all pivots, and how large the inverse pivot of every constraint is: outputs.
void equation_program_put_trust(EquationProgram *maker, const Saddle *saddle);
// The correction of least mass-weighted size that removes the residual to first order.
bool equation_program_projection(EquationProgram *maker, bool velocity);

// Q - h - D - G of one coordinate
Expr equation_program_applied_force(EquationProgram *maker, uint32_t i);
// Phi_q q' + Phi_t, along the velocity: never through Phi_q.
Expr equation_program_velocity_residual(EquationProgram *maker, uint32_t row);
// Phi_q q'' - gamma of a row, along the acceleration.
Expr equation_program_acceleration_residual(EquationProgram *maker, uint32_t row);
// M q'' - f + Phi_q^T lambda of every coordinate, in scratch memory.
Expr *equation_program_residuals(EquationProgram *maker);
// Writes a part of slopes along directions; false as above.
bool equation_program_along(EquationProgram *maker, EquationPart part);
void equation_program_put_power(EquationProgram *maker, const Slot *lambda);

#endif
