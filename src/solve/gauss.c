// Stages by Newton's method, then momenta and positions by sums that keep what rounding cuts off.
#include "solve/gauss.h"

#include <math.h>
#include <string.h>

#include "solve/algebra/dense.h"
#include "solve/algebra/linear.h"
#include "solve/algebra/newton.h"

// Of a change of the velocities that a round makes; beyond it rounding decides.
#define STAGE_TOLERANCE 1e-16
// Velocities below this part of the positions, a step, are rounding: of what rests.
#define REST 1e-9

// A state in positions and momenta: what is left out of both by rounding counts in the next step.
typedef struct Canonical {
  double *p, *q_left, *p_left;
} Canonical;

struct Gauss {
  Stepper *s;
  int n, stages;
  double c[GAUSS_MOST_STAGES], b[GAUSS_MOST_STAGES], a[GAUSS_MOST_STAGES][GAUSS_MOST_STAGES];
  Newton of_stages, of_end;
  Linear stage_factor, end_factor;
  double *V, *V_last; // velocities at the stages (stages x n), and those of the last step
  double *Q, *rate;   // positions there, L_q + F
  double *L_q, *L_v, *F, *room;
  double *L_vv, *L_vq, *by_q, *by_v;      // at each stage: slopes of L_v and of L_q + F
  double *H_qq, *H_qv, *H_vv, *F_q, *F_v; // room for the slopes at one state
  Canonical now, next, before;
  // the step at hand
  const double *y0;
  const Canonical *from;
  double t0, h, h_last, factored_h, *q_end, *p_end;
  double fastest; // norm of velocities so far
};

// ---- Nodes and weights

// Legendre's polynomial of this degree and its slope.
static double legendre(int degree, double x, double *slope) {
  double before = 1, value = x;
  for (int k = 2; k <= degree; k++) {
    double next = ((2 * k - 1) * x * value - (k - 1) * before) / k;
    before = value, value = next;
  }
  *slope = degree * (x * value - before) / (x * x - 1);
  return value;
}

static double lagrange_basis(const Gauss *g, int j, double x) {
  double product = 1;
  for (int k = 0; k < g->stages; k++)
    if (k != j) product *= (x - g->c[k]) / (g->c[j] - g->c[k]);
  return product;
}

// sin(a) to 2e-4 between -pi/2 and pi/2: from there Newton's iteration finds the node.
static double near_node(double a) {
  double s = a * a;
  return a * (1 - s / 6 * (1 - s / 20 * (1 - s / 42)));
}

static void find_nodes(Gauss *g) {
  int n = g->stages;
  for (int i = 0; i < n; i++) {
    double x = near_node(M_PI * ((i + 0.75) / (n + 0.5) - 0.5)), slope = 1;
    if (n == 1) x = 0;
    for (int round = 0; n > 1 && round < 8; round++) {
      double value = legendre(n, x, &slope);
      x -= value / slope;
    }
    if (n > 1) legendre(n, x, &slope);
    g->c[i] = (1 + x) / 2;
    g->b[i] = n > 1 ? 1 / ((1 - x * x) * slope * slope) : 1;
  }
  // the nodes integrate the basis exactly between 0 and c_i, too
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      g->a[i][j] = 0;
      for (int k = 0; k < n; k++)
        g->a[i][j] += g->c[i] * g->b[k] * lagrange_basis(g, j, g->c[i] * g->c[k]);
    }
}

// ---- The stages

static Status find_stages(Gauss *g, const double *V, double *r) {
  const Problem *p = g->s->problem;
  int n = g->n;
  if (dynamics_is_stopped(&g->s->dynamics)) return QDOT_STOPPED;
  for (int i = 0; i < g->stages; i++) {
    double *q = g->Q + i * n, *rate = g->rate + i * n;
    dense_copy(n, g->y0, q);
    for (int j = 0; j < g->stages; j++) dense_add(n, g->h * g->a[i][j], V + j * n, q);
    Status status =
        p->gradient(p->user, g->t0 + g->c[i] * g->h, q, V + i * n, g->L_q, r + i * n, g->F);
    if (status != QDOT_OK) return status;
    for (int k = 0; k < n; k++) rate[k] = g->L_q[k] + g->F[k];
    g->s->dynamics.evaluations++;
  }
  return QDOT_OK;
}

// L_v(Q_i, V_i) - p_0 - h sum_j a_ij (L_q + F)_j
static Status stage_residual(void *user, const double *V, double *r) {
  Gauss *g = user;
  int n = g->n;
  Status status = find_stages(g, V, r);
  for (int i = 0; status == QDOT_OK && i < g->stages; i++) {
    dense_add(n, -1, g->from->p, r + i * n);
    for (int j = 0; j < g->stages; j++)
      dense_add(n, -g->h * g->a[i][j], g->rate + j * n, r + i * n);
  }
  return status;
}

