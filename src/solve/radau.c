// Radau IIA of order 5 for stiff systems: Hairer and Wanner, Solving Ordinary Differential
// Equations II, IV.8. Z_i = y(t + c_i h) - y solves Z = h A F(t + c h, y + Z) by simplified Newton,
// which the eigenvectors T of A^-1 divide into one real and one complex system.

#include "solve/radau.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "solve/algebra/complex_lu.h"
#include "solve/explicit.h"
#include "solve/jacobian.h"

enum { STAGES = 3, MOST_ROUNDS = 7, SOME_TRIES = 3, MANY_TRIES = 8 };

#define ROOT_6 2.44948974278317809820

static const double at_stage[STAGES] = {(4 - ROOT_6) / 10, (4 + ROOT_6) / 10, 1};
static const double A[STAGES][STAGES] = {
    {(88 - 7 * ROOT_6) / 360, (296 - 169 * ROOT_6) / 1800, (-2 + 3 * ROOT_6) / 225},
    {(296 + 169 * ROOT_6) / 1800, (88 + 7 * ROOT_6) / 360, (-2 - 3 * ROOT_6) / 225},
    {(16 - ROOT_6) / 36, (16 + ROOT_6) / 36, 1.0 / 9}};
// Eigenvalues of A^-1, real and alpha +- i beta, and its eigenvectors.
static const double REAL = 3.6378342527444957, ALPHA = 2.6810828736277521,
                    BETA = 3.0504301992474105;
static const double T[STAGES][STAGES] = {
    {9.1232394870892942792e-02, -0.14125529502095420843, -3.0029194105147424492e-02},
    {0.24171793270710701896, 0.20412935229379993199, 0.38294211275726193779},
    {0.96604818261509293619, 1, 0}};
static const double T_INVERSE[STAGES][STAGES] = {
    {4.3255798900631553510, 0.33919925181580986954, 0.54177053993587487119},
    {-4.1787185915519047273, -0.32768282076106238708, 0.47662355450055045196},
    {-0.50287263494578687595, 2.5719269498556054292, -0.59603920482822492497}};
// Of the error estimate, whose embedded formula has order 3.
static const double ESTIMATE[STAGES] = {-(13 + 7 * ROOT_6) / 3, (-13 + 7 * ROOT_6) / 3, -1.0 / 3};

// Beyond this rate of convergence the Jacobian is computed anew; steps change by factors of LEAST
// to MOST, and those that would grow by less than KEEP stay as they are, with their factors.
static const double GOOD_RATE = 1e-3, BAD_RATE = 0.99, LEAST = 0.125, MOST = 5, KEEP = 1.2,
                    SAFETY = 0.9;
// An iteration whose changes no longer shrink has met rounding where they are within this part of
// the tolerance.
static const double ROUNDING = 0.05;

typedef struct Radau {
  Jacobian jacobian;
  double *J;              // acting x acting
  double *real, *re, *im; // J - REAL/h, J - (ALPHA + i BETA)/h, factored, signs changed
  int *pivot, *complex_pivot;
  double *Z[STAGES], *W[STAGES]; // Z = T W; behind the acting ones, of the quadratures
  double *F[STAGES];             // derivatives at the stages
  double *k, *y_new, *stage, *error, *room;
  double *
      c[STAGES]; // of the last step: y_old + ... = y + x (c0 + (x - c2 + 1) (c1 + (x - c1 + 1) c2))
  double factored_h, h_done, h_accepted, error_accepted;
  double rate, left; // of convergence; what it leaves behind a change, as a part of it
  bool has_jacobian, is_fresh, has_polynomial;
} Radau;

extern const Method method_radau;

