// The end of a run as the contract's JSON.
#include <string.h>

#include "base/text.h"
#include "result/certificate.h"
#include "result/json.h"

static void add_events(Json *json, RunOrigin origin, const SimSummary *summary) {
  JsonValue *events = json_add_array(json, json->root, "events");
  for (uint32_t i = 0; i < summary->events.n; i++) {
    const SimEvent *e = &summary->events.at[i];
    JsonValue *event = json_add_object(json, events, NULL);
    json_add_number(json, event, "t", e->t);
    json_add_text(json, event, "name", origin_event_name(origin, e));
    json_add_text(json, event, "kind", sim_event_text(e->kind));
    if (e->kind != SIM_IMPACT) continue;
    json_add_number(json, event, "approach_before", e->before);
    json_add_number(json, event, "approach_after", e->after);
    json_add_bool(json, event, "closes", e->closes);
  }
}

// ---- The fields of the summary

// The object that is being filled.
typedef struct Group {
  const char *key;
  JsonValue *object;
} Group;

// The object in which a field stands; fields of one object follow each other.
static JsonValue *open_group(Json *json, const SummaryField *field, Group *group) {
  const char *key = summary_group(field, &json->cx->scratch);
  if (!key[0]) return json->root;
  if (!group->object || strcmp(group->key, key) != 0)
    *group = (Group){key, json_add_object(json, json->root, key)};
  return group->object;
}

static void add_text_or_null(Json *json, JsonValue *into, const char *key, const char *text) {
  if (text)
    json_add_text(json, into, key, text);
  else
    json_add_null(json, into, key);
}

void certificate_add_field(Json *json, JsonValue *into, RunOrigin origin, const SimSummary *summary,
                           const SummaryField *field) {
  const char *key = summary_key(field);
  const void *at = summary_get(summary, field);
  switch (field->kind) {
  case SUMMARY_TEXT: add_text_or_null(json, into, key, *(const char *const *)at); break;
  case SUMMARY_REMARK:
    add_text_or_null(json, into, key, remark_english(at, &json->cx->scratch));
    break;
  case SUMMARY_FLAG: json_add_bool(json, into, key, *(const bool *)at); break;
  case SUMMARY_NUMBER:
  case SUMMARY_MAYBE: json_add_number(json, into, key, *(const double *)at); break;
  case SUMMARY_WHOLE: json_add_integer(json, into, key, *(const int64_t *)at); break;
  case SUMMARY_COUNT: json_add_integer(json, into, key, *(const uint32_t *)at); break;
  case SUMMARY_COORDINATE:
    add_text_or_null(json, into, key, origin_coordinate_name(origin, *(const uint32_t *)at));
    break;
  case SUMMARY_WORST: json_add_number(json, into, key, ((const Worst *)at)->value); break;
  case SUMMARY_STOP: add_text_or_null(json, into, key, stopped_text(*(const Stopped *)at)); break;
  default: break;
  }
}

// Remarks as identifiers and numbers, for those who say it in other words.
static void add_remark(Json *json, JsonValue *remarks, const char *key, const Remark *remark) {
  if (!remark_is_made(remark)) return;
  JsonValue *into = json_add_object(json, remarks, key);
  json_add_text(json, into, "id", remark_key(remark->id));
  JsonValue *numbers = json_add_array(json, into, "numbers");
  for (int k = 0; k < remark_number_count(remark->id); k++)
    json_add_number(json, numbers, NULL, remark->number[k]);
}

// When and in which row each residual was largest.
static void add_places(Json *json, const SimSummary *summary) {
  JsonValue *places = json_add_object(json, json->root, "constraint_residual_at");
  JsonValue *times = json_add_array(json, places, "t"), *rows = json_add_array(json, places, "row");
  for (int i = 0; i < SUMMARY_FIELDS; i++) {
    if (summary_fields[i].kind != SUMMARY_WORST) continue;
    const Worst *worst = summary_get(summary, &summary_fields[i]);
    json_add_number(json, times, NULL, worst->t);
    json_add_integer(json, rows, NULL, worst->row);
  }
}

static void add_summary(Json *json, RunOrigin origin, const SimSummary *summary) {
  Group group = {0};
  for (int i = 0; i < SUMMARY_FIELDS; i++) {
    const SummaryField *field = &summary_fields[i];
    bool is_remark_only = field->kind == SUMMARY_REMARK && strchr(field->key, '.');
    if (field->key && field->is_said(summary) && !is_remark_only)
      certificate_add_field(json, open_group(json, field, &group), origin, summary, field);
  }
  JsonValue *remarks = json_add_object(json, json->root, "remarks");
  for (int i = 0; i < SUMMARY_FIELDS; i++) {
    const SummaryField *field = &summary_fields[i];
    if (field->kind == SUMMARY_REMARK)
      add_remark(json, remarks, summary_key(field), summary_get(summary, field));
  }
  if (origin_row_count(origin) > 0) add_places(json, summary);
}

// What else has to be known to read the model as it was.
static void add_settings(Json *json, RunOrigin origin) {
  const char *formulation = origin_formulation(origin);
  if (formulation) json_add_text(json, json->root, "formulation", formulation);
  if (origin_setting_count(origin) == 0) return;
  JsonValue *list = json_add_array(json, json->root, "settings");
  for (uint32_t i = 0; i < origin_setting_count(origin); i++)
    json_add_text(json, list, NULL, origin_setting(origin, i));
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

// What was asked of the whole run; null where it has no value.
static void add_measures(Json *json, RunOrigin origin, const Result *result) {
  uint32_t n = origin_measure_count(origin);
  const double *values = result->summary.measures;
  if (!values) return;
  JsonValue *all = json_add_object(json, json->root, "measures");
  for (uint32_t i = 0; i < n; i++)
    json_add_number(json, all, origin_measure_name(origin, i), values[i]);
  if (!result->measure_units) return;
  JsonValue *units = json_add_object(json, json->root, "measure_units");
  for (uint32_t i = 0; i < n; i++)
    json_add_text(json, units, origin_measure_name(origin, i), result->measure_units[i]);
}

void certificate_json(Context *cx, RunOrigin origin, const Result *result, Text *out) {
  Json json;
  json_open(cx, &json);
  add_summary(&json, origin, &result->summary);
  add_events(&json, origin, &result->summary);
  add_settings(&json, origin);
  add_measures(&json, origin, result);
  add_extremes(&json, result);
  json_print(&json, out);
  json_close(&json);
}
