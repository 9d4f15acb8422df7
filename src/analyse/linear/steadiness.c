// Checks that a motion is steady, with the name of the term that is not.
#include "analyse/linear/steadiness.h"

#include <math.h>

#include "analyse/equilibrium/operating_point.h"
#include "expr/algebra/expand.h"
#include "expr/build.h"
#include "expr/define.h"
#include "expr/diff.h"
#include "expr/print.h"
#include "expr/subst.h"
#include "expr/value/eval.h"

#define ZERO_BUDGET 200000

// Does e change with the symbol, also after simplification?
static bool changes_with(Context *cx, Expr e, Expr symbol) {
  if (!expr_depends(cx, e, symbol)) return false;
  return expr_zero_test(cx, expr_diff(cx, e, symbol), ZERO_BUDGET) != ZERO_YES;
}

// ---- Time

// Does e change with t? Not if that takes parameters of value 0; these are then taken as 0.
static bool changes_with_time(Balance *b, Expr e) {
  Context *cx = b->cx;
  Expr t = b->system->t;
  if (!changes_with(cx, e, t)) return false;
  const Model *model = b->system->model;
  Mark mark = arena_mark(&cx->scratch);
  Substitution *list = arena_array(&cx->scratch, Substitution, model->parameters.n + 1);
  uint32_t n = 0;
  for (uint32_t i = 0; i < model->parameters.n; i++) {
    Expr p = model->parameters.at[i].symbol;
    bool zero = b->values[symbol_variable(cx, p)] == 0 && expr_depends(cx, e, p);
    if (zero) list[n++] = (Substitution){p, expr_int(cx, 0)};
  }
  bool changes = n == 0 || changes_with(cx, expr_subst(cx, e, list, n), t);
  for (uint32_t i = 0; i < n && !changes; i++) {
    bool listed = false;
    for (uint32_t k = 0; k < b->zeros.n; k++) listed = listed || b->zeros.at[k] == list[i].from;
    if (!listed) vec_push(&b->arena, &b->zeros, list[i].from);
  }
  arena_release(&cx->scratch, mark);
  return changes;
}

// How many parameters and coordinates are in e.
static uint32_t symbols_in(const Balance *b, Expr e) {
  const Model *model = b->system->model;
  uint32_t count = 0;
  for (uint32_t i = 0; i < model->parameters.n; i++)
    count += expr_depends(b->cx, e, model->parameters.at[i].symbol);
  for (uint32_t i = 0; i < b->n; i++) count += expr_depends(b->cx, e, b->system->q[i]);
  return count;
}

// e without what drives it: a sum loses its moving terms, a product with a moving factor is no
// more.
static Expr without_drive(Context *cx, Expr e, Expr t) {
  if (!expr_depends(cx, e, t)) return e;
  const Node *node = node_of(cx, e);
  if (node->op != OP_SUM && node->op != OP_PRODUCT) return expr_int(cx, 0);
  Expr still = expr_number(cx, node->number);
  for (uint32_t i = 0; i < node->count; i++) {
    Pair pair = pairs_of(node_of(cx, e))[i];
    Expr part = without_drive(cx, pair.expr, t), number = expr_number(cx, pair.number);
    if (op_of(cx, e) == OP_SUM)
      still = expr_add(cx, still, expr_mul(cx, number, part));
    else
      still = expr_mul(cx, still, expr_pow(cx, part, number));
  }
  return still;
}

