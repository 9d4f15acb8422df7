// The list of equilibria.
#include "analyse/vibration/stability.h"

#include <stdlib.h>

#include "analyse/equilibrium/many_starts.h"
#include "analyse/linear/steadiness.h"
#include "analyse/vibration/valley.h"

// ---- The list

static void describe(ManyStarts *h, const StateSlopes *e, const OperatingPoint *point,
                     const Steady *s, Equilibrium *out) {
  Context *cx = h->cx;
  *out = (Equilibrium){.state = (Steady *)s};
  out->distance = starts_distance(h, s);
  Status status = linearize_numbers(h->b, e, s, cx->results, &out->linearized);
  out->is_singular = status == QDOT_SINGULAR;
  out->has_modes =
      status == QDOT_OK && modes_find(&out->linearized, cx->results, &out->modes) == QDOT_OK;
  const bool *carries =
      status == QDOT_OK ? linearized_relieve(h->b, &out->linearized) : s->is_active;
  const Steady *at = status == QDOT_OK ? out->linearized.point : s;
  closed_form_find(h->b, at, carries, point->given, point->u, &out->form);
  closed_form_refine(h->b, &out->form, out->state);
  if (out->has_modes) energy_judge(h->b, &out->linearized, &out->modes);
}

static int by_distance(const void *a, const void *b) {
  double x = ((const Equilibrium *)a)->distance, y = ((const Equilibrium *)b)->distance;
  return x < y ? -1 : x > y;
}

static Status list_equilibria(Balance *b, const LinearizeRequest *request, uint32_t starts,
                              Equilibria *out) {
  Context *cx = b->cx;
  OperatingPoint start, found;
  SteadyFreedom free;
  StateSlopes e;
  operating_point_open(b, request, cx->results, &start, &free);
  ManyStarts h;
  starts_open(&h, b, &start, &free);
  bool first = starts_run(&h, starts);
  out->is_complete = starts > 0 && starts_complete(&h, starts);
  if (h.found.n == 0) {
    // once more from the initial state, with an explanation
    Status status = operating_point_find(b, request, cx->results, &found);
    return status == QDOT_OK ? QDOT_NO_CONVERGENCE : status;
  }
  state_slopes_derive(b, &b->arena, &e);
  out->starts = starts + 1;
  out->is_truncated = h.found.n > MOST_FOUND;
  out->n = out->is_truncated ? MOST_FOUND : h.found.n;
  out->at = arena_array(cx->results, Equilibrium, out->n);
  for (uint32_t i = 0; i < out->n; i++) describe(&h, &e, &start, h.found.at[i], &out->at[i]);
  Status status = steadiness_check_motion(b, request, &e, out->at[0].state, &out->at[0].form);
  if (status == QDOT_OK) status = steadiness_check_held(b, out->at[0].state);
  if (status == QDOT_OK) qsort(out->at + first, out->n - first, sizeof *out->at, by_distance);
  return status;
}

Status equilibria_find(Context *cx, const System *system, const double *values,
                       const LinearizeRequest *request, uint32_t starts, Equilibria *out) {
  *out = (Equilibria){0};
  Balance b;
  Mark mark = arena_mark(&cx->scratch);
  balance_open(&b, cx, system, values);
  Status status = operating_point_names(system, request);
  if (status == QDOT_OK) steadiness_leave_out(&b);
  if (status == QDOT_OK) status = steadiness_check_time(&b);
  if (status == QDOT_OK) status = list_equilibria(&b, request, starts, out);
  balance_close(&b);
  arena_release(&cx->scratch, mark);
  return status;
}