static Status radau_open(Stepper *s) {
  Radau *w = arena_new(s->arena, Radau);
  s->work = w;
  size_t size = (size_t)s->acting;
  jacobian_open(&w->jacobian, s);
  double **squares[] = {&w->J, &w->real, &w->re, &w->im};
  for (size_t i = 0; i < 4; i++) *squares[i] = arena_array(s->arena, double, size *size);
  w->pivot = arena_array(s->arena, int, size);
  w->complex_pivot = arena_array(s->arena, int, size);
  double **vectors[] = {&w->k, &w->y_new, &w->stage, &w->error, &w->room};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) *vectors[i] = stepper_array(s);
  for (int i = 0; i < STAGES; i++) {
    double **arrays[] = {&w->Z[i], &w->W[i], &w->F[i], &w->c[i]};
    for (size_t k = 0; k < 4; k++) *arrays[k] = stepper_array(s);
  }
  return QDOT_OK;
}

static Status radau_go_on(Stepper *s) {
  Radau *w = s->work;
  w->has_jacobian = w->has_polynomial = false;
  w->factored_h = w->h_accepted = 0;
  w->left = 1;
  return stepper_derivative(s, s->t, s->y, w->k);
}

static Status radau_start(Stepper *s) {
  Radau *w = s->work;
  Status status = radau_go_on(s);
  return status == QDOT_OK ? first_step(s, 3, w->k, w->stage, w->error, &s->h) : status;
}

// ---- The iteration

static Status factor(Stepper *s, double h) {
  Radau *w = s->work;
  int size = s->acting;
  for (size_t i = 0; i < (size_t)size * (size_t)size; i++) {
    w->real[i] = w->re[i] = -w->J[i];
    w->im[i] = 0;
  }
  for (int i = 0; i < size; i++) {
    size_t ii = (size_t)i * (size_t)size + (size_t)i;
    w->real[ii] += REAL / h;
    w->re[ii] += ALPHA / h;
    w->im[ii] += BETA / h;
  }
  if (!(dense_lu(size, w->real, w->pivot) > 0)) return QDOT_SINGULAR;
  if (!(complex_lu(size, w->re, w->im, w->complex_pivot) > 0)) return QDOT_SINGULAR;
  w->factored_h = h;
  return QDOT_OK;
}

// The polynomial of the last step, continued, is where the iteration begins.
static void predict(Stepper *s, double h) {
  Radau *w = s->work;
  for (int i = 0; i < STAGES; i++) {
    double x = w->has_polynomial ? at_stage[i] * h / w->h_done : 0;
    for (int k = 0; k < s->acting; k++)
      w->Z[i][k] = x * (w->c[0][k] +
                        (x + 1 - at_stage[1]) * (w->c[1][k] + (x + 1 - at_stage[0]) * w->c[2][k]));
  }
  for (int i = 0; i < STAGES; i++)
    for (int k = 0; k < s->acting; k++)
      w->W[i][k] = T_INVERSE[i][0] * w->Z[0][k] + T_INVERSE[i][1] * w->Z[1][k] +
                   T_INVERSE[i][2] * w->Z[2][k];
}

static Status stage_derivatives(Stepper *s, double h) {
  Radau *w = s->work;
  Status status = QDOT_OK;
  memcpy(w->stage, s->y, (size_t)s->padded * sizeof *w->stage);
  for (int i = 0; i < STAGES && status == QDOT_OK; i++) {
    for (int k = 0; k < s->acting; k++) w->stage[k] = s->y[k] + w->Z[i][k];
    status = stepper_derivative(s, s->t + at_stage[i] * h, w->stage, w->F[i]);
  }
  return status;
}

