// One run of a search: what it breaks, and the best so far.
// Sources: find_look.c, find_run.c, find_slopes.c
#ifndef QDOT_ASK_FIND_RUN_H
#define QDOT_ASK_FIND_RUN_H

#include "ask/find.h"

// A condition is met within this part; a path within this part of its own size.
#define FIND_MET 1e-6
#define FIND_PATH_MET 0.01

typedef struct FindSearch {
  Find *find;
  Rerun rerun;
  uint32_t *places;
  const volatile int *stop;
  uint32_t aim;   // the number of the aim that is made best, or UINT32_MAX
  double scale;   // of its value
  uint32_t other; // of two aims: the other, which is held below
  double most;    // this; NAN: it is not
  double *x, *measures;
  double *slopes, *path_slopes; // of the last look: measures, points of a path x unknowns
  bool *acts;                   // by unknown: something that is aimed at depends on it
  bool is_good;                 // the last run was whole
  double path_size;             // how far its points lie apart
  Found kept;                   // the best of this descent
  double kept_merit;
  uint32_t in_vain; // runs since it was found by a gain worth naming
  // A condition may be broken without a slope that tells the way back: beyond the speed at which a
  // contact opens, its least force is 0 and stays so.
  bool is_blind;   // the descent met such a run,
  double *beyond;  // the last at this place
  char why[200];   // the first run that was not whole, in words
  bool ends_early; // that one: before the path does
  FindProgress *progress;
  void *progress_user;
} FindSearch;

static inline bool aim_is_best(const FindAim *aim) {
  return aim->kind == AIM_LEAST || aim->kind == AIM_MOST;
}

static inline const FindAim *find_aim(const FindSearch *s, uint32_t i) {
  return &s->find->request->aims.at[i];
}

static inline double aim_sign(const FindAim *aim) { return aim->kind == AIM_MOST ? -1 : 1; }
static inline bool find_is_stopped(const FindSearch *s) { return s->stop && *s->stop; }

// QDOT_STOPPED from outside; else search->is_good says whether the run was whole.
Status find_run(FindSearch *search, const double *x);
double find_target_scale(const FindSearch *search, uint32_t aim);
// The largest broken condition of the last run, as a part; of a path the largest distance instead.
double find_broken(const FindSearch *search);
double find_residual(const FindSearch *search);
// How good it is, less is better: conditions first.
double find_merit(const FindSearch *search);
// What it has given, in the keep arena.
Found find_here(const FindSearch *search, const double *x);
void find_keep_if_better(FindSearch *search, const double *x);
bool find_is_met(const FindSearch *search, const Found *found);

// ---- find_slopes.c

// Slopes of all that is aimed at, in the last run, which was whole and at search->x: where it has
// none, differences of runs beside it. NAN where these are not whole either. QDOT_STOPPED from
// outside.
Status find_slopes(FindSearch *search);

// ---- find_look.c: unknowns as parts of their ranges

void find_unscale(const FindSearch *search, const double *u, double *x);
void find_scale(const FindSearch *search, const double *x, double *u);
// Conditions c = 0, and c <= 0 behind them.
void find_count(const FindSearch *search, uint32_t *equal, uint32_t *below);
// A run at u: what is made least, the conditions, and the slopes of both (conditions x unknowns).
// QDOT_STOPPED from outside.
Status find_look(FindSearch *search, const double *u, double *value, double *gradient,
                 double *conditions, double *slopes);

#endif
