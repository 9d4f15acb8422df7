// Newmark's method: q and qd from qdd by beta and gamma, equilibrium at the end of the step.
#include <math.h>
#include <string.h>

#include "solve/algebra/dense.h"
#include "solve/algebra/linear.h"
#include "solve/algebra/newton.h"
#include "solve/fixed.h"

typedef struct Newmark {
  Stepper *stepper;
  Newton newton;
  Linear linear;
  Hermite ends;
  double *K, *C;
  double *q_start, *v_start; // what beta and gamma times qdd are added to
  double *y_new, *room;
  double t, h, factored_h;
} Newmark;

extern const Method method_newmark;

static void state_from_acceleration(Newmark *w, const double *a) {
  int n = w->stepper->n;
  const MethodOptions *o = &w->stepper->options;
  for (int i = 0; i < n; i++) {
    w->y_new[i] = w->q_start[i] + o->beta * w->h * w->h * a[i];
    w->y_new[n + i] = w->v_start[i] + o->gamma * w->h * a[i];
  }
}

static Status newmark_residual(void *user, const double *a, double *r) {
  Newmark *w = user;
  Stepper *s = w->stepper;
  state_from_acceleration(w, a);
  return dynamics_residual(&s->dynamics, w->t, w->y_new, w->y_new + s->n, a, NULL, r);
}

// The exact tangent M + gamma h C + beta h^2 K; M is left in dynamics by the residual.
static Status newmark_factor(void *user, const double *a) {
  Newmark *w = user;
  Stepper *s = w->stepper;
  const Problem *p = s->problem;
  const MethodOptions *o = &s->options;
  Status status = p->tangent(p->user, w->t, w->y_new, w->y_new + s->n, a, NULL, w->K, w->C);
  if (status != QDOT_OK) return status;
  for (int i = 0; i < s->n * s->n; i++)
    w->linear.A[i] = s->dynamics.M[i] + o->gamma * w->h * w->C[i] + o->beta * w->h * w->h * w->K[i];
  w->factored_h = w->h;
  return linear_factor(&w->linear);
}

static void newmark_solve(void *user, double *b) { linear_solve(&((Newmark *)user)->linear, b); }

// Changes are measured by what they do to q and qd.
static double newmark_size(void *user, const double *da, const double *a) {
  Newmark *w = user;
  Stepper *s = w->stepper;
  (void)a;
  int n = s->n;
  return stepper_share(s, w->h * w->h * dense_norm(n, da), w->y_new, w->y_new + n, w->h);
}

static Status newmark_open(Stepper *s) {
  Newmark *w = arena_new(s->arena, Newmark);
  s->work = w;
  w->stepper = s;
  linear_open(&w->linear, s->arena, s->n);
  hermite_open(&w->ends, s);
  w->K = arena_array(s->arena, double, (size_t)s->n * s->n);
  w->C = arena_array(s->arena, double, (size_t)s->n * s->n);
  w->q_start = stepper_array(s);
  w->v_start = stepper_array(s);
  w->y_new = stepper_array(s);
  w->room = stepper_array(s);
  w->newton = (Newton){.user = w,
                       .n = s->n,
                       .residual = newmark_residual,
                       .factor = newmark_factor,
                       .solve = newmark_solve,
                       .size = newmark_size,
                       .tolerance = 1e-13,
                       .most_rounds = 50,
                       .linear = s->problem->linear,
                       .r = stepper_array(s)};
  return QDOT_OK;
}

static Status newmark_start(Stepper *s) {
  Newmark *w = s->work;
  w->newton.factored = false;
  return dynamics_evaluate(&s->dynamics, s->t, s->y, s->y + s->n, w->ends.a, NULL, w->ends.rate);
}

static Status newmark_step(Stepper *s, double t_limit) {
  Newmark *w = s->work;
  const MethodOptions *o = &s->options;
  int n = s->n;
  w->t = grid_next(s->t, o->step, t_limit, &w->h);
  double h = w->h, *a_old = w->ends.a;
  if (h != w->factored_h) w->newton.factored = false;
  for (int i = 0; i < n; i++) {
    w->q_start[i] = s->y[i] + h * s->y[n + i] + h * h * (0.5 - o->beta) * a_old[i];
    w->v_start[i] = s->y[n + i] + h * (1 - o->gamma) * a_old[i];
  }
  hermite_advance(&w->ends);
  memcpy(w->ends.a, a_old, (size_t)n * sizeof *a_old);
  Status status = newton_solve(&w->newton, w->ends.a);
  if (status != QDOT_OK) return status;
  state_from_acceleration(w, w->ends.a);
  if (!(dense_norm(2 * n, w->y_new) < 1e150)) return QDOT_BLOW_UP;
  fixed_accept(s, w->t, &w->y_new);
  return hermite_quadratures(s, &w->ends, NULL, NULL, NULL, w->room);
}

static Status newmark_dense(Stepper *s, double t, double *y) {
  hermite_state(s, &((Newmark *)s->work)->ends, t, y);
  return QDOT_OK;
}

const Method method_newmark = {.name = "newmark",
                               .kind = METHOD_IMPLICIT,
                               .takes = {"beta", "gamma", "step"},
                               .refuses =
                                   1 << NEED_CONSTRAINTS | 1 << NEED_CONTACTS | 1 << NEED_STATES,
                               .order = 2,
                               .nodes = 3,
                               .fixed_step = true,
                               .open = newmark_open,
                               .start = newmark_start,
                               .step = newmark_step,
                               .dense = newmark_dense};
