// A parameter in steps, each from the state of the one before.
#include "analyse/vibration/locus.h"

#include <math.h>

#include "analyse/vibration/tracer.h"

#define MOST_BISECTIONS 40

static LocusStep step_at(Tracer *t, double value) {
  Mark mark = arena_mark(&t->cx->scratch);
  LocusStep step = {.value = value};
  Linearized l;
  step.is_found =
      tracer_linearize(t, value, &l) && modes_find(&l, t->cx->results, &step.modes) == QDOT_OK;
  arena_release(&t->cx->scratch, mark);
  return step;
}

static bool is_unstable(const LocusStep *step) {
  return step->modes.stability == STABILITY_UNSTABLE;
}

// Bisection between two steps of different stability.
static void locate_change(Tracer *t, const LocusStep *a, const LocusStep *b, Locus *out) {
  double low = a->value, high = b->value, range = fabs(b->value - a->value);
  bool from = is_unstable(a);
  for (int i = 0; i < MOST_BISECTIONS && fabs(high - low) > 1e-9 * range; i++) {
    LocusStep middle = step_at(t, 0.5 * (low + high));
    if (!middle.is_found) break;
    *(is_unstable(&middle) == from ? &low : &high) = middle.value;
  }
  LocusChange change = {0.5 * (low + high), !from == (b->value > a->value)};
  vec_push(t->cx->results, &out->changes, change);
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
  Tracer t;
  *out = (Locus){.parameter = system->model->parameters.at[parameter].symbol, .n = n};
  out->is_geometric = is_wide(from, to);
  out->step = arena_array(cx->results, LocusStep, n);
  Status status = tracer_open(&t, cx, system, request, parameter, NULL, from, to);
  for (uint32_t i = 0; i < n && status == QDOT_OK; i++) {
    context_poll(cx);
    Mark work = arena_mark(&t.balance.arena);
    out->step[i] = step_at(&t, value_of_step(out, from, to, i));
    const LocusStep *now = &out->step[i], *before = i ? now - 1 : now;
    if (now->is_found && before->is_found && is_unstable(now) != is_unstable(before))
      locate_change(&t, before, now, out);
    arena_release(&t.balance.arena, work);
  }
  tracer_close(&t);
  arena_release(&cx->scratch, mark);
  return status;
}
