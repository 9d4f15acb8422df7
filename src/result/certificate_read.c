// The end of a run, read again from the contract's JSON.
#include <math.h>
#include <string.h>

#include "result/certificate.h"
#include "result/json.h"

static const char *kept_text(Context *cx, const JsonValue *value) {
  const char *text = json_text(value);
  return text ? arena_copy(&cx->keep, text, strlen(text)) : NULL;
}

static long whole_number(const JsonValue *object, const char *key) {
  double value = json_number(json_get(object, key));
  return fabs(value) <= 0x1p53 ? (long)value : 0;
}

static double number_or(const JsonValue *object, const char *key, double otherwise) {
  double value = json_number(json_get(object, key));
  return isnan(value) ? otherwise : value;
}

static Remark remark_of(const JsonValue *root, const char *key) {
  const JsonValue *found = json_get(json_get(root, "remarks"), key);
  const JsonValue *numbers = json_get(found, "numbers");
  Remark remark = {.id = remark_from_key(json_text(json_get(found, "id")))};
  for (size_t i = 0; i < json_count(numbers) && i < REMARK_NUMBERS; i++)
    remark.number[i] = json_number(json_at(numbers, i));
  return remark;
}

static Worst worst_of(const JsonValue *residual, const char *key) {
  return (Worst){.value = number_or(residual, key, 0), .t = NAN, .row = -1};
}

static bool event_kind(const char *text, SimEventKind *out) {
  for (int kind = 0; text && kind < SIM_EVENT_KINDS; kind++) {
    if (strcmp(text, sim_event_text((SimEventKind)kind)) != 0) continue;
    *out = (SimEventKind)kind;
    return true;
  }
  return false;
}

static int coordinate_of(const Model *model, Symbol name) {
  for (uint32_t i = 0; i < model->coordinates.n; i++)
    if (model->coordinates.at[i].name == name) return (int)i;
  return -1;
}

// The number that an event of this kind has by its name, or -1.
static int event_number(const Model *model, SimEventKind kind, Symbol name) {
  if (sim_event_is_of_contact(kind)) return model_contact(model, name);
  int row = kind == SIM_JUMP ? model_constraint(model, name) : -1;
  if (row >= 0) return row;
  int coordinate = coordinate_of(model, name), rows = (int)model->constraints.n;
  return coordinate >= 0 && kind == SIM_JUMP ? rows + coordinate : coordinate;
}

// Events of what the model does not have are left out.
static void read_events(Context *cx, const Model *model, const JsonValue *events, SimSummary *out) {
  for (size_t i = 0; i < json_count(events); i++) {
    const JsonValue *event = json_at(events, i);
    const char *name = json_text(json_get(event, "name"));
    SimEvent e = {.t = json_number(json_get(event, "t")),
                  .before = number_or(event, "approach_before", 0),
                  .after = number_or(event, "approach_after", 0),
                  .closes = json_flag(json_get(event, "closes"))};
    if (!name || !isfinite(e.t) || !event_kind(json_text(json_get(event, "kind")), &e.kind))
      continue;
    int number = event_number(model, e.kind, symbol_from_text(cx, name));
    if (number < 0) continue;
    e.number = (uint32_t)number;
    vec_push(&cx->keep, &out->events, e);
  }
}

static void read_moved(Context *cx, const Model *model, const JsonValue *start, uint32_t *guesses,
                       uint32_t *moved, double *most, uint32_t *coordinate) {
  const char *name = json_text(json_get(start, "coordinate"));
  for (uint32_t i = 0; name && i < model->coordinates.n; i++) {
    if (strcmp(symbol_text(cx, model->coordinates.at[i].name), name) != 0) continue;
    *coordinate = i;
    *guesses = (uint32_t)whole_number(start, "guesses");
    *moved = (uint32_t)whole_number(start, "moved");
    *most = number_or(start, "most_moved", 0);
  }
}

static void read_start(Context *cx, const Model *model, const JsonValue *root, SimSummary *out) {
  read_moved(cx, model, json_get(root, "start"), &out->guesses, &out->moved, &out->most_moved,
             &out->moved_coordinate);
  read_moved(cx, model, json_get(root, "start_velocity"), &out->velocity_guesses,
             &out->velocities_moved, &out->most_velocity_moved, &out->moved_velocity);
}

