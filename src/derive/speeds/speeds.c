// Stating, choosing and solving quasi-velocities.
#include "derive/speeds/speeds.h"

#include <assert.h>

#include "derive/roads/nullspace.h"
#include "derive/roads/stand_in.h"
#include "derive/roads/trial.h"
#include "derive/solve_linear.h"
#include "derive/vanishes.h"
#include "expr/algebra/cost.h"
#include "expr/algebra/expand.h"
#include "expr/build.h"
#include "expr/define.h"
#include "expr/diff.h"
#include "expr/order.h"
#include "expr/print.h"
#include "expr/subst.h"
#include "expr/value/eval.h"
#include "model/momentum.h"

#define EXPANSION 10000   // term operations
#define LARGEST_COST 3000 // by expr_cost, of what is rewritten for readers at all

// A speed while they are gathered.
typedef struct Stated {
  Expr u, ud, meaning;
  Span span;
} Stated;

typedef VEC(Stated) StatedList;

// ---- Choosing

static StatedList stated_by(const Model *model) {
  Context *cx = model->cx;
  StatedList list = {0};
  for (uint32_t i = 0; i < model->definitions.n; i++) {
    const Definition *d = &model->definitions.at[i];
    if (d->role != DEFINITION_SPEED) continue;
    Stated it = {.meaning = d->value, .span = d->span};
    if (expr_is_definition(cx, d->value)) it.meaning = definition_body(cx, d->value);
    it.u = expr_symbol(cx, SYMBOL_STATE, d->name);
    it.ud = expr_symbol(cx, SYMBOL_STATE_RATE, d->name);
    vec_push(&cx->scratch, &list, it);
  }
  return list;
}

// Are the rows of A (rows x n) independent of each other? A is overwritten.
static bool are_independent(Context *cx, double *A, uint32_t rows, uint32_t n) {
  bool *is_free = arena_array(&cx->scratch, bool, n + 1);
  uint32_t *pivot_row = arena_array(&cx->scratch, uint32_t, n + 1);
  return n - nullspace_reduce(A, rows, n, is_free, pivot_row) == rows;
}

// Rows of constraints at a random state, then those of the velocities chosen so far.
typedef struct Choosing {
  Context *cx;
  const System *s;
  double *rows, *copy; // (row_count + n) x n
  uint32_t count;
  StatedList list;
} Choosing;

static void offer_velocity(Choosing *c, uint32_t i) {
  const System *s = c->s;
  uint32_t n = s->n;
  if (c->count == n) return;
  double *row = c->rows + (size_t)c->count * n;
  for (uint32_t j = 0; j < n; j++) row[j] = j == i;
  for (uint32_t k = 0; k < (c->count + 1) * n; k++) c->copy[k] = c->rows[k];
  if (!are_independent(c->cx, c->copy, c->count + 1, n)) return;
  c->count++;
  Stated it = {.meaning = s->qd[i], .span = s->model->coordinates.at[i].span};
  it.u = speed_symbol(s->model, i), it.ud = speed_rate_symbol(s->model, i);
  vec_push(&c->cx->scratch, &c->list, it);
}

// Velocities of coordinates that the constraints leave independent, at a random state; one that
// is offered twice depends on itself.
static StatedList chosen_velocities(Context *cx, const System *s) {
  uint32_t n = s->n;
  Choosing c = {.cx = cx, .s = s, .count = s->row_count};
  size_t most = (size_t)(s->row_count + n + 1) * n + 1;
  c.rows = arena_array(&cx->scratch, double, most);
  c.copy = arena_array(&cx->scratch, double, most);
  if (s->row_count) {
    Trial trial = trial_open(cx, s);
    for (uint32_t k = 0; k < s->row_count; k++)
      for (uint32_t j = 0; j < n; j++)
        c.rows[k * n + j] = expr_eval(cx, s->rows[k].phi_q[j], trial.values);
  }
  const Requests *requests = &s->model->requests;
  for (uint32_t k = 0; k < requests->independent.n; k++)
    offer_velocity(&c, requests->independent.at[k]);
  // angles seldom leave a mechanism in a dead position
  for (uint32_t i = 0; i < n; i++)
    if (dimension_is_pure(s->model->coordinates.at[i].measure.dimension)) offer_velocity(&c, i);
  for (uint32_t i = 0; i < n; i++) offer_velocity(&c, i);
  return c.list;
}

// ---- Y and y

