// The end of a run as the contract's JSON.
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "qdot/qdot.h"
#include "result/certificate.h"
#include "result/json.h"

static void add_events(Json *json, const System *s, const SimSummary *summary) {
  JsonValue *events = json_add_array(json, json->root, "events");
  for (uint32_t i = 0; i < summary->events.n; i++) {
    const SimEvent *e = &summary->events.at[i];
    JsonValue *event = json_add_object(json, events, NULL);
    json_add_number(json, event, "t", e->t);
    json_add_text(json, event, "name", sim_event_name(s, e));
    json_add_text(json, event, "kind", sim_event_text(e->kind));
    if (e->kind != SIM_IMPACT) continue;
    json_add_number(json, event, "approach_before", e->before);
    json_add_number(json, event, "approach_after", e->after);
    json_add_bool(json, event, "closes", e->closes);
  }
}

static void add_energy(Json *json, const SimSummary *summary) {
  json_add_number(json, json->root, "energy_drift", summary->energy_drift);
  JsonValue *work = json_add_object(json, json->root, "work");
  json_add_number(json, work, "forces", summary->work_forces);
  json_add_number(json, work, "dissipation", summary->work_dissipation);
  json_add_number(json, work, "drives", summary->work_drives);
  json_add_number(json, work, "impacts", summary->work_impacts);
}

static void add_text_or_null(Json *json, const char *key, const char *text) {
  if (text)
    json_add_text(json, json->root, key, text);
  else
    json_add_null(json, json->root, key);
}

static void add_remark(Json *json, const char *key, const Remark *remark) {
  add_text_or_null(json, key, remark_english(remark, &json->cx->scratch));
}

// The same as identifiers and numbers, for those who say it in other words.
static void add_remarks(Json *json, const SimSummary *summary) {
  const struct {
    const char *key;
    const Remark *remark;
  } all[] = {{"reason", &summary->reason},
             {"warning", &summary->distrust},
             {"advice", &summary->advice},
             {"hint", &summary->hint}};
  JsonValue *remarks = json_add_object(json, json->root, "remarks");
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    RemarkId id = all[i].remark->id;
    if (id == REMARK_NONE) continue;
    JsonValue *remark = json_add_object(json, remarks, all[i].key);
    json_add_text(json, remark, "id", remark_key(id));
    JsonValue *numbers = json_add_array(json, remark, "numbers");
    for (int k = 0; k < remark_number_count(id); k++)
      json_add_number(json, numbers, NULL, all[i].remark->number[k]);
  }
}

static void add_moved(Json *json, const char *key, uint32_t guesses, uint32_t moved, double most,
                      const char *coordinate) {
  if (moved == 0) return;
  JsonValue *start = json_add_object(json, json->root, key);
  json_add_integer(json, start, "guesses", guesses);
  json_add_integer(json, start, "moved", moved);
  json_add_number(json, start, "most_moved", most);
  json_add_text(json, start, "coordinate", coordinate);
}

// What was moved so that the constraints are met at the start.
static void add_start(Json *json, const System *s, const SimSummary *summary) {
  const Coordinate *all = s->model->coordinates.at;
  if (s->n == 0) return;
  add_moved(json, "start", summary->guesses, summary->moved, summary->most_moved,
            symbol_text(json->cx, all[summary->moved_coordinate].name));
  add_moved(json, "start_velocity", summary->velocity_guesses, summary->velocities_moved,
            summary->most_velocity_moved, symbol_text(json->cx, all[summary->moved_velocity].name));
}

// With what the run was made.
static void add_method(Json *json, const SimSummary *summary) {
  JsonValue *root = json->root;
  if (summary->fixed_step) {
    json_add_number(json, root, "step", summary->step);
  } else {
    json_add_number(json, root, "rtol", summary->rtol);
    json_add_number(json, root, "atol", summary->atol);
  }
  const Method *method = method_find(summary->method);
  if (method_takes(method, "beta")) json_add_number(json, root, "beta", summary->beta);
  if (method_takes(method, "gamma")) json_add_number(json, root, "gamma", summary->gamma);
  if (method_takes(method, "rho")) json_add_number(json, root, "rho", summary->rho);
  add_text_or_null(json, "stabilize", summary->stabilize);
  json_add_number(json, root, "to", summary->t_asked);
  json_add_number(json, root, "every", summary->every);
  if (summary->backend) json_add_text(json, root, "backend", summary->backend);
  json_add_text(json, root, "version", QDOT_VERSION);
}

// What else has to be known to read the model as it was.
static void add_settings(Json *json, const Model *model) {
  if (model->formulation) json_add_text(json, json->root, "formulation", model->formulation);
  if (model->setting_count == 0) return;
  JsonValue *list = json_add_array(json, json->root, "settings");
  for (size_t i = 0; i < model->setting_count; i++)
    json_add_text(json, list, NULL, model->settings[i]);
}

// How far every column went, and when.
static void add_extremes(Json *json, const Result *result) {
  const Extremes *e = result->summary.extremes;
  if (!e) return;
  JsonValue *all = json_add_object(json, json->root, "extremes");
  for (uint32_t i = 1; i < result->column_count; i++) {
    JsonValue *one = json_add_object(json, all, result->columns[i]);
    json_add_number(json, one, "min", e[i].least);
    json_add_number(json, one, "t_min", e[i].t_least);
    json_add_number(json, one, "max", e[i].most);
    json_add_number(json, one, "t_max", e[i].t_most);
  }
}

void certificate_json(Context *cx, const System *s, const Result *result, Text *out) {
  static const char *const stops[] = {NULL, "user", "limit", "blow-up"};
  const SimSummary *summary = &result->summary;
  Json json;
  json_open(cx, &json);
  JsonValue *root = json.root;
  json_add_text(&json, root, "method", summary->method);
  if (remark_is_made(&summary->reason)) add_remark(&json, "reason", &summary->reason);
  add_method(&json, summary);
  json_add_number(&json, root, "t_end", summary->t_end);
  json_add_integer(&json, root, "rows", summary->rows);
  json_add_integer(&json, root, "steps", summary->steps);
  json_add_integer(&json, root, "rhs_evaluations", summary->evaluations);
  json_add_integer(&json, root, "rejected_steps", summary->rejected);
  json_add_number(&json, root, "setup_seconds", summary->setup_seconds);
  json_add_number(&json, root, "wall_seconds", summary->wall_seconds);
  add_energy(&json, summary);
  JsonValue *residual = json_add_object(&json, root, "constraint_residual");
  json_add_number(&json, residual, "position", summary->position.value);
  json_add_number(&json, residual, "velocity", summary->velocity.value);
  json_add_number(&json, residual, "acceleration", summary->acceleration.value);
  add_events(&json, s, summary);
  add_text_or_null(&json, "stopped", stops[summary->stopped]);
  add_remark(&json, "warning", &summary->distrust);
  add_remarks(&json, summary);
  add_text_or_null(&json, "redundant", summary->redundant);
  if (!isnan(summary->verified)) json_add_number(&json, root, "verified", summary->verified);
  add_start(&json, s, summary);
  add_settings(&json, s->model);
  add_extremes(&json, result);
  json_print(&json, out);
  json_close(&json);
}
