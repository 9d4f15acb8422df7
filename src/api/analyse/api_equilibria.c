// Equilibria as objects.
#include "analyse/vibration/stationary.h"
#include "api/analyse/api_analyse.h"
#include "api/api_call.h"
#include "api/api_options.h"
#include "api/api_system.h"
#include "api/api_write.h"
#include "derive/roads/road.h"
#include "derive/with_states.h"
#include "expr/value/eval.h"
#include "model/values.h"
#include "print/linear/linear_json.h"
#include "print/linear/linear_text.h"

struct qdot_equilibria {
  Object object;
  System *system;
  Equilibria found;
  const Stationary *stationary; // motions by Routh's road, or NULL
  qdot_equilibrium *shown;
};

typedef struct Search {
  System *system;
  qdot_equilibria_options o;
  qdot_equilibria *out;
} Search;

// A point is a guess here.
static const LinearizeRequest *request_of(const Model *model, LinearizeRequest *guess) {
  if (model->requests.linearizations.n == 0) return NULL;
  const LinearizeRequest *request = &model->requests.linearizations.at[0];
  if (request->kind != LINEARIZE_POINT) return request;
  *guess = *request;
  guess->kind = LINEARIZE_EQUILIBRIUM;
  return guess;
}

qdot_stability api_stability(const Modes *modes) {
  static const qdot_stability linear[] = {[STABILITY_ASYMPTOTIC] = QDOT_STABILITY_ASYMPTOTIC,
                                          [STABILITY_OSCILLATORY] = QDOT_STABILITY_STABLE,
                                          [STABILITY_INDIFFERENT] = QDOT_STABILITY_INDIFFERENT,
                                          [STABILITY_UNSTABLE] = QDOT_STABILITY_UNSTABLE,
                                          [STABILITY_HELD] = QDOT_STABILITY_HELD};
  switch (modes->by_energy) {
  case ENERGY_MINIMUM: return QDOT_STABILITY_STABLE;
  case ENERGY_FALLS: return QDOT_STABILITY_UNSTABLE;
  case ENERGY_LINEAR:
  case ENERGY_OPEN: return QDOT_STABILITY_UNKNOWN;
  default: return linear[modes->stability];
  }
}

// Velocities with the states behind them, as everywhere; the search has states behind positions.
static double *velocities_of(const Equilibrium *e, const System *system) {
  double *qd = arena_array(system->cx->results, double, system->n + system->states);
  for (uint32_t i = 0; i < system->n; i++) qd[i] = e->state->qd[i];
  for (uint32_t i = 0; i < system->states; i++) qd[system->n + i] = e->state->q[system->n + i];
  return qd;
}

// One for each constraint and contact of the system; the search may have taken contacts as
// constraints, which stand behind the others.
static const double *multipliers_of(const Equilibrium *e, const System *system,
                                    const System *searched) {
  const Model *model = searched->model;
  if (model->held.n == 0) return e->state->lambda;
  double *out = arena_array(system->cx->results, double, system->row_count + system->contact_count);
  for (uint32_t i = 0; i < system->row_count; i++) out[i] = e->state->lambda[i];
  for (uint32_t i = 0, next = searched->row_count; i < system->contact_count; i++) {
    const Held *held = NULL;
    for (uint32_t k = 0; k < model->held.n; k++)
      if (model->held.at[k].contact == i) held = &model->held.at[k];
    out[system->row_count + i] = e->state->lambda[held ? held->normal : next++];
  }
  return out;
}

static qdot_equilibrium show(const Equilibrium *e, const System *system, const System *searched) {
  qdot_equilibrium out = {.q = e->state->q,
                          .qd = velocities_of(e, system),
                          .lambda = multipliers_of(e, system, searched),
                          .residual = e->state->residual,
                          .stability = QDOT_STABILITY_UNKNOWN,
                          .stability_text = "not decided: there is no linearization"};
  if (!e->has_modes) return out;
  out.stability = api_stability(&e->modes);
  out.stability_text = stability_text(&e->modes);
  return out;
}

