// Paths of impulses: speeds apart and along are shifted, w + s a and u + s b, and the law is obeyed
// all the way. While nobody changes between open, resting and sliding, impulses are linear in s;
// where somebody has to, s may turn round, and goes the way in which that one leaves its old state.
// At s = 0 the law is that of the step.
#ifndef QDOT_SOLVE_TOUCH_TOUCH_PATH_H
#define QDOT_SOLVE_TOUCH_TOUCH_PATH_H

#include "solve/touch/touch_border.h"

typedef enum TouchLimit {
  NO_LIMIT,
  LIMIT_PRESS,
  LIMIT_REST_UP,
  LIMIT_REST_DOWN,
  LIMIT_GAP,
  LIMIT_SLIDE
} TouchLimit;

typedef struct TouchPath {
  Touches *t;
  TouchMatrix *matrix;
  double soft; // of its own response: what a contact gives way, from the impulses at the beginning
  TouchState *state;
  double s, way;        // where it is, and to which side it goes, -1 or 1
  double *a, *b;        // shifts of the speeds apart and along
  double *p0, *r0;      // impulses at the beginning
  double *dp, *dr, *dv; // by s
  TouchBorder border;
  bool is_careful;  // new factors for each part, which lose least
  int who;          // the contact that has just changed,
  TouchLimit entry; // and what leaves its limit there
  int next;         // the one that has come to a limit, -1 at s = 0
  TouchLimit limit;
} TouchPath;

// At s = 1, with the impulses as they are; states and shifts are the caller's to fill.
void touch_path_open(TouchPath *path, Touches *touches, TouchMatrix *matrix, double soft,
                     TouchState *state);
// By the impulses alone.
TouchState touch_path_state(const Touch *touch);
// The straight part that begins here, and its way; false where there is none.
bool touch_path_begin(TouchPath *path);
// To its end: how far that was; INFINITY where it has none.
double touch_path_go(TouchPath *path);
void touch_path_move(TouchPath *path, double far);
// Who has come to a limit changes its state; false at s = 0.
bool touch_path_turn(TouchPath *path);

#endif
