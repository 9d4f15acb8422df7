// Formulations side by side, as the contract's JSON.
#include <math.h>

#include "print/compare_text.h"
#include "result/certificate.h"

static void add_text(Json *json, JsonValue *object, const char *key, const char *text) {
  if (text)
    json_add_text(json, object, key, text);
  else
    json_add_null(json, object, key);
}

static void add_agreement(Json *json, JsonValue *object, const FormulationRun *run) {
  if (run->is_reference || run->n == 0) {
    json_add_null(json, object, "equations");
    return;
  }
  const Agreement *a = &run->agreement;
  JsonValue *entry = json_add_object(json, object, "equations");
  json_add_text(json, entry, "result", agreement_text(a->equality));
  Text evidence = text_new(&json->cx->scratch);
  agreement_evidence(a, &evidence);
  json_add_text(json, entry, "evidence", evidence.at);
  bool has_bound = a->equality == EQUAL_YES;
  double error = a->evidence.kind == EVIDENCE_FIELD ? a->evidence.error : 0;
  json_add_number(json, entry, "error_probability", has_bound ? error : NAN);
  json_add_integer(json, entry, "identities", a->identities);
  json_add_integer(json, entry, "constraints_satisfied", a->satisfied);
  json_add_integer(json, entry, "constraints_shared", a->shared);
  add_text(json, entry, "where", a->where);
}

static const SummaryFieldId told[] = {FIELD_method,        FIELD_t_end,        FIELD_freedom,
                                      FIELD_steps,         FIELD_evaluations,  FIELD_rejected,
                                      FIELD_setup_seconds, FIELD_wall_seconds, FIELD_energy_drift};

static void add_run(Json *json, JsonValue *object, const Comparison *c, const FormulationRun *run) {
  const SimSummary *s = &run->summary;
  if (!run->has_run) {
    json_add_null(json, object, "run");
    return;
  }
  JsonValue *entry = json_add_object(json, object, "run");
  for (size_t i = 0; i < sizeof told / sizeof *told; i++)
    certificate_add_field(json, entry, (RunOrigin){0}, s, &summary_fields[told[i]]);
  json_add_number(json, entry, "position_residual", s->position.value);
  json_add_number(json, entry, "velocity_residual", s->velocity.value);
  certificate_add_field(json, entry, (RunOrigin){0}, s, &summary_fields[FIELD_stopped]);
  if (run->distance_count == 0) {
    json_add_null(json, entry, "difference");
    return;
  }
  JsonValue *difference = json_add_object(json, entry, "difference");
  json_add_number(json, difference, "position", run->deviation.position);
  json_add_number(json, difference, "angle", run->deviation.angle);
  json_add_number(json, difference, "energy", run->deviation.energy);
  json_add_number(json, difference, "t", run->deviation.at);
  add_text(json, difference, "where",
           run->deviation.where ? symbol_text(c->cx, run->deviation.where) : NULL);
}

static void add_road(Json *json, JsonValue *object, const RoadRun *run) {
  json_add_text(json, object, "name", run->name);
  add_text(json, object, "refusal", run->refusal);
  json_add_bool(json, object, "proved", !run->refusal && run->agreement.equality == EQUAL_YES);
  Text evidence = text_new(&json->cx->scratch);
  if (!run->refusal && run->agreement.identities) agreement_evidence(&run->agreement, &evidence);
  add_text(json, object, "evidence", evidence.n ? evidence.at : NULL);
  json_add_integer(json, object, "identities", run->agreement.identities);
  json_add_integer(json, object, "equations", run->equations);
  json_add_number(json, object, "length", run->length ? run->length : NAN);
  json_add_number(json, object, "operations", run->is_measured ? run->operations : NAN);
  json_add_bool(json, object, "multipliers", run->has_multipliers);
  json_add_number(json, object, "seconds", run->is_measured ? run->seconds : NAN);
  json_add_number(json, object, "derive_seconds", run->derive_seconds);
}

static void roads_json(const Comparison *c, Text *out) {
  Json json;
  const RoadComparison *r = c->roads;
  json_open(c->cx, &json);
  json_add_text(&json, json.root, "title", c->model->title);
  JsonValue *names = json_add_array(&json, json.root, "coordinates");
  for (uint32_t i = 0; i < c->model->coordinates.n; i++)
    json_add_text(&json, names, NULL, symbol_text(c->cx, c->model->coordinates.at[i].name));
  json_add_text(&json, json.root, "equations", c->is_proved ? "equal" : "not proved");
  JsonValue *list = json_add_array(&json, json.root, "roads");
  for (int road = 0; road < ROADS; road++)
    add_road(&json, json_add_object(&json, list, NULL), &r->runs[road]);
  add_text(&json, json.root, "shortest", r->shortest < 0 ? NULL : r->runs[r->shortest].name);
  add_text(&json, json.root, "since",
           r->shortest < 0 ? NULL : road_reason_text(&c->cx->scratch, c));
  json_print(&json, out);
  json_close(&json);
}

void compare_json(const Comparison *c, Text *out) {
  if (c->roads) {
    roads_json(c, out);
    return;
  }
  Json json;
  json_open(c->cx, &json);
  json_add_text(&json, json.root, "title", c->model->title);
  JsonValue *names = json_add_array(&json, json.root, "coordinates");
  for (uint32_t i = 0; i < c->coordinate_count; i++)
    json_add_text(&json, names, NULL, symbol_text(c->cx, c->coordinates[i]));
  json_add_text(&json, json.root, "equations", c->is_proved ? "equal" : "not proved");
  JsonValue *list = json_add_array(&json, json.root, "formulations");
  for (int f = 0; f < FORMULATIONS; f++) {
    const FormulationRun *run = &c->runs[f];
    JsonValue *object = json_add_object(&json, list, NULL);
    json_add_text(&json, object, "name", run->name);
    add_text(&json, object, "refusal", run->refusal);
    json_add_integer(&json, object, "coordinates", run->n);
    json_add_integer(&json, object, "constraints", run->rows);
    json_add_number(&json, object, "derive_seconds", run->derive_seconds);
    add_agreement(&json, object, run);
    add_run(&json, object, c, run);
  }
  json_print(&json, out);
  json_close(&json);
}
