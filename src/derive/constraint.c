// Constraints and contacts: Phi, Phi_q, Phi_t, gamma.
#include "derive/derive.h"

#include <math.h>

#include "base/random.h"
#include "expr/algebra/zero_test.h"
#include "expr/build.h"
#include "expr/define.h"
#include "expr/diff.h"
#include "expr/subst.h"
#include "expr/value/bound.h"

static void set_velocities_to_zero(Context *cx, const System *s, Expr e, Expr *out) {
  Mark mark = arena_mark(&cx->scratch);
  Substitution *list = arena_array(&cx->scratch, Substitution, s->n);
  for (uint32_t i = 0; i < s->n; i++) list[i] = (Substitution){s->qd[i], expr_int(cx, 0)};
  *out = expr_subst(cx, e, list, s->n);
  arena_release(&cx->scratch, mark);
}

// gamma = -(what differentiating the row until q'' appears leaves at q'' = 0): for holonomic rows
// -(Phi_q q')_q q' - 2 Phi_qt q' - Phi_tt.
static Expr gamma_of(Context *cx, const System *s, const Row *row) {
  Expr rate = expr_time_derivative(cx, row->phi), rest;
  if (!row->is_nonholonomic) rate = expr_time_derivative(cx, rate);
  derive_without_acceleration(cx, s, &rate, 1, &rest);
  return expr_neg(cx, system_open_rates(cx, s, rest));
}

// Is e nothing but rounding, whatever the symbols are? Points typed with 16 digits meet that far.
static bool is_rounding(Context *cx, Expr e) {
  Mark mark = arena_mark(&cx->scratch);
  uint32_t count = cx->exprs->symbols.n;
  double *values = arena_array(&cx->scratch, double, count);
  uint64_t random = 1;
  bool all = true;
  for (int state = 0; state < 3 && all; state++) {
    for (uint32_t i = 0; i < count; i++) values[i] = 0.5 + random_fraction(&random);
    Bounded b = expr_eval_bounded(cx, e, values);
    all = isfinite(b.error) && fabs(b.value) <= 4 * b.error;
  }
  arena_release(&cx->scratch, mark);
  return all;
}

static bool is_nothing(Context *cx, Expr e) { return expr_is_zero(cx, e) || is_rounding(cx, e); }

// A row that no coordinate changes, such as a rod between points of one body, is made zero exactly:
// what rounding leaves of it would be taken for a constraint.
static void empty_constant_row(Context *cx, const System *s, Row *row) {
  Expr zero = expr_int(cx, 0);
  for (uint32_t i = 0; i < s->n; i++)
    if (!is_nothing(cx, row->phi_q[i])) return;
  for (uint32_t i = 0; i < s->n; i++) row->phi_q[i] = zero;
  row->gamma = expr_neg(cx, expr_diff(cx, row->phi_t, s->t));
}

static Row derive_row(Context *cx, const System *s, Symbol name, Expr multiplier, Expr phi,
                      bool nonholonomic) {
  Row row = {.name = name,
             .multiplier = multiplier,
             .is_nonholonomic = nonholonomic,
             .phi = phi,
             .phi_q = arena_array(&cx->keep, Expr, s->n)};
  expr_gradient(cx, phi, nonholonomic ? s->qd : s->q, s->n, row.phi_q);
  if (nonholonomic)
    set_velocities_to_zero(cx, s, phi, &row.phi_t);
  else
    row.phi_t = expr_diff(cx, phi, s->t);
  row.gamma = gamma_of(cx, s, &row);
  if (!nonholonomic) empty_constant_row(cx, s, &row);
  return row;
}

// ---- Rows that can be integrated

#define CLOSED_BUDGET 20000 // of the proof for one pair of coordinates

static bool factors_are_constant(const Context *cx, const System *s, const Row *row) {
  for (uint32_t i = 0; i < s->n; i++)
    if (expr_has_kind(cx, row->phi_q[i], ~KIND_BIT(SYMBOL_PARAMETER))) return false;
  return true;
}

