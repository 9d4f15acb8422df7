// Qdot's engine: runs plans, which `qdot plan MODEL` writes, in any program. One file beside this
// one, qdot_engine.c, needs a C11 compiler and nothing else. MIT licence.
//
// A plan holds everything that a motion needs; a qdot_engine is one instance of it, with values and
// a state of its own. As many as one likes may be open, each used by one thread at a time; there is
// no global state. Numbers are in SI units, angles in rad. The same plan gives the same bits as the
// command, on every machine.
#ifndef QDOT_ENGINE_H
#define QDOT_ENGINE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct qdot_engine qdot_engine;

// Where memory comes from, and who hears messages. Every member may be NULL: malloc and free, and
// nobody.
typedef struct qdot_engine_host {
  void *(*take)(void *user, size_t size); // NULL: there is none
  void (*give)(void *user, void *block, size_t size);
  void (*tell)(void *user, const char *message);
  void *user;
} qdot_engine_host;

// What functions return: 0, or a status of qdot/status.h; then qdot_engine_message says why.
typedef int qdot_engine_status;

// Opens the bytes of a plan, which are not needed afterwards. `*out` is NULL where there is no
// memory or no plan to look at; else close it, also after a failure. host may be NULL and is
// copied.
qdot_engine_status qdot_engine_open(const qdot_engine_host *host, const void *plan, size_t size,
                                    qdot_engine **out);
void qdot_engine_close(qdot_engine *engine);

// Of the last call that failed; "" when none has. Valid until the next call.
const char *qdot_engine_message(const qdot_engine *engine);
const char *qdot_engine_title(const qdot_engine *engine);

// ---- Values: parameters, then inputs

size_t qdot_engine_value_count(const qdot_engine *engine);
const char *qdot_engine_value_name(const qdot_engine *engine, size_t number);
double qdot_engine_value(const qdot_engine *engine, size_t number);
// By its name. What the model computes from it follows; a run that is under way goes on with it.
qdot_engine_status qdot_engine_set(qdot_engine *engine, const char *name, double value);

// ---- A whole run

// The columns of rows: t, coordinates, velocities ...
size_t qdot_engine_column_count(const qdot_engine *engine);
const char *qdot_engine_column(const qdot_engine *engine, size_t number);

// What happens: "impact", "contact", "release", "jump", "stick", "slip", "reset", "stop".
typedef struct qdot_engine_event {
  double t;
  const char *kind, *name;
} qdot_engine_event;

typedef struct qdot_engine_run_options {
  double t_end,
      every; // seconds; qdot_engine_run_defaults: as the model says, with the values of now
  // Rows at 0, every, 2 every ... and the end. A value other than 0 ends the run there.
  int (*row)(void *user, const double *values, size_t count);
  void (*event)(void *user, const qdot_engine_event *event); // after the run, in order
  void *user;
} qdot_engine_run_options;

qdot_engine_run_options qdot_engine_run_defaults(const qdot_engine *engine);
// From the start, with the values of now. A run that ends early, because something grows without
// bound or a condition of the model stops it, is 0 with the reason in qdot_engine_message.
qdot_engine_status qdot_engine_run(qdot_engine *engine, const qdot_engine_run_options *options);

// Of the last whole run: its measures, in the model's order, NAN without a value; and a number of
// its certificate by its key in summary.json: "energy_drift", "steps",
// "constraint_residual.position"
// ...; NAN for what is no number of it.
size_t qdot_engine_measure_count(const qdot_engine *engine);
double qdot_engine_measure(const qdot_engine *engine, size_t number);
double qdot_engine_certificate(const qdot_engine *engine, const char *key);

// ---- Step by step

// To the start, and exactly to t through all events on the way.
qdot_engine_status qdot_engine_start(qdot_engine *engine);
qdot_engine_status qdot_engine_advance(qdot_engine *engine, double t);
// To positions and velocities (states of first order behind these) of the caller's, moved onto the
// constraints; as many numbers as qdot_engine_state_size tells.
size_t qdot_engine_state_size(const qdot_engine *engine, size_t *coordinates);
qdot_engine_status qdot_engine_set_state(qdot_engine *engine, double t, const double *q,
                                         const double *qd);
// The row of the present state, valid until the next call; NULL after a failure.
const double *qdot_engine_row(qdot_engine *engine);

#ifdef __cplusplus
}
#endif
#endif
