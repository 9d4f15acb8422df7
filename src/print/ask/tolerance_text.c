// What tolerances do to measures.
#include "print/ask/tolerance_text.h"

#include <math.h>
#include <string.h>

#include "print/measure_text.h"
#include "print/units.h"
#include "result/json.h"

static const Measurement *measurement_of(const Tolerance *t, const Distribution *d) {
  return &t->model->requests.measurements.at[d->measure];
}

static const char *spread_name(const Tolerance *t, uint32_t i) {
  return varied_text(t->cx, &t->request->spreads.at[i].varied);
}

// ---- Text

static void add_distribution(const Tolerance *t, const Distribution *d, Text *out) {
  Context *cx = t->cx;
  const Measurement *m = measurement_of(t, d);
  const char *unit = quantity_unit(&cx->scratch, quantity_of_measurement(cx, t->model, m));
  text_addf(out, "\n%s", symbol_text(cx, m->name));
  if (unit[0]) text_add(out, " in "), unit_add_pretty(out, unit);
  text_addf(out, "\n  nominal %.6g, mean %.6g, standard deviation %.4g (", d->nominal, d->mean,
            d->std);
  if (isfinite(d->linear_std))
    text_addf(out, "linear prediction %.4g)\n", d->linear_std);
  else
    text_add(out, "no linear prediction: without a value one standard deviation away)\n");
  text_addf(out, "  from %.6g to %.6g\n  %%    ", d->least, d->most);
  for (int i = 0; i < TOLERANCE_PERCENTILES; i++)
    text_addf(out, "  %12g", tolerance_percentiles[i]);
  text_add(out, "\n  below");
  for (int i = 0; i < TOLERANCE_PERCENTILES; i++) text_addf(out, "  %12.6g", d->percentile[i]);
  text_add(out, "\n  share of the variance:");
  bool is_vague = false; // by chance, values that are drawn depend on one another
  for (uint32_t i = 0; i < t->request->spreads.n; i++) {
    is_vague = is_vague || d->contribution[i] < 0;
    text_addf(out, "%s %s %.3g %%", i ? "," : "", spread_name(t, i),
              fmax(0, 100 * d->contribution[i]));
  }
  if (is_vague) text_add(out, " (an estimate: 0 where it is not above zero)");
  text_add_char(out, '\n');
  if (d->count + t->failed < t->seen)
    text_addf(out, "  without a value in %u run%s\n", t->seen - t->failed - d->count,
              t->seen - t->failed - d->count == 1 ? "" : "s");
}

void tolerance_text(const Tolerance *t, Text *out) {
  text_addf(out, "%u runs", t->seen);
  if (t->seen < t->runs) text_addf(out, " of %u", t->runs);
  text_addf(out, ", seed %llu, in %.3g s", (unsigned long long)t->seed, t->seconds);
  if (t->failed > 0) text_addf(out, "; %u failed", t->failed);
  if (t->why) text_addf(out, ", the first of them: %s", t->why);
  text_add_char(out, '\n');
  for (uint32_t i = 0; i < t->request->spreads.n; i++)
    if (t->turned[i] > 0)
      text_addf(out, "%s changes its sign within its tolerance, in %u run%s: %s\n",
                spread_name(t, i), t->turned[i], t->turned[i] == 1 ? "" : "s",
                t->request->spreads.at[i].is_normal ? "'normal' gives the standard deviation"
                                                    : "a tolerance is half the width of the range");
  for (uint32_t k = 0; k < t->distributions.n; k++)
    add_distribution(t, &t->distributions.at[k], out);
}

// ---- JSON

static void add_distribution_json(Json *json, JsonValue *all, const Tolerance *t,
                                  const Distribution *d) {
  static const char *const keys[TOLERANCE_PERCENTILES] = {"0.1", "1",  "5",   "50",
                                                          "95",  "99", "99.9"};
  JsonValue *one = json_add_object(json, all, symbol_text(t->cx, measurement_of(t, d)->name));
  json_add_number(json, one, "nominal", d->nominal);
  json_add_number(json, one, "mean", d->mean);
  json_add_number(json, one, "std", d->std);
  json_add_number(json, one, "linear_std", d->linear_std);
  json_add_number(json, one, "min", d->least);
  json_add_number(json, one, "max", d->most);
  json_add_integer(json, one, "runs", d->count);
  JsonValue *percentiles = json_add_object(json, one, "percentiles");
  for (int i = 0; i < TOLERANCE_PERCENTILES; i++)
    json_add_number(json, percentiles, keys[i], d->percentile[i]);
  JsonValue *contribution = json_add_object(json, one, "contribution");
  for (uint32_t i = 0; i < t->request->spreads.n; i++)
    json_add_number(json, contribution, spread_name(t, i), d->contribution[i]);
}

void tolerance_json(const Tolerance *t, Text *out) {
  Json json;
  json_open(t->cx, &json);
  JsonValue *all = json_add_object(&json, json.root, "measures");
  for (uint32_t k = 0; k < t->distributions.n; k++)
    add_distribution_json(&json, all, t, &t->distributions.at[k]);
  const char *const *units = measure_units(t->cx, t->model);
  JsonValue *named = json_add_object(&json, json.root, "measure_units");
  for (uint32_t k = 0; k < t->distributions.n; k++) {
    const Distribution *d = &t->distributions.at[k];
    json_add_text(&json, named, symbol_text(t->cx, measurement_of(t, d)->name), units[d->measure]);
  }
  json_add_integer(&json, json.root, "runs", t->seen);
  json_add_integer(&json, json.root, "failed", t->failed);
  if (t->why) json_add_text(&json, json.root, "failure", t->why);
  JsonValue *turned = json_add_object(&json, json.root, "changed_sign");
  for (uint32_t i = 0; i < t->request->spreads.n; i++)
    if (t->turned[i] > 0) json_add_integer(&json, turned, spread_name(t, i), t->turned[i]);
  json_add_integer(&json, json.root, "seed", (int64_t)t->seed);
  json_print(&json, out);
  json_close(&json);
}