static Status find_slopes(Gauss *g, const double *V) {
  const Problem *p = g->s->problem;
  int n = g->n;
  for (int i = 0; i < g->stages; i++) {
    size_t at = (size_t)i * (size_t)n * (size_t)n;
    Status status = p->hessian(p->user, g->t0 + g->c[i] * g->h, g->Q + i * n, V + i * n, g->H_qq,
                               g->H_qv, g->H_vv, g->F_q, g->F_v);
    if (status != QDOT_OK) return status;
    for (int k = 0; k < n; k++)
      for (int l = 0; l < n; l++) {
        int kl = k * n + l, lk = l * n + k;
        g->L_vv[at + (size_t)kl] = g->H_vv[kl];
        g->L_vq[at + (size_t)kl] = g->H_qv[lk];
        g->by_q[at + (size_t)kl] = g->H_qq[kl] + g->F_q[kl];
        g->by_v[at + (size_t)kl] = g->H_qv[kl] + g->F_v[kl];
      }
  }
  return QDOT_OK;
}

// The slope of residual i by velocity j, one entry of their coordinates.
static double stage_slope(const Gauss *g, int i, int j, size_t entry) {
  size_t square = (size_t)g->n * (size_t)g->n;
  double h = g->h, value = h * g->a[i][j] * g->L_vq[(size_t)i * square + entry];
  if (i == j) value += g->L_vv[(size_t)i * square + entry];
  for (int k = 0; k < g->stages; k++)
    value -= h * h * g->a[i][k] * g->a[k][j] * g->by_q[(size_t)k * square + entry];
  return value - h * g->a[i][j] * g->by_v[(size_t)j * square + entry];
}

static Status stage_factor(void *user, const double *V) {
  Gauss *g = user;
  int n = g->n, size = n * g->stages;
  Status status = find_slopes(g, V);
  if (status != QDOT_OK) return status;
  for (int row = 0; row < size; row++)
    for (int column = 0; column < size; column++)
      g->stage_factor.A[(size_t)row * (size_t)size + (size_t)column] =
          stage_slope(g, row / n, column / n, (size_t)(row % n) * (size_t)n + (size_t)(column % n));
  g->factored_h = g->h;
  return linear_factor(&g->stage_factor);
}

static void stage_solve(void *user, double *r) { linear_solve(&((Gauss *)user)->stage_factor, r); }

// A change of velocities by the largest there have been. Positions are no measure: angles grow.
static double share_of(Gauss *g, int size, const double *change, const double *v) {
  g->fastest = fmax(g->fastest, dense_norm(size, v));
  double scale = g->fastest + REST * dense_norm(g->n, g->y0) / g->h;
  double part = dense_norm(size, change);
  return part == 0 ? 0 : part / (scale + part);
}

static double stage_size(void *user, const double *dV, const double *V) {
  Gauss *g = user;
  return share_of(g, g->n * g->stages, dV, V);
}

// ---- The end: L_v(q_1, v) = p_1

static Status end_residual(void *user, const double *v, double *r) {
  Gauss *g = user;
  const Problem *p = g->s->problem;
  Status status = p->gradient(p->user, g->t0 + g->h, g->q_end, v, g->L_q, r, g->F);
  dense_add(g->n, -1, g->p_end, r);
  return status;
}

static Status end_factor(void *user, const double *v) {
  Gauss *g = user;
  const Problem *p = g->s->problem;
  Status status = p->hessian(p->user, g->t0 + g->h, g->q_end, v, g->H_qq, g->H_qv, g->end_factor.A,
                             g->F_q, g->F_v);
  return status == QDOT_OK ? linear_factor(&g->end_factor) : status;
}

static void end_solve(void *user, double *r) { linear_solve(&((Gauss *)user)->end_factor, r); }

static double end_size(void *user, const double *dv, const double *v) {
  Gauss *g = user;
  return share_of(g, g->n, dv, v);
}

// ---- A step

// Velocities along the polynomial of the last step, continued.
static void guess(Gauss *g) {
  int n = g->n;
  double ratio = g->h_last > 0 ? g->h / g->h_last : 0;
  for (int i = 0; i < g->stages; i++) {
    double *v = g->V + i * n;
    if (ratio == 0 || ratio > 1.5) {
      dense_copy(n, g->y0 + n, v);
      continue;
    }
    memset(v, 0, (size_t)n * sizeof *v);
    for (int j = 0; j < g->stages; j++)
      dense_add(n, lagrange_basis(g, j, 1 + ratio * g->c[i]), g->V_last + j * n, v);
  }
}

// to = from + sum of b_i h at_i, with what rounding left out of the sums before.
static void add_up(const Gauss *g, const double *from, const double *left_from, const double *at,
                   double *to, double *left) {
  for (int k = 0; k < g->n; k++) {
    double sum = 0;
    for (int i = 0; i < g->stages; i++) sum += g->b[i] * at[i * g->n + k];
    double change = left_from[k] + g->h * sum;
    to[k] = from[k] + change;
    left[k] = (from[k] - to[k]) + change;
  }
}

