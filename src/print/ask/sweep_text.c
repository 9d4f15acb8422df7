// How a sweep went, and what its table is.
#include "print/ask/sweep_text.h"

#include "print/measure_text.h"
#include "print/units.h"
#include "qdot/qdot.h"
#include "result/json.h"

const char *sweep_axis_unit(const Sweep *s, uint32_t i) {
  const SweepAxis *axis = &s->request->axes.at[i];
  Coordinate as = {.measure = axis->measure};
  return quantity_unit(&s->cx->scratch, axis->varied.primes ? quantity_of_coordinate(&as, 1)
                                                            : quantity_of_measure(&axis->measure));
}

const char *sweep_measure_unit(const Sweep *s, uint32_t k) {
  const Measurement *m = &s->model->requests.measurements.at[s->request->measures.at[k]];
  return quantity_unit(&s->cx->scratch, quantity_of_measurement(s->cx, s->model, m));
}

const double sweep_percentiles[SWEEP_PERCENTILES] = {1, 5, 50, 95, 99};

static void add_percentiles(const Sweep *s, const SweepStory *story, Text *out) {
  for (uint32_t k = 0; k < s->measures; k++) {
    const char *unit = sweep_measure_unit(s, k);
    text_add(out, sweep_measure_name(s, k));
    if (unit[0]) text_add(out, " in "), unit_add_pretty(out, unit);
    for (int i = 0; i < SWEEP_PERCENTILES; i++)
      text_addf(out, "%s %g %% below %.6g", i ? "," : ":", sweep_percentiles[i],
                story->percentiles[k * SWEEP_PERCENTILES + (uint32_t)i]);
    text_add_char(out, '\n');
  }
}

void sweep_text(const Sweep *s, const SweepStory *story, Text *out) {
  text_addf(out, "%llu cases", (unsigned long long)story->done);
  if (story->done < s->cases) text_addf(out, " of %llu", (unsigned long long)s->cases);
  text_addf(out, " in %.3g s, %s", story->seconds, story->backend);
  if (s->request->runs > 0) text_addf(out, ", seed %llu", (unsigned long long)s->seed);
  if (story->failed > 0) text_addf(out, "; %llu failed", (unsigned long long)story->failed);
  if (story->kept > 0) text_addf(out, "; rows of %llu kept", (unsigned long long)story->kept);
  text_add_char(out, '\n');
  if (story->percentiles) add_percentiles(s, story, out);
}

static void json_percentiles(const Sweep *s, const SweepStory *story, Json *json) {
  static const char *const keys[SWEEP_PERCENTILES] = {"1", "5", "50", "95", "99"};
  JsonValue *all = json_add_object(json, json->root, "percentiles");
  for (uint32_t k = 0; k < s->measures; k++) {
    JsonValue *one = json_add_object(json, all, sweep_measure_name(s, k));
    for (int i = 0; i < SWEEP_PERCENTILES; i++)
      json_add_number(json, one, keys[i], story->percentiles[k * SWEEP_PERCENTILES + (uint32_t)i]);
  }
}

void sweep_json(const Sweep *s, const SweepStory *story, Text *out) {
  Json json;
  json_open(s->cx, &json);
  json_add_integer(&json, json.root, "cases", (int64_t)s->cases);
  json_add_integer(&json, json.root, "done", (int64_t)story->done);
  json_add_integer(&json, json.root, "failed", (int64_t)story->failed);
  json_add_integer(&json, json.root, "kept", (int64_t)story->kept);
  json_add_number(&json, json.root, "seconds", story->seconds);
  json_add_text(&json, json.root, "backend", story->backend);
  json_add_integer(&json, json.root, "seed", (int64_t)s->seed);
  if (story->table)
    json_add_text(&json, json.root, "table", story->table);
  else
    json_add_null(&json, json.root, "table");
  if (story->percentiles) json_percentiles(s, story, &json);
  json_print(&json, out);
  json_close(&json);
}

static void add_column(Json *json, JsonValue *all, const char *name, const char *unit) {
  JsonValue *one = json_add_object(json, all, NULL);
  json_add_text(json, one, "name", name);
  json_add_text(json, one, "unit", unit);
}

// The files that the model names: those with parts of it with their texts, data with a mark.
static void add_files(const Sweep *s, Json *json) {
  JsonValue *parts = NULL, *all = NULL;
  const ModelData *part;
  for (uint32_t i = 0; i < s->model->data.n; i++) {
    const ModelData *data = &s->model->data.at[i];
    if (data->is_part) continue;
    if (!all) all = json_add_array(json, json->root, "data");
    JsonValue *one = json_add_object(json, all, NULL);
    json_add_text(json, one, "name", data->name);
    json_add_integer(json, one, "mark", data->hash);
  }
  for (uint32_t at = 0; (part = model_next_part(s->model, &at));) {
    if (!parts) parts = json_add_array(json, json->root, "parts");
    JsonValue *one = json_add_object(json, parts, NULL);
    json_add_text(json, one, "name", part->name);
    json_add_text(json, one, "text", s->cx->sources.at[part->source].text);
  }
}

void sweep_about(const Sweep *s, const SweepStory *story, Text *out) {
  const Source *source = &s->cx->sources.at[s->model->source];
  Json json;
  json_open(s->cx, &json);
  json_add_text(&json, json.root, "version", QDOT_VERSION);
  json_add_integer(&json, json.root, "cases", (int64_t)s->cases);
  json_add_integer(&json, json.root, "failed", (int64_t)story->failed);
  json_add_integer(&json, json.root, "seed", (int64_t)s->seed);
  JsonValue *axes = json_add_array(&json, json.root, "parameters");
  for (uint32_t i = 0; i < s->axes; i++)
    add_column(&json, axes, sweep_axis_name(s, i), sweep_axis_unit(s, i));
  JsonValue *measures = json_add_array(&json, json.root, "measures");
  for (uint32_t k = 0; k < s->measures; k++)
    add_column(&json, measures, sweep_measure_name(s, k), sweep_measure_unit(s, k));
  JsonValue *settings = json_add_array(&json, json.root, "settings");
  for (size_t i = 0; i < s->model->setting_count; i++)
    json_add_text(&json, settings, NULL, s->model->settings[i]);
  json_add_text(&json, json.root, "model",
                text_format(&s->cx->scratch, "%.*s", (int)source->length, source->text));
  add_files(s, &json);
  if (story->percentiles) json_percentiles(s, story, &json);
  json_print(&json, out);
  json_close(&json);
}
