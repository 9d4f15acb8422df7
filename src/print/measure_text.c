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

void measures_text(Context *cx, const Model *model, const double *values, Text *out) {
  uint32_t n = model->requests.measurements.n;
  int width = 20;
  for (uint32_t i = 0; i < n; i++) {
    int length = (int)strlen(symbol_text(cx, model->requests.measurements.at[i].name));
    if (length > width) width = length;
  }
  for (uint32_t i = 0; values && i < n; i++) {
    const Measurement *m = &model->requests.measurements.at[i];
    const char *name = symbol_text(cx, m->name);
    if (!isfinite(values[i])) {
      text_addf(out, "  %-*s  no value\n", width, name);
      continue;
    }
    text_addf(out, "  %-*s  %.6g", width, name, values[i]);
    const char *unit = quantity_unit(&cx->scratch, quantity_of_measurement(cx, model, m));
    unit_add_behind(out, unit);
    text_add_char(out, '\n');
  }
}
