// The linearization, step by step.
#include "analyse/linear/linearize.h"

#include <math.h>
#include <string.h>

#include "analyse/equilibrium/many_starts.h"
#include "analyse/linear/output_rows.h"
#include "analyse/linear/reduce_exact.h"
#include "analyse/linear/sampled.h"
#include "analyse/linear/steadiness.h"
#include "expr/diff.h"
#include "expr/value/eval.h"
#include "solve/algebra/dense.h"

// ---- The choice of coordinates

static char *names_of(Context *cx, const Model *model, const uint32_t *list, uint32_t n) {
  Text text = text_new(cx->results);
  for (uint32_t i = 0; i < n; i++)
    text_addf(&text, "%s%s", i ? ", " : "", symbol_text(cx, model->coordinates.at[list[i]].name));
  return text.at;
}

static Status wrong_wish(Balance *b, const RowNumbers *rows, const Independent *got) {
  Context *cx = b->cx;
  const Requests *r = &b->system->model->requests;
  Independent best;
  independent_choose(&cx->scratch, rows, NULL, 0, &best);
  Status status;
  if (r->independent.n != best.f && r->independent.n != best.p) {
    status =
        diag_error(cx, QDOT_BAD_VALUE, r->independent_span,
                   "%u coordinate%s named independent, but %u %s", r->independent.n,
                   r->independent.n == 1 ? " is" : "s are", best.f, best.f == 1 ? "is" : "are");
    diag_note(cx, "%u coordinates, constraints of rank %u at this point; '%s' would do", b->n,
              b->n - best.f, names_of(cx, b->system->model, best.z, best.f));
    return status;
  }
  status = diag_error(cx, QDOT_SINGULAR, r->independent_span,
                      "these coordinates do not determine the others at this point");
  diag_note(cx,
            "with them held, the constraints still let others move: the best pivot left is %.3g "
            "of the largest; '%s' would do, with a smallest pivot of %.3g",
            got->next, names_of(cx, b->system->model, best.z, best.f), best.worst);
  return status;
}

static Status choose(Balance *b, const RowNumbers *rows, Linearized *out) {
  const Requests *r = &b->system->model->requests;
  Status status =
      independent_choose(b->cx->results, rows, r->independent.at, r->independent.n, &out->choice);
  uint32_t wished = r->independent.n;
  bool counts = wished == 0 || wished == out->choice.f || wished == out->choice.p;
  return status == QDOT_OK && counts ? QDOT_OK : wrong_wish(b, rows, &out->choice);
}

// ---- Singular positions

// The rank of the active constraints a little way along the mechanism's motion.
static uint32_t rank_nearby(Balance *b, const StateSlopes *e, const Steady *s) {
  Mark mark = arena_mark(&b->cx->scratch);
  Arena *arena = &b->cx->scratch;
  Steady *near = steady_new(arena, b);
  double *scale = operating_point_scales(b, arena);
  SteadyFreedom free = {.scale = scale};
  uint32_t best = 0;
  for (int attempt = 0; attempt < 3; attempt++) {
    steady_copy(b, s, near);
    for (uint32_t i = 0; i < b->n; i++)
      near->q[i] += 1e-2 * scale[i] * sin(1.7 * (i + 1) + 2.3 * attempt);
    FullNumbers full;
    RowNumbers rows;
    Independent choice;
    uint32_t row;
    if (steady_assemble(b, &free, near, &row) != QDOT_OK) continue;
    if (state_slopes_evaluate(b, e, near, arena, &full, &rows) != QDOT_OK) continue;
    independent_choose(arena, &rows, NULL, 0, &choice);
    if (b->n - choice.f > best) best = b->n - choice.f;
  }
  arena_release(arena, mark);
  return best;
}

static bool is_singular(Balance *b, const StateSlopes *e, const Steady *s, const RowNumbers *rows,
                        const Independent *c, uint32_t *nearby) {
  uint32_t here = b->n - c->f;
  if (here == rows->holonomic + rows->nonholonomic) return false;
  *nearby = rank_nearby(b, e, s);
  return *nearby > here;
}

static Status check_singular(Balance *b, const LinearizeRequest *request, const StateSlopes *e,
                             const RowNumbers *rows, const Linearized *out) {
  uint32_t nearby = 0;
  if (!is_singular(b, e, out->point, rows, &out->choice, &nearby)) return QDOT_OK;
  const char *message = text_format(
      b->cx->results,
      "the mechanism is singular at this point: its %u constraints have rank %u here, %u nearby",
      rows->holonomic + rows->nonholonomic, b->n - out->choice.f, nearby);
  Status status = operating_point_error(b, request, QDOT_SINGULAR, message);
  diag_note(b->cx,
            "pivots fall from %.3g to %.3g of the largest; branches of motion meet here, so there "
            "is no linearization",
            out->choice.worst, out->choice.next);
  return status;
}

