// Back onto the constraints: positions, then velocities, by the least mass-weighted change.
#ifndef QDOT_SOLVE_PROJECT_H
#define QDOT_SOLVE_PROJECT_H

#include <stdint.h>

#include "solve/dynamics.h"

// Coordinate partitioning: the dependent coordinates of some rows are columns[0 .. rank).
typedef struct Partition {
  int *columns, rank;
  double quality; // their least pivot when they were chosen
} Partition;

typedef struct Projector {
  Dynamics *dynamics;
  Kkt positions; // its own factor where some rows have no position level
  double *dq, *kept, *norm;
  double *size;    // of the holonomic rows: the largest that Problem.position_size has told
  double *removed; // room, m: what a change of q takes from the residuals
  double *driven;  // of all rows: the largest velocity that they have asked for, |dPhi/dt| at rest
  // rows that have a position level are the first; all of them have one of velocities
  Partition of_positions, of_velocities;
  bool *allowed;
  double *block;
  int64_t partitions; // how often the set of independent coordinates was chosen
} Projector;

void projector_open(Projector *projector, Arena *arena, Dynamics *dynamics);

// Moves q until Phi(t, q) = 0, then qd until dPhi/dt = 0, by the least change in the metric of M.
// The change must be small (it is the error of one step): QDOT_NO_CONVERGENCE otherwise. Where
// constraints depend on each other and no velocity gives a drive what it asks for: QDOT_SINGULAR.
Status project_state(Projector *projector, double t, double *q, double *qd);

// The same for who only looks at a state within a step, by the problem's own elimination: a misfit
// of PROJECT_NEAR leaves its square, which is rounding, so that one round is enough. States that
// are not so near the constraints, or near a dead position, go the long way.
#define PROJECT_NEAR 1e-8
enum { PROJECT_NEAR_ROUNDS = 3 };
Status project_look(Projector *projector, double t, double *q, double *qd);
// The largest residual of the holonomic rows by the sizes that they have had; infinite where a row
// has had none.
double projector_share(const Projector *projector, const double *residual);

// What comes after a round of Newton's onto the positions, whose change dq and residuals in
// projector->removed are those of Problem.project_position at q; *left is INFINITY before the first
// round, of number 0. dq is to be added to q unless the way fails.
typedef enum ProjectRound { ROUND_AGAIN, ROUND_LAST, ROUND_FAILS } ProjectRound;
ProjectRound projector_judge(Projector *projector, int round, double t, const double *q,
                             const double *dq, double *left);
// Takes the norms of the rows, in projector->norm, as Problem.project_velocity gives them.
void projector_learn(Projector *projector);
// What it has learned, so many numbers, to and from a room.
size_t projector_learned(const Projector *projector);
void projector_keep(const Projector *projector, double *room);
void projector_restore(Projector *projector, const double *room);

// The same by the problem's own elimination alone; q and qd are left anyhow where that fails.
Status project_near(Projector *projector, double t, double *q, double *qd);

// The velocities alone.
Status project_velocity(Projector *projector, double t, const double *q, double *qd);

// Coordinate partitioning: only dependent coordinates are moved. They are chosen by pivots, kept
// while their block of Phi_q stays well conditioned, and chosen anew when it does not.
Status project_dependent(Projector *projector, double t, double *q, double *qd);

// Takes from v, a direction of the coordinates, what the least mass-weighted change of velocities
// would take away at q. Fails with QDOT_SINGULAR near dead positions.
Status project_direction(Projector *projector, double t, const double *q, double *v);

#endif