// One round: W changes by the solutions of both systems, whose norm is returned.
static double improve(Stepper *s, double h) {
  Radau *w = s->work;
  int size = s->acting;
  double *d[STAGES] = {w->error, w->room, w->y_new}, sum = 0;
  for (int k = 0; k < size; k++) {
    double *a[STAGES] = {&d[0][k], &d[1][k], &d[2][k]};
    for (int i = 0; i < STAGES; i++)
      *a[i] = T_INVERSE[i][0] * w->F[0][k] + T_INVERSE[i][1] * w->F[1][k] +
              T_INVERSE[i][2] * w->F[2][k];
    *a[0] -= REAL / h * w->W[0][k];
    *a[1] -= ALPHA / h * w->W[1][k] - BETA / h * w->W[2][k];
    *a[2] -= ALPHA / h * w->W[2][k] + BETA / h * w->W[1][k];
  }
  dense_lu_solve(size, w->real, w->pivot, d[0]);
  complex_lu_solve(size, w->re, w->im, w->complex_pivot, d[1], d[2]);
  for (int i = 0; i < STAGES; i++) {
    for (int k = size; k < s->padded; k++) d[i][k] = 0;
    double norm = error_norm(s, d[i], s->y, s->y);
    sum += norm * norm;
    for (int k = 0; k < size; k++) w->W[i][k] += d[i][k];
  }
  for (int i = 0; i < STAGES; i++)
    for (int k = 0; k < size; k++)
      w->Z[i][k] = T[i][0] * w->W[0][k] + T[i][1] * w->W[1][k] + T[i][2] * w->W[2][k];
  return sqrt(sum / STAGES);
}

// Z to within a small part of the tolerance. QDOT_NO_CONVERGENCE with the factor by which a shorter
// step may do; rounds tells how many were needed.
static Status iterate(Stepper *s, double h, int *rounds, double *factor_h) {
  Radau *w = s->work;
  double rtol = s->options.rtol, enough = fmax(10 * DBL_EPSILON / rtol, fmin(0.03, sqrt(rtol)));
  double before = 0, rate_before = 0;
  w->left = sqrt(fmax(w->left, DBL_EPSILON));
  w->rate = GOOD_RATE;
  *factor_h = 0.5;
  predict(s, h);
  for (int round = 1; round <= MOST_ROUNDS; round++) {
    Status status = stage_derivatives(s, h);
    if (status != QDOT_OK) return status;
    double change = improve(s, h);
    *rounds = round;
    if (!isfinite(change)) return QDOT_UNDEFINED;
    if (round > 1) {
      double rate = change / before;
      if (change <= ROUNDING && rate > 0.5) return QDOT_OK;
      w->rate = round == 2 ? rate : sqrt(rate * rate_before);
      rate_before = rate;
      if (w->rate >= BAD_RATE) return QDOT_NO_CONVERGENCE;
      w->left = w->rate / (1 - w->rate);
      double expected = w->left * change / enough;
      for (int more = round; more < MOST_ROUNDS - 1; more++) expected *= w->rate;
      if (round < MOST_ROUNDS && expected >= 1) {
        *factor_h = 0.8 / sqrt(sqrt(sqrt(fmin(expected, 20))));
        return QDOT_NO_CONVERGENCE;
      }
    }
    before = fmax(change, DBL_EPSILON);
    if (w->left * change <= enough) return QDOT_OK;
  }
  return QDOT_NO_CONVERGENCE;
}

// ---- The step

// Works of forces and the like, by the same formula.
static void add_quadratures(Stepper *s, double h) {
  Radau *w = s->work;
  for (int k = s->acting; k < s->size; k++)
    for (int i = 0; i < STAGES; i++)
      w->Z[i][k] = h * (A[i][0] * w->F[0][k] + A[i][1] * w->F[1][k] + A[i][2] * w->F[2][k]);
}

static void filter(Stepper *s, double h) {
  Radau *w = s->work;
  dense_lu_solve(s->acting, w->real, w->pivot, w->error);
  for (int k = s->acting; k < s->padded; k++) w->error[k] *= k < s->size ? h / REAL : 0;
}

// (REAL/h - J)^-1 (F(t, y) + sum e_i Z_i / h); where that is too large after a start or a
// rejection, once more with F behind it, which damps what is stiff.
static Status estimate(Stepper *s, double h, bool again, double *error) {
  Radau *w = s->work;
  double *sum = w->room;
  for (int k = 0; k < s->padded; k++) {
    sum[k] = 0;
    for (int i = 0; i < STAGES && k < s->size; i++) sum[k] += ESTIMATE[i] / h * w->Z[i][k];
    w->error[k] = sum[k] + (k < s->size ? w->k[k] : 0);
  }
  filter(s, h);
  *error = error_norm(s, w->error, s->y, w->y_new);
  if (!(*error >= 1) || !again) return QDOT_OK;
  for (int k = 0; k < s->padded; k++) w->stage[k] = s->y[k] + (k < s->acting ? w->error[k] : 0);
  Status status = stepper_derivative(s, s->t, w->stage, w->error);
  for (int k = 0; k < s->padded; k++) w->error[k] = k < s->size ? w->error[k] + sum[k] : 0;
  filter(s, h);
  *error = error_norm(s, w->error, s->y, w->y_new);
  return status;
}

