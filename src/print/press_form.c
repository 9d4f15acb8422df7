// Friction in a joint for readers.
#include "print/press_form.h"

#include "expr/algebra/cost.h"
#include "expr/build.h"
#include "expr/walk.h"

static Expr simple(const Listing *listing, Expr e) {
  return expr_simplify(listing->system->cx, e, listing->simplify);
}

static bool is_zero(const Listing *listing, Expr e) {
  return expr_is_zero(listing->system->cx, simple(listing, e));
}

// Slip and force, both turned around where the generalized forces have it so.
static PressForm along_slip(const Listing *listing, const Press *press) {
  Context *cx = listing->system->cx;
  const Listed *Q = &listing->at[LISTED_Q];
  PressForm form = {simple(listing, press->slip), simple(listing, press->force), 0};
  ExprList all = expr_walk(cx, Q->values, Q->rows, visit_all, NULL);
  for (uint32_t i = 0; i < all.n; i++) {
    if (op_of(cx, all.at[i]) != OP_SIGN) continue;
    Expr slip = expr_child(cx, all.at[i], 0);
    bool same = is_zero(listing, expr_sub(cx, slip, form.slip));
    if (!same && !is_zero(listing, expr_add(cx, slip, form.slip))) continue;
    Expr force = same ? form.force : simple(listing, expr_neg(cx, press->force));
    return (PressForm){slip, force, 0};
  }
  return form;
}

enum { LONGEST_PRESS = 500 }; // nodes that are worth reading

static Expr value_of(const Listing *listing, const Press *press) {
  uint32_t cost = expr_cost_with_definitions(listing->system->cx, press->value);
  return cost > LONGEST_PRESS ? 0 : simple(listing, press->value);
}

PressForm press_form(const Listing *listing, uint32_t i) {
  const Press *press = &listing->system->model->presses.at[i];
  PressForm form = along_slip(listing, press);
  form.value = value_of(listing, press);
  return form;
}