static Status not_linear(Context *cx, const Stated *it) {
  Status status = diag_error(cx, QDOT_BAD_MODEL, it->span,
                             "the speed '%s' is not linear in the "
                             "velocities",
                             symbol_text(cx, symbol_name(cx, it->u)));
  diag_note(cx, "a quasi-velocity has the form a(q, t)*q' + b(q, t)");
  return status;
}

// e without velocities, if it can be written so; else 0.
static Expr without_velocity(Context *cx, Expr e) {
  const uint32_t moving = ~(KIND_BIT(SYMBOL_PARAMETER) | KIND_BIT(SYMBOL_COORDINATE) |
                            KIND_BIT(SYMBOL_TIME) | KIND_BIT(SYMBOL_INPUT));
  if (expr_has_kind(cx, e, moving)) e = expr_normal(cx, e);
  return expr_has_kind(cx, e, moving) ? 0 : e;
}

static Status find_factors(Context *cx, const System *s, const Stated *it, Expr *Y, Expr *y) {
  Substitution *rest = arena_array(&cx->scratch, Substitution, s->n + 1);
  expr_gradient(cx, it->meaning, s->qd, s->n, Y);
  for (uint32_t i = 0; i < s->n; i++) {
    Y[i] = without_velocity(cx, Y[i]);
    if (!Y[i]) return not_linear(cx, it);
    rest[i] = (Substitution){s->qd[i], expr_int(cx, 0)};
  }
  *y = without_velocity(cx, expr_subst(cx, it->meaning, rest, s->n));
  return *y ? QDOT_OK : not_linear(cx, it);
}

static const char *plural(uint32_t n) { return n == 1 ? "" : "s"; }

static Status wrong_count(Context *cx, const System *s, const StatedList *list, uint32_t rolling) {
  uint32_t needed = s->n - s->row_count, stated = list->n;
  Status status = diag_error(cx, QDOT_BAD_MODEL, list->at[stated - 1].span,
                             "%u speed%s stated, where %u %s needed", stated,
                             stated == 1 ? " is" : "s are", needed, needed == 1 ? "is" : "are");
  if (s->row_count == 0) {
    diag_note(cx, "state one for each of the %u coordinates", s->n);
    return status;
  }
  const char *some = "";
  if (rolling && rolling < s->row_count)
    some = text_format(&cx->scratch, "%u speeds keep the multipliers of those on positions, ",
                       s->n - rolling);
  diag_note(cx, "%u coordinates with %u constraint%s have %u independent velocit%s; %s%u speeds%s",
            s->n, s->row_count, plural(s->row_count), needed, needed == 1 ? "y" : "ies", some, s->n,
            *some ? " all" : " keep the multipliers");
  return status;
}

// As many speeds as coordinates keep all constraints, fewer ones replace those of velocities, or
// all.
static Status choose_rows(Context *cx, const System *s, const StatedList *list, Speeds *out) {
  uint32_t of_velocities = 0;
  for (uint32_t k = 0; k < s->row_count; k++) of_velocities += s->rows[k].is_nonholonomic;
  bool all = list->n + s->row_count == s->n, none = list->n == s->n;
  bool velocities = list->n + of_velocities == s->n;
  if (!all && !none && !velocities) return wrong_count(cx, s, list, of_velocities);
  out->is_replaced = arena_array(&cx->keep, bool, s->row_count + 1);
  for (uint32_t k = 0; k < s->row_count; k++) {
    out->is_replaced[k] = !none && (all || s->rows[k].is_nonholonomic);
    out->replaced += out->is_replaced[k];
  }
  return QDOT_OK;
}

static Status fill_factors(Context *cx, const System *s, const StatedList *list, Speeds *out) {
  uint32_t n = s->n, row = list->n;
  Expr *Y = arena_array(&cx->keep, Expr, (size_t)n * n + 1),
       *y = arena_array(&cx->keep, Expr, n + 1);
  for (uint32_t r = 0; r < list->n; r++) {
    Status status = find_factors(cx, s, &list->at[r], Y + (size_t)r * n, &y[r]);
    if (status != QDOT_OK) return status;
  }
  for (uint32_t k = 0; k < s->row_count; k++) {
    if (!out->is_replaced[k]) continue;
    for (uint32_t i = 0; i < n; i++) Y[row * n + i] = s->rows[k].phi_q[i];
    y[row++] = s->rows[k].phi_t;
  }
  out->Y = Y, out->y = y;
  return QDOT_OK;
}

