// The end of a run, read again from the contract's JSON.
#include <limits.h>
#include <math.h>
#include <string.h>

#include "result/certificate.h"
#include "result/json.h"

static const char *kept_text(Context *cx, const JsonValue *value) {
  const char *text = json_text(value);
  return text ? arena_copy(&cx->keep, text, strlen(text)) : NULL;
}

static int64_t whole_number(const JsonValue *object, const char *key) {
  double value = json_number(json_get(object, key));
  return fabs(value) <= 0x1p53 ? (int64_t)value : 0;
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

// The residuals' rows and times stand in lists, in their order.
static void read_places(const JsonValue *root, SimSummary *out) {
  const JsonValue *places = json_get(root, "constraint_residual_at");
  const JsonValue *times = json_get(places, "t"), *rows = json_get(places, "row");
  size_t count = 0;
  for (int i = 0; i < SUMMARY_FIELDS; i++) {
    if (summary_fields[i].kind != SUMMARY_WORST) continue;
    Worst *worst = summary_at(out, &summary_fields[i]);
    double row = json_number(json_at(rows, count));
    worst->row = row >= 0 && row < INT_MAX ? (int)row : -1;
    worst->t = json_number(json_at(times, count++));
  }
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
  for (uint32_t i = 0; sim_event_is_of_model(kind) && i < model->occasions.n; i++)
    if (strcmp(model->occasions.at[i].text, symbol_text(model->cx, name)) == 0) return (int)i;
  if (sim_event_is_of_model(kind)) return -1;
  if (sim_event_is_of_contact(kind)) return model_contact(model, name);
  int row = kind == SIM_JUMP ? model_constraint(model, name) : -1;
  if (row >= 0) return row;
  int coordinate = coordinate_of(model, name), rows = (int)model->constraints.n;
  int contact = kind == SIM_JUMP ? -1 : model_contact(model, name);
  if (coordinate < 0 && contact >= 0) return (int)model->coordinates.n + contact;
  for (uint32_t i = 0; kind != SIM_JUMP && i < model->presses.n; i++)
    if (model->presses.at[i].name == name)
      return (int)(model->coordinates.n + model->contacts.n + i);
  for (uint32_t i = 0, rolling = 0; kind != SIM_JUMP && i < model->contacts.n; i++) {
    if (model->contacts.at[i].spin && model->contacts.at[i].rolls == name)
      return (int)(model->coordinates.n + model->contacts.n + model->presses.n + rolling);
    rolling += model->contacts.at[i].spin != 0;
  }
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

// The number of a coordinate by its name; NO_COORDINATE where the model has none of it.
enum { NO_COORDINATE = UINT32_MAX };

static uint32_t coordinate_named(Context *cx, const Model *model, const char *name) {
  int found = name ? coordinate_of(model, symbol_from_text(cx, name)) : -1;
  return found >= 0 ? (uint32_t)found : NO_COORDINATE;
}

static uint32_t count_of(const JsonValue *object, const char *key) {
  int64_t whole = whole_number(object, key);
  return whole >= 0 && whole < UINT32_MAX ? (uint32_t)whole : 0;
}

static void read_field(Context *cx, const Model *model, const JsonValue *root,
                       const SummaryField *field, SimSummary *out) {
  const char *group = summary_group(field, &cx->scratch), *key = summary_key(field);
  const JsonValue *from = group[0] ? json_get(root, group) : root, *value = json_get(from, key);
  void *at = summary_at(out, field);
  switch (field->kind) {
  case SUMMARY_TEXT: *(const char **)at = kept_text(cx, value); break;
  case SUMMARY_REMARK: *(Remark *)at = remark_of(root, key); break;
  case SUMMARY_FLAG: *(bool *)at = json_flag(value); break;
  case SUMMARY_NUMBER: *(double *)at = number_or(from, key, 0); break;
  case SUMMARY_MAYBE: *(double *)at = json_number(value); break;
  case SUMMARY_WHOLE: *(int64_t *)at = whole_number(from, key); break;
  case SUMMARY_COUNT: *(uint32_t *)at = count_of(from, key); break;
  case SUMMARY_COORDINATE: *(uint32_t *)at = coordinate_named(cx, model, json_text(value)); break;
  case SUMMARY_WORST: ((Worst *)at)->value = number_or(from, key, 0); break;
  case SUMMARY_STOP: *(Stopped *)at = stopped_from_text(json_text(value)); break;
  default: break;
  }
}

// What was moved is only told of coordinates that the model has.
static void forget_unknown(uint32_t *coordinate, uint32_t *moved) {
  if (*coordinate != NO_COORDINATE) return;
  *coordinate = *moved = 0;
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
  Mark mark = arena_mark(&cx->scratch);
  *out = (SimSummary){0};
  for (int i = 0; i < SUMMARY_FIELDS; i++)
    if (summary_fields[i].key) read_field(cx, model, json.root, &summary_fields[i], out);
  read_places(json.root, out);
  forget_unknown(&out->moved_coordinate, &out->moved);
  forget_unknown(&out->moved_velocity, &out->velocities_moved);
  out->fixed_step = out->step > 0;
  if (!out->method) out->method = "";
  read_events(cx, model, json_get(json.root, "events"), out);
  arena_release(&cx->scratch, mark);
  json_close(&json);
  return QDOT_OK;
}

static void read_measures(Result *result, const JsonValue *root) {
  Context *cx = result->cx;
  const Requests *requests = &result->model->requests;
  const JsonValue *all = json_get(root, "measures"), *units = json_get(root, "measure_units");
  uint32_t n = requests->measurements.n;
  if (!all || n == 0) return;
  result->summary.measures = arena_array(&cx->keep, double, n);
  const char **read_units = arena_array(&cx->keep, const char *, n);
  for (uint32_t i = 0; i < n; i++) {
    const char *name = symbol_text(cx, requests->measurements.at[i].name);
    result->summary.measures[i] = json_number(json_get(all, name));
    read_units[i] = kept_text(cx, json_get(units, name));
    if (!read_units[i]) read_units[i] = "";
  }
  if (units) result->measure_units = read_units;
}

void certificate_read_numbers(Result *result, const char *name, const char *text, size_t length) {
  Context *cx = result->cx;
  Json json;
  if (json_read(cx, name, text, length, &json) != QDOT_OK) return;
  read_measures(result, json.root);
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
