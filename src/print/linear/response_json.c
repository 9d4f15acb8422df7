// Frequency responses and root loci as JSON.
#include <math.h>

#include "print/linear/response_text.h"
#include "print/random_unit.h"
#include "result/json.h"

static void add_curve(Json *json, JsonValue *parent, const Response *r, const char *key, uint32_t o,
                      uint32_t i, double (*value)(const Response *, uint32_t, uint32_t, uint32_t)) {
  JsonValue *list = json_add_array(json, parent, key);
  for (uint32_t k = 0; k < r->n; k++) json_add_number(json, list, NULL, value(r, k, o, i));
}

static double real_part(const Response *r, uint32_t k, uint32_t o, uint32_t i) {
  return r->re[((size_t)k * r->task.output_count + o) * r->task.input_count + i];
}

static double imaginary_part(const Response *r, uint32_t k, uint32_t o, uint32_t i) {
  return r->im[((size_t)k * r->task.output_count + o) * r->task.input_count + i];
}

static void add_extrema(Json *json, JsonValue *parent, const char *key, const ExtremumList *list,
                        bool with_width) {
  JsonValue *array = json_add_array(json, parent, key);
  for (uint32_t k = 0; k < list->n; k++) {
    const Extremum *e = &list->at[k];
    JsonValue *object = json_add_object(json, array, NULL);
    json_add_number(json, object, "frequency_hz", e->hz);
    json_add_number(json, object, "gain", e->gain);
    json_add_number(json, object, "phase_deg", e->phase_deg);
    if (!with_width) continue;
    JsonValue *width = json_add_array(json, object, "half_power_hz");
    json_add_number(json, width, NULL, e->low);
    json_add_number(json, width, NULL, e->high);
  }
}

static void add_crossings(Json *json, JsonValue *parent, const char *key, const CrossingList *list,
                          const char *margin, double (*margin_of)(const Crossing *)) {
  JsonValue *array = json_add_array(json, parent, key);
  for (uint32_t k = 0; k < list->n; k++) {
    const Crossing *c = &list->at[k];
    JsonValue *object = json_add_object(json, array, NULL);
    json_add_number(json, object, "frequency_hz", c->hz);
    json_add_number(json, object, "gain", c->gain);
    json_add_number(json, object, "phase_deg", c->phase_deg);
    json_add_number(json, object, margin, margin_of(c));
  }
}

// ---- Random inputs

static void add_sources(Json *json, JsonValue *parent, const RandomResponse *random) {
  JsonValue *list = json_add_array(json, parent, "inputs");
  for (uint32_t i = 0; i < random->input_count; i++) {
    const RandomInput *input = &random->inputs[i];
    const RandomSource *s = &random->sources[input->source];
    JsonValue *one = json_add_object(json, list, NULL);
    char class[2] = {s->line->road, 0};
    json_add_text(json, one, "input", input->input.name);
    json_add_text(json, one, "source", s->name);
    json_add_number(json, one, "delay", input->delay);
    if (s->line->road)
      json_add_text(json, one, "road", class);
    else
      json_add_null(json, one, "road");
    JsonValue *band = json_add_array(json, one, "band_hz");
    json_add_number(json, band, NULL, s->low);
    json_add_number(json, band, NULL, s->high);
    json_add_number(json, one, "rms", s->rms);
  }
}

// With the densities at n frequencies.
static void add_random(Json *json, JsonValue *object, const Linearized *l,
                       const RandomResponse *random, uint32_t n) {
  static const char *const bounds[] = {NULL, "low frequencies", "high frequencies",
                                       "an undamped resonance"};
  add_sources(json, object, random);
  JsonValue *list = json_add_array(json, object, "outputs");
  for (uint32_t o = 0; o < random->output_count; o++) {
    const RandomOutput *output = &random->outputs[o];
    JsonValue *one = json_add_object(json, list, NULL);
    json_add_text(json, one, "output", output->name);
    if (output->weight)
      json_add_text(json, one, "weighting", output->weight);
    else
      json_add_null(json, one, "weighting");
    json_add_text(json, one, "unit", random_unit(l, output));
    json_add_number(json, one, "rms", output->rms);
    json_add_number(json, one, "relative_error", output->error);
    if (output->bound != RANDOM_BOUNDED)
      json_add_text(json, one, "unbounded_by", bounds[output->bound]);
    else
      json_add_null(json, one, "unbounded_by");
    JsonValue *density = n > 0 ? json_add_array(json, one, "density") : NULL;
    for (uint32_t k = 0; k < n; k++)
      json_add_number(json, density, NULL, random->density[(size_t)k * random->output_count + o]);
  }
}