// ---- Velocities and accelerations

static void list_speeds(Context *cx, const StatedList *list, Speeds *out) {
  Expr *u = arena_array(&cx->keep, Expr, list->n + 1),
       *ud = arena_array(&cx->keep, Expr, list->n + 1);
  Expr *meaning = arena_array(&cx->keep, Expr, list->n + 1);
  for (uint32_t r = 0; r < list->n; r++)
    u[r] = list->at[r].u, ud[r] = list->at[r].ud, meaning[r] = list->at[r].meaning;
  out->u = u, out->ud = ud, out->meaning = meaning, out->count = list->n;
}

static Status are_dependent(Context *cx, const StatedList *list, Expr relation) {
  Expr shown = expr_simplify(cx, relation, SIMPLIFY_NORMAL);
  if (op_of(cx, shown) != OP_SUM && expr_leading_sign(cx, shown) < 0) shown = expr_neg(cx, shown);
  Status status = diag_error(cx, QDOT_BAD_MODEL, list->at[list->n - 1].span,
                             "the velocities do not follow from the speeds: %s = 0",
                             expr_text(cx, &cx->keep, shown));
  diag_note(cx, "state speeds that depend neither on each other nor on the constraints");
  return status;
}

static const Expr *left_sides(Context *cx, const Speeds *sp) {
  Expr *left = arena_array(&cx->scratch, Expr, sp->n + 1);
  for (uint32_t i = 0; i < sp->n; i++) left[i] = i < sp->count ? sp->u[i] : expr_int(cx, 0);
  return left;
}

// ---- Rows of replaced constraints, their sum and difference where these are shorter

static double row_cost(Context *cx, const Expr *row, uint32_t n) {
  double sum = 0;
  for (uint32_t i = 0; i < n; i++) sum += expr_cost_with_definitions(cx, row[i]);
  return sum;
}

static void combine_rows(Context *cx, Expr *a, Expr *b, uint32_t n) {
  Mark mark = arena_mark(&cx->scratch);
  Expr *sum = arena_array(&cx->scratch, Expr, n), *rest = arena_array(&cx->scratch, Expr, n);
  for (uint32_t i = 0; i < n; i++)
    sum[i] = expr_add(cx, a[i], b[i]), rest[i] = expr_sub(cx, a[i], b[i]);
  expr_simplify_many(cx, sum, n, SIMPLIFY_NORMAL, sum);
  expr_simplify_many(cx, rest, n, SIMPLIFY_NORMAL, rest);
  bool is_shorter =
      row_cost(cx, sum, n) + row_cost(cx, rest, n) < row_cost(cx, a, n) + row_cost(cx, b, n);
  for (uint32_t i = 0; is_shorter && i < n; i++) a[i] = sum[i], b[i] = rest[i];
  arena_release(&cx->scratch, mark);
}

// Y and y by rows (n + 1), of the speeds and then of these: where the left sides of the latter are
// 0 the same velocities solve both.
static void shorten_rows(Context *cx, const Speeds *sp, Expr *Y, Expr *y) {
  uint32_t n = sp->n, size = n + 1;
  Expr *rows = arena_array(&cx->scratch, Expr, (size_t)n * size + 1);
  for (uint32_t k = 0; k < n; k++) {
    for (uint32_t i = 0; i < n; i++) rows[k * size + i] = sp->Y[k * n + i];
    rows[k * size + n] = sp->y[k];
  }
  for (uint32_t k = sp->count; k < n; k++)
    for (uint32_t l = k + 1; l < n; l++) {
      bool is_readable =
          row_cost(cx, rows + k * size, size) + row_cost(cx, rows + l * size, size) <= LARGEST_COST;
      if (is_readable) combine_rows(cx, rows + k * size, rows + l * size, size);
    }
  for (uint32_t k = 0; k < n; k++) {
    for (uint32_t i = 0; i < n; i++) Y[k * n + i] = rows[k * size + i];
    y[k] = rows[k * size + n];
  }
}

// Kuhn's matching: a row for each unknown that stands in it, so that unknowns which do not hang
// together are solved apart.
static bool find_row(Context *cx, const Speeds *sp, uint32_t row, bool *tried, int *row_of) {
  for (uint32_t i = 0; i < sp->n; i++) {
    if (tried[i] || expr_is_zero(cx, sp->Y[row * sp->n + i])) continue;
    tried[i] = true;
    if (row_of[i] >= 0 && !find_row(cx, sp, (uint32_t)row_of[i], tried, row_of)) continue;
    row_of[i] = (int)row;
    return true;
  }
  return false;
}

