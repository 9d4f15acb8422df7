// The outputs of a model to first order: dy = C_out x + D_out u for the state x = (z, s).
// Sources: first_order.c, output_rows.c
#ifndef QDOT_ANALYSE_LINEAR_OUTPUT_ROWS_H
#define QDOT_ANALYSE_LINEAR_OUTPUT_ROWS_H

#include "analyse/linear/linearized.h"

// How every coordinate and multiplier follows the state and the inputs: columns are the p + f
// states, the f accelerations ds/dt where M^ is singular and nothing else gives them, the inputs.
typedef struct OutputRows {
  uint32_t states; // p + f, or p + 2 f
  uint32_t columns;
  double *q, *qd, *qdd; // n x columns
  double *lambda;       // m x columns
} OutputRows;
void output_rows_find(const Linearized *l, Arena *arena, OutputRows *out);

// Fills C_out and D_out. Outputs may contain velocities, accelerations, multipliers and inputs.
void output_rows_outputs(Balance *b, Linearized *l);
// One output in terms of the columns of `f`; the balance's values are those of the point.
void output_rows_row(Context *cx, const Linearized *l, const OutputRows *f, const double *values,
                     Expr e, double *row);

// The state space where some velocities have no mass: first-order states, and coordinates that only
// dampers hold back. They follow from the damping, C_ll s_l = B_l u - C_lh s_h - K_l z, and the
// state is x = (z, s_h, states of their own), see linearized_state. Fills state, C_out and D_out;
// false where the damping leaves such a velocity open.
bool first_order_make(Balance *b, Linearized *l);

// The same for any outputs, and for the inputs that l->number has; values by variable at the point.
typedef struct FirstOrder {
  StateSpace state;
  double *C, *D; // count x size, count x inputs
} FirstOrder;
bool first_order_find(const Linearized *l, const double *values, const Expr *outputs,
                      uint32_t count, Arena *work, Arena *keep, FirstOrder *out);

#endif
