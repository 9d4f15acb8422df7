// The engine for other programs: one plan, its values and its motion.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/context.h"
#include "base/text.h"
#include "engine/plan_file.h"
#include "engine/run/run_whole.h"
#include "engine/run/simulation.h"

struct qdot_engine {
  qdot_engine_host host;
  Memory memory;
  Context *cx;
  Arena arena;  // of the plan and its programs
  Arena *found; // lists of the last summary
  Arena room;
  const StoredPlan *stored;
  Programs *programs;
  Simulation *simulation; // NULL: the plan cannot be run
  SimSummary summary;     // of the last whole run
  const char *message;
  volatile int stop;
  const qdot_engine_run_options *options; // of the present run
  // of the present call
  const void *plan;
  size_t size, place;
  double value, t;
  const double *q, *qd, *row;
};

// ---- Memory

static void *take_block(void *user, size_t size) {
  const qdot_engine_host *host = user;
  return host->take ? host->take(host->user, size) : malloc(size);
}

static void give_block(void *user, void *block, size_t size) {
  const qdot_engine_host *host = user;
  if (host->give)
    host->give(host->user, block, size);
  else
    free(block);
}

// ---- Calls: within the guard, with what they have to say

static const char *newest_message(qdot_engine *e, uint32_t known) {
  Context *cx = e->cx;
  if (cx->diagnostics.list.n <= known) return "";
  const Diagnostic *d = &cx->diagnostics.list.at[known];
  return d->note ? text_format(&cx->keep, "%s: %s", d->message, d->note) : d->message;
}

static qdot_engine_status guarded_call(qdot_engine *e, Status (*body)(void *)) {
  Context *cx = e->cx;
  uint32_t known = cx->diagnostics.list.n;
  e->message = "";
  Status status = guard_run(&cx->guard, body, e);
  if (status == QDOT_NO_MEMORY)
    e->message = "there is no memory left";
  else
    e->message = newest_message(e, known);
  if (*e->message && e->host.tell) e->host.tell(e->host.user, e->message);
  return (qdot_engine_status)status;
}

// ---- Opening

static Status open_plan(void *user) {
  qdot_engine *e = user;
  Context *cx = e->cx;
  arena_open(&e->arena, &cx->memory, &cx->guard);
  arena_open(&e->room, &cx->memory, &cx->guard);
  source_add(&cx->keep, &cx->sources, "plan", "", 0);
  Status status = plan_read(cx, &e->arena, "plan", e->plan, e->size, &e->stored);
  if (status != QDOT_OK) return status;
  const StoredRun *run = &e->stored->run;
  e->programs = stored_programs(cx, &e->arena, e->stored, BACKEND_INTERP);
  SimOptions options = {.t_end = run->t_end,
                        .every = run->every,
                        .method = run->method,
                        .has_step = run->has_step,
                        .backend = BACKEND_INTERP,
                        .stop = &e->stop};
  Simulation *simulation = arena_new(&e->arena, Simulation);
  status = simulation_open_programs(simulation, e->programs, &options);
  if (status == QDOT_OK) e->simulation = simulation;
  return status;
}

qdot_engine_status qdot_engine_open(const qdot_engine_host *host, const void *plan, size_t size,
                                    qdot_engine **out) {
  qdot_engine_host given = host ? *host : (qdot_engine_host){0};
  *out = NULL;
  if (!plan) return QDOT_BAD_ARGUMENT;
  qdot_engine *e = take_block(&given, sizeof *e);
  if (!e) return QDOT_NO_MEMORY;
  *e = (qdot_engine){.host = given, .message = "", .plan = plan, .size = size};
  e->memory = (Memory){.take = take_block,
                       .give = give_block,
                       .user = &e->host,
                       .first_block = 16384,
                       .largest_block = (size_t)1 << 20};
  Limits limits = limits_defaults();
  e->cx = context_open(&limits, &e->memory);
  if (!e->cx) {
    give_block(&given, e, sizeof *e);
    return QDOT_NO_MEMORY;
  }
  *out = e;
  return guarded_call(e, open_plan);
}

