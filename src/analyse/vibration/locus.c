// A parameter in steps, each from the state of the one before.
#include "analyse/vibration/locus.h"

#include <math.h>
#include <string.h>

#include "analyse/equilibrium/many_starts.h"
#include "analyse/linear/steadiness.h"
#include "expr/value/eval.h"

#define MOST_BISECTIONS 40

typedef struct Tracer {
  Context *cx;
  Balance *b;
  StateSlopes e;
  const LinearizeRequest *request;
  uint32_t parameter;
  double *values;
  Steady *last; // NULL before the first
} Tracer;

// The values of all parameters with one of them given.
static void set_value(Tracer *s, double value) {
  const Model *model = s->b->system->model;
  for (uint32_t i = 0; i < model->parameters.n; i++) {
    const Parameter *p = &model->parameters.at[i];
    double own = i == s->parameter ? value : expr_eval(s->cx, p->value, s->values);
    s->values[symbol_variable(s->cx, p->symbol)] = own;
  }
  for (uint32_t i = 0; i < model->inputs.n; i++) {
    const Input *input = &model->inputs.at[i];
    s->values[symbol_variable(s->cx, input->symbol)] = expr_eval(s->cx, input->value, s->values);
  }
  balance_set_values(s->b, s->values);
}

// The state at this value: near the last one where there is one, else as for a single point.
static bool find_state(Tracer *s, Arena *arena, Steady *out) {
  OperatingPoint point;
  SteadyFreedom free;
  uint32_t row;
  operating_point_open(s->b, s->request, arena, &point, &free);
  bool exactly = s->request && s->request->kind == LINEARIZE_POINT;
  if (s->last && !exactly) {
    for (uint32_t i = 0; i < s->b->n; i++)
      if (!free.q_fixed[i]) point.state->q[i] = s->last->q[i];
    memcpy(point.state->is_active, s->last->is_active, s->b->m * sizeof(bool));
  }
  Status status = exactly ? steady_assemble(s->b, &free, point.state, &row) : QDOT_OK;
  if (status == QDOT_OK && exactly) status = steady_velocities(s->b, &free, point.state, &row);
  if (status == QDOT_OK && exactly) status = steady_multipliers(s->b, point.state);
  if (!exactly) status = operating_point_solve(s->b, &free, point.state, &row);
  steady_copy(s->b, point.state, out);
  return status == QDOT_OK;
}

static LocusStep step_at(Tracer *s, double value) {
  Mark mark = arena_mark(&s->cx->scratch);
  LocusStep step = {.value = value};
  Steady *state = steady_new(&s->cx->scratch, s->b);
  Linearized l;
  set_value(s, value);
  if (find_state(s, &s->cx->scratch, state)) {
    if (!s->last) s->last = steady_new(s->cx->results, s->b);
    steady_copy(s->b, state, s->last);
    step.is_found = linearize_numbers(s->b, &s->e, state, &s->b->arena, &l) == QDOT_OK &&
                    modes_find(&l, s->cx->results, &step.modes) == QDOT_OK;
  }
  arena_release(&s->cx->scratch, mark);
  return step;
}

static bool is_unstable(const LocusStep *step) {
  return step->modes.stability == STABILITY_UNSTABLE;
}

// Bisection between two steps of different stability.
static void locate_change(Tracer *s, const LocusStep *a, const LocusStep *b, Locus *out) {
  double low = a->value, high = b->value, range = fabs(b->value - a->value);
  bool from = is_unstable(a);
  for (int i = 0; i < MOST_BISECTIONS && fabs(high - low) > 1e-9 * range; i++) {
    LocusStep middle = step_at(s, 0.5 * (low + high));
    if (!middle.is_found) break;
    *(is_unstable(&middle) == from ? &low : &high) = middle.value;
  }
  LocusChange change = {0.5 * (low + high), !from == (b->value > a->value)};
  vec_push(s->cx->results, &out->changes, change);
}

// A wide range is divided by ratios, or its lower end would be one step.
static bool is_wide(double from, double to) {
  double ratio = from * to > 0 ? to / from : 1;
  return ratio >= 100 || ratio <= 0.01;
}

static double value_of_step(const Locus *locus, double from, double to, uint32_t i) {
  double part = (double)i / (locus->n - 1);
  if (i + 1 == locus->n) return to;
  return locus->is_geometric ? from * pow(to / from, part) : from + (to - from) * part;
}

Status locus_of_parameter(Context *cx, const System *system, const LinearizeRequest *request,
                          uint32_t parameter, double from, double to, uint32_t n, Locus *out) {
  Mark mark = arena_mark(&cx->scratch);
  Balance b;
  Tracer s = {.cx = cx, .b = &b, .request = request, .parameter = parameter};
  s.values = arena_array(cx->results, double, cx->exprs->symbols.n + 1);
  balance_open(&b, cx, system, s.values);
  *out = (Locus){.parameter = system->model->parameters.at[parameter].symbol, .n = n};
  out->is_geometric = is_wide(from, to);
  out->step = arena_array(cx->results, LocusStep, n);
  state_slopes_derive(&b, &b.arena, &s.e);
  set_value(&s, to != 0 ? to : from); // a drive of amplitude 0 at one end only is a drive
  Status status = operating_point_names(system, request);
  if (status == QDOT_OK) status = steadiness_check_time(&b);
  if (status == QDOT_OK) {
    OperatingPoint first;
    set_value(&s, from);
    status = starts_point(&b, request, cx->results, &first);
    if (status == QDOT_OK) s.last = first.state;
  }
  for (uint32_t i = 0; i < n && status == QDOT_OK; i++) {
    context_poll(cx);
    Mark work = arena_mark(&b.arena);
    out->step[i] = step_at(&s, value_of_step(out, from, to, i));
    const LocusStep *now = &out->step[i], *before = i ? now - 1 : now;
    if (now->is_found && before->is_found && is_unstable(now) != is_unstable(before))
      locate_change(&s, before, now, out);
    arena_release(&b.arena, work);
  }
  balance_close(&b);
  arena_release(&cx->scratch, mark);
  return status;
}
