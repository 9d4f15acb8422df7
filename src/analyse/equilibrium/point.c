// Finding the state that a linearization is about.
#include "analyse/equilibrium/point.h"

#include <math.h>
#include <string.h>

#include "expr/build.h"
#include "expr/eval.h"
#include "expr/print.h"

#define MOST_ROUNDS 40 // of velocities and positions in turn

// ---- Scales and start

double *point_scales(Balance *b, Arena *arena) {
  const Model *model = b->system->model;
  double *scale = arena_array(arena, double, b->n);
  for (uint32_t i = 0; i < b->n; i++) {
    const Measure *mine = &model->coordinates.at[i].measure;
    for (uint32_t j = 0; j < b->n; j++) {
      const Coordinate *c = &model->coordinates.at[j];
      bool alike = mine->is_known && c->measure.is_known && !dimension_is_pure(mine->dimension) &&
                   dimension_is_equal(mine->dimension, c->measure.dimension);
      if (alike && c->position.value)
        scale[i] = fmax(scale[i], fabs(expr_eval(b->cx, c->position.value, b->values)));
    }
    for (uint32_t j = 0; j < model->parameters.n && scale[i] == 0; j++) {
      const Parameter *p = &model->parameters.at[j];
      bool alike = mine->is_known && p->measure.is_known && !dimension_is_pure(mine->dimension) &&
                   dimension_is_equal(mine->dimension, p->measure.dimension);
      if (alike) scale[i] = fabs(b->values[symbol_variable(b->cx, p->symbol)]);
    }
    if (!(scale[i] > 0)) scale[i] = 1;
  }
  return scale;
}

void point_start(Balance *b, Steady *s) {
  const Model *model = b->system->model;
  for (uint32_t i = 0; i < b->n; i++) {
    Expr value = model->coordinates.at[i].position.value;
    s->q[i] = value ? expr_eval(b->cx, value, b->values) : 0;
    s->qd[i] = 0;
  }
}

// ---- Contacts

// Contacts that the state passes through must hold; those that would have to pull must not.
static bool update_contacts(Balance *b, const SteadyFreedom *free, Steady *s) {
  uint32_t changes = 0;
  for (uint32_t k = b->system->row_count; k < b->m; k++) {
    double scale = 0;
    for (uint32_t j = 0; j < b->n; j++)
      scale = fmax(scale, fabs(b->Phi_q[(size_t)k * b->n + j]) *
                              (free && free->scale ? free->scale[j] : 1));
    bool active = s->is_active[k] ? s->lambda[k] >= 0 : b->phi[k] > 1e-9 * scale;
    changes += active != s->is_active[k];
    s->is_active[k] = active;
    if (!active) s->lambda[k] = 0;
  }
  return changes > 0;
}

// ---- Velocities and positions in turn

static double largest_change(uint32_t n, const double *a, const double *b) {
  double most = 0;
  for (uint32_t i = 0; i < n; i++) most = fmax(most, fabs(a[i] - b[i]) / (1 + fabs(a[i])));
  return most;
}

Status point_solve(Balance *b, const SteadyFreedom *free, Steady *s, uint32_t *row) {
  Mark mark = arena_mark(&b->cx->scratch);
  double *before = arena_array(&b->cx->scratch, double, b->n);
  double *wished = arena_array(&b->cx->scratch, double, b->n);
  memcpy(wished, s->qd, b->n * sizeof *wished);
  Status status = QDOT_OK, solved = QDOT_OK;
  for (int round = 0; round < MOST_ROUNDS; round++) {
    memcpy(before, s->qd, b->n * sizeof *before);
    memcpy(s->qd, wished, b->n * sizeof *wished);
    status = steady_velocities(b, free, s, row);
    if (status != QDOT_OK) break;
    if (round == 0) steady_multipliers(b, s);
    bool same = round > 0 && largest_change(b->n, s->qd, before) < 1e-14;
    if (same && !update_contacts(b, free, s)) break;
    solved = steady_solve(b, free, s);
    if (solved == QDOT_UNDEFINED) break;
  }
  arena_release(&b->cx->scratch, mark);
  return status == QDOT_OK ? solved : status;
}

// ---- The request

static int index_of(const Expr *list, uint32_t n, Expr symbol) {
  for (uint32_t i = 0; i < n; i++)
    if (list[i] == symbol) return (int)i;
  return -1;
}

