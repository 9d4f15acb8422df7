// What a search has found.
#include "print/ask/find_text.h"

#include <math.h>

#include "print/ask/asked_unit.h"
#include "print/units.h"
#include "result/json.h"

static const double ROUNDING = 1e-8; // of the range of an unknown

static const char *name_of(const Find *f, uint32_t j) {
  return varied_text(f->cx, &f->request->unknowns.at[j].by.varied);
}

static const char *measure_name(const Find *f, uint32_t i) {
  return symbol_text(f->cx, f->model->requests.measurements.at[i].name);
}

// ---- Text

static void add_values(const Find *f, const Found *found, Text *out) {
  for (uint32_t j = 0; j < f->count; j++) {
    UnitScale in = varied_scale(f->cx, &f->request->unknowns.at[j].by);
    bool is_zero = fabs(found->x[j]) < ROUNDING * (f->high[j] - f->low[j]);
    text_addf(out, "%s%s = %.6g", j ? ", " : "", name_of(f, j),
              is_zero ? 0 : found->x[j] / in.factor);
    unit_add_behind(out, in.unit);
  }
}

static void add_aims(const Find *f, const Found *found, Text *out) {
  for (uint32_t i = 0; i < f->request->aims.n; i++) {
    uint32_t measure = f->request->aims.at[i].measure;
    UnitScale in = aim_scale(f->cx, f->model, &f->request->aims.at[i]);
    text_addf(out, "%s%s = %.6g", i ? ", " : "", measure_name(f, measure),
              found->measures[measure] / in.factor);
    unit_add_behind(out, in.unit);
  }
  if (f->request->points.n > 0)
    text_addf(out, "%spoints missed by at most %.4g m", f->request->aims.n ? ", " : "",
              found->residual);
}

static void add_found(const Find *f, const Found *found, const char *before, Text *out) {
  text_add(out, before);
  add_values(f, found, out);
  text_add(out, ": ");
  add_aims(f, found, out);
  text_add_char(out, '\n');
}

// What is made best jumps there: next to it it is another.
static void add_jump(const Find *f, Text *out) {
  for (uint32_t i = 0; f->best.jumps && i < f->request->aims.n; i++) {
    const FindAim *aim = &f->request->aims.at[i];
    if (aim->kind != AIM_LEAST && aim->kind != AIM_MOST) continue;
    UnitScale in = aim_scale(f->cx, f->model, aim);
    text_addf(out, "  %s jumps there: next to it it is %.6g", measure_name(f, aim->measure),
              f->best.beside / in.factor);
    unit_add_behind(out, in.unit);
    text_add_char(out, '\n');
    return;
  }
}

void find_text(const Find *f, Text *out) {
  text_addf(out, "%s after %u runs from %u start%s in %.3g s", f->is_found ? "found" : "not found",
            f->runs, f->starts, f->starts == 1 ? "" : "s", f->seconds);
  if (f->failed > 0) text_addf(out, "; %u run%s failed", f->failed, f->failed == 1 ? "" : "s");
  if (f->why) text_addf(out, ", the first: %s", f->why);
  if (f->is_stopped) text_add(out, "; stopped early");
  text_add(out, f->is_found ? "\n" : "; the best is\n");
  add_found(f, &f->best, "  ", out);
  if (!f->is_found && (f->request->points.n == 0 || f->best.broken > 2e-6))
    text_addf(out, "  the largest broken condition is off by %.3g %%\n", 100 * f->best.broken);
  add_jump(f, out);
  for (uint32_t j = 0; j < f->count; j++)
    if (f->is_idle[j]) text_addf(out, "%s changes nothing that is aimed at\n", name_of(f, j));
  for (uint32_t i = 0; i < f->alternatives.n; i++)
    add_found(f, &f->alternatives.at[i], i ? "  " : "elsewhere:\n  ", out);
  if (f->tradeoff.n == 1) text_add(out, "both aims are best there: nothing to choose between\n");
  for (uint32_t i = 0; f->tradeoff.n > 1 && i < f->tradeoff.n; i++)
    add_found(f, &f->tradeoff.at[i], i ? "  " : "one against the other:\n  ", out);
}

// ---- JSON

static void add_json(Json *json, JsonValue *to, const Find *f, const Found *found) {
  JsonValue *parameters = json_add_object(json, to, "parameters");
  for (uint32_t j = 0; j < f->count; j++)
    json_add_number(json, parameters, name_of(f, j), found->x[j]);
  JsonValue *measures = json_add_object(json, to, "measures");
  for (uint32_t i = 0; i < f->model->requests.measurements.n; i++)
    json_add_number(json, measures, measure_name(f, i), found->measures[i]);
  json_add_number(json, to, "residual", fmax(found->residual, 0));
}

void find_json(const Find *f, Text *out) {
  Json json;
  json_open(f->cx, &json);
  add_json(&json, json.root, f, &f->best);
  json_add_bool(&json, json.root, "found", f->is_found);
  if (f->best.jumps) json_add_number(&json, json.root, "beside", f->best.beside);
  JsonValue *alternatives = json_add_array(&json, json.root, "alternatives");
  for (uint32_t i = 0; i < f->alternatives.n; i++)
    add_json(&json, json_add_object(&json, alternatives, NULL), f, &f->alternatives.at[i]);
  JsonValue *tradeoff = json_add_array(&json, json.root, "tradeoff");
  for (uint32_t i = 0; i < f->tradeoff.n; i++)
    add_json(&json, json_add_object(&json, tradeoff, NULL), f, &f->tradeoff.at[i]);
  JsonValue *idle = json_add_array(&json, json.root, "without_influence");
  for (uint32_t j = 0; j < f->count; j++)
    if (f->is_idle[j]) json_add_text(&json, idle, NULL, name_of(f, j));
  json_add_integer(&json, json.root, "runs", f->runs);
  json_add_integer(&json, json.root, "failed", f->failed);
  if (f->why) json_add_text(&json, json.root, "failure", f->why);
  json_print(&json, out);
  json_close(&json);
}