static Stopped stopped_from(const char *text) {
  static const char *const stops[] = {NULL, "user", "limit", "blow-up"};
  for (int i = 1; text && i < 4; i++)
    if (strcmp(text, stops[i]) == 0) return (Stopped)i;
  return STOPPED_NOT;
}

static void read_settings(Context *cx, const JsonValue *list, StoredSettings *out) {
  out->count = json_count(list);
  const char **settings = arena_array(&cx->keep, const char *, out->count);
  for (size_t i = 0; i < out->count; i++) {
    settings[i] = kept_text(cx, json_at(list, i));
    if (!settings[i]) settings[i] = "";
  }
  out->settings = settings;
}

Status certificate_settings(Context *cx, const char *name, const char *text, size_t length,
                            StoredSettings *out) {
  Json json;
  Status status = json_read(cx, name, text, length, &json);
  if (status != QDOT_OK) return status;
  *out = (StoredSettings){.formulation = kept_text(cx, json_get(json.root, "formulation"))};
  read_settings(cx, json_get(json.root, "settings"), out);
  json_close(&json);
  return QDOT_OK;
}

Status certificate_read(Context *cx, const Model *model, const char *name, const char *text,
                        size_t length, SimSummary *out) {
  Json json;
  Status status = json_read(cx, name, text, length, &json);
  if (status != QDOT_OK) return status;
  const JsonValue *root = json.root, *work = json_get(root, "work"),
                  *residual = json_get(root, "constraint_residual");
  *out = (SimSummary){.method = kept_text(cx, json_get(root, "method")),
                      .reason = remark_of(root, "reason"),
                      .rtol = number_or(root, "rtol", 0),
                      .atol = number_or(root, "atol", 0),
                      .step = number_or(root, "step", 0),
                      .beta = number_or(root, "beta", 0),
                      .gamma = number_or(root, "gamma", 0),
                      .rho = number_or(root, "rho", 0),
                      .stabilize = kept_text(cx, json_get(root, "stabilize")),
                      .backend = kept_text(cx, json_get(root, "backend")),
                      .t_asked = number_or(root, "to", 0),
                      .every = number_or(root, "every", 0),
                      .t_end = json_number(json_get(root, "t_end")),
                      .rows = whole_number(root, "rows"),
                      .steps = whole_number(root, "steps"),
                      .evaluations = whole_number(root, "rhs_evaluations"),
                      .rejected = whole_number(root, "rejected_steps"),
                      .setup_seconds = number_or(root, "setup_seconds", 0),
                      .wall_seconds = number_or(root, "wall_seconds", 0),
                      .energy_drift = json_number(json_get(root, "energy_drift")),
                      .energy_drift_t = NAN,
                      .work_forces = number_or(work, "forces", 0),
                      .work_dissipation = number_or(work, "dissipation", 0),
                      .work_drives = number_or(work, "drives", 0),
                      .work_impacts = number_or(work, "impacts", 0),
                      .position = worst_of(residual, "position"),
                      .velocity = worst_of(residual, "velocity"),
                      .acceleration = worst_of(residual, "acceleration"),
                      .stopped = stopped_from(json_text(json_get(root, "stopped"))),
                      .distrust = remark_of(root, "warning"),
                      .advice = remark_of(root, "advice"),
                      .hint = remark_of(root, "hint"),
                      .redundant = kept_text(cx, json_get(root, "redundant")),
                      .verified = json_number(json_get(root, "verified"))};
  out->fixed_step = out->step > 0;
  if (!out->method) out->method = "";
  read_events(cx, model, json_get(root, "events"), out);
  read_start(cx, model, root, out);
  json_close(&json);
  return QDOT_OK;
}

void certificate_read_extremes(Result *result, const char *name, const char *text, size_t length) {
  Context *cx = result->cx;
  Json json;
  if (json_read(cx, name, text, length, &json) != QDOT_OK) return;
  const JsonValue *all = json_get(json.root, "extremes");
  if (all) {
    Extremes *e = arena_array(&cx->keep, Extremes, result->column_count);
    for (uint32_t i = 0; i < result->column_count; i++) {
      const JsonValue *one = json_get(all, result->columns[i]);
      e[i] = (Extremes){.least = json_number(json_get(one, "min")),
                        .t_least = json_number(json_get(one, "t_min")),
                        .most = json_number(json_get(one, "max")),
                        .t_most = json_number(json_get(one, "t_max"))};
    }
    result->summary.extremes = e;
  }
  json_close(&json);
}