// The parameter that is the size of the drive: with 0 in its place nothing of e changes with t, and
// all that stands still is left. Of several the one that leaves most; NULL for none.
static const char *drive_of(const Balance *b, Expr e) {
  Context *cx = b->cx;
  const Model *model = b->system->model;
  const char *best = NULL;
  uint32_t most = 0;
  e = expr_open(cx, e);
  Expr still = without_drive(cx, e, b->system->t);
  if (!expr_is_defined(cx, still)) return NULL;
  for (uint32_t i = 0; i < model->parameters.n; i++) {
    Expr p = model->parameters.at[i].symbol;
    if (!expr_depends(cx, e, p)) continue;
    Expr without = expr_subst(cx, e, &(Substitution){p, expr_int(cx, 0)}, 1);
    if (!expr_is_defined(cx, without) || changes_with(cx, without, b->system->t)) continue;
    if (expr_zero_test(cx, expr_sub(cx, without, still), ZERO_BUDGET) != ZERO_YES) continue;
    bool is_nothing = expr_zero_test(cx, without, ZERO_BUDGET) == ZERO_YES;
    uint32_t left = is_nothing ? 0 : 1 + symbols_in(b, without);
    if (best && left <= most) continue;
    best = symbol_text(cx, model->parameters.at[i].name);
    most = left;
  }
  return best;
}

static const Mechanism *mechanism_of(const Balance *b) {
  const Model *model = b->system->model;
  return model->origin ? &model->origin->mechanism : &model->mechanism;
}

static bool is_left_out(const Balance *b, Expr p) {
  for (uint32_t k = 0; k < b->left_out.n; k++)
    if (b->left_out.at[k] == p) return true;
  return false;
}

static void leave_out(Balance *b, Expr p, const char *what) {
  double value = b->values[symbol_variable(b->cx, p)];
  if (is_left_out(b, p)) return;
  balance_leave_out(b, p);
  if (value != 0)
    diag_warning_plain(b->cx, "%s is left out: this is about the state without it, %s = 0", what,
                       symbol_text(b->cx, symbol_name(b->cx, p)));
}

// What excites from outside: a part of a force that is a function of time alone.
static void leave_out_force(Balance *b, Expr force) {
  Context *cx = b->cx;
  if (!changes_with_time(b, force)) return;
  const char *name = drive_of(b, force);
  const NameEntry *entry = name ? model_find_text(b->system->model, name) : NULL;
  if (!entry || entry->kind != NAME_PARAMETER) return;
  Expr p = b->system->model->parameters.at[entry->number].symbol;
  Expr without = expr_subst(cx, force, &(Substitution){p, expr_int(cx, 0)}, 1);
  Expr whole = expr_open(cx, force);
  Expr drive = expr_normal(cx, expr_sub(cx, whole, expr_open(cx, without)));
  uint32_t acts_back = KIND_BIT(SYMBOL_COORDINATE) | KIND_BIT(SYMBOL_VELOCITY) |
                       KIND_BIT(SYMBOL_STATE) | KIND_BIT(SYMBOL_INPUT);
  bool is_used_elsewhere = expr_depends(cx, b->system->V, p) || expr_depends(cx, b->system->T, p) ||
                           expr_depends(cx, b->system->R, p);
  if (!expr_has_kind(cx, drive, acts_back) && !is_used_elsewhere)
    leave_out(b, p, "the force that time drives");
}

void steadiness_leave_out(Balance *b) {
  const Model *model = b->system->model;
  const Mechanism *m = mechanism_of(b);
  for (uint32_t i = 0; i < m->elements.n; i++) {
    const Element *e = &m->elements.at[i];
    if (e->kind != ELEMENT_UNBALANCE || op_of(b->cx, e->values[0][0]) != OP_SYMBOL) continue;
    leave_out(b, e->values[0][0],
              text_format(b->cx->results, "unbalance '%s'", symbol_text(b->cx, e->name)));
  }
  for (uint32_t i = 0; i < model->forces.n; i++) leave_out_force(b, model->forces.at[i].value);
}

static Status depends_on_time(const Balance *b, Span span, const char *what, Expr e) {
  Status status = diag_error(b->cx, QDOT_UNSUPPORTED, span, "%s depends on t", what);
  const char *drive = drive_of(b, e);
  diag_note(
      b->cx,
      "a linearization needs coefficients that are constant in time; make the drive an input%s%s%s",
      drive ? ", or switch it off with " : "", drive ? drive : "", drive ? "=0" : "");
  return status;
}

