// A driven mechanism from position to position: nothing is integrated.
#ifndef QDOT_SIM_RUN_FOLLOW_H
#define QDOT_SIM_RUN_FOLLOW_H

#include "sim/run/simulation.h"

enum { FOLLOW_PAST = 5 };

typedef struct Follower {
  Simulation simulation;
  int n, rows;             // coordinates, constraints
  double t;                // of the present position
  double *q;               // there
  double *qd;              // velocities of the last row
  double *near;            // changes of q that the next Newton step only squares
  double *past;            // the last positions at equal times, newest last; n values each
  double *try;             // a position that is being found
  double step;             // between them
  int known;               // so many of them
  double *slopes, *change; // of a linear system
  int *pivot;
} Follower;

// Opens at the assembled position. Every motion of the system must be driven: as many independent
// constraints as coordinates, all of positions.
Status follower_open(Follower *follower, Context *cx, System *system, const SimOptions *options);
void follower_close(Follower *follower);

// From the present position in n steps of `step` seconds; q: n rows of coordinates. Fails with
// QDOT_SINGULAR where the drive cannot go on; follower->t says where.
Status follower_walk(Follower *follower, double step, size_t n, double *q);
// All columns of a result at t, reached from the present position; valid until the next call.
Status follower_row(Follower *follower, double t, const double **row);

#endif
