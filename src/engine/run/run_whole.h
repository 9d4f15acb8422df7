// A run of a plan from its beginning to its end.
#ifndef QDOT_ENGINE_RUN_RUN_WHOLE_H
#define QDOT_ENGINE_RUN_RUN_WHOLE_H

#include "engine/programs.h"
#include "engine/run_options.h"

// The sink gets every row; the summary's texts and lists are in the keep arena. A run that ends
// early (stopped, blow-up) is QDOT_OK with summary->stopped set and a warning among the
// diagnostics; mistakes of the model are errors. A trial does all that comes before the first row,
// with its messages.
Status run_plan(Programs *programs, const SimOptions *options, RowSink *sink, SimSummary *summary,
                bool is_trial);
// The contact, drive, coordinate or line of the model to which an event happens.
const char *plan_event_name(const Plan *plan, const SimEvent *event);

#endif
