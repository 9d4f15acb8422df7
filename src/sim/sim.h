// Simulation of systems: what a model asks for, the columns of its results, and runs.
// Sources: columns.c, event_names.c, sim_options.c
#ifndef QDOT_SIM_SIM_H
#define QDOT_SIM_SIM_H

#include <stdint.h>

#include "derive/system.h"
#include "engine/columns.h"
#include "engine/run_options.h"

// What the model's simulate line asks for; what it does not say gets its default. Mistakes are
// diagnosed.
Status sim_options(Context *cx, const Model *model, SimOptions *out);
// The command line's method and its like; NULL and NAN where it says nothing.
typedef struct SimOverrides {
  const char *method;
  double t_end, every, rtol, atol, step;
} SimOverrides;
SimOverrides sim_overrides(void); // all silent
Status sim_override(Context *cx, const SimOverrides *overrides, SimOptions *options);

// In the keep arena; the same in another one.
Columns sim_columns(Context *cx, const System *system);
Columns sim_columns_in(Context *cx, Arena *arena, const System *system);

// The sink's position at the checkpoint that options->resume continues from. Fails with a
// diagnostic when there is no checkpoint, or one of another model or other options.
Status sim_resume_position(Context *cx, const Model *model, const SimOptions *options,
                           SinkPosition *position);

// Runs the system. The sink gets every row; the summary's texts and lists are in the keep arena.
// A run that ends early (stopped, blow-up) is QDOT_OK with summary->stopped set and a warning
// among the diagnostics; mistakes of the model are errors.
Status sim_run(Context *cx, System *system, const SimOptions *options, RowSink *sink,
               SimSummary *summary);
// Could it be run? All that sim_run does before its first row, with its messages.
Status sim_try(Context *cx, System *system, const SimOptions *options);

// The contact, drive, coordinate or line of the model to which an event happens.
const char *sim_event_name(const System *system, const SimEvent *event);

#endif