void qdot_engine_close(qdot_engine *e) {
  if (!e) return;
  qdot_engine_host host = e->host;
  if (e->simulation) simulation_close(e->simulation);
  if (e->programs) programs_close(e->programs);
  if (e->room.memory) arena_close(&e->room);
  if (e->arena.memory) arena_close(&e->arena);
  context_close(e->cx);
  give_block(&host, e, sizeof *e);
}

const char *qdot_engine_message(const qdot_engine *e) { return e ? e->message : "no engine"; }

const char *qdot_engine_title(const qdot_engine *e) {
  return e && e->stored && e->stored->title ? e->stored->title : "";
}

static bool is_open(const qdot_engine *e) { return e && e->simulation; }

// ---- Values

size_t qdot_engine_value_count(const qdot_engine *e) {
  return is_open(e) ? e->simulation->settings.count : 0;
}

const char *qdot_engine_value_name(const qdot_engine *e, size_t i) {
  return i < qdot_engine_value_count(e) ? e->simulation->settings.names[i] : NULL;
}

double qdot_engine_value(const qdot_engine *e, size_t i) {
  return i < qdot_engine_value_count(e) ? e->simulation->settings.values[i] : NAN;
}

static Status set_value(void *user) {
  qdot_engine *e = user;
  return simulation_set(e->simulation, (uint32_t)e->place, e->value);
}

qdot_engine_status qdot_engine_set(qdot_engine *e, const char *name, double value) {
  if (!is_open(e) || !name) return QDOT_BAD_ARGUMENT;
  int place = settings_find(&e->simulation->settings, name);
  if (place < 0 || !isfinite(value)) {
    e->message = place < 0 ? "there is no such parameter or input" : "the value is not finite";
    return place < 0 ? QDOT_UNKNOWN_NAME : QDOT_BAD_VALUE;
  }
  e->place = (size_t)place, e->value = value;
  return guarded_call(e, set_value);
}

// ---- A whole run

static const Columns *columns_of(const qdot_engine *e) { return &e->stored->plan.columns; }

size_t qdot_engine_column_count(const qdot_engine *e) { return is_open(e) ? columns_of(e)->n : 0; }

const char *qdot_engine_column(const qdot_engine *e, size_t i) {
  return i < qdot_engine_column_count(e) ? columns_of(e)->at[i].name : NULL;
}

// Where the model computes it from values, with those of now.
static double time_of(const qdot_engine *e, const PlanValue *asked, double stored) {
  return asked->tape ? machine_number(&e->simulation->run.machine, asked) : stored;
}

qdot_engine_run_options qdot_engine_run_defaults(const qdot_engine *e) {
  qdot_engine_run_options options = {0};
  if (!is_open(e)) return options;
  const PlanTimes *asked = &e->stored->plan.times;
  options.t_end = time_of(e, &asked->end, e->stored->run.t_end);
  options.every = time_of(e, &asked->every, e->stored->run.every);
  return options;
}

static Status hand_row(void *user, const double *values, uint32_t n) {
  qdot_engine *e = user;
  if (e->options->row && e->options->row(e->options->user, values, n)) e->stop = 1;
  return QDOT_OK;
}

static void hand_events(const qdot_engine *e) {
  const SimSummary *s = &e->summary;
  for (uint32_t i = 0; e->options->event && i < s->events.n; i++) {
    const SimEvent *event = &s->events.at[i];
    e->options->event(e->options->user,
                      &(qdot_engine_event){event->t, sim_event_text(event->kind),
                                           plan_event_name(&e->stored->plan, event)});
  }
}

