// What sizes of rows, gaps and states come from.
#include "expr/diff.h"
#include "expr/value/tape_build.h"
#include "sim/plan_source.h"

static const Tape *tape_of_rows(PlanSource *source, Expr *rows) {
  const System *s = source->system;
  for (uint32_t i = 0; i < s->row_count; i++) rows[i] = s->rows[i].phi;
  for (uint32_t i = 0; i < s->contact_count; i++) rows[s->row_count + i] = s->contacts[i].phi;
  return tape_new(source->cx, &source->arena, rows, s->row_count + s->contact_count);
}

static const Tape *tape_of_row_rates(PlanSource *source, Expr *rates) {
  const System *s = source->system;
  for (uint32_t i = 0; i < s->row_count; i++)
    rates[i] = s->rows[i].is_nonholonomic ? s->rows[i].phi
                                          : expr_time_derivative(source->cx, s->rows[i].phi);
  return tape_new(source->cx, &source->arena, rates, s->row_count);
}

static const Tape *tape_of_state_rates(PlanSource *source, Expr *rates) {
  const System *s = source->system;
  for (uint32_t i = 0; i < s->states; i++) {
    rates[i] = s->rates[i];
    rates[s->states + i] = expr_diff(source->cx, s->rates[i], s->s[i]);
  }
  return tape_new(source->cx, &source->arena, rates, 2 * s->states);
}

void plan_fill_sizes(PlanSource *source) {
  const System *s = source->system;
  Context *cx = source->cx;
  PlanSizes *sizes = &source->plan.sizes;
  Mark mark = arena_mark(&cx->scratch);
  Expr *roots = arena_array(&cx->scratch, Expr, s->row_count + s->contact_count + 2 * s->states);
  sizes->rows = tape_of_rows(source, roots);
  sizes->gaps = tape_new(cx, &source->arena, roots + s->row_count, s->contact_count);
  sizes->row_rates = tape_of_row_rates(source, roots);
  sizes->state_rates = tape_of_state_rates(source, roots);
  arena_release(&cx->scratch, mark);
}
