// A driven mechanism from position to position: nothing is integrated.
// Sources: follow.c, follow_block.c
#ifndef QDOT_ENGINE_RUN_FOLLOW_H
#define QDOT_ENGINE_RUN_FOLLOW_H

#include "engine/run/simulation.h"

enum { FOLLOW_PAST = 8 };
#define FOLLOW_NEAR 1e-8 // of a coordinate's size: the next step of Newton's is lost in rounding

struct FollowBlock;

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
  struct FollowBlock *block; // of several positions at once; NULL: one after the other
} Follower;

// Opens at the assembled position. Every motion of the system must be driven: as many independent
// constraints as coordinates, all of positions.
Status follower_open_programs(Follower *follower, Programs *programs, const SimOptions *options);
void follower_close(Follower *follower);

// From the present position in n steps of `step` seconds; q: n rows of coordinates. Fails with
// QDOT_SINGULAR where the drive cannot go on; follower->t says where.
Status follower_walk(Follower *follower, double step, size_t n, double *q);
// All columns of a result at t, reached from the present position; valid until the next call.
Status follower_row(Follower *follower, double t, const double **row);

// ---- Several at once (follow_block.c)

void follow_block_open(Follower *follower);
// From the present position, number `first` of n at t_0 + step, t_0 + 2 step ..., as far as several
// are found at once: how many rows of q have been filled. 0: the next one must be found alone.
uint32_t follow_block(Follower *follower, double t_0, double step, size_t first, size_t n,
                      double *q);

#endif
