// Values of parameters for which a run does what is wanted of it.
// Sources: find_search.c, find_descent.c, find_edge.c, find_look.c,
// find_run.c, find_slopes.c
#ifndef QDOT_ASK_FIND_H
#define QDOT_ASK_FIND_H

#include "sim/run_source.h"

// One set of values, certified by a run of its own.
typedef struct Found {
  double *x;        // by unknown
  double *measures; // all of the model
  double residual;  // the largest broken condition, relative; of a path the largest distance
  double broken;    // the largest broken condition, of a path, too
  double value;     // what is made least, in its own unit; 0 where nothing is
  bool jumps;       // that is another next to it:
  double beside;    // this
} Found;

typedef struct Find {
  Context *cx;
  const Model *model;
  const FindRequest *request;
  uint32_t count; // unknowns
  double *low, *high;
  double *targets; // by aim; NAN where there is none
  Found best;
  bool is_found, is_stopped;
  bool *is_idle;           // by unknown: changes nothing that is aimed at
  VEC(Found) alternatives; // other places that are as good as can be near them
  VEC(Found) tradeoff;     // of two aims, by the second
  uint32_t runs, failed, starts;
  const char *why; // the first run that failed, in words; NULL: none did
  double seconds;
} Find;

typedef void FindProgress(void *user, uint32_t runs, double best);

// In the keep arena. Fails where nothing in the ranges gives a whole run; what was found before a
// stop is kept.
Status find_values(Find *find, Context *cx, System *system, const FindRequest *request,
                   const SimOptions *options, FindProgress *progress, void *progress_user);

#endif