// ---- The whole

static void keep_rows(Arena *arena, const RowNumbers *rows, Linearized *out) {
  uint32_t kept = out->n - out->choice.f;
  out->p = out->choice.p, out->f = out->choice.f;
  out->rows_kept = arena_array(arena, uint32_t, kept + 1);
  for (uint32_t k = 0; k < kept; k++) out->rows_kept[k] = rows->row[out->choice.rows[k]];
}

// lambda with Phi_d^T lambda = -(h + D + G - Q)_d for the coordinates d that depend.
static void load_kept_rows(Balance *b, Linearized *out) {
  uint32_t n = out->n, r = n - out->f, holonomic = n - out->p;
  Mark mark = arena_mark(&b->cx->scratch);
  Steady *s = out->point;
  memset(s->lambda, 0, b->m * sizeof *s->lambda);
  balance_evaluate(b, s->q, s->qd, s->lambda);
  double *S = arena_array(&b->cx->scratch, double, (size_t)r *r + 1);
  double *x = arena_array(&b->cx->scratch, double, r + 1);
  int *pivot = arena_array(&b->cx->scratch, int, r + 1);
  for (uint32_t i = 0; i < r; i++) {
    uint32_t d = i < holonomic ? out->choice.y[i] : out->choice.z[out->f + i - holonomic];
    x[i] = -b->force[d];
    for (uint32_t k = 0; k < r; k++)
      S[(size_t)i * r + k] = b->Phi_q[(size_t)out->rows_kept[k] * n + d];
  }
  dense_lu((int)r, S, pivot);
  dense_lu_solve((int)r, S, pivot, x);
  for (uint32_t k = 0; k < r; k++) s->lambda[out->rows_kept[k]] = x[k];
  arena_release(&b->cx->scratch, mark);
}

bool *linearized_relieve(Balance *b, Linearized *out) {
  bool *kept = arena_array(&b->arena, bool, b->m + 1);
  for (uint32_t k = 0; k < out->n - out->f; k++) kept[out->rows_kept[k]] = true;
  out->is_balanced = steady_is_balanced(out->point);
  load_kept_rows(b, out);
  return kept;
}

static void find_state_space(Arena *arena, Linearized *out) {
  uint32_t light = 0;
  Status status = reduced_state_space(arena, &out->number, &out->state, &light);
  out->is_regular = out->has_state_space = status == QDOT_OK;
  out->massless = out->is_regular ? 0 : out->choice.z[light];
}

// A mass that is small only because it passes through 0 here, as that of a longitude at the pole:
// whatever eigenvalues come of it belong to the coordinates, not to the motion.
static void find_pole(Balance *b, Linearized *out) {
  Context *cx = b->cx;
  const System *s = b->system;
  uint32_t n = b->n;
  double most = 0;
  for (uint32_t i = 0; i < n; i++) most = fmax(most, fabs(out->full.M[(size_t)i * n + i]));
  for (uint32_t i = 0; i < n && !out->is_pole; i++) {
    double mass = fabs(out->full.M[(size_t)i * n + i]);
    if (mass > 1e-10 * most) continue;
    Expr M = s->M[(size_t)i * n + i];
    for (uint32_t k = 0; k < n && !out->is_pole; k++) {
      if (!expr_depends(cx, M, s->q[k])) continue;
      Expr bend = expr_diff(cx, expr_diff(cx, M, s->q[k]), s->q[k]);
      out->is_pole = mass < 1e-10 * fabs(expr_eval(cx, bend, b->values));
    }
    if (out->is_pole) out->massless = i;
  }
}

static Linearized start(Balance *b) {
  return (Linearized){.cx = b->cx,
                      .system = b->system,
                      .n = b->n,
                      .m = b->m,
                      .moving = b->n - b->system->model->states.n,
                      .inputs = b->inputs,
                      .outputs = b->system->model->outputs.n};
}

static void keep_left_out(const Balance *b, Arena *arena, Linearized *out) {
  for (uint32_t i = 0; i < b->left_out.n; i++) vec_push(arena, &out->left_out, b->left_out.at[i]);
}

// What samples hold between them is theirs to change.
static Status close_loop(Balance *b, Arena *arena, bool tells, Linearized *out) {
  Sampled *sampled = arena_new(arena, Sampled);
  Status status = sampled_make(arena, out, &out->state, b->values, tells, sampled);
  if (status == QDOT_OK && out->has_state_space) out->sampled = sampled;
  return status;
}