// Its Z, with the changes of the projection, as a polynomial around the end of the step.
static void keep_polynomial(Stepper *s, double h) {
  Radau *w = s->work;
  double c1 = at_stage[0], c2 = at_stage[1];
  for (int k = 0; k < s->size; k++) {
    double z1 = w->Z[0][k], z2 = w->Z[1][k], z3 = w->y_new[k] - s->y[k];
    double slope = (z1 - z2) / (c1 - c2), last = (z2 - z3) / (c2 - 1);
    w->c[0][k] = last;
    w->c[1][k] = (slope - last) / (c1 - 1);
    w->c[2][k] = w->c[1][k] - (slope - z1 / c1) / c2;
  }
  w->h_done = h;
  w->has_polynomial = true;
}

// By which factor the next step is shorter, by the error; and by that of the step before:
// Gustafsson.
static double shorter(Radau *w, double h, double error, int rounds) {
  double safety = fmin(SAFETY, SAFETY * (1 + 2 * MOST_ROUNDS) / (rounds + 2 * MOST_ROUNDS));
  double factor = fmin(fmax(sqrt(sqrt(error)) / safety, 1 / MOST), 1 / LEAST);
  if (error >= 1) return factor;
  if (w->h_accepted > 0) {
    double predicted = w->h_accepted / h * sqrt(sqrt(error * error / w->error_accepted)) / SAFETY;
    factor = fmax(factor, fmin(fmax(predicted, 1 / MOST), 1 / LEAST));
  }
  w->h_accepted = h;
  w->error_accepted = fmax(1e-2, error);
  return factor;
}

static Status arrive(Stepper *s, double t_new) {
  Radau *w = s->work;
  memcpy(w->y_new, s->y, (size_t)s->padded * sizeof *w->y_new);
  for (int k = 0; k < s->size; k++) w->y_new[k] += w->Z[STAGES - 1][k];
  return s->problem->m > 0 ? stepper_stabilize(s, t_new, w->y_new) : QDOT_OK;
}

static void exchange(double **a, double **b) {
  double *kept = *a;
  *a = *b;
  *b = kept;
}

// The step is good. The derivative at its end begins the next one.
static Status take_over(Stepper *s, double h, double t_new) {
  Radau *w = s->work;
  Status status = stepper_derivative(s, t_new, w->y_new, w->room);
  if (status != QDOT_OK) return status;
  keep_polynomial(s, h);
  exchange(&w->k, &w->room);
  exchange(&s->y_old, &s->y);
  exchange(&s->y, &w->y_new);
  s->t_old = s->t;
  s->t = t_new;
  s->steps++;
  w->is_fresh = false;
  return QDOT_OK;
}

static Status prepare(Stepper *s, double h) {
  Radau *w = s->work;
  Status status = QDOT_OK;
  if (!w->has_jacobian) {
    status = jacobian_compute(&w->jacobian, s->t, s->y, w->J);
    w->has_jacobian = w->is_fresh = status == QDOT_OK;
    w->factored_h = 0;
  }
  return status == QDOT_OK && w->factored_h != h ? factor(s, h) : status;
}

