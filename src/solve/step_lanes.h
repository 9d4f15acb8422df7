// Steps of several steppers at once, each in a lane of its own.
//
// All numbers stand in rows of `lanes` doubles, at addresses that are multiples of a row's size. A
// lane goes through the operations that its stepper would go through alone, in the same order: its
// numbers have the same bits.
// Sources: rk853_lanes.c
#ifndef QDOT_SOLVE_STEP_LANES_H
#define QDOT_SOLVE_STEP_LANES_H

#include <stdint.h>

#include "solve/method.h"

// Who evaluates the problems of all lanes.
typedef struct LaneSystem {
  void *user;
  double *t, *y; // rows: where derivatives are asked for; y as in Stepper, without w
  // The derivatives k (rows as those of y, w' and one more) of the lanes in the set `which`;
  // returns those that have one.
  uint32_t (*derivative)(void *user, uint32_t which, double *k);
} LaneSystem;

enum { LANE_STAGES = 16, LANE_DENSE = 8 };

// The rows of a step of rk853.
typedef struct LaneRows {
  int lanes, acting, size;
  int moving; // rows of y that change at all: size, or acting where no w ever does
  double *h, *t, *t_end;
  double *y, *floor, *relative;
  double *weight;             // of the errors
  double *k[LANE_STAGES + 1]; // k[13] is that at the end
  double *stage, *y_new;      // the states of stage 12, and at the end
  double *last_stage;         // of stage 16
  double *c[LANE_DENSE];      // of the polynomial within the step
  double *six, *five, *three; // sums of squares: estimates of the error,
  double *fast;               // and what the last two derivatives differ by
  double *off;                // what the last stage and the polynomial differ by
  uint32_t done;              // lanes with y_new,
  uint32_t ended;             // k[13],
  uint32_t dense;             // c
} LaneRows;

LaneRows *lane_rows_new(Arena *arena, int lanes, int acting, int size, int moving);
// Puts the step of size h that a stepper with work of rk853 is about to try into a lane.
void lane_rows_take(LaneRows *rows, int lane, const Stepper *stepper, double h);
// Makes the steps of the lanes in `which`; goes_on: as far as the dense output, as is good where
// nothing moves y_new.
void lane_rows_step(LaneRows *rows, const LaneSystem *system, uint32_t which, bool goes_on);

// The lane of a stepper: see Stepper.
struct StepLane {
  void *user;
  // Makes a step together with others; false: it has to be made alone.
  bool (*attempt)(struct StepLane *lane, Stepper *stepper, double h);
  LaneRows *rows;
  int lane;
  // the step that is in the rows; what the stepper still has to take from there
  double t, t_end, h;
  bool has_state, has_signs, has_stages, has_end, has_dense;
};

#endif