// Positions where the search left a coordinate out are those of the start.
static qdot_equilibrium show_stationary(const Stationary *st, uint32_t i, const System *system,
                                        const double *values) {
  Context *cx = system->cx;
  qdot_equilibrium out = show(&st->found.at[i], st->reduced, st->reduced);
  double *q = arena_array(cx->results, double, system->n);
  double *qd = arena_array(cx->results, double, system->n + system->states);
  for (uint32_t k = 0; k < system->n; k++) {
    Expr start = system->model->coordinates.at[k].position.value;
    q[k] = start ? expr_eval(cx, start, values) : 0;
    for (uint32_t j = 0; j < st->reduced->n; j++)
      if (st->reduced->q[j] == system->q[k]) q[k] = st->found.at[i].state->q[j];
    for (uint32_t j = 0; j < st->cyclic; j++)
      if (st->qd[j] == system->qd[k]) qd[k] = st->rate[i * st->cyclic + j];
  }
  out.q = q, out.qd = qd;
  return out;
}

// By Routh's road; false where that has no reduced model.
static bool find_stationary(Search *s, uint32_t starts, Status *status) {
  Context *cx = s->system->cx;
  if (road_of(s->system->model->road) != ROAD_ROUTH) return false;
  Stationary *st = arena_new(&cx->keep, Stationary);
  if (!stationary_find(cx, (Model *)s->system->model, starts, st, status)) return false;
  if (*status != QDOT_OK) return true;
  s->out = object_new(cx, sizeof *s->out);
  s->out->system = st->reduced;
  s->out->found = st->found;
  s->out->stationary = st;
  s->out->shown = arena_array(cx->results, qdot_equilibrium, st->found.n);
  for (uint32_t i = 0; i < st->found.n; i++)
    s->out->shown[i] = show_stationary(st, i, s->system, st->values);
  return true;
}

static Status find(void *argument) {
  Search *s = argument;
  Context *cx = s->system->cx;
  double *values;
  Status status = model_values(cx, s->system->model, &cx->scratch, &values);
  if (status != QDOT_OK) return status;
  derive_matrices(cx, s->system);
  LinearizeRequest guess;
  const LinearizeRequest *request = request_of(s->system->model, &guess);
  uint32_t starts = s->o.only_initial_state ? 0 : s->o.starts ? s->o.starts : 32;
  if (find_stationary(s, starts, &status)) return status;
  s->out = object_new(cx, sizeof *s->out);
  s->out->system = system_with_states(cx, s->system);
  Equilibria *found = &s->out->found;
  status = equilibria_find(cx, s->out->system, values, request, starts, found);
  if (status != QDOT_OK) return status;
  s->out->shown = arena_array(cx->results, qdot_equilibrium, found->n);
  for (uint32_t i = 0; i < found->n; i++)
    s->out->shown[i] = show(&found->at[i], s->system, s->out->system);
  return QDOT_OK;
}

qdot_status qdot_system_equilibria(qdot_system *system, const qdot_equilibria_options *options,
                                   qdot_equilibria **out) {
  if (out) *out = NULL;
  if (!system || !out) return QDOT_BAD_ARGUMENT;
  Search search = {.system = system->system};
  if (!api_options(options, &search.o, sizeof search.o)) return QDOT_BAD_ARGUMENT;
  Status status = api_call(system->system->cx, find, &search);
  *out = object_of(system->system->cx, status, search.out);
  return status;
}

void qdot_equilibria_close(qdot_equilibria *equilibria) { object_close(equilibria); }

size_t qdot_equilibrium_count(const qdot_equilibria *equilibria) {
  if (!equilibria) return 0;
  return equilibria->found.n;
}

const qdot_equilibrium *qdot_equilibrium_at(const qdot_equilibria *equilibria, size_t i) {
  if (!equilibria) return NULL;
  return i < equilibria->found.n ? &equilibria->shown[i] : NULL;
}

static Status print_equilibria(Context *cx, void *object, const qdot_write_options *options,
                               Text *out) {
  const qdot_equilibria *e = object;
  TextStyle style = api_text_style(options);
  if (options->format > QDOT_FORMAT_JSON) return api_only_text_and_json(cx, "equilibria");
  if (options->format == QDOT_FORMAT_JSON)
    equilibria_json(e->system, &e->found, e->stationary, out);
  else
    equilibria_text(e->system, &e->found, e->stationary, &style, out);
  return QDOT_OK;
}

qdot_status qdot_equilibria_write(qdot_equilibria *equilibria, const qdot_write_options *options,
                                  qdot_sink sink) {
  if (!equilibria) return QDOT_BAD_ARGUMENT;
  return api_write(equilibria->system->cx, equilibria, print_equilibria, options, sink);
}
