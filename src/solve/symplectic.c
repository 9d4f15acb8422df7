// Symplectic methods of order 2, 4, 6 and 8: the energy of long conservative motions does not
// drift.
//
// Where M is constant and forces do not depend on velocities, H separates: half a kick, a drift,
// half a kick (Stoermer, Verlet), composed symmetrically to the order asked for; work of forces is
// that of the kicks. Else Gauss's collocation with half as many stages. Sums keep what rounding
// cuts off. Coefficients: Suzuki (1990) for order 4, Kahan and Li (1997) for 6 and 8; see Hairer,
// Lubich, Wanner, Geometric Numerical Integration, V.3.2 and VIII.5.
#include <math.h>
#include <string.h>

#include "solve/algebra/dense.h"
#include "solve/fixed.h"
#include "solve/gauss.h"

enum { MOST_SUBSTEPS = 17 };

typedef struct Composition {
  int order, substeps;
  double half[MOST_SUBSTEPS / 2]; // the first ones; the middle one makes the sum 1
} Composition;

static const Composition compositions[] = {
    {2, 1, {0}},
    {4, 5, {0.41449077179437573714, 0.41449077179437573714}},
    {6,
     9,
     {0.39216144400731413928, 0.33259913678935943860, -0.70624617255763935981,
      0.08221359629355080023}},
    {8,
     17,
     {0.13020248308889008088, 0.56116298177510838456, -0.38947496264484728641,
      0.15884190655515560090, -0.39590389413323757734, 0.18453964097831570709,
      0.25837438768632204729, 0.29501172360931029887}}};

typedef struct Symplectic {
  int order, substeps;
  double part[MOST_SUBSTEPS]; // of a step, for each substep
  Gauss *gauss;               // where H does not separate
  double *y_new, *left, *left_new;
  double *a, *a_old, *v_middle, *rates;
  Hermite ends; // up to order 4
} Symplectic;

extern const Method method_symplectic;

static const Composition *composition_of(int order) {
  for (size_t i = 0; i < sizeof compositions / sizeof *compositions; i++)
    if (compositions[i].order == order) return &compositions[i];
  return &compositions[1];
}

static void fill_parts(Symplectic *w, const Composition *c) {
  int last = c->substeps - 1;
  double middle = 1;
  w->substeps = c->substeps;
  for (int i = 0; i < last / 2; i++) {
    w->part[i] = w->part[last - i] = c->half[i];
    middle -= 2 * c->half[i];
  }
  w->part[last / 2] = middle;
}

// ---- H that separates

// x += change, with what rounding left out of the changes before.
static void add_kept(double *x, double *left, double change) {
  double whole = change + *left, sum = *x + whole;
  *left = (*x - sum) + whole;
  *x = sum;
}

// Velocities change by a h at a fixed place, where forces do the work of the mean velocity.
static Status kick(Stepper *s, double t, double h, const double *a, double *y, double *left) {
  const Problem *p = s->problem;
  Symplectic *w = s->work;
  int n = s->n;
  if (p->quadratures > 0) {
    for (int i = 0; i < n; i++) w->v_middle[i] = y[n + i] + h / 2 * a[i];
    Status status = p->rates(p->user, t, y, w->v_middle, s->dynamics.lambda, w->rates);
    if (status != QDOT_OK) return status;
    for (int k = 0; k < p->quadratures; k++) y[2 * n + k] += h * w->rates[k];
  }
  for (int i = 0; i < n; i++) add_kept(&y[n + i], &left[n + i], h * a[i]);
  return QDOT_OK;
}

static Status accelerate(Stepper *s, double t, const double *y, double *a) {
  Symplectic *w = s->work;
  return dynamics_evaluate(&s->dynamics, t, y, y + s->n, a, NULL, w->rates);
}

// y goes a step h on from t; a: the accelerations there, which become those of its end.
static Status compose(Stepper *s, double t, double h, double *y, double *left, double *a) {
  const Symplectic *w = s->work;
  int n = s->n;
  double end = t + h;
  Status status = kick(s, t, w->part[0] * h / 2, a, y, left);
  for (int k = 0; status == QDOT_OK && k < w->substeps; k++) {
    double drift = w->part[k] * h, next = k + 1 < w->substeps ? w->part[k + 1] * h : 0;
    for (int i = 0; i < n; i++) add_kept(&y[i], &left[i], drift * y[n + i]);
    t = k + 1 < w->substeps ? t + drift : end;
    status = accelerate(s, t, y, a);
    if (status == QDOT_OK) status = kick(s, t, (drift + next) / 2, a, y, left);
  }
  return status;
}

