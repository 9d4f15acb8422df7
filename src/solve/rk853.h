// What the steps of rk853 and its dense output share.
// Sources: rk853.c, rk853_dense.c, rk853_lanes.c, rk853_settle.c
#ifndef QDOT_SOLVE_RK853_H
#define QDOT_SOLVE_RK853_H

#include "solve/explicit.h"
#include "solve/step_lanes.h"

enum { RK853_STAGES = 16, DENSE = 8, MOST_PIECES = 4 };

// A polynomial of the motion from t to t + h.
typedef struct DensePiece {
  double t, h;
  double *begin;    // the state at t
  double *room;     // for it, where it is inside a step
  double *c[DENSE]; // c[1] .. c[7]
} DensePiece;

typedef struct Rk853 {
  Explicit x;
  double *k[RK853_STAGES + 1]; // k[2] .. k[12], k[14] .. k[16]
  double six, five;            // estimates of order 6 and 5: sums of squares, over h
  // the dense output of the last step: one polynomial, or several where that is too coarse
  DensePiece whole, piece[MOST_PIECES];
  int pieces;
  double *k_between[2];
} Rk853;

#define NAME_STAGES(k_begin)                                                                       \
  const Quad *k1 = (const Quad *)(k_begin), *k2 = (Quad *)w->k[2], *k3 = (Quad *)w->k[3],          \
             *k4 = (Quad *)w->k[4], *k5 = (Quad *)w->k[5], *k6 = (Quad *)w->k[6],                  \
             *k7 = (Quad *)w->k[7], *k8 = (Quad *)w->k[8], *k9 = (Quad *)w->k[9],                  \
             *k10 = (Quad *)w->k[10], *k11 = (Quad *)w->k[11], *k12 = (Quad *)w->k[12]

// From sums of squares, the estimates of order 5 and 3 over h; their ratio guards both.
double rk853_combined_error(const Stepper *stepper, double h, double five, double three);

// What the error of fast motions is of what order 6 over order 5 says, see rk853.c.
#define FAST_SHARE 0.2
// A step whose last stage is so many tolerances off the polynomial is looked at more closely.
#define FAR_STAGE (4 * 2.0)

// Of steppers that have a lane. Goes on together with others up to a step that is to be looked at.
void rk853_ride(Stepper *stepper, double limit);
// What errors of the works weigh, into the lane.
void lane_rows_weigh(LaneRows *rows, int lane);
// Puts the step that comes next into the lane; false where it is too small to be tried.
bool lane_rows_aim(LaneRows *rows, int lane);
// What the ride has brought as the attempt at hand; false: it has to be made alone.
bool rk853_attempt_in_lane(Stepper *stepper, double h, double *error);
// Takes y_new from the lane, and k_end, if it is there.
bool rk853_arrive_in_lane(Stepper *stepper, double t);
// Takes from the lane what shows stiffness.
void rk853_take_signs(Stepper *stepper);
// The sum of squares of fast_error, if the lane has it.
bool rk853_fast_sum_in_lane(const Stepper *stepper, double *sum);
// Takes the stages of the last attempt from the lane.
void rk853_take_stages(Stepper *stepper);
// Takes the polynomial of the last step from the lane, if it is there.
bool rk853_dense_in_lane(Stepper *stepper);
// What the state of the last stage differs from it by; acting values.
void rk853_take_differences(const Stepper *stepper, double *e);

void rk853_open_dense(Stepper *stepper);
Status rk853_dense(Stepper *stepper, double t, double *y);
Status rk853_dense_many(Stepper *stepper, const double *t, int count, double *rows);

#endif
