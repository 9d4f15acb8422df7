// Runs a model's text and keeps its rows.
#ifndef QDOT_TESTS_MOTION_H
#define QDOT_TESTS_MOTION_H

#include "derive/formulate.h"
#include "sim/sim.h"
#include "support/check.h"

typedef struct Motion {
  Context *cx;
  System system;
  SimOptions options;
  SimSummary summary;
  Columns columns;
  VEC(double) values; // row by row
  uint32_t rows;
  bool keeps_stretches; // to be set before the run
  VEC(Stretch) stretches;
  Status status;
} Motion;

// Reads and derives; the test fails on a mistake in the text. `set` is a NULL-ended list, or NULL.
Motion motion_load(Context *cx, const char *text, const char *const *set);
Motion motion_load_file(Context *cx, const char *path, const char *const *set);
// Bodies in a formulation; the others are Lagrange's.
Motion motion_load_as(Context *cx, const char *text, const char *const *set,
                      Formulation formulation);
Motion motion_load_file_as(Context *cx, const char *path, Formulation formulation);
// Loads and runs at 1e-10; the test fails unless the run is good and its energies balance.
Motion motion_in_balance(Context *cx, const char *text, Formulation formulation, double t_end,
                         double every);
// Runs with motion->options, which may be changed before.
void motion_run(Motion *motion);
// All of it with the text's own options.
Motion motion_of(Context *cx, const char *text);
// The same, which must not end early.
Motion motion_to_end(Context *cx, const char *text);
// Event i of a run, which must be of that kind.
const SimEvent *motion_event(const Motion *motion, uint32_t i, SimEventKind kind);

// The value of a column in the row nearest to t.
double motion_at(const Motion *motion, double t, const char *column);
uint32_t motion_column(const Motion *motion, const char *column);
// Prints all diagnostics; for tests that fail.
void motion_explain(const Motion *motion);

#endif