static Status linearize_balance(Balance *b, const LinearizeOptions *options, Linearized *out) {
  Context *cx = b->cx;
  OperatingPoint point;
  StateSlopes e;
  steadiness_leave_out(b);
  Status status = steadiness_check_time(b);
  if (status == QDOT_OK) status = starts_point(b, options->request, cx->results, &point);
  if (status == QDOT_OK) status = steadiness_check_held(b, point.state);
  if (status != QDOT_OK) return status;
  *out = start(b);
  out->point = point.state;
  keep_left_out(b, cx->results, out);
  out->u = arena_array(cx->results, double, b->inputs + 1);
  for (uint32_t i = 0; i < b->inputs; i++)
    out->u[i] = b->values[symbol_variable(cx, b->system->model->inputs.at[i].symbol)];
  state_slopes_derive(b, &b->arena, &e);
  status = state_slopes_evaluate(b, &e, out->point, cx->results, &out->full, &out->rows);
  if (status != QDOT_OK)
    return operating_point_error(b, options->request, status,
                                 "the equations have no finite value at the point");
  status = choose(b, &out->rows, out);
  if (status == QDOT_OK) status = check_singular(b, options->request, &e, &out->rows, out);
  if (status != QDOT_OK) return status;
  keep_rows(cx->results, &out->rows, out);
  const bool *carries = linearized_relieve(b, out);
  closed_form_find(b, out->point, carries, point.given, point.u, &out->form);
  closed_form_refine(b, &out->form, out->point);
  load_kept_rows(b, out);
  state_slopes_evaluate(b, &e, out->point, cx->results, &out->full, &out->rows);
  status = steadiness_check_motion(b, options->request, &e, out->point, &out->form);
  if (status != QDOT_OK) return status;
  balance_evaluate(b, out->point->q, out->point->qd, out->point->lambda);
  out->kinks = kinks_at(b);
  reduced_make(cx->results, &out->full, &out->rows, &out->choice, &out->number);
  find_state_space(cx->results, out);
  find_pole(b, out);
  if (out->is_regular)
    output_rows_outputs(b, out);
  else
    out->has_state_space = first_order_make(b, out);
  if (b->system->held > 0) return close_loop(b, cx->results, true, out);
  return options->numbers_only ? QDOT_OK : reduce_exactly(b, &e, &out->rows, out);
}

Status linearize_system(Context *cx, const System *system, const double *values,
                        const LinearizeOptions *options, Linearized *out) {
  Balance b;
  Status named = operating_point_names(system, options->request);
  if (named != QDOT_OK) return named;
  Mark mark = arena_mark(&cx->scratch);
  balance_open(&b, cx, system, values);
  Status status = linearize_balance(&b, options, out);
  balance_close(&b);
  arena_release(&cx->scratch, mark);
  return status;
}

void linearized_balance(const Linearized *l, const double *values, Balance *out) {
  balance_open(out, l->cx, l->system, values);
  for (uint32_t i = 0; i < out->inputs; i++)
    out->values[symbol_variable(l->cx, l->system->model->inputs.at[i].symbol)] = l->u[i];
  for (uint32_t i = 0; i < l->left_out.n; i++) balance_leave_out(out, l->left_out.at[i]);
}

Status linearized_add_entries(Linearized *l, const double *values) {
  if (l->M || l->is_too_large || l->sampled) return QDOT_OK;
  Context *cx = l->cx;
  Mark mark = arena_mark(&cx->scratch);
  Balance b;
  StateSlopes e;
  linearized_balance(l, values, &b);
  state_slopes_derive(&b, &b.arena, &e);
  Status status = reduce_exactly(&b, &e, &l->rows, l);
  balance_close(&b);
  arena_release(&cx->scratch, mark);
  return status;
}

Status linearize_numbers(Balance *b, const StateSlopes *e, const Steady *state, Arena *arena,
                         Linearized *out) {
  *out = start(b);
  keep_left_out(b, arena, out);
  out->point = steady_new(arena, b);
  steady_copy(b, state, out->point);
  Status status = state_slopes_evaluate(b, e, state, arena, &out->full, &out->rows);
  if (status != QDOT_OK) return status;
  independent_choose(arena, &out->rows, NULL, 0, &out->choice);
  uint32_t nearby;
  if (is_singular(b, e, state, &out->rows, &out->choice, &nearby)) return QDOT_SINGULAR;
  keep_rows(arena, &out->rows, out);
  reduced_make(arena, &out->full, &out->rows, &out->choice, &out->number);
  find_state_space(arena, out);
  find_pole(b, out);
  if (b->system->held == 0) return QDOT_OK;
  out->has_state_space = first_order_make(b, out);
  return close_loop(b, arena, false, out);
}