// Rows in their order where there is no such matching.
static int *match_rows(Context *cx, const Speeds *sp) {
  int *row_of = arena_array(&cx->scratch, int, sp->n + 1);
  bool *tried = arena_array(&cx->scratch, bool, sp->n + 1), all = true;
  for (uint32_t i = 0; i < sp->n; i++) row_of[i] = -1;
  for (uint32_t row = 0; row < sp->n; row++) {
    for (uint32_t i = 0; i < sp->n; i++) tried[i] = false;
    all = all && find_row(cx, sp, row, tried, row_of);
  }
  for (uint32_t i = 0; !all && i < sp->n; i++) row_of[i] = (int)i;
  return row_of;
}

static bool solve_for(Context *cx, const Speeds *sp, const Expr *left, Expr *velocity, Expr *below,
                      Expr *relation) {
  uint32_t n = sp->n;
  Expr *w = arena_array(&cx->scratch, Expr, n + 1);
  Expr *Y = arena_array(&cx->scratch, Expr, (size_t)n * n + 1);
  const int *row_of = match_rows(cx, sp);
  for (uint32_t i = 0; i < n; i++) {
    uint32_t row = (uint32_t)row_of[i];
    w[i] = expr_sub(cx, left[row], sp->y[row]);
    for (uint32_t k = 0; k < n; k++) Y[i * n + k] = sp->Y[row * n + k];
  }
  if (solve_linear(cx, Y, w, n, velocity, below, relation)) return true;
  // the relation between them in the order in which they are stated
  for (uint32_t i = 0; i < n; i++) w[i] = expr_sub(cx, left[i], sp->y[i]);
  return solve_linear(cx, sp->Y, w, n, velocity, below, relation);
}

// ---- Velocities as short as they can be had, since all equations contain them

// sin 2x = 2 sin x cos x, cos 2x = 2 cos^2 x - 1.
static Rewrite halve_angles(Context *cx, Expr e, void *unused) {
  (void)unused;
  Op op = op_of(cx, e);
  if (op != OP_SIN && op != OP_COS) return (Rewrite){REWRITE_INSIDE, 0};
  Expr angle = expr_child(cx, e, 0), half = expr_scale(cx, NUMBER_HALF, angle);
  if (expr_coefficient(cx, angle) != number_ratio(cx, 2, 1)) return (Rewrite){REWRITE_INSIDE, 0};
  Expr sine = expr_sin(cx, half), cosine = expr_cos(cx, half), two = expr_int(cx, 2);
  if (op == OP_SIN) return (Rewrite){REWRITE_TO, expr_mul3(cx, two, sine, cosine)};
  Expr square = expr_mul(cx, two, expr_square(cx, cosine));
  return (Rewrite){REWRITE_TO, expr_sub(cx, square, expr_int(cx, 1))};
}

static Expr with_halved_angles(Context *cx, Expr e) {
  Expr out;
  expr_rewrite(cx, &e, 1, halve_angles, NULL, &out);
  return expr_expand(cx, out, EXPANSION);
}

static void shorten_velocities(Context *cx, const System *s, Speeds *sp) {
  for (uint32_t i = 0; i < sp->n; i++) {
    Expr parts[] = {expr_mul(cx, sp->velocity[i], sp->below[i]), sp->below[i]}, ratio;
    double cost =
        expr_cost_with_definitions(cx, parts[0]) + expr_cost_with_definitions(cx, parts[1]);
    if (cost > LARGEST_COST) continue;
    speeds_simplify_values(cx, sp, s, SIMPLIFY_NORMAL, parts, 2);
    ratio = expr_div(cx, parts[0], parts[1]);
    keep_cheaper(cx, &sp->velocity[i], &ratio, 1);
    Expr top = with_halved_angles(cx, parts[0]);
    ratio = expr_div(cx, top, with_halved_angles(cx, parts[1]));
    keep_cheaper(cx, &sp->velocity[i], &ratio, 1);
  }
}

void speeds_solve(Context *cx, const Speeds *sp, const Expr *left, Expr *velocity) {
  Mark mark = arena_mark(&cx->scratch);
  Expr *below = arena_array(&cx->scratch, Expr, sp->n + 1), relation;
  bool is_regular = solve_for(cx, sp, left, velocity, below, &relation);
  assert(is_regular);
  (void)is_regular;
  arena_release(&cx->scratch, mark);
}

