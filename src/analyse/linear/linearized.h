// The record of a linearization.
#ifndef QDOT_ANALYSE_LINEAR_LINEARIZED_H
#define QDOT_ANALYSE_LINEAR_LINEARIZED_H

#include "analyse/equilibrium/closed_form.h"
#include "analyse/equilibrium/operating_point.h"
#include "analyse/linear/reduced.h"
#include "analyse/linear/state_slopes.h"
#include "analyse/linear/switching_point.h"

typedef struct Sampled Sampled;

typedef struct Linearized {
  Context *cx;
  const System *system;
  uint32_t n, p, f, m; // coordinates, independent positions and velocities, rows
  uint32_t moving;     // so many coordinates are no states of their own, which come behind them
  uint32_t inputs, outputs;
  Steady *point;
  double *u; // inputs at the point
  Independent choice;
  uint32_t *rows_kept; // n - f: places among constraints, then contacts
  ClosedForm form;
  ExprList left_out; // excitations: parameters that are taken as 0
  bool is_large;     // entries are in shared parts
  bool is_too_large; // exact entries were asked for and would be too many: M, C, K... stay NULL
  bool is_balanced;  // false at a point that is not an equilibrium
  // M^ s' + C^ s + K^ z = Q^ + B^ u, exactly; NULL unless asked for
  Expr *M, *C, *K, *B; // f x f, f x f, f x p, f x inputs
  Expr *K_constraint;  // f x p: the part of K that the constraints' forces make
  Expr *R;             // n x p: dq = R z
  Expr *Q;             // f: 0 where the forces balance
  Expr *lambda;        // m: multipliers at the point
  // in all coordinates, before the projection
  FullNumbers full;
  RowNumbers rows;
  // the same as numbers, and the state space: of (z, s) where M^ is regular, else see output_rows.h
  Reduced number;
  bool is_regular;       // M^ has an inverse
  bool has_state_space;  // also where it has none, and damping gives the velocities without mass
  uint32_t massless;     // then a coordinate whose mass vanishes
  bool is_pole;          // the coordinates fail here, as longitudes at a pole: massless is one
  StateSpace state;      // A, B
  Kinks kinks;           // functions that switch just here
  double *C_out, *D_out; // outputs x state.size, outputs x inputs
  Sampled *sampled;      // of a loop that samples close, see sampled.h; NULL where there is none
} Linearized;

// What the i-th row of A stands for.
typedef struct StateName {
  uint32_t coordinate;
  bool is_rate;
} StateName;
StateName linearized_state(const Linearized *l, uint32_t i);

// A balance with the inputs and without the excitations of the linearization; to be closed.
void linearized_balance(const Linearized *l, const double *values, Balance *out);

#endif
