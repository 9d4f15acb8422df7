// What parameters do to measures.
#include "print/ask/sensitivity_text.h"

#include <math.h>
#include <string.h>

#include "base/words/digits.h"
#include "print/measure_text.h"
#include "print/units.h"
#include "result/json.h"

static const Measurement *measurement_of(const Sensitivity *s, uint32_t i) {
  return &s->model->requests.measurements.at[s->request->measures.at[i]];
}

static const char *direction_name(const Sensitivity *s, uint32_t j) {
  return varied_text(s->cx, &s->request->by.at[j].varied);
}

double sensitivity_relative(const Sensitivity *s, uint32_t i, uint32_t j) {
  double relative = s->slopes[(size_t)i * s->count + j] * s->nominal[j] / s->values[i];
  return s->nominal[j] != 0 && isfinite(relative) ? relative : NAN;
}

const char *sensitivity_unit(const Sensitivity *s, uint32_t i, uint32_t j) {
  Quantity of = quantity_of_measurement(s->cx, s->model, measurement_of(s, i));
  const VariedBy *by = &s->request->by.at[j];
  Quantity quantity = quantity_of_measure(&by->measure);
  if (by->varied.primes)
    quantity.dimension = dimension_div(quantity.dimension, dimension_base(0, 0, 1));
  return quotient_unit(&s->cx->scratch, of, quantity);
}

// ---- Text

// Of the directions, in the order of how much they do.
static void sort_by_effect(const Sensitivity *s, uint32_t i, uint32_t *order) {
  for (uint32_t j = 0; j < s->count; j++) {
    double effect = fabs(sensitivity_relative(s, i, j));
    uint32_t at = j;
    for (; at > 0 && !(fabs(sensitivity_relative(s, i, order[at - 1])) >= effect) && !isnan(effect);
         at--)
      order[at] = order[at - 1];
    order[at] = j;
  }
}

static void add_direction(const Sensitivity *s, uint32_t i, uint32_t j, Text *out) {
  double relative = sensitivity_relative(s, i, j), slope = s->slopes[(size_t)i * s->count + j];
  const char *unit = sensitivity_unit(s, i, j);
  if (fabs(relative) < s->known) slope = relative = 0;
  text_addf(out, "  %-14s %13.6g", direction_name(s, j), slope);
  unit_add_behind(out, unit);
  if (!isnan(relative)) text_addf(out, "; 1 %% more: %+.4g %%", relative);
  if (!isnan(s->width[j])) text_addf(out, "; its tolerance: ±%.4g", fabs(slope) * s->width[j]);
  text_add_char(out, '\n');
}

static void add_measure(const Sensitivity *s, uint32_t i, Text *out) {
  Context *cx = s->cx;
  const Measurement *m = measurement_of(s, i);
  const char *unit = quantity_unit(&cx->scratch, quantity_of_measurement(cx, s->model, m));
  if (!isfinite(s->values[i]) && s->undefined[i]) {
    text_addf(out, "%s%s has no value: %s\n", i ? "\n" : "", symbol_text(cx, m->name),
              s->undefined[i]);
    return;
  }
  text_addf(out, "%s%s = %.6g", i ? "\n" : "", symbol_text(cx, m->name), s->values[i]);
  unit_add_behind(out, unit);
  text_add(out, ", by\n");
  if (s->undefined[i]) {
    text_addf(out, "  no derivative: %s\n", s->undefined[i]);
    return;
  }
  uint32_t *order = arena_array(&cx->scratch, uint32_t, s->count + 1);
  sort_by_effect(s, i, order);
  for (uint32_t j = 0; j < s->count; j++) add_direction(s, i, order[j], out);
}

void sensitivity_text(const Sensitivity *s, Text *out) {
  for (uint32_t i = 0; i < s->measures; i++) add_measure(s, i, out);
}

// ---- JSON

void sensitivity_json(const Sensitivity *s, Text *out) {
  Json json;
  json_open(s->cx, &json);
  const char *const *units = measure_units(s->cx, s->model);
  JsonValue *all = json_add_object(&json, json.root, "measures");
  for (uint32_t i = 0; i < s->measures; i++) {
    JsonValue *one = json_add_object(&json, all, symbol_text(s->cx, measurement_of(s, i)->name));
    json_add_number(&json, one, "value", s->values[i]);
    JsonValue *derivative = json_add_object(&json, one, "derivative");
    for (uint32_t j = 0; j < s->count; j++)
      json_add_number(&json, derivative, direction_name(s, j), s->slopes[(size_t)i * s->count + j]);
    JsonValue *relative = json_add_object(&json, one, "relative");
    for (uint32_t j = 0; j < s->count; j++)
      json_add_number(&json, relative, direction_name(s, j), sensitivity_relative(s, i, j));
    if (s->undefined[i]) json_add_text(&json, one, "undefined", s->undefined[i]);
  }
  JsonValue *named = json_add_object(&json, json.root, "measure_units");
  for (uint32_t i = 0; i < s->measures; i++)
    json_add_text(&json, named, symbol_text(s->cx, measurement_of(s, i)->name),
                  units[s->request->measures.at[i]]);
  JsonValue *values = json_add_object(&json, json.root, "parameters");
  for (uint32_t j = 0; j < s->count; j++)
    json_add_number(&json, values, direction_name(s, j), s->nominal[j]);
  JsonValue *undefined = json_add_object(&json, json.root, "undefined");
  for (uint32_t i = 0; i < s->measures; i++)
    if (s->undefined[i])
      json_add_text(&json, undefined, symbol_text(s->cx, measurement_of(s, i)->name),
                    s->undefined[i]);
  json_print(&json, out);
  json_close(&json);
}

// ---- Over time

void sensitivity_csv(const Sensitivity *s, Text *out) {
  uint32_t width = 1 + s->count * s->state;
  text_add(out, "t");
  for (uint32_t k = 1; k < width; k++) text_addf(out, ",%s", sensitivity_column(s, k));
  text_add_char(out, '\n');
  for (uint32_t i = 0; i < s->rows; i++)
    for (uint32_t k = 0; k < width; k++) {
      double value = s->motion[(size_t)i * width + k];
      char digits[DIGITS_ROOM];
      if (isfinite(value)) text_addf(out, "%.*s", (int)digits_write(value, digits), digits);
      text_add_char(out, k + 1 < width ? ',' : '\n');
    }
}
