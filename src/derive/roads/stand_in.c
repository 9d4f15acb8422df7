// Velocities in the place of other symbols, and back.
#include "derive/roads/stand_in.h"

#include "expr/algebra/cost.h"
#include "expr/subst.h"

void simplify_with_stand_ins(Context *cx, const StandIn *pairs, uint32_t pair_count,
                             SimplifyLevel level, Expr *at, uint32_t n) {
  Mark mark = arena_mark(&cx->scratch);
  uint32_t count = 0;
  for (uint32_t k = 0; k < pair_count; k++) count += pairs[k].n;
  Substitution *there = arena_array(&cx->scratch, Substitution, count + 1);
  Substitution *back = arena_array(&cx->scratch, Substitution, count + 1);
  count = 0;
  for (uint32_t k = 0; k < pair_count; k++)
    for (uint32_t i = 0; i < pairs[k].n; i++, count++) {
      there[count] = (Substitution){pairs[k].symbols[i], pairs[k].velocities[i]};
      back[count] = (Substitution){pairs[k].velocities[i], pairs[k].symbols[i]};
    }
  expr_subst_many(cx, at, n, there, count, at);
  expr_simplify_many(cx, at, n, level, at);
  expr_subst_many(cx, at, n, back, count, at);
  arena_release(&cx->scratch, mark);
}

void keep_cheaper(Context *cx, Expr *at, const Expr *other, uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    if (expr_cost(cx, other[i]) < expr_cost(cx, at[i])) at[i] = other[i];
}
