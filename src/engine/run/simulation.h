// A run in somebody else's hands: advanced from time to time, its inputs and parameters changed in
// between.
#ifndef QDOT_ENGINE_RUN_SIMULATION_H
#define QDOT_ENGINE_RUN_SIMULATION_H

#include "engine/run/run.h"
#include "engine/settings.h"

typedef struct Simulation {
  Run run;
  SimOptions options;
  SimSummary summary; // its events are those since the start
  RowSink sink;
  Settings settings;
  Arena room; // what one start needs
  Handle room_handle, settings_handle;
  Columns columns;
  bool must_start; // the stepper begins anew from run->t, q, qd
  bool has_row;    // run->rows.row belongs to the present state
  bool is_over;    // a whole run has used it up: it starts anew when it is needed
  double t;
} Simulation;

// Opens at the initial state of a plan that says how values follow each other. The programs must
// live as long. Fails like run_plan.
Status simulation_open_programs(Simulation *simulation, Programs *programs,
                                const SimOptions *options);
// Another one of the same model with the same options, which runs the programs of the first and
// closes before it.
Status simulation_open_beside(Simulation *simulation, Simulation *first);
void simulation_close(Simulation *simulation);

// Back to the initial state, with parameters and inputs as they are now.
Status simulation_restart(Simulation *simulation);
// The whole run that the options ask for, from the initial state, with parameters and inputs as
// they are now: what run_plan does, without compiling. Lists of the summary are in the arena. The
// simulation then stands at its start.
Status simulation_run(Simulation *simulation, RowSink *sink, Arena *arena, SimSummary *summary);
// To a state of the caller's, moved onto the constraints.
Status simulation_set_state(Simulation *simulation, double t, const double *q, const double *qd);
// Goes on from where another simulation of the same model is, with all that it holds.
Status simulation_continue(Simulation *simulation, const Simulation *from);
// Exactly to t, through all events on the way. QDOT_STOPPED when options->stop was set; failures
// are diagnosed and leave the simulation where it was when they happened.
Status simulation_advance(Simulation *simulation, double t);
// From the present time on.
Status simulation_set(Simulation *simulation, uint32_t place, double value);
// All columns at the present state, valid until the next call.
Status simulation_row(Simulation *simulation, const double **out);

#endif
