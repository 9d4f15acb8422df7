// Where an equation of motion has no value: by which part of the model, in words.
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "expr/diff.h"
#include "expr/value/eval.h"
#include "sim/plan_source.h"

// A state as values of variables, in the scratch arena.
static double *values_at(const PlanSource *source, double t, const double *q, const double *qd,
                         const double *settings) {
  const Plan *plan = &source->plan;
  const PlanVariables *at = &plan->variables;
  double *values = arena_array(&source->cx->scratch, double, source->cx->exprs->symbols.n);
  memcpy(values, settings, at->count * sizeof *values);
  for (uint32_t i = 0; i < plan->n; i++) values[at->q[i]] = q[i], values[at->qd[i]] = qd[i];
  values[at->t] = t;
  return values;
}

// The energy or dissipation whose part in the equation of a coordinate has no value, or NULL.
static const Energy *energy_without_value(const PlanSource *source, uint32_t coordinate,
                                          const double *values) {
  const System *s = source->system;
  for (uint32_t k = 0; k < s->model->energies.n; k++) {
    const Energy *e = &s->model->energies.at[k];
    Expr by = e->kind == ENERGY_DISSIPATION ? s->qd[coordinate] : s->q[coordinate];
    if (!isfinite(expr_eval(source->cx, expr_diff(source->cx, e->value, by), values))) return e;
  }
  return NULL;
}

static bool is_spring(const Model *model, Symbol name) {
  const Mechanism *m = &(model->origin ? model->origin : model)->mechanism;
  for (uint32_t i = 0; i < m->springs.n; i++)
    if (m->springs.at[i].name == name) return true;
  return false;
}

const char *plan_source_explain(void *user, uint32_t coordinate, double t, const double *q,
                                const double *qd, const double *settings) {
  static const char *const kinds[ENERGY_KINDS] = {"kinetic energy", "potential", "dissipation",
                                                  "Lagrangian"};
  const PlanSource *source = user;
  Context *cx = source->cx;
  Mark mark = arena_mark(&cx->scratch);
  const double *values = values_at(source, t, q, qd, settings);
  const Energy *e = energy_without_value(source, coordinate, values);
  arena_release(&cx->scratch, mark);
  if (!e || !e->name) return NULL;
  const char *name = symbol_text(cx, e->name);
  if (is_spring(source->system->model, e->name))
    return text_format(&cx->keep, "the ends of '%s' meet, where it has no direction", name);
  return text_format(&cx->keep, "the %s '%s' has no value from there on", kinds[e->kind], name);
}