static Status add_works(Gauss *g, double *w) {
  const Problem *p = g->s->problem;
  for (int k = 0; k < p->quadratures; k++) w[k] = g->y0[2 * g->n + k];
  for (int i = 0; p->quadratures > 0 && i < g->stages; i++) {
    Status status = p->rates(p->user, g->t0 + g->c[i] * g->h, g->Q + i * g->n, g->V + i * g->n,
                             g->s->dynamics.lambda, g->room);
    if (status != QDOT_OK) return status;
    for (int k = 0; k < p->quadratures; k++) w[k] += g->h * g->b[i] * g->room[k];
  }
  return QDOT_OK;
}

static Status advance(Gauss *g, const Canonical *to, double *y) {
  int n = g->n;
  if (g->h != g->factored_h) g->of_stages.factored = false;
  Status status = newton_solve(&g->of_stages, g->V);
  if (status == QDOT_OK) status = find_stages(g, g->V, g->of_stages.r);
  if (status != QDOT_OK) return status;
  add_up(g, g->y0, g->from->q_left, g->V, y, to->q_left);
  add_up(g, g->from->p, g->from->p_left, g->rate, to->p, to->p_left);
  if (!(dense_norm(n, y) < STEPPER_GREATEST)) return QDOT_BLOW_UP;
  g->q_end = y, g->p_end = to->p;
  dense_copy(n, g->V + (g->stages - 1) * n, y + n);
  status = newton_solve(&g->of_end, y + n);
  return status == QDOT_OK ? add_works(g, y + 2 * n) : status;
}

Status gauss_step(Gauss *g, double h, double *y_new) {
  g->y0 = g->s->y, g->from = &g->now, g->t0 = g->s->t, g->h = h;
  guess(g);
  return advance(g, &g->next, y_new);
}

void gauss_accept(Gauss *g) {
  Canonical kept = g->before;
  g->before = g->now, g->now = g->next, g->next = kept;
  double *V = g->V_last;
  g->V_last = g->V, g->V = V;
  g->h_last = g->h;
}

Status gauss_part(Gauss *g, double part, double *y) {
  double *V = g->V;
  g->y0 = g->s->y_old, g->from = &g->before, g->t0 = g->s->t_old, g->h = part;
  for (int i = 0; i < g->stages; i++) {
    double *v = V + i * g->n;
    memset(v, 0, (size_t)g->n * sizeof *v);
    for (int j = 0; j < g->stages; j++)
      dense_add(g->n, lagrange_basis(g, j, g->c[i] * part / g->h_last), g->V_last + j * g->n, v);
  }
  return advance(g, &g->next, y);
}

// ---- Beginning

static Canonical canonical_open(Stepper *s) {
  return (Canonical){stepper_array(s), stepper_array(s), stepper_array(s)};
}

Gauss *gauss_open(Stepper *s, int stages) {
  Gauss *g = arena_new(s->arena, Gauss);
  int n = s->n, size = n * stages;
  size_t square = (size_t)n * (size_t)n;
  *g = (Gauss){.s = s, .n = n, .stages = stages};
  find_nodes(g);
  double **vectors[] = {&g->L_q, &g->L_v, &g->F, &g->room};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) *vectors[i] = stepper_array(s);
  double **of_stages[] = {&g->V, &g->V_last, &g->Q, &g->rate};
  for (size_t i = 0; i < sizeof of_stages / sizeof *of_stages; i++)
    *of_stages[i] = arena_array(s->arena, double, size);
  double **slopes[] = {&g->L_vv, &g->L_vq, &g->by_q, &g->by_v};
  for (size_t i = 0; i < sizeof slopes / sizeof *slopes; i++)
    *slopes[i] = arena_array(s->arena, double, square *(size_t)stages);
  double **matrices[] = {&g->H_qq, &g->H_qv, &g->H_vv, &g->F_q, &g->F_v};
  for (size_t i = 0; i < sizeof matrices / sizeof *matrices; i++)
    *matrices[i] = arena_array(s->arena, double, square);
  g->now = canonical_open(s), g->next = canonical_open(s), g->before = canonical_open(s);
  linear_open(&g->stage_factor, s->arena, size);
  linear_open(&g->end_factor, s->arena, n);
  Newton common = {.user = g, .tolerance = STAGE_TOLERANCE, .most_rounds = 50};
  g->of_stages = g->of_end = common;
  g->of_stages.n = size, g->of_end.n = n;
  g->of_stages.residual = stage_residual, g->of_end.residual = end_residual;
  g->of_stages.factor = stage_factor, g->of_end.factor = end_factor;
  g->of_stages.solve = stage_solve, g->of_end.solve = end_solve;
  g->of_stages.size = stage_size, g->of_end.size = end_size;
  g->of_stages.r = arena_array(s->arena, double, size);
  g->of_end.r = arena_array(s->arena, double, n);
  return g;
}

Status gauss_start(Gauss *g) {
  Stepper *s = g->s;
  const Problem *p = s->problem;
  g->of_stages.factored = g->of_end.factored = false;
  g->h_last = g->fastest = 0;
  memset(g->now.q_left, 0, (size_t)g->n * sizeof(double));
  memset(g->now.p_left, 0, (size_t)g->n * sizeof(double));
  return p->gradient(p->user, s->t, s->y, s->y + g->n, g->L_q, g->now.p, g->F);
}
