// Series about the equilibrium, the period by quadrature, folds of the forced response.
#include "analyse/vibration/weakly.h"

#include <math.h>

#include "derive/vanishes.h"
#include "expr/algebra/simplify.h"
#include "expr/build.h"
#include "expr/diff.h"
#include "expr/subst.h"
#include "expr/value/eval.h"

#define SHIFT 0.12     // of the frequency by the largest amplitude that is drawn
#define MOST_ANGLE 2.0 // rad, of coordinates that are angles
enum { NODES = 400, FOLD_STEPS = 4000 };

typedef struct Series {
  Context *cx;
  const System *s;
  const double *values;
  double *at; // values with the state
  double q_e;
  Expr form;        // q_e in parameters, or 0
  Expr harmonic, W; // cos or sin of W t, or 0
  Expr restoring;   // g(q)
  Expr mass;
} Series;

// ---- Which force is a harmonic

static Expr slope_in_time(const Series *e, Expr argument) {
  Expr slope = expr_diff(e->cx, argument, e->s->t);
  return expr_has_kind(e->cx, slope, ~KIND_BIT(SYMBOL_PARAMETER)) ? 0 : slope;
}

// False where time acts in another way than by one sine or cosine.
static bool find_harmonic(Series *e, Expr force) {
  Context *cx = e->cx;
  if (!expr_depends(cx, force, e->s->t)) return true;
  ExprList all = expr_walk(cx, &force, 1, visit_all, NULL);
  for (uint32_t i = 0; i < all.n; i++) {
    Op op = op_of(cx, all.at[i]);
    if ((op != OP_SIN && op != OP_COS) || !expr_depends(cx, all.at[i], e->s->t)) continue;
    Expr W = slope_in_time(e, expr_child(cx, all.at[i], 0));
    if (e->harmonic || !W || expr_is_zero(cx, W)) return false;
    e->harmonic = all.at[i], e->W = W;
  }
  return e->harmonic != 0;
}

static Expr with(const Series *e, Expr of, Expr from, Expr to) {
  Substitution one = {from, to};
  return expr_subst(e->cx, of, &one, 1);
}

static Rewrite replace_rule(Context *cx, Expr e, void *argument) {
  const Substitution *one = argument;
  (void)cx;
  return e == one->from ? (Rewrite){REWRITE_TO, one->to} : (Rewrite){REWRITE_INSIDE, 0};
}

// The harmonic becomes a symbol: what force is with it, and by it.
static Expr without_harmonic(const Series *e, Expr force, Expr *by) {
  Context *cx = e->cx;
  *by = expr_int(cx, 0);
  if (!e->harmonic) return force;
  // no name of a model has a blank
  Expr stand_in = expr_symbol(cx, SYMBOL_PARAMETER, symbol_from_text(cx, "harmonic of t"));
  Substitution one = {e->harmonic, stand_in};
  Expr open;
  expr_rewrite(cx, &force, 1, replace_rule, &one, &open);
  *by = expr_diff(cx, open, stand_in);
  return with(e, open, stand_in, expr_int(cx, 0));
}

// ---- Series

static double value_at(const Series *e, Expr of, double q) {
  e->at[symbol_variable(e->cx, e->s->q[0])] = q;
  return expr_eval(e->cx, of, e->at);
}

// Derivatives 0 .. 3 of an expression, divided by their factorials, in parameters.
static void expand(const Series *e, Expr of, Expr *coefficient) {
  static const int factorial[] = {1, 1, 2, 6};
  for (int k = 0; k < 4; k++) {
    coefficient[k] = expr_scale(e->cx, number_ratio(e->cx, 1, factorial[k]), of);
    of = expr_diff(e->cx, of, e->s->q[0]);
  }
}

static Expr put(const Series *e, Expr of) {
  Expr at = e->form ? with(e, of, e->s->q[0], e->form) : of;
  return e->form ? expr_simplify(e->cx, at, SIMPLIFY_NORMAL) : at;
}

static Expr product(Context *cx, int top, int bottom, Expr a, Expr b, Expr c) {
  return expr_scale(cx, number_ratio(cx, top, bottom), expr_mul3(cx, a, b, c));
}