static Status split_step(Stepper *s, double h) {
  Symplectic *w = s->work;
  size_t size = (size_t)s->padded * sizeof(double);
  memcpy(w->y_new, s->y, size);
  memcpy(w->left_new, w->left, size);
  memcpy(w->a_old, w->a, size);
  return compose(s, s->t, h, w->y_new, w->left_new, w->a);
}

// ---- The method

static Status symplectic_open(Stepper *s) {
  Symplectic *w = arena_new(s->arena, Symplectic);
  s->work = w;
  w->order = (int)s->options.order;
  fill_parts(w, composition_of(w->order));
  double **arrays[] = {&w->y_new, &w->left,     &w->left_new, &w->a,
                       &w->a_old, &w->v_middle, &w->rates};
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) *arrays[i] = stepper_array(s);
  if (!s->problem->separates) w->gauss = gauss_open(s, w->order / 2);
  hermite_open(&w->ends, s);
  return QDOT_OK;
}

static bool is_interpolated(const Symplectic *w) { return w->order <= 4; }

// What interpolation needs of the state at the end of a step.
static Status find_end(Stepper *s) {
  Symplectic *w = s->work;
  const Problem *p = s->problem;
  if (!is_interpolated(w)) return QDOT_OK;
  if (w->gauss)
    return dynamics_evaluate(&s->dynamics, s->t, s->y, s->y + s->n, w->ends.a, NULL, w->ends.rate);
  memcpy(w->ends.a, w->a, (size_t)s->n * sizeof(double));
  return p->quadratures > 0
             ? p->rates(p->user, s->t, s->y, s->y + s->n, s->dynamics.lambda, w->ends.rate)
             : QDOT_OK;
}

static Status symplectic_start(Stepper *s) {
  Symplectic *w = s->work;
  memset(w->left, 0, (size_t)s->padded * sizeof(double));
  Status status = w->gauss ? gauss_start(w->gauss) : accelerate(s, s->t, s->y, w->a);
  return status == QDOT_OK ? find_end(s) : status;
}

static Status symplectic_step(Stepper *s, double t_limit) {
  Symplectic *w = s->work;
  double h, next = grid_next(s->t, s->options.step, t_limit, &h);
  if (dynamics_is_stopped(&s->dynamics)) return QDOT_STOPPED;
  Status status = w->gauss ? gauss_step(w->gauss, h, w->y_new) : split_step(s, h);
  if (status != QDOT_OK) return status;
  if (!(dense_norm(2 * s->n, w->y_new) < STEPPER_GREATEST)) return QDOT_BLOW_UP;
  if (w->gauss) gauss_accept(w->gauss);
  double *left = w->left;
  w->left = w->left_new, w->left_new = left;
  fixed_accept(s, next, &w->y_new);
  hermite_advance(&w->ends);
  return find_end(s);
}

// Orders above that of interpolation are kept by a step to the time asked for.
static Status symplectic_dense(Stepper *s, double t, double *y) {
  Symplectic *w = s->work;
  if (is_interpolated(w) || s->t == s->t_old) {
    hermite_state(s, &w->ends, t, y);
    return QDOT_OK;
  }
  size_t size = (size_t)s->size * sizeof(double);
  if (t == s->t || t == s->t_old) {
    memcpy(y, t == s->t ? s->y : s->y_old, size);
    return QDOT_OK;
  }
  if (w->gauss) return gauss_part(w->gauss, t - s->t_old, y);
  memcpy(w->y_new, s->y_old, size);
  memset(w->left_new, 0, size);
  double *a = w->ends.a;
  memcpy(a, w->a_old, (size_t)s->n * sizeof(double));
  Status status = compose(s, s->t_old, t - s->t_old, w->y_new, w->left_new, a);
  memcpy(y, w->y_new, size);
  return status;
}

const Method method_symplectic = {.name = "symplectic",
                                  .others = {"leapfrog", "verlet", "yoshida", "gauss"},
                                  .kind = METHOD_OF_LAGRANGIAN,
                                  .takes = {"order", "step"},
                                  .refuses = 1 << NEED_CONTACTS | 1 << NEED_CONSTRAINTS |
                                             1 << NEED_STATES | 1 << NEED_NONHOLONOMIC,
                                  .order = 4,
                                  .nodes = 5,
                                  .fixed_step = true,
                                  .open = symplectic_open,
                                  .start = symplectic_start,
                                  .step = symplectic_step,
                                  .dense = symplectic_dense};