static Status name_the_time(Balance *b) {
  const Model *model = b->system->model;
  static const char *const energy[ENERGY_KINDS] = {"this kinetic energy", "this potential",
                                                   "this dissipation", "this Lagrangian"};
  for (uint32_t i = 0; i < model->forces.n; i++)
    if (changes_with_time(b, model->forces.at[i].value))
      return depends_on_time(b, model->forces.at[i].span, "this force", model->forces.at[i].value);
  for (uint32_t i = 0; i < model->point_forces.n; i++) {
    const PointForce *f = &model->point_forces.at[i];
    for (uint32_t k = 0; k < 2 * f->n; k++) {
      Expr e = k < f->n ? f->force[k] : f->point[k - f->n];
      if (changes_with_time(b, e)) return depends_on_time(b, f->span, "this force", e);
    }
  }
  for (uint32_t i = 0; i < model->energies.n; i++) {
    const Energy *e = &model->energies.at[i];
    if (changes_with_time(b, e->value))
      return depends_on_time(b, e->span, energy[e->kind], e->value);
  }
  for (uint32_t i = 0; i < model->states.n; i++) {
    const ModelState *state = &model->states.at[i];
    const char *what = i + b->system->held >= model->states.n ? "this sample" : "this rate";
    if (changes_with_time(b, state->rate))
      return depends_on_time(b, state->rate_span, what, state->rate);
  }
  return diag_error_plain(b->cx, QDOT_UNSUPPORTED, "the equations of motion depend on t");
}

// What slides has friction of another kind than what rests.
static Status check_friction(Balance *b) {
  Context *cx = b->cx;
  const Model *model = b->system->model;
  for (uint32_t i = 0; i < model->contacts.n; i++) {
    const Contact *c = &model->contacts.at[i];
    bool slides = c->slip && expr_eval(cx, c->mu_rest, b->values) > 0;
    bool rolls = c->spin && expr_eval(cx, c->rolling, b->values) > 0;
    if (!slides && !rolls) continue;
    Status status =
        diag_error(cx, QDOT_UNSUPPORTED, c->span,
                   "the friction of contact '%s' cannot be linearized", symbol_text(cx, c->name));
    diag_label(cx, "it slides at the start; where it rests, it is taken as a constraint");
    return status;
  }
  if (model->presses.n == 0) return QDOT_OK;
  const Press *p = &model->presses.at[0];
  Status status =
      diag_error(cx, QDOT_UNSUPPORTED, p->span, "the friction of joint '%s' cannot be linearized",
                 symbol_text(cx, p->name));
  diag_label(cx, "where it rests, a whole range of states is in balance; leave it out, or give "
                 "viscous friction");
  return status;
}

Status steadiness_check_time(Balance *b) {
  Context *cx = b->cx;
  size_t n = b->n;
  Status status = check_friction(b);
  if (status != QDOT_OK) return status;
  for (uint32_t k = 0; k < b->system->row_count; k++) {
    Expr term = changes_with_time(b, b->rates[k]) ? b->rates[k] : 0;
    for (uint32_t j = 0; j < n && !term; j++)
      if (changes_with_time(b, b->rows[k]->phi_q[j])) term = b->rows[k]->phi_q[j];
    const Constraint *c = &b->system->model->constraints.at[k];
    if (term)
      return depends_on_time(
          b, c->equation,
          text_format(cx->results, "the rate of constraint '%s'", symbol_text(cx, c->name)), term);
  }
  for (size_t i = 0; i < n; i++)
    if (changes_with_time(b, b->applied[i])) return name_the_time(b);
  for (size_t i = 0; i < n * n; i++)
    if (changes_with_time(b, b->system->M[i])) return name_the_time(b);
  return QDOT_OK;
}

// ---- Motion

typedef struct MotionCheck {
  Balance *b;
  const LinearizeRequest *request;
  const Steady *s;
  Substitution *at; // the point without what moves
  uint32_t at_count;
} MotionCheck;