static void read_request(Balance *b, const LinearizeRequest *request, OperatingPoint *out,
                         bool *q_fixed, bool *qd_fixed) {
  const System *s = b->system;
  const Model *model = s->model;
  for (uint32_t i = 0; i < b->inputs; i++) out->u[i] = model->inputs.at[i].value;
  if (!request) return;
  for (uint32_t k = 0; k < request->point.n; k++) {
    const PointValue *v = &request->point.at[k];
    double value = expr_eval(b->cx, v->value, b->values);
    int q = index_of(s->q, b->n, v->symbol), qd = index_of(s->qd, b->n, v->symbol);
    if (q >= 0) out->state->q[q] = value, q_fixed[q] = true, out->given[q] = v->value;
    if (qd >= 0) out->state->qd[qd] = value, qd_fixed[qd] = true, out->given[b->n + qd] = v->value;
    for (uint32_t i = 0; i < b->inputs; i++) {
      if (model->inputs.at[i].symbol != v->symbol) continue;
      out->u[i] = v->value;
      b->values[symbol_variable(b->cx, v->symbol)] = value;
    }
  }
}

static Status no_coordinate(const Model *model, Symbol name, Span span) {
  Context *cx = model->cx;
  Status status = diag_error(cx, QDOT_UNKNOWN_NAME, span,
                             "'%s' is no coordinate of this formulation", symbol_text(cx, name));
  Text list = text_new(&cx->keep);
  for (uint32_t i = 0; i < model->coordinates.n && i < 8; i++)
    text_addf(&list, "%s%s", i ? ", " : "", symbol_text(cx, model->coordinates.at[i].name));
  diag_label(cx, "its coordinates are %s%s", list.at, model->coordinates.n > 8 ? " ..." : "");
  return status;
}

Status point_names(const System *system, const LinearizeRequest *request) {
  const Model *model = system->model;
  for (uint32_t i = 0; request && i < request->point.n; i++)
    if (!request->point.at[i].symbol)
      return no_coordinate(model, request->point.at[i].name, request->point.at[i].span);
  for (uint32_t i = 0; i < model->requests.independent_parts.n; i++) {
    const PartName *part = &model->requests.independent_parts.at[i];
    if (!part->is_coordinate) return no_coordinate(model, part->name, part->span);
  }
  return QDOT_OK;
}

// Initial values that the user fixed with '=' stay where he asked for a point.
static void keep_given_positions(Balance *b, OperatingPoint *out, bool *q_fixed) {
  const Model *model = b->system->model;
  for (uint32_t i = 0; i < b->n; i++) {
    const Initial *start = &model->coordinates.at[i].position;
    bool free_start = b->system->row_count > 0 && start->kind != INITIAL_GIVEN;
    if (q_fixed[i] || free_start) continue;
    q_fixed[i] = true;
    out->given[i] = start->value ? start->value : expr_int(b->cx, 0);
  }
}

// ---- Explanations

static const char *name_of(const Balance *b, uint32_t coordinate) {
  return symbol_text(b->cx, b->system->model->coordinates.at[coordinate].name);
}

Status point_error(Balance *b, const LinearizeRequest *request, Status status,
                   const char *message) {
  return request ? diag_error(b->cx, status, request->span, "%s", message)
                 : diag_error_plain(b->cx, status, "%s", message);
}

static char *state_text(const Balance *b, const Steady *s) {
  Text text = text_new(&b->cx->keep);
  uint32_t shown = b->n < 8 ? b->n : 8;
  for (uint32_t i = 0; i < shown; i++)
    text_addf(&text, "%s%s = %.6g", i ? ", " : "", name_of(b, i), s->q[i]);
  if (shown < b->n) text_add(&text, ", ...");
  return text.at;
}

static Status no_equilibrium(Balance *b, const LinearizeRequest *request, const Steady *s) {
  balance_evaluate(b, s->q, s->qd, s->lambda);
  Status status =
      point_error(b, request, QDOT_NO_CONVERGENCE,
                  request && request->kind == LINEARIZE_MOTION ? "no steady motion near the start"
                                                               : "no equilibrium near the start");
  diag_note(b->cx,
            "the best state found leaves %.4g on '%s' (forces there: %.4g): %s; other start values "
            "(coord q ~ ...) may lead to one",
            b->force[s->worst], name_of(b, s->worst), b->size[s->worst], state_text(b, s));
  return status;
}