static Status run_whole(void *user) {
  qdot_engine *e = user;
  RowSink sink = {.user = e, .row = hand_row};
  e->simulation->options.t_end = e->options->t_end;
  e->simulation->options.every = e->options->every;
  e->stop = 0;
  Status status = sim_check_options(e->cx, &e->simulation->options);
  if (status != QDOT_OK) return status;
  arena_close(&e->room);
  arena_open(&e->room, &e->cx->memory, &e->cx->guard);
  // a whole run may go on with another method, as that of the command; advances do not
  bool *may_change = &e->simulation->options.method.may_change;
  *may_change = e->stored->run.method.may_change;
  status = simulation_run(e->simulation, &sink, &e->room, &e->summary);
  *may_change = false;
  if (status == QDOT_OK) hand_events(e);
  return status;
}

qdot_engine_status qdot_engine_run(qdot_engine *e, const qdot_engine_run_options *options) {
  qdot_engine_run_options defaults = qdot_engine_run_defaults(e);
  if (!is_open(e)) return QDOT_BAD_ARGUMENT;
  e->options = options ? options : &defaults;
  qdot_engine_status status = guarded_call(e, run_whole);
  e->options = NULL;
  return status;
}

size_t qdot_engine_measure_count(const qdot_engine *e) {
  return is_open(e) && e->summary.measures ? e->stored->plan.measures.measure_count : 0;
}

double qdot_engine_measure(const qdot_engine *e, size_t i) {
  return i < qdot_engine_measure_count(e) ? e->summary.measures[i] : NAN;
}

double qdot_engine_certificate(const qdot_engine *e, const char *key) {
  for (int i = 0; is_open(e) && key && i < SUMMARY_FIELDS; i++) {
    const SummaryField *field = &summary_fields[i];
    const void *at = summary_get(&e->summary, field);
    if (!field->key || strcmp(field->key, key) != 0) continue;
    switch (field->kind) {
    case SUMMARY_NUMBER:
    case SUMMARY_MAYBE: return *(const double *)at;
    case SUMMARY_WHOLE: return (double)*(const int64_t *)at;
    case SUMMARY_COUNT: return *(const uint32_t *)at;
    case SUMMARY_FLAG: return *(const bool *)at;
    case SUMMARY_WORST: return ((const Worst *)at)->value;
    default: return NAN;
    }
  }
  return NAN;
}

// ---- Step by step

static Status start(void *user) { return simulation_restart(((qdot_engine *)user)->simulation); }

qdot_engine_status qdot_engine_start(qdot_engine *e) {
  return is_open(e) ? guarded_call(e, start) : (qdot_engine_status)QDOT_BAD_ARGUMENT;
}

static Status advance(void *user) {
  qdot_engine *e = user;
  return simulation_advance(e->simulation, e->t);
}

qdot_engine_status qdot_engine_advance(qdot_engine *e, double t) {
  if (!is_open(e) || !isfinite(t)) return QDOT_BAD_ARGUMENT;
  e->t = t;
  return guarded_call(e, advance);
}

size_t qdot_engine_state_size(const qdot_engine *e, size_t *coordinates) {
  if (coordinates) *coordinates = is_open(e) ? e->stored->plan.n : 0;
  return is_open(e) ? 2 * (size_t)e->stored->plan.n + e->stored->plan.state_count : 0;
}

static Status set_state(void *user) {
  qdot_engine *e = user;
  return simulation_set_state(e->simulation, e->t, e->q, e->qd);
}

qdot_engine_status qdot_engine_set_state(qdot_engine *e, double t, const double *q,
                                         const double *qd) {
  if (!is_open(e) || !isfinite(t) || !q || !qd) return QDOT_BAD_ARGUMENT;
  e->t = t, e->q = q, e->qd = qd;
  return guarded_call(e, set_state);
}

static Status take_row(void *user) {
  qdot_engine *e = user;
  return simulation_row(e->simulation, &e->row);
}

const double *qdot_engine_row(qdot_engine *e) {
  if (!is_open(e)) return NULL;
  return guarded_call(e, take_row) == QDOT_OK ? e->row : NULL;
}