static void find_series(const Series *e, Weakly *w) {
  Context *cx = e->cx;
  Expr g[4], m[4], one = expr_int(cx, 1);
  expand(e, e->restoring, g);
  expand(e, e->mass, m);
  // b, c of s = u + b u^2 + c u^3
  Expr r_1 = expr_div(cx, m[1], m[0]), r_2 = expr_div(cx, m[2], m[0]);
  Expr b = product(cx, 1, 4, r_1, one, one);
  Expr c = product(cx, 1, 6, r_2, one, one);
  c = expr_sub(cx, c, product(cx, 1, 24, r_1, r_1, one));
  Expr k = expr_div(cx, g[1], m[0]), k_2 = expr_div(cx, g[2], m[0]), k_3 = expr_div(cx, g[3], m[0]);
  Expr alpha_2 = expr_sub(cx, k_2, product(cx, 3, 1, k, b, one));
  Expr bend = product(cx, 10, 1, k, b, b);
  bend = expr_sub(cx, bend, product(cx, 4, 1, k, c, one));
  Expr alpha_3 = expr_add(cx, expr_sub(cx, bend, product(cx, 4, 1, k_2, b, one)), k_3);
  Expr top = product(cx, 9, 1, alpha_3, k, one);
  top = expr_sub(cx, top, product(cx, 10, 1, alpha_2, alpha_2, one));
  Expr kappa = expr_div(cx, top, product(cx, 24, 1, k, k, one));
  w->square = put(e, k), w->alpha_2 = put(e, alpha_2), w->alpha_3 = put(e, alpha_3);
  w->kappa = put(e, kappa);
  double square = value_at(e, w->square, e->q_e);
  w->w_0 = square > 0 ? sqrt(square) : NAN;
  w->a_2 = value_at(e, w->alpha_2, e->q_e), w->a_3 = value_at(e, w->alpha_3, e->q_e);
  w->k = value_at(e, w->kappa, e->q_e);
  if (!e->form) w->square = w->alpha_2 = w->alpha_3 = w->kappa = 0;
}

// ---- The period, without series

// Where V is E again on the other side of the equilibrium; NAN where it is not.
static double other_turn(const Series *e, double E, double a) {
  double inner = e->q_e, outer = e->q_e - a;
  for (int i = 0; i < 60 && value_at(e, e->s->V, outer) < E; i++) inner = outer, outer -= 0.25 * a;
  if (!(value_at(e, e->s->V, outer) >= E)) return NAN;
  for (int i = 0; i < 200; i++) {
    double middle = (inner + outer) / 2;
    if (value_at(e, e->s->V, middle) < E)
      inner = middle;
    else
      outer = middle;
  }
  return (inner + outer) / 2;
}

// T = 2 integral of sqrt(m/(2 (E - V))) dq between the turns, with q = middle + half sin(phi). The
// amplitude is half of their distance.
static double frequency_of(const Series *e, double a, double *amplitude) {
  double high = e->q_e + a, E = value_at(e, e->s->V, high), low = other_turn(e, E, a), sum = 0;
  double middle = (low + high) / 2, half = (high - low) / 2;
  for (int i = 0; i < NODES; i++) {
    double phi = M_PI * ((i + 0.5) / NODES - 0.5), q = middle + half * sin(phi);
    double rest = E - value_at(e, e->s->V, q);
    sum += sqrt(value_at(e, e->mass, q) / (2 * rest)) * half * cos(phi);
  }
  *amplitude = half;
  return M_PI / (sum * M_PI / NODES);
}

static void compute_points(const Series *e, Weakly *w) {
  for (int i = 1; i <= WEAKLY_POINTS; i++) {
    double amplitude, frequency = frequency_of(e, w->most * i / WEAKLY_POINTS, &amplitude);
    if (!isfinite(frequency)) return;
    w->amplitude[w->count] = amplitude, w->frequency[w->count++] = frequency;
  }
}

// ---- The forced response

double weakly_detuning(const Weakly *w, double a) {
  double rest = w->f * w->f / (4 * w->w_0 * w->w_0 * a * a) - w->mu * w->mu;
  return rest >= 0 ? sqrt(rest) : NAN;
}