void random_json(const Linearized *l, const RandomResponse *random, Text *out) {
  Json json;
  json_open(l->cx, &json);
  add_random(&json, json.root, l, random, 0);
  json_print(&json, out);
  json_close(&json);
}

void response_json(const Linearized *l, const Response *r, const RandomResponse *random,
                   Text *out) {
  Json json;
  json_open(l->cx, &json);
  if (r->modes->period > 0)
    json_add_number(&json, json.root, "sample_time", r->modes->period);
  else
    json_add_null(&json, json.root, "sample_time");
  JsonValue *hz = json_add_array(&json, json.root, "frequency_hz");
  for (uint32_t k = 0; k < r->n; k++) json_add_number(&json, hz, NULL, r->hz[k]);
  JsonValue *list = json_add_array(&json, json.root, "responses");
  for (uint32_t o = 0; o < r->task.output_count; o++)
    for (uint32_t i = 0; i < r->task.input_count; i++) {
      JsonValue *pair = json_add_object(&json, list, NULL);
      json_add_text(&json, pair, "input", r->task.inputs[i].name);
      json_add_text(&json, pair, "output", r->task.outputs[o].name);
      json_add_number(&json, pair, "rest", r->rest[(size_t)o * r->task.input_count + i]);
      const Extrema *extrema = response_extrema(r, o, i);
      add_extrema(&json, pair, "resonances", &extrema->resonances, true);
      add_extrema(&json, pair, "antiresonances", &extrema->antiresonances, false);
      add_crossings(&json, pair, "gain_crossings", &extrema->gain_crossings, "phase_margin_deg",
                    crossing_phase_margin);
      add_crossings(&json, pair, "phase_crossings", &extrema->phase_crossings, "gain_margin",
                    crossing_gain_margin);
      add_curve(&json, pair, r, "re", o, i, real_part);
      add_curve(&json, pair, r, "im", o, i, imaginary_part);
      add_curve(&json, pair, r, "gain", o, i, response_gain);
      add_curve(&json, pair, r, "phase_deg", o, i, response_phase);
    }
  if (random->source_count > 0)
    add_random(&json, json_add_object(&json, json.root, "random"), l, random, r->n);
  json_print(&json, out);
  json_close(&json);
}

static void add_step(Json *json, JsonValue *list, const LocusStep *step) {
  JsonValue *object = json_add_object(json, list, NULL);
  json_add_number(json, object, "value", step->value);
  if (!step->is_found) {
    json_add_null(json, object, "stability");
    return;
  }
  const Modes *m = &step->modes;
  json_add_text(json, object, "stability", stability_text(m));
  JsonValue *eigenvalues = json_add_array(json, object, "eigenvalues");
  for (uint32_t k = 0; k < m->eigenvalue_count; k++) {
    JsonValue *pair = json_add_array(json, eigenvalues, NULL);
    json_add_number(json, pair, NULL, m->eigenvalue[k][0] + 0.0);
    json_add_number(json, pair, NULL, m->eigenvalue[k][1] + 0.0);
  }
  JsonValue *hz = json_add_array(json, object, "frequencies_hz");
  JsonValue *damped = json_add_array(json, object, "damped_frequencies_hz");
  JsonValue *damping = json_add_array(json, object, "damping_ratios");
  for (uint32_t k = 0; k < m->count; k++) {
    if (m->mode[k].kind == MODE_EXPONENTIAL) continue;
    json_add_number(json, hz, NULL, m->mode[k].hz);
    json_add_number(json, damped, NULL, m->mode[k].damped_hz);
    json_add_number(json, damping, NULL, m->mode[k].damping + 0.0);
  }
}

void locus_json(const System *system, const Locus *s, Text *out) {
  Context *cx = system->cx;
  Json json;
  json_open(cx, &json);
  json_add_text(&json, json.root, "parameter", symbol_text(cx, symbol_name(cx, s->parameter)));
  JsonValue *steps = json_add_array(&json, json.root, "steps");
  for (uint32_t i = 0; i < s->n; i++) add_step(&json, steps, &s->step[i]);
  JsonValue *changes = json_add_array(&json, json.root, "changes");
  for (uint32_t i = 0; i < s->changes.n; i++) {
    JsonValue *change = json_add_object(&json, changes, NULL);
    json_add_number(&json, change, "value", s->changes.at[i].value);
    json_add_text(&json, change, "above",
                  s->changes.at[i].becomes_unstable ? "unstable" : "stable");
  }
  json_print(&json, out);
  json_close(&json);
}