static Status not_met(Balance *b, const LinearizeRequest *request, const Steady *s, uint32_t row,
                      bool velocity) {
  balance_evaluate(b, s->q, s->qd, s->lambda);
  Status status = point_error(
      b, request, QDOT_INCONSISTENT,
      text_format(&b->cx->keep, "constraint '%s' cannot be met at this point%s",
                  symbol_text(b->cx, b->rows[row]->name), velocity ? " by the velocities" : ""));
  diag_note(b->cx, "it misses by %.4g at %s", velocity ? b->rate[row] : b->phi[row],
            state_text(b, s));
  return status;
}

// The point may be what the user wants, though no equilibrium: a constant force stays on the right.
static void warn_unbalanced(Balance *b, const LinearizeRequest *request, const Steady *s) {
  Mark mark = arena_mark(&b->cx->scratch);
  balance_evaluate(b, s->q, s->qd, s->lambda);
  diag_warning(b->cx, request->span, "this point is no equilibrium: %.4g on '%s' is not balanced",
               b->force[s->worst], name_of(b, s->worst));
  Steady *near = steady_new(&b->cx->scratch, b);
  steady_copy(b, s, near);
  SteadyFreedom free = {.scale = point_scales(b, &b->cx->scratch)};
  uint32_t row;
  bool found = point_solve(b, &free, near, &row) == QDOT_OK;
  diag_note(b->cx, "Q^ keeps what is left%s%s", found ? "; the nearest equilibrium: " : "",
            found ? state_text(b, near) : "");
  arena_release(&b->cx->scratch, mark);
}

// ---- The three kinds

static Status find_exactly(Balance *b, const LinearizeRequest *request, const SteadyFreedom *free,
                           OperatingPoint *out) {
  uint32_t row = 0;
  Status status = steady_assemble(b, free, out->state, &row);
  if (status == QDOT_INCONSISTENT) return not_met(b, request, out->state, row, false);
  if (status == QDOT_OK) status = steady_velocities(b, free, out->state, &row);
  if (status == QDOT_INCONSISTENT) return not_met(b, request, out->state, row, true);
  if (status == QDOT_OK) status = steady_multipliers(b, out->state);
  if (status == QDOT_UNDEFINED)
    return point_error(b, request, status, "the equations have no finite value at this point");
  if (status == QDOT_OK && !steady_is_balanced(out->state)) warn_unbalanced(b, request, out->state);
  return status;
}

static Status find_near(Balance *b, const LinearizeRequest *request, const SteadyFreedom *free,
                        OperatingPoint *out) {
  uint32_t row = 0;
  Status status = point_solve(b, free, out->state, &row);
  switch (status) {
  case QDOT_INCONSISTENT: return not_met(b, request, out->state, row, true);
  case QDOT_NO_CONVERGENCE: return no_equilibrium(b, request, out->state);
  case QDOT_UNDEFINED:
    return point_error(b, request, status, "the equations have no finite value at the start");
  default: return status;
  }
}

void point_open(Balance *b, const LinearizeRequest *request, Arena *arena, OperatingPoint *out,
                SteadyFreedom *free) {
  out->state = steady_new(arena, b);
  out->given = arena_array(arena, Expr, 2 * b->n + 1);
  out->u = arena_array(arena, Expr, b->inputs + 1);
  bool *q_fixed = arena_array(arena, bool, b->n + 1);
  bool *qd_fixed = arena_array(arena, bool, b->n + 1);
  *free = (SteadyFreedom){q_fixed, qd_fixed, point_scales(b, arena)};
  point_start(b, out->state);
  read_request(b, request, out, q_fixed, qd_fixed);
  if (request && request->kind == LINEARIZE_MOTION) return;
  if (request && request->kind == LINEARIZE_POINT) {
    keep_given_positions(b, out, q_fixed);
    return;
  }
  // an equilibrium takes the positions as better guesses only
  memset(q_fixed, 0, b->n * sizeof *q_fixed);
  memset(out->given, 0, b->n * sizeof *out->given);
}

Status point_find(Balance *b, const LinearizeRequest *request, Arena *arena, OperatingPoint *out) {
  SteadyFreedom free;
  point_open(b, request, arena, out, &free);
  bool exactly = request && request->kind == LINEARIZE_POINT;
  return exactly ? find_exactly(b, request, &free, out) : find_near(b, request, &free, out);
}
