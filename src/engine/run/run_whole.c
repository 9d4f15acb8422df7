// A run from its beginning to its end, as callers ask for it.
#include "engine/run/run_whole.h"

#include <math.h>

#include "engine/run/run.h"

static const char *plural(uint32_t n) { return n == 1 ? "" : "s"; }

// Guesses that do not close, and too few values to say where it is meant to start.
static void warn_of_choice(Context *cx, const Plan *plan, const SimSummary *s) {
  uint32_t kept = s->free_motions - s->chosen_motions;
  if (s->chosen_motions == 0 || !plan->traits.is_formulated) return;
  diag_warning(cx, plan->traits.first_body,
               "%u free motion%s, %u kept value%s: where the mechanism starts was chosen for you",
               s->free_motions, plural(s->free_motions), kept, plural(kept));
  diag_note(cx,
            "the guesses do not close, and were moved as little as possible; with '=' a value "
            "is kept, such as %s",
            s->would_keep);
}

static void warn_of_throw(Context *cx, const Plan *plan, const SimSummary *s) {
  if (s->thrown == 0) return;
  const PlanCoordinate *c = &plan->coordinates[s->thrown - 1];
  diag_warning(cx, c->span, "the initial velocity of '%s' is not given: it starts with %.6g",
               c->name, s->thrown_velocity);
  diag_note(cx,
            "as from rest when the drives start suddenly, with the least kinetic energy; write "
            "coord %s' = 0, or what it is",
            c->name);
}

Status run_plan(Programs *programs, const SimOptions *options, RowSink *sink, SimSummary *summary,
                bool is_trial) {
  Context *cx = programs->cx;
  *summary = (SimSummary){.verified = NAN, .holds_until = NAN};
  Run *run = arena_new(&cx->keep, Run);
  *run = (Run){.cx = cx, .o = options, .sink = sink, .summary = summary, .memory.found = &cx->keep};
  run->end.errors_before = cx->diagnostics.errors;
  run->memory.room = &run->machine.arena;
  double started = context_seconds();
  Status status = sim_check_options(cx, options);
  if (status != QDOT_OK) {
    programs_give_back(programs);
    return status;
  }
  WorkStage outer = context_resume_stage(cx, STAGE_STARTED);
  status = machine_open_programs(&run->machine, programs, programs->is_single);
  if (status == QDOT_OK) status = run_begin(run);
  context_leave_stage(cx, outer);
  if (status == QDOT_OK && !options->is_repeated) {
    warn_of_choice(cx, programs->plan, summary);
    warn_of_throw(cx, programs->plan, summary);
  }
  summary->setup_seconds = context_seconds() - started;
  if (status == QDOT_OK && !is_trial) {
    outer = context_enter_stage(cx, STAGE_SIMULATED);
    status = run_completely(run);
    context_leave_stage(cx, outer);
  }
  run_end_stepper(run);
  machine_close(&run->machine);
  return status;
}

const char *plan_event_name(const Plan *plan, const SimEvent *e) {
  EventCounts counts = {plan->n, plan->row_count, plan->contact_count, plan->press_count};
  uint32_t i;
  switch (sim_event_owner(e, &counts, &i)) {
  case EVENT_OF_CONTACT: return plan->contacts[i].name;
  case EVENT_OF_SLIP: return plan->slips[i].name;
  case EVENT_OF_JOINT_FRICTION: return plan->presses[i].name;
  case EVENT_OF_CONSTRAINT: return plan->rows[i].name;
  case EVENT_OF_COORDINATE: return plan->coordinates[i].name;
  case EVENT_OF_MODEL: return plan->actions.occasions[i].text;
  }
  return NULL;
}