static Status radau_step(Stepper *s, double t_limit) {
  Radau *w = s->work;
  stepper_weigh_work(s);
  if (w->h_accepted == 0) s->h = fmax(s->h, step_least(s));
  double h_first = s->h;
  int given = 0; // sizes, to what has none
  for (int tries = 1;; tries++) {
    bool last;
    double wanted = s->h, h = limited_step(s->t, wanted, t_limit, &last), error = NAN, change = 0.5;
    if (step_is_too_small(s, h) && !last) return step_failure(s, QDOT_OK, h);
    if (dynamics_is_stopped(&s->dynamics)) return QDOT_STOPPED;
    double t_new = last ? t_limit : s->t + h;
    int rounds = 0;
    Status status = prepare(s, h);
    if (status == QDOT_OK) status = iterate(s, h, &rounds, &change);
    bool is_good = status == QDOT_OK;
    if (is_good) {
      add_quadratures(s, h);
      status = arrive(s, t_new);
      if (status == QDOT_OK) status = estimate(s, h, tries > 1 || w->h_accepted == 0, &error);
      if (status == QDOT_OK && isfinite(error)) {
        change = 1 / shorter(w, h, error, rounds);
        if (error < 1) status = take_over(s, h, t_new);
        if (error < 1 && status == QDOT_OK) {
          bool stays = change >= 1 && change <= KEEP && w->rate <= GOOD_RATE && h == wanted;
          s->h = stays ? h : h < wanted ? fmax(h * change, wanted) : h * change;
          w->has_jacobian = w->rate <= GOOD_RATE;
          return QDOT_OK;
        }
      }
    }
    if (status == QDOT_STOPPED) return status;
    s->rejected++;
    s->h = h * fmin(change, 0.9);
    // an old Jacobian may be to blame: the same size once more
    if (!is_good && status == QDOT_NO_CONVERGENCE && !w->is_fresh) s->h = h;
    if (!is_good && !w->is_fresh) w->has_jacobian = false;
    if (tries % MANY_TRIES == 0 || (tries == 1 && stepper_has_noise(s))) stepper_learn_noise(s);
    static const double first_sizes[] = {1e-12, 1e-9, 1e-6};
    bool fails = step_is_too_small(s, s->h);
    if ((tries % SOME_TRIES == 0 || fails) && given < 3 &&
        stepper_give_size(s, first_sizes[given++])) {
      s->h = fmax(h_first, step_least(s));
      fails = step_is_too_small(s, s->h);
    }
    if (fails) return step_failure(s, status, s->h);
  }
}

static Status radau_dense(Stepper *s, double t, double *y) {
  Radau *w = s->work;
  double x = (t - s->t) / w->h_done;
  for (int k = 0; k < s->size; k++)
    y[k] = s->y[k] + x * (w->c[0][k] + (x + 1 - at_stage[1]) *
                                           (w->c[1][k] + (x + 1 - at_stage[0]) * w->c[2][k]));
  return QDOT_OK;
}

// By the power method on the last Jacobian; the growth of nine rounds but the first, as vectors of
// pairs of eigenvalues turn.
double radau_fastest(const Stepper *s) {
  enum { ROUNDS = 8 };
  const Radau *w = s->work;
  int size = s->acting;
  double *v = w->error, *Jv = w->room, growth = 1;
  for (int k = 0; k < s->padded; k++) {
    double allowed = s->floor[k];
    v[k] = k < size && allowed > 0 ? allowed * (1 + 0.3 * (k % 3)) : 0;
    Jv[k] = 0;
  }
  for (int round = 0; round <= ROUNDS; round++) {
    dense_multiply(size, size, w->J, v, Jv);
    double after = error_norm(s, Jv, s->y, s->y);
    if (!(after > 0) || !isfinite(after)) return 0;
    if (round > 0) growth *= after;
    for (int k = 0; k < size; k++) v[k] = Jv[k] / after;
  }
  return sqrt(sqrt(sqrt(growth)));
}

const Method method_radau = {.name = "radau",
                             .others = {"radau5", "Radau"},
                             .kind = METHOD_IMPLICIT,
                             .takes = {"rtol", "atol"},
                             .order = 5,
                             .nodes = 5,
                             .open = radau_open,
                             .start = radau_start,
                             .go_on = radau_go_on,
                             .step = radau_step,
                             .dense = radau_dense};
