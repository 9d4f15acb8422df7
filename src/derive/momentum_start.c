// p = M q' + b at the start, solved for the velocities whose momenta are given.
#include "derive/from_hamiltonian.h"
#include "derive/solve_linear.h"
#include "expr/algebra/simplify.h"
#include "expr/build.h"
#include "expr/diff.h"
#include "expr/subst.h"

typedef struct Start {
  Context *cx;
  Model *model;
  uint32_t n;          // velocities that are asked for,
  uint32_t *at;        // and of which coordinates
  Substitution *state; // all that is given at the start
  uint32_t count;
} Start;

static void give(Start *s, Expr symbol, Expr value) {
  s->state[s->count++] = (Substitution){symbol, value ? value : expr_int(s->cx, 0)};
}

static void list_state(Start *s) {
  const Model *model = s->model;
  uint32_t room = 2 * model->coordinates.n + model->states.n + model->inputs.n + 1;
  s->state = arena_array(&s->cx->scratch, Substitution, room);
  s->at = arena_array(&s->cx->scratch, uint32_t, model->coordinates.n + 1);
  for (uint32_t i = 0; i < model->coordinates.n; i++) {
    const Coordinate *c = &model->coordinates.at[i];
    give(s, c->q, c->position.value);
    if (c->momentum_start.kind == INITIAL_NONE)
      give(s, c->qd, c->velocity.value);
    else
      s->at[s->n++] = i;
  }
  for (uint32_t i = 0; i < model->states.n; i++)
    give(s, model->states.at[i].s, model->states.at[i].value);
  for (uint32_t i = 0; i < model->inputs.n; i++)
    give(s, model->inputs.at[i].symbol, model->inputs.at[i].value);
  give(s, expr_symbol(s->cx, SYMBOL_TIME, symbol_from_text(s->cx, "t")), 0);
}

static Status check(const Start *s) {
  Context *cx = s->cx;
  for (uint32_t k = 0; k < s->n; k++) {
    const Coordinate *c = &s->model->coordinates.at[s->at[k]];
    const char *name = symbol_text(cx, c->name);
    if (s->model->constraints.n || s->model->mechanism.bodies.n) {
      Status status =
          diag_error(cx, QDOT_UNSUPPORTED, c->momentum_start.span,
                     "'%s' cannot start with a momentum: constraints move starts", name);
      diag_note(cx, "give its velocity: coord %s' = ...", name);
      return status;
    }
    if (c->velocity.kind == INITIAL_NONE) continue;
    Status status = diag_error(cx, QDOT_DUPLICATE_NAME, c->momentum_start.span,
                               "'%s' starts with a velocity and with a momentum", name);
    diag_second(cx, c->velocity.span, "its velocity is given here");
    return status;
  }
  return QDOT_OK;
}

static Status not_solved(const Start *s, const char *message) {
  Span span = s->model->coordinates.at[s->at[0]].momentum_start.span;
  Status status = diag_error(s->cx, QDOT_SINGULAR_MASS, span, "%s", message);
  diag_note(s->cx, "give velocities at the start instead");
  return status;
}

// The momenta as A v + b with numbers and parameters alone.
static Status find_velocities(const Start *s, Expr *v) {
  Context *cx = s->cx;
  uint32_t n = s->n;
  Expr T = model_inertial_energy(s->model), relation;
  Expr *p = arena_array(&cx->scratch, Expr, n), *w = arena_array(&cx->scratch, Expr, n);
  Expr *qd = arena_array(&cx->scratch, Expr, n), *below = arena_array(&cx->scratch, Expr, n);
  Expr *A = arena_array(&cx->scratch, Expr, (size_t)n * n);
  Substitution *rest = arena_array(&cx->scratch, Substitution, n);
  for (uint32_t k = 0; k < n; k++) {
    qd[k] = s->model->coordinates.at[s->at[k]].qd;
    rest[k] = (Substitution){qd[k], expr_int(cx, 0)};
  }
  expr_gradient(cx, T, qd, n, p);
  expr_subst_many(cx, p, n, s->state, s->count, p);
  expr_jacobian(cx, p, n, qd, n, A);
  for (uint32_t k = 0; k < n * n; k++) {
    A[k] = expr_simplify(cx, A[k], SIMPLIFY_NORMAL);
    if (expr_has_kind(cx, A[k], KIND_BIT(SYMBOL_VELOCITY)))
      return not_solved(s, "the momenta are not linear in the velocities");
  }
  expr_subst_many(cx, p, n, rest, n, w);
  for (uint32_t k = 0; k < n; k++)
    w[k] = expr_sub(cx, s->model->coordinates.at[s->at[k]].momentum_start.value, w[k]);
  bool solved = solve_linear(cx, A, w, n, v, below, &relation);
  for (uint32_t k = 0; k < n; k++) solved = solved && expr_is_defined(cx, v[k]);
  return solved ? QDOT_OK
                : not_solved(s, "the velocities do not follow from the momenta where it starts");
}

Status momentum_starts_take(Model *model) {
  Context *cx = model->cx;
  Mark mark = arena_mark(&cx->scratch);
  Start s = {.cx = cx, .model = model};
  list_state(&s);
  Status status = s.n ? check(&s) : QDOT_OK;
  Expr *v = arena_array(&cx->scratch, Expr, s.n + 1);
  if (s.n && status == QDOT_OK) status = find_velocities(&s, v);
  for (uint32_t k = 0; status == QDOT_OK && k < s.n; k++) {
    Coordinate *c = &model->coordinates.at[s.at[k]];
    c->velocity = c->momentum_start;
    c->velocity.value = v[k];
  }
  arena_release(&cx->scratch, mark);
  return status;
}