static void find_accelerations(Context *cx, const System *s, Speeds *sp) {
  Substitution *list = arena_array(&cx->scratch, Substitution, s->n + 1);
  sp->acceleration = arena_array(&cx->keep, Expr, s->n + 1);
  for (uint32_t i = 0; i < s->n; i++) {
    list[i] = (Substitution){s->qd[i], sp->velocity[i]};
    Expr rate = expr_time_derivative(cx, sp->velocity[i]);
    sp->acceleration[i] = system_open_rates(cx, s, rate);
  }
  expr_subst_many(cx, sp->acceleration, s->n, list, s->n, sp->acceleration);
}

static Status derive(Context *cx, const System *s, Speeds *out) {
  Speeds sp = {.n = s->n};
  StatedList list = stated_by(s->model);
  sp.is_stated = list.n > 0;
  if (!sp.is_stated) list = chosen_velocities(cx, s);
  Status status = choose_rows(cx, s, &list, &sp);
  if (status == QDOT_OK) status = fill_factors(cx, s, &list, &sp);
  if (status != QDOT_OK) return status;
  list_speeds(cx, &list, &sp);
  sp.velocity = arena_array(&cx->keep, Expr, s->n + 1);
  sp.below = arena_array(&cx->keep, Expr, s->n + 1);
  Expr relation;
  Speeds shorter = sp;
  Expr *Y = arena_array(&cx->scratch, Expr, (size_t)s->n * s->n + 1);
  Expr *y = arena_array(&cx->scratch, Expr, s->n + 1);
  shorten_rows(cx, &sp, Y, y);
  shorter.Y = Y, shorter.y = y;
  if (!solve_for(cx, &shorter, left_sides(cx, &sp), sp.velocity, sp.below, &relation))
    return are_dependent(cx, &list, relation);
  if (sp.replaced) shorten_velocities(cx, s, &sp);
  sp.partial = arena_array(&cx->keep, Expr, (size_t)s->n * sp.count + 1);
  expr_jacobian(cx, sp.velocity, s->n, sp.u, sp.count, sp.partial);
  find_accelerations(cx, s, &sp);
  *out = sp;
  return QDOT_OK;
}

Status speeds_derive(Context *cx, const System *s, Speeds *out) {
  Mark mark = arena_mark(&cx->scratch);
  Status status = derive(cx, s, out);
  arena_release(&cx->scratch, mark);
  return status;
}

Status speeds_check(Context *cx, const System *s) {
  Speeds unused;
  Mark mark = arena_mark(&cx->scratch);
  bool is_stated = stated_by(s->model).n > 0;
  arena_release(&cx->scratch, mark);
  return is_stated ? speeds_derive(cx, s, &unused) : QDOT_OK;
}

// ---- For the roads

void speeds_insert(Context *cx, const Speeds *sp, const System *s, const Expr *in, uint32_t count,
                   Expr *out) {
  Mark mark = arena_mark(&cx->scratch);
  Substitution *list = arena_array(&cx->scratch, Substitution, 2 * s->n + 1);
  for (uint32_t i = 0; i < s->n; i++) {
    list[2 * i] = (Substitution){s->qd[i], sp->velocity[i]};
    list[2 * i + 1] = (Substitution){s->qdd[i], sp->acceleration[i]};
  }
  expr_subst_many(cx, in, count, list, 2 * s->n, out);
  arena_release(&cx->scratch, mark);
}

void speeds_simplify_values(Context *cx, const Speeds *sp, const System *s, SimplifyLevel level,
                            Expr *at, uint32_t count) {
  StandIn pairs[] = {{sp->u, s->qd, sp->count}, {sp->ud, s->qdd, sp->count}};
  for (uint32_t i = 0; i < count; i++)
    if (expr_cost_with_definitions(cx, at[i]) <= LARGEST_COST)
      simplify_with_stand_ins(cx, pairs, 2, level, at + i, 1);
}

void speeds_simplify(Context *cx, const System *s, SimplifyLevel level, Speeds *sp) {
  expr_simplify_many(cx, sp->meaning, sp->count, level, sp->meaning);
  speeds_simplify_values(cx, sp, s, level, sp->velocity, sp->n);
  speeds_simplify_values(cx, sp, s, level, sp->partial, sp->n * sp->count);
}
