// How large the numbers are that rows and contacts are computed from, and how large coordinates
// are: what residuals and changes are measured by. It comes from the lengths of the problem, never
// from the present state, which may pass through zero.
#ifndef QDOT_SIM_SIZES_H
#define QDOT_SIM_SIZES_H

#include "sim/machine.h"

// Which coordinates are measured alike.
void machine_find_kinds(Machine *machine);

// Makes what the present set needs, before a run.
void machine_need_sizes(Machine *machine);
// Takes over machine->values, of which some have been changed.
void machine_renew_sizes(Machine *machine);

// Of Phi (holonomic rows) and of the gaps of all contacts, at a state. Neither allocates.
void machine_row_sizes(Machine *machine, double t, const double *q, double *out);
void machine_gap_sizes(Machine *machine, double t, const double *q, double *out);
// The size of a coordinate: a radian for an angle, else where its part of the constraints is as
// large as their constant part; 0 where nothing tells.
double machine_coordinate_size(const Machine *machine, int i);

// Of any expressions of the model at a state; qd may be NULL. Allocates.
void machine_sizes_of(Machine *machine, const Expr *exprs, uint32_t n, double t, const double *q,
                      const double *qd, double *out);

#endif