static bool factors_are_closed(Context *cx, const System *s, const Row *row) {
  for (uint32_t i = 0; i < s->n; i++)
    for (uint32_t j = 0; j < i; j++) {
      Expr forward = expr_diff(cx, row->phi_q[i], s->q[j]);
      Expr curl = expr_sub(cx, forward, expr_diff(cx, row->phi_q[j], s->q[i]));
      if (!expr_is_zero(cx, curl) && expr_zero_test(cx, curl, CLOSED_BUDGET) != ZERO_YES)
        return false;
    }
  return true;
}

bool row_is_integrable(Context *cx, const System *s, const Row *row) {
  uint32_t places = KIND_BIT(SYMBOL_PARAMETER) | KIND_BIT(SYMBOL_COORDINATE);
  uint32_t drives = KIND_BIT(SYMBOL_PARAMETER) | KIND_BIT(SYMBOL_TIME);
  if (!row->is_nonholonomic || expr_has_kind(cx, row->phi_t, ~drives)) return false;
  for (uint32_t i = 0; i < s->n; i++)
    if (expr_has_kind(cx, row->phi_q[i], ~places)) return false;
  return factors_are_constant(cx, s, row) || factors_are_closed(cx, s, row);
}

// A nonholonomic row must be linear in the velocities: then its Jacobian is free of them.
static Status check_linear(Context *cx, const System *s, const Row *row, Span span) {
  for (uint32_t i = 0; i < s->n; i++) {
    if (!expr_has_kind(cx, row->phi_q[i], KIND_BIT(SYMBOL_VELOCITY))) continue;
    for (uint32_t j = 0; j < s->n; j++) {
      Expr second = expr_open(cx, expr_diff(cx, row->phi_q[i], s->qd[j]));
      if (expr_is_zero(cx, second)) continue;
      Status status =
          diag_error(cx, QDOT_BAD_MODEL, span, "constraint '%s' is not linear in the velocities",
                     symbol_text(cx, row->name));
      diag_note(cx, "a constraint on velocities has the form a(q, t)*q' + b(q, t) = 0");
      return status;
    }
  }
  return QDOT_OK;
}

static void derive_slips(Context *cx, System *s) {
  const Model *model = s->model;
  s->slip_count = s->contact_count;
  for (uint32_t i = 0; i < s->contact_count; i++) s->slip_count += model->contacts.at[i].spin != 0;
  s->slips = arena_array(&cx->keep, Row, s->slip_count);
  s->slip_contact = arena_array(&cx->keep, uint32_t, s->slip_count);
  for (uint32_t i = 0, next = s->contact_count; i < s->contact_count; i++) {
    const Contact *c = &model->contacts.at[i];
    s->slip_contact[i] = i;
    if (c->slip) s->slips[i] = derive_row(cx, s, c->name, c->friction, c->slip, true);
    if (!c->spin) continue;
    s->slip_contact[next] = i;
    s->slips[next++] = derive_row(cx, s, c->rolls, c->torque, c->spin, true);
  }
}

Status derive_constraints(Context *cx, System *s) {
  const Model *model = s->model;
  s->row_count = model->constraints.n;
  s->rows = arena_array(&cx->keep, Row, s->row_count);
  Status status = QDOT_OK;
  for (uint32_t i = 0; i < s->row_count; i++) {
    const Constraint *c = &model->constraints.at[i];
    s->rows[i] = derive_row(cx, s, c->name, c->multiplier, c->phi, c->is_nonholonomic);
    s->rows[i].defines = c->defines;
    if (!c->is_nonholonomic) continue;
    Status checked = check_linear(cx, s, &s->rows[i], c->equation);
    if (checked != QDOT_OK) status = checked;
  }
  s->contact_count = model->contacts.n;
  s->contacts = arena_array(&cx->keep, Row, s->contact_count);
  for (uint32_t i = 0; i < s->contact_count; i++) {
    const Contact *c = &model->contacts.at[i];
    s->contacts[i] = derive_row(cx, s, c->name, c->multiplier, c->phi, false);
  }
  derive_slips(cx, s);
  s->rubs = arena_array(&cx->keep, Row, model->presses.n);
  for (uint32_t i = 0; i < model->presses.n; i++) {
    const Press *p = &model->presses.at[i];
    s->rubs[i] = derive_row(cx, s, p->name, p->symbol, p->slip, true);
  }
  return status;
}
