// Finding the state that a linearization is about.
#include "analyse/equilibrium/operating_point.h"

#include <math.h>
#include <string.h>

#include "analyse/equilibrium/apex.h"
#include "expr/build.h"
#include "expr/print.h"
#include "expr/value/eval.h"
#include "solve/algebra/svd.h"

#define MOST_ROUNDS 40 // of velocities and positions in turn

// ---- Scales and start

double *operating_point_scales(Balance *b, Arena *arena) {
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

void operating_point_start(Balance *b, Steady *s) {
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

static Status solve_in_turn(Balance *b, const SteadyFreedom *free, Steady *s, uint32_t *row) {
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

// Rows such as z' = r - x are met at rest, by positions, where they can be; else by a motion.
Status operating_point_solve(Balance *b, const SteadyFreedom *free, Steady *s, uint32_t *row) {
  bool any = false;
  for (uint32_t k = 0; k < b->m; k++) any = any || b->settles[k];
  if (!any) return solve_in_turn(b, free, s, row);
  Mark mark = arena_mark(&b->cx->scratch);
  Steady *start = steady_new(&b->cx->scratch, b);
  steady_copy(b, s, start);
  b->is_settling = true;
  Status status = solve_in_turn(b, free, s, row);
  b->is_settling = false;
  if (status != QDOT_OK) {
    steady_copy(b, start, s);
    status = solve_in_turn(b, free, s, row);
  }
  arena_release(&b->cx->scratch, mark);
  return status;
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
                             "'%s' is not a coordinate of this formulation", symbol_text(cx, name));
  Text list = text_new(cx->results);
  for (uint32_t i = 0; i < model->coordinates.n && i < 8; i++)
    text_addf(&list, "%s%s", i ? ", " : "", symbol_text(cx, model->coordinates.at[i].name));
  diag_label(cx, "its coordinates are %s%s", list.at, model->coordinates.n > 8 ? " ..." : "");
  return status;
}

Status operating_point_names(const System *system, const LinearizeRequest *request) {
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

Status operating_point_error(Balance *b, const LinearizeRequest *request, Status status,
                             const char *message) {
  return request ? diag_error(b->cx, status, request->span, "%s", message)
                 : diag_error_plain(b->cx, status, "%s", message);
}

static char *state_text(const Balance *b, const Steady *s) {
  Text text = text_new(b->cx->results);
  uint32_t shown = b->n < 8 ? b->n : 8;
  for (uint32_t i = 0; i < shown; i++)
    text_addf(&text, "%s%s = %.6g", i ? ", " : "", name_of(b, i), s->q[i]);
  if (shown < b->n) text_add(&text, ", ...");
  return text.at;
}

// |x|, a condition: the forces are others on its other side.
static Status switch_error(Balance *b, const LinearizeRequest *request, const Steady *s,
                           Expr function) {
  Context *cx = b->cx;
  double *scale = operating_point_scales(b, cx->results);
  Status status = operating_point_error(
      b, request, QDOT_SINGULAR,
      text_format(cx->results,
                  "the equations have no slope here: the forces jump where %.200s switches",
                  expr_text(cx, cx->results, function)));
  int energy = apex_energy(b, s, scale);
  diag_note(cx,
            "%s; small motions have no linear equations and no frequency, 'simulate' shows them",
            energy > 0   ? "the energy has a strict minimum here: stable"
            : energy < 0 ? "the energy has no minimum here: not stable"
                         : "whether it is stable is not decided");
  return status;
}

Status operating_point_apex_error(Balance *b, const LinearizeRequest *request, const Steady *s,
                                  Expr root) {
  Context *cx = b->cx;
  if (op_of(cx, root) != OP_PRODUCT) return switch_error(b, request, s, root);
  const char *text = expr_text(cx, cx->results, root);
  Status status = operating_point_error(
      b, request, QDOT_SINGULAR,
      text_format(cx->results, "the equations have no slope here: %.200s vanishes", text));
  diag_note(cx, "a force along a length has no direction where the length is 0, so small motions "
                "have no linear equations; other start values (coord q ~ ...) may lead elsewhere, "
                "and a spring without free length is smooth as 1/2*k*(x^2 + y^2)");
  return status;
}

// ---- Forces that nothing balances

// The coordinates of v, "'x'" or "'x' and 'y' together".
static char *parts_of(const Balance *b, const double *v) {
  Text text = text_new(b->cx->results);
  uint32_t count = 0;
  for (uint32_t i = 0; i < b->n; i++) {
    if (fabs(v[i]) < 1e-6) continue;
    if (count < 6) text_addf(&text, "%s'%s'", count ? ", " : "", name_of(b, i));
    count++;
  }
  if (count > 6) text_add(&text, ", ...");
  if (count > 1) text_add(&text, " together");
  return text.at;
}

// The slopes of all forces by positions and multipliers, one column of the transposed each.
static void put_slopes(const Balance *b, const Steady *s, double *rows) {
  uint32_t n = b->n;
  for (uint32_t j = 0; j < n; j++)
    for (uint32_t i = 0; i < n; i++) rows[(size_t)j * n + i] = b->K[(size_t)i * n + j];
  for (uint32_t k = 0; k < b->m; k++)
    for (uint32_t i = 0; i < n; i++)
      rows[(size_t)(n + k) * n + i] = s->is_active[k] ? b->Phi_q[(size_t)k * n + i] : 0;
}

// Is there a sum of forces that no position and no reaction changes, and that is not 0? Slopes are
// taken at two states; *parts names its coordinates.
static bool find_constant_force(Balance *b, const Steady *s, double *force, char **parts) {
  Arena *scratch = &b->cx->scratch;
  Mark mark = arena_mark(scratch);
  uint32_t n = b->n, half = n + b->m;
  double *slopes = arena_array(scratch, double, 2 * (size_t)half * n + 1);
  double *q = arena_array(scratch, double, n + 1), *scale = operating_point_scales(b, scratch);
  double *here = arena_array(scratch, double, n + 1), *size = arena_array(scratch, double, n + 1);
  for (uint32_t i = 0; i < n; i++) q[i] = s->q[i] + 0.1 * scale[i] * sin(1.7 * (i + 1));
  bool good = balance_evaluate(b, q, s->qd, s->lambda);
  put_slopes(b, s, slopes);
  good = good && balance_evaluate(b, s->q, s->qd, s->lambda);
  put_slopes(b, s, slopes + (size_t)half * n);
  memcpy(here, b->force, n * sizeof *here);
  memcpy(size, b->size, n * sizeof *size);
  bool found = false;
  Svd *svd = svd_new(scratch, (int)(2 * half), (int)n);
  if (good && svd_compute(svd, (int)(2 * half), slopes) == QDOT_OK)
    for (int k = 0; k < svd->k && !found; k++) {
      if (svd->sigma[k] > 1e-11 * svd->sigma[0]) continue;
      const double *v = svd->Vt + (size_t)k * n;
      double sum = 0, most = 0;
      uint32_t largest = 0;
      for (uint32_t i = 0; i < n; i++) {
        sum += v[i] * here[i], most += fabs(v[i]) * size[i];
        if (fabs(v[i]) > fabs(v[largest]) * (1 + 1e-9)) largest = i;
      }
      found = fabs(sum) > 1e-9 * most;
      if (found) *force = sum / v[largest], *parts = parts_of(b, v);
    }
  arena_release(scratch, mark);
  return found;
}

static Status no_equilibrium(Balance *b, const LinearizeRequest *request, const Steady *s) {
  balance_evaluate(b, s->q, s->qd, s->lambda);
  Status status = operating_point_error(b, request, QDOT_NO_CONVERGENCE,
                                        request && request->kind == LINEARIZE_MOTION
                                            ? "no steady motion near the start"
                                            : "no equilibrium near the start");
  double force;
  char *parts;
  if (find_constant_force(b, s, &force, &parts)) {
    diag_note(
        b->cx,
        "nothing balances the force of %.4g on %s: it is the same at every state; a spring, a "
        "support, or a steady motion against a damper (linearize at motion ...) would",
        -force, parts);
    return status;
  }
  balance_evaluate(b, s->q, s->qd, s->lambda);
  diag_note(b->cx,
            "the best state found leaves %.4g on '%s' (forces there: %.4g): %s; other start values "
            "(coord q ~ ...) may lead to one",
            b->force[s->worst], name_of(b, s->worst), b->size[s->worst], state_text(b, s));
  return status;
}

static Status not_met(Balance *b, const LinearizeRequest *request, const Steady *s, uint32_t row,
                      bool velocity) {
  balance_evaluate(b, s->q, s->qd, s->lambda);
  Status status = operating_point_error(
      b, request, QDOT_INCONSISTENT,
      text_format(b->cx->results, "constraint '%s' cannot be met at this point%s",
                  symbol_text(b->cx, b->rows[row]->name), velocity ? " by the velocities" : ""));
  diag_note(b->cx, "it misses by %.4g at %s", velocity ? b->rate[row] : b->phi[row],
            state_text(b, s));
  return status;
}

// The point may be what the user wants, though no equilibrium: a constant force stays on the right.
static void warn_unbalanced(Balance *b, const LinearizeRequest *request, const Steady *s) {
  Mark mark = arena_mark(&b->cx->scratch);
  balance_evaluate(b, s->q, s->qd, s->lambda);
  diag_warning(b->cx, request->span,
               "this point is not an equilibrium: %.4g on '%s' is not balanced", b->force[s->worst],
               name_of(b, s->worst));
  Steady *near = steady_new(&b->cx->scratch, b);
  steady_copy(b, s, near);
  SteadyFreedom free = {.scale = operating_point_scales(b, &b->cx->scratch)};
  uint32_t row;
  bool found = operating_point_solve(b, &free, near, &row) == QDOT_OK;
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
    return operating_point_error(b, request, status,
                                 "the equations have no finite value at this point");
  Expr root = status == QDOT_OK ? apex_at(b, out->state, free->scale) : 0;
  if (root) return operating_point_apex_error(b, request, out->state, root);
  if (status == QDOT_OK && !steady_is_balanced(out->state)) warn_unbalanced(b, request, out->state);
  return status;
}

static Status find_near(Balance *b, const LinearizeRequest *request, const SteadyFreedom *free,
                        OperatingPoint *out) {
  uint32_t row = 0;
  Status status = operating_point_solve(b, free, out->state, &row);
  switch (status) {
  case QDOT_INCONSISTENT: return not_met(b, request, out->state, row, true);
  case QDOT_NO_CONVERGENCE: {
    Expr apex = apex_at(b, out->state, free->scale);
    return apex ? operating_point_apex_error(b, request, out->state, apex)
                : no_equilibrium(b, request, out->state);
  }
  case QDOT_UNDEFINED: {
    Expr root = vanishing_root(b, out->state, free->scale);
    return root ? operating_point_apex_error(b, request, out->state, root)
                : operating_point_error(b, request, status,
                                        "the equations have no finite value at the start");
  }
  case QDOT_OK: {
    Expr root = apex_at(b, out->state, free->scale);
    return root ? operating_point_apex_error(b, request, out->state, root) : QDOT_OK;
  }
  default: return status;
  }
}

void operating_point_open(Balance *b, const LinearizeRequest *request, Arena *arena,
                          OperatingPoint *out, SteadyFreedom *free) {
  out->state = steady_new(arena, b);
  out->given = arena_array(arena, Expr, 2 * b->n + 1);
  out->u = arena_array(arena, Expr, b->inputs + 1);
  bool *q_fixed = arena_array(arena, bool, b->n + 1);
  bool *qd_fixed = arena_array(arena, bool, b->n + 1);
  *free = (SteadyFreedom){
      .q_fixed = q_fixed, .qd_fixed = qd_fixed, .scale = operating_point_scales(b, arena)};
  operating_point_start(b, out->state);
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

Status operating_point_find(Balance *b, const LinearizeRequest *request, Arena *arena,
                            OperatingPoint *out) {
  SteadyFreedom free;
  operating_point_open(b, request, arena, out, &free);
  bool exactly = request && request->kind == LINEARIZE_POINT;
  return exactly ? find_exactly(b, request, &free, out) : find_near(b, request, &free, out);
}
