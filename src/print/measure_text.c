// Measures of a run as people read them.
#include "print/measure_text.h"

#include <math.h>
#include <string.h>

#include "expr/build.h"
#include "expr/subst.h"
#include "print/units.h"

// What a reduction measures: something of the motion, or that times a time, or a number.
static Expr measured(Context *cx, const Reduction *r) {
  if (r->kind == REDUCE_COUNT) return expr_int(cx, 1);
  if (r->kind != REDUCE_INTEGRAL) return r->value;
  return expr_mul(cx, r->value, expr_symbol(cx, SYMBOL_TIME, symbol_from_text(cx, "t")));
}

// Is there an integral of a power in it?
static bool sums_power(Context *cx, const Model *model, Expr value) {
  const Requests *requests = &model->requests;
  for (uint32_t i = 0; i < requests->reductions.n; i++) {
    const Reduction *r = &requests->reductions.at[i];
    if (r->kind != REDUCE_INTEGRAL || !expr_depends(cx, value, r->symbol)) continue;
    Quantity q = quantity_of(cx, model, r->value);
    if (dimension_is_equal(q.dimension, dimension_base(1, 2, -3))) return true;
  }
  return false;
}

Quantity quantity_of_measurement(Context *cx, const Model *model, const Measurement *m) {
  const Requests *requests = &model->requests;
  Mark mark = arena_mark(&cx->scratch);
  Substitution *list = arena_array(&cx->scratch, Substitution, requests->reductions.n + 1);
  for (uint32_t i = 0; i < requests->reductions.n; i++) {
    const Reduction *r = &requests->reductions.at[i];
    list[i] = (Substitution){r->symbol, measured(cx, r)};
  }
  Expr value = expr_subst(cx, m->value, list, requests->reductions.n);
  Quantity q = quantity_measured(cx, model, value, m->measure.dimension, m->measure.is_known);
  q.is_energy |= sums_power(cx, model, m->value);
  arena_release(&cx->scratch, mark);
  return q;
}

const char *const *measure_units(Context *cx, const Model *model) {
  uint32_t n = model->requests.measurements.n;
  const char **units = arena_array(&cx->keep, const char *, n + 1);
  for (uint32_t i = 0; i < n; i++)
    units[i] = quantity_unit(
        &cx->keep, quantity_of_measurement(cx, model, &model->requests.measurements.at[i]));
  return units;
}

static void measure_text(const char *name, int width, double value, const char *unit, Text *out) {
  if (!isfinite(value)) {
    text_addf(out, "  %-*s  no value\n", width, name);
    return;
  }
  text_addf(out, "  %-*s  %.6g", width, name, value);
  unit_add_behind(out, unit);
  text_add_char(out, '\n');
}

enum { NAME_WIDTH = 20 };

static int wider(int width, const char *name) {
  int length = (int)strlen(name);
  return length > width ? length : width;
}

void measures_text(Context *cx, const Model *model, const double *values, Text *out) {
  uint32_t n = model->requests.measurements.n;
  int width = NAME_WIDTH;
  for (uint32_t i = 0; i < n; i++)
    width = wider(width, symbol_text(cx, model->requests.measurements.at[i].name));
  for (uint32_t i = 0; values && i < n; i++) {
    const Measurement *m = &model->requests.measurements.at[i];
    const char *unit = quantity_unit(&cx->scratch, quantity_of_measurement(cx, model, m));
    measure_text(symbol_text(cx, m->name), width, values[i], unit, out);
  }
}

void plan_measures_text(const StoredPlan *plan, const double *values, Text *out) {
  uint32_t n = origin_measure_count(origin_of_plan(plan));
  int width = NAME_WIDTH;
  for (uint32_t i = 0; i < n; i++) width = wider(width, plan->about->measures[i].name);
  for (uint32_t i = 0; values && i < n; i++)
    measure_text(plan->about->measures[i].name, width, values[i], plan->about->measures[i].unit,
                 out);
}