// Where a branch W(a) turns back: between them are three amplitudes.
static void find_jumps(Weakly *w) {
  for (int side = -1; side <= 1; side += 2) {
    double before = NAN, slope_before = 0;
    for (int i = 1; i < FOLD_STEPS; i++) {
      double a = w->peak * i / FOLD_STEPS;
      double W = w->w_0 * (1 + w->k * a * a) + side * weakly_detuning(w, a);
      double slope = W - before;
      if (isfinite(before) && slope_before * slope < 0 && w->jumps < 2)
        w->jump[w->jumps++] = before;
      if (isfinite(before)) slope_before = slope;
      before = W;
    }
  }
  if (w->jumps == 1) w->jump[w->jumps++] = w->backbone; // the peak itself is the other
}

static void find_response(const Series *e, Expr damping, Expr force, Weakly *w) {
  double m = value_at(e, e->mass, e->q_e);
  w->mu = value_at(e, damping, e->q_e) / (2 * m), w->f = fabs(value_at(e, force, e->q_e)) / m;
  if (!e->harmonic || !(w->mu > 0) || !(w->f > 0)) return;
  w->is_forced = true;
  w->frequency_given = value_at(e, e->W, e->q_e);
  w->peak = w->f / (2 * w->w_0 * w->mu);
  w->backbone = w->w_0 * (1 + w->k * w->peak * w->peak);
  find_jumps(w);
}

// ---- All of it

static bool is_one_coordinate(const System *s) {
  return s->n == 1 && s->row_count == 0 && s->contact_count == 0 && s->states == 0 && s->M;
}

static bool find(const Linearized *l, const double *values, Weakly *out) {
  const System *s = l->system;
  Context *cx = l->cx;
  *out = (Weakly){0};
  if (!is_one_coordinate(s) || !l->is_balanced || l->point->qd[0] != 0) return false;
  Series e = {.cx = cx, .s = s, .values = values, .q_e = l->point->q[0], .mass = s->M[0]};
  if (expr_has_kind(cx, e.mass, KIND_BIT(SYMBOL_TIME) | KIND_BIT(SYMBOL_VELOCITY)) ||
      expr_has_kind(cx, s->G[0], KIND_BIT(SYMBOL_TIME)) ||
      !vanishes(cx, expr_diff(cx, expr_sub(cx, s->energy, expr_add(cx, s->T, s->V)), s->qd[0])))
    return false;
  Expr by, still = with(&e, s->Q[0], s->qd[0], expr_int(cx, 0));
  if (!find_harmonic(&e, s->Q[0])) return false;
  Expr constant = without_harmonic(&e, still, &by);
  // other forces have no potential that the period could be found by
  if (!vanishes(cx, constant)) return false;
  e.restoring = s->G[0];
  e.at = arena_array(&cx->keep, double, cx->exprs->symbols.n + 8);
  for (uint32_t i = 0; i < s->model->parameters.n; i++) {
    uint32_t at = symbol_variable(cx, s->model->parameters.at[i].symbol);
    e.at[at] = values[at];
  }
  if (l->form.q && l->form.q[0] && l->form.names.n == 0) e.form = l->form.q[0];
  find_series(&e, out);
  if (!isfinite(out->w_0) || !isfinite(out->k) || fabs(out->k) < 1e-12) return false;
  bool is_angle = dimension_is_pure(s->model->coordinates.at[0].measure.dimension);
  out->most = sqrt(SHIFT / fabs(out->k));
  if (is_angle) out->most = fmin(out->most, MOST_ANGLE);
  Expr damping = expr_diff(cx, expr_sub(cx, s->D[0], s->Q[0]), s->qd[0]);
  damping = with(&e, damping, s->qd[0], expr_int(cx, 0));
  find_response(&e, damping, by, out);
  // the whole backbone of the forced response, where it is not far beyond the series
  if (out->is_forced) out->most = fmin(fmax(out->most, 1.1 * out->peak), 2 * out->most);
  compute_points(&e, out);
  return out->count > 0;
}

bool weakly_find(const Linearized *l, const double *values, Weakly *out) {
  Mark mark = arena_mark(&l->cx->scratch);
  bool is_found = find(l, values, out);
  arena_release(&l->cx->scratch, mark);
  return is_found;
}
