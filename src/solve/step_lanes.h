// Steps of several steppers at once, each in a lane of its own.
//
// All numbers stand in rows of `lanes` doubles, at addresses that are multiples of a row's size. A
// lane goes through the operations that its stepper would go through alone, in the same order: its
// numbers have the same bits.
// Sources: rk853_lanes.c, rk853_settle.c
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
  // Puts y_new of the lanes in the set, which are good, onto the constraints; returns those that
  // are there, of the others nothing is changed. NULL where there are none.
  uint32_t (*arrive)(void *user, uint32_t which);
  // Does what follows a step, for the lanes in the set, whose steps are in the rows and good;
  // returns those for which that is all. Of the others nothing is changed.
  uint32_t (*follow)(void *user, uint32_t which);
} LaneSystem;

enum { LANE_STAGES = 16, LANE_DENSE = 8, LANES_AT_MOST = 8 };

// The rows of a step of rk853.
typedef struct LaneRows {
  int lanes, acting, size;
  int moving; // rows of y that change at all: size, or acting where no w ever does
  double *h, *t, *t_end;
  double *y, *floor, *relative, *largest, *given;
  double *weight;             // of the errors
  double *k[LANE_STAGES + 1]; // k[13] is that at the end
  double *stage, *y_new;      // the states of stage 12, and at the end
  double *last_stage;         // of stage 16
  double *c[LANE_DENSE];      // of the polynomial within the step
  double *six, *five, *three; // sums of squares: estimates of the error,
  double *fast;               // and what the last two derivatives differ by
  double *off;                // what the last stage and the polynomial differ by
  double *error, *fast_error; // as parts of the tolerance
  double *distance;           // off, in tolerances
  double *above, *below;      // sums of squares that show stiffness
  double *greatest;           // of largest_new
  double *largest_new, *floor_new;
  double *most, *scale; // by kind of coordinates
  uint32_t done;        // lanes with y_new,
  uint32_t ended;       // k[13],
  uint32_t dense;       // c
  uint32_t last;        // whose step ends at the limit
  uint32_t moved;       // whose stepper is where it was some steps ago
  Stepper *stepper[LANES_AT_MOST];
  double limit[LANES_AT_MOST];
} LaneRows;

LaneRows *lane_rows_new(Arena *arena, int lanes, const Problem *problem, bool works);
// Puts the step that a stepper with work of rk853 is about to try, at most to the limit, into a
// lane; false where it is too small to be tried.
bool lane_rows_take(LaneRows *rows, int lane, Stepper *stepper, double limit);
// Makes the steps of the lanes in `which`, as far as the dense output of those that arrive.
void lane_rows_step(LaneRows *rows, const LaneSystem *system, uint32_t which);
// Those whose attempt is good as far as its error tells.
uint32_t lane_rows_good(const LaneRows *rows, uint32_t which);
// Of the steps that have been made, takes or rejects those that need nothing from their steppers,
// and puts the next ones in their places; returns their lanes. The other lanes have what they had.
uint32_t lane_rows_settle(LaneRows *rows, const LaneSystem *system, uint32_t which);
// Puts a stepper where its lane is.
void lane_rows_give(LaneRows *rows, int lane);

// The lane of a stepper: see Stepper.
struct StepLane {
  void *user;
  // Makes steps together with others, up to one that the stepper has to look at, which is then in
  // the rows (has_step); or none.
  void (*ride)(struct StepLane *lane, Stepper *stepper, double limit);
  bool is_free; // set from outside: nothing but `follow` follows a step
  LaneRows *rows;
  int lane;
  // the step that is in the rows; what the stepper still has to take from there
  double t, t_end, h;
  bool has_step, has_state, has_signs, has_stages, has_end, has_dense;
};

#endif
