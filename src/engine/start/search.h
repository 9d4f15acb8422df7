// The state nearest to some guesses that meets the constraints of a problem: kept values stay, the
// others move as little as they can, by the masses.
#ifndef QDOT_ENGINE_START_SEARCH_H
#define QDOT_ENGINE_START_SEARCH_H

#include "solve/algebra/kkt.h"
#include "solve/problem.h"

enum { SEARCH_ATTEMPTS = 60 }; // the guesses themselves, then starts around them

typedef struct Search {
  const Problem *problem; // its geometry, position, velocity and position_size
  Arena *scratch;
  const bool *is_angle; // by coordinate; the others are lengths about as long as `reach`
  const double *reach;
  int n, rows, moves;
  int *free; // coordinates that may be moved
  Kkt kkt;
  double *guess, *q, *trial, *best, *Phi, *c, *dq;
  double *M, *Phi_q, *M_free, *Phi_free;
  double *size, *removed; // of the rows, and what a step takes from them
  double best_residual;
  bool stayed; // the last search ended where it began
  uint64_t random;
} Search;

// The first `rows` of the problem. In the scratch arena.
void search_open(Search *search, Arena *scratch, const Problem *problem, const bool *is_kept,
                 int rows);

// From search->guess to q (n). False where nothing met the constraints; then search->best came
// nearest, and search_judge tells how near.
bool search_positions(Search *search, double *q);
// From a start (n) to search->q, without looking for the nearest.
bool search_from(Search *search, const double *start);
// Fills search->Phi and the norms of its rows, search->kkt.scale, at the best positions.
void search_judge(Search *search);

// Moves velocities qd at q so that they meet the rows; what is left of these is in search->c, their
// slopes in search->Phi_q.
Status search_velocities(Search *search, const double *q, double *qd);

#endif