// An angle, as far as can be told.
static bool turns(const Balance *b, uint32_t j) {
  const Measure *measure = &b->system->model->coordinates.at[j].measure;
  return measure->is_known && dimension_is_pure(measure->dimension);
}

// An unbalance whose moment is a number, or NULL.
static const char *fixed_unbalance(const Balance *b) {
  const Mechanism *m = mechanism_of(b);
  for (uint32_t i = 0; i < m->elements.n; i++) {
    const Element *e = &m->elements.at[i];
    if (e->kind == ELEMENT_UNBALANCE && op_of(b->cx, e->values[0][0]) != OP_SYMBOL)
      return symbol_text(b->cx, e->name);
  }
  return NULL;
}

static Status check_terms(const MotionCheck *m, const Expr *e, size_t count, const char *what) {
  Balance *b = m->b;
  Context *cx = b->cx;
  for (size_t i = 0; i < count; i++) {
    for (uint32_t j = 0; j < b->n; j++) {
      if (m->s->qd[j] == 0 || !expr_depends(cx, e[i], b->system->q[j])) continue;
      Expr there = expr_subst(cx, e[i], m->at, m->at_count);
      if (!changes_with(cx, there, b->system->q[j])) continue;
      Status status = operating_point_error(
          b, m->request, QDOT_UNSUPPORTED,
          text_format(cx->results,
                      "the motion is not steady: %s depends on '%s', which moves at %.6g", what,
                      symbol_text(cx, symbol_name(cx, b->system->q[j])), m->s->qd[j]));
      const char *unbalance = fixed_unbalance(b);
      if (unbalance) {
        diag_note(cx, "unbalance '%s' is left out where its moment is a parameter", unbalance);
        return status;
      }
      Expr shown = expr_normal(cx, there);
      char *text = expr_text(cx, cx->results, shown);
      diag_note(cx, "the term: %.300s%s", text,
                turns(b, j) ? "; a turn is steady only in a frame that turns with it, which "
                              "linearize does not know: simulate from this state with a small "
                              "disturbance, or choose coordinates that do not contain this angle"
                            : "");
      return status;
    }
  }
  return QDOT_OK;
}

Status steadiness_check_motion(Balance *b, const LinearizeRequest *request, const StateSlopes *e,
                               const Steady *s, const ClosedForm *form) {
  bool moves = false;
  for (uint32_t j = 0; j < b->n; j++) moves = moves || s->qd[j] != 0;
  if (!moves) return QDOT_OK;
  MotionCheck m = {.b = b, .request = request, .s = s};
  uint32_t all = closed_form_substitutions(b, form, &m.at);
  for (uint32_t i = 0; i < all; i++) {
    bool keeps = true;
    for (uint32_t j = 0; j < b->n; j++)
      if (s->qd[j] != 0 && m.at[i].from == b->system->q[j]) keeps = false;
    if (keeps) m.at[m.at_count++] = m.at[i];
  }
  size_t n = b->n;
  Status status = check_terms(&m, b->applied, n, "a force");
  if (status == QDOT_OK) status = check_terms(&m, b->system->M, n * n, "the mass matrix");
  for (uint32_t k = 0; k < b->m && status == QDOT_OK; k++) {
    if (!s->is_active[k]) continue;
    const char *what =
        text_format(b->cx->results, "the Jacobian of '%s'", symbol_text(b->cx, b->rows[k]->name));
    status = check_terms(&m, b->rows[k]->phi_q, n, what);
    if (status == QDOT_OK) status = check_terms(&m, e->rate_q + k * n, n, what);
  }
  if (status == QDOT_OK) status = check_terms(&m, b->applied_q, n * n, "the stiffness");
  if (status == QDOT_OK) status = check_terms(&m, e->C, n * n, "the damping");
  if (status == QDOT_OK) status = check_terms(&m, b->reaction_q, n * n, "the stiffness");
  return status;
}
