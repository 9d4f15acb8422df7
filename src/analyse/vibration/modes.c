// Modes of a linearized system.
#include "analyse/vibration/modes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/linear/sampled.h"
#include "analyse/vibration/eigen.h"
#include "analyse/vibration/singular_mass.h"
#include "solve/algebra/dense.h"

static bool is_symmetric(uint32_t n, const double *A) {
  double most = 0, off = 0;
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t j = 0; j < n; j++) {
      most = fmax(most, fabs(A[(size_t)i * n + j]));
      off = fmax(off, fabs(A[(size_t)i * n + j] - A[(size_t)j * n + i]));
    }
  return off <= 1e-13 * most;
}

// No damping and a symmetric stiffness: frequencies come from a symmetric problem.
static bool is_conservative(const Reduced *r) {
  if (r->p != r->f || !is_symmetric(r->f, r->K) || !is_symmetric(r->f, r->M)) return false;
  for (uint32_t i = 0; i < r->f * r->f; i++)
    if (r->C[i] != 0) return false;
  return true;
}

// ---- Collecting

typedef struct Collector {
  const Linearized *l;
  Arena *arena;
  Modes *out;
} Collector;

static void add_eigenvalue(Collector *c, double re, double im) {
  double *e = c->out->eigenvalue[c->out->eigenvalue_count++];
  e[0] = re, e[1] = im;
}

// Divides by the component of largest modulus, which becomes 1.
static void normalize(uint32_t n, double *re, double *im) {
  uint32_t largest = 0;
  double most = 0;
  for (uint32_t i = 0; i < n; i++) {
    double size = hypot(re[i], im[i]);
    if (size > most * (1 + 1e-9)) most = size, largest = i;
  }
  if (most == 0) return;
  double a = re[largest] / most, b = im[largest] / most;
  for (uint32_t i = 0; i < n; i++) {
    double x = (re[i] * a + im[i] * b) / most, y = (im[i] * a - re[i] * b) / most;
    re[i] = fabs(x) < 1e-14 ? 0 : x, im[i] = fabs(y) < 1e-14 ? 0 : y;
  }
}

// Deviations R z of all coordinates; the independent ones are z itself.
static void spread(const Linearized *l, const double *z, double *out) {
  const Independent *c = &l->choice;
  for (uint32_t k = 0; k < c->p; k++) out[c->z[k]] = z[k];
  for (uint32_t k = 0; k < c->n - c->p; k++)
    out[c->y[k]] = dense_dot((int)l->p, l->number.R + (size_t)c->y[k] * l->p, z);
}

// z_re, z_im: p deviations of the independent coordinates (z_im may be NULL).
static void add_mode(Collector *c, ModeKind kind, double re, double im, const double *z_re,
                     const double *z_im) {
  const Linearized *l = c->l;
  double omega = hypot(re, im);
  Mode mode = {.kind = kind, .re = re, .im = im, .omega = omega, .hz = omega / (2 * M_PI)};
  mode.damped_hz = fabs(im) / (2 * M_PI);
  mode.damping = omega > 0 ? -re / omega : 0;
  mode.shape_re = arena_array(c->arena, double, l->n + 1);
  mode.shape_im = arena_array(c->arena, double, l->n + 1);
  spread(l, z_re, mode.shape_re);
  if (z_im) spread(l, z_im, mode.shape_im);
  normalize(l->n, mode.shape_re, mode.shape_im);
  c->out->mode[c->out->count++] = mode;
}

static Status collect_conservative(Collector *c) {
  const Reduced *r = &c->l->number;
  uint32_t f = r->f;
  Mark mark = arena_mark(&c->l->cx->scratch);
  double *mu = arena_array(&c->l->cx->scratch, double, f + 1);
  double *x = arena_array(&c->l->cx->scratch, double, (size_t)f *f + 1);
  Status status = eigen_symmetric_pencil(&c->l->cx->scratch, (int)f, r->K, r->M, mu, x);
  for (uint32_t k = 0; k < f && status == QDOT_OK; k++) {
    double root = sqrt(fabs(mu[k]));
    const double *shape = x + (size_t)k * f;
    if (mu[k] == 0) {
      add_eigenvalue(c, 0, 0), add_eigenvalue(c, 0, 0);
      add_mode(c, MODE_RIGID, 0, 0, shape, NULL);
    } else if (mu[k] > 0) {
      add_eigenvalue(c, 0, root), add_eigenvalue(c, 0, -root);
      add_mode(c, MODE_OSCILLATION, 0, root, shape, NULL);
    } else {
      add_eigenvalue(c, -root, 0), add_eigenvalue(c, root, 0);
      add_mode(c, MODE_EXPONENTIAL, -root, 0, shape, NULL);
      add_mode(c, MODE_EXPONENTIAL, root, 0, shape, NULL);
    }
  }
  arena_release(&c->l->cx->scratch, mark);
  return status;
}

static Status collect_general(Collector *c) {
  Arena *scratch = &c->l->cx->scratch;
  Mark mark = arena_mark(scratch);
  int size = (int)c->l->state.size;
  Eigen e;
  Status status = eigen_general(scratch, size, c->l->state.A, &e);
  for (int k = 0; k < e.zeros && status == QDOT_OK; k++) add_eigenvalue(c, 0, 0);
  for (int k = 0; k < e.count && status == QDOT_OK; k++) {
    const double *re = e.vec_re + (size_t)k * size, *im = e.vec_im + (size_t)k * size;
    if (k >= e.null) add_eigenvalue(c, e.re[k], e.im[k]);
    if (e.im[k] < 0) continue;
    ModeKind kind = k < e.null ? MODE_RIGID : e.im[k] > 0 ? MODE_OSCILLATION : MODE_EXPONENTIAL;
    add_mode(c, kind, e.re[k], e.im[k], re, im);
  }
  arena_release(scratch, mark);
  return status;
}

// Rounding is not damping.
static double without_rounding(double re, double im) {
  return fabs(re) < 1e-11 * fabs(im) ? 0 : re;
}

// z := sum of y_k V_k
static void positions_of(const FiniteDynamics *d, uint32_t p, const double *y, double *z) {
  memset(z, 0, p * sizeof *z);
  for (uint32_t k = 0; k < d->size; k++) dense_add((int)p, y[k], d->V + (size_t)k * p, z);
}

// What is left when the massless coordinates follow the others.
static Status collect_finite(Collector *c) {
  const Linearized *l = c->l;
  Arena *scratch = &l->cx->scratch;
  Mark mark = arena_mark(scratch);
  FiniteDynamics d;
  Eigen e = {0};
  uint32_t open = 0;
  Status status = finite_dynamics(scratch, &l->number, &d, &open);
  c->out->undetermined = l->choice.z[open];
  if (status == QDOT_OK) status = eigen_general(scratch, (int)d.size, d.A, &e);
  double *re = arena_array(scratch, double, l->p + 1), *im = arena_array(scratch, double, l->p + 1);
  for (int k = 0; k < e.zeros && status == QDOT_OK; k++) add_eigenvalue(c, 0, 0);
  for (int k = 0; k < e.count && status == QDOT_OK; k++) {
    double real = d.rate * without_rounding(e.re[k], e.im[k]), imaginary = d.rate * e.im[k];
    if (k >= e.null) add_eigenvalue(c, real, imaginary);
    if (imaginary < 0) continue;
    positions_of(&d, l->p, e.vec_re + (size_t)k * d.size, re);
    positions_of(&d, l->p, e.vec_im + (size_t)k * d.size, im);
    ModeKind kind = k < e.null ? MODE_RIGID : imaginary > 0 ? MODE_OSCILLATION : MODE_EXPONENTIAL;
    add_mode(c, kind, k < e.null ? 0 : real, imaginary, re, im);
  }
  if (status == QDOT_OK)
    c->out->infinite = l->p + l->f - d.size -
                       (l->has_state_space ? l->p + l->f - l->state.size : l->n - l->moving);
  arena_release(scratch, mark);
  return status == QDOT_SINGULAR ? QDOT_SINGULAR_MASS : status;
}

// ---- Sampled loops

static const double ON_CIRCLE = 1e-10; // rounding beside 1

// An eigenvalue z of the map is that of a motion exp(s t) seen once a period: s = log(z)/T.
static void add_sampled_mode(Collector *c, double re, double im, const double *x_re,
                             const double *x_im) {
  const Linearized *l = c->l;
  Mark mark = arena_mark(&l->cx->scratch);
  double *z_re = arena_array(&l->cx->scratch, double, l->p + 1);
  double *z_im = arena_array(&l->cx->scratch, double, l->p + 1);
  for (uint32_t i = 0; i < l->state.size; i++) {
    StateName name = linearized_state(l, i);
    for (uint32_t k = 0; k < l->p && !name.is_rate; k++)
      if (l->choice.z[k] == name.coordinate) z_re[k] = x_re[i], z_im[k] = x_im[i];
  }
  bool is_rigid = hypot(re - 1, im) <= ON_CIRCLE;
  ModeKind kind = is_rigid ? MODE_RIGID : im != 0 || re < 0 ? MODE_OSCILLATION : MODE_EXPONENTIAL;
  add_mode(c, kind, re, im, z_re, z_im);
  Mode *mode = &c->out->mode[c->out->count - 1];
  double T = l->sampled->period, growth = log(hypot(re, im)) / T, turning = atan2(im, re) / T;
  mode->omega = is_rigid ? 0 : hypot(growth, turning);
  mode->hz = mode->omega / (2 * M_PI);
  mode->damped_hz = fabs(turning) / (2 * M_PI);
  mode->damping = mode->omega == 0 ? 0 : isfinite(mode->omega) ? -growth / mode->omega : 1;
  arena_release(&l->cx->scratch, mark);
}

static Status collect_sampled(Collector *c) {
  Arena *scratch = &c->l->cx->scratch;
  Mark mark = arena_mark(scratch);
  int size = (int)c->l->sampled->size;
  Eigen e;
  Status status = eigen_general(scratch, size, c->l->sampled->A, &e);
  for (int k = 0; k < e.zeros && status == QDOT_OK; k++) add_eigenvalue(c, 0, 0);
  for (int k = 0; k < e.count && status == QDOT_OK; k++) {
    const double *re = e.vec_re + (size_t)k * size, *im = e.vec_im + (size_t)k * size;
    bool is_null = k < e.null;
    if (!is_null) add_eigenvalue(c, e.re[k], e.im[k]);
    if (e.im[k] >= 0 || is_null)
      add_sampled_mode(c, is_null ? 0 : e.re[k], is_null ? 0 : e.im[k], re, im);
  }
  arena_release(scratch, mark);
  return status;
}

static void judge_sampled(Modes *m) {
  double most = 0;
  bool rigid = false;
  for (uint32_t k = 0; k < m->count; k++) {
    double size = hypot(m->mode[k].re, m->mode[k].im);
    rigid |= m->mode[k].kind == MODE_RIGID;
    if (size > most) most = size, m->growing = k;
  }
  m->stability = m->eigenvalue_count == 0 ? STABILITY_HELD
                 : most > 1 + ON_CIRCLE   ? STABILITY_UNSTABLE
                 : rigid                  ? STABILITY_INDIFFERENT
                 : most >= 1 - ON_CIRCLE  ? STABILITY_OSCILLATORY
                                          : STABILITY_ASYMPTOTIC;
}

// ---- Order and stability

// By modulus; equal ones (to rounding) by real part, then by imaginary part.
static int compare_values(double are, double aim, double bre, double bim) {
  double a = hypot(are, aim), b = hypot(bre, bim);
  if (fabs(a - b) > 1e-12 * fmax(a, b)) return a < b ? -1 : 1;
  if (are != bre) return are < bre ? -1 : 1;
  return aim < bim ? -1 : aim > bim;
}

static int compare_eigenvalues(const void *a, const void *b) {
  const double *x = a, *y = b;
  return compare_values(x[0], x[1], y[0], y[1]);
}

static int compare_speeds(const void *a, const void *b) {
  const Mode *x = a, *y = b;
  return x->omega < y->omega ? -1 : x->omega > y->omega;
}

static int compare_modes(const void *a, const void *b) {
  const Mode *x = a, *y = b;
  return compare_values(x->re, x->im, y->re, y->im);
}

static void judge(Modes *m) {
  double largest = 0, growth = 0;
  bool rigid = false, undamped = false;
  for (uint32_t k = 0; k < m->eigenvalue_count; k++)
    largest = fmax(largest, hypot(m->eigenvalue[k][0], m->eigenvalue[k][1]));
  for (uint32_t k = 0; k < m->count; k++) {
    const Mode *mode = &m->mode[k];
    double noise = (mode->kind == MODE_EXPONENTIAL ? 1e-13 : 1e-10) * largest;
    if (mode->kind == MODE_RIGID)
      rigid = true;
    else if (mode->re > noise && mode->re > growth)
      growth = mode->re, m->growing = k;
    else if (fabs(mode->re) <= noise)
      undamped = true;
  }
  m->stability = m->eigenvalue_count == 0 ? STABILITY_HELD
                 : growth > 0             ? STABILITY_UNSTABLE
                 : rigid                  ? STABILITY_INDIFFERENT
                 : undamped               ? STABILITY_OSCILLATORY
                                          : STABILITY_ASYMPTOTIC;
}

const char *stability_text(const Modes *modes) {
  static const char *const text[] = {"asymptotically stable", "stable, undamped",
                                     "indifferent: displacements persist", "unstable",
                                     "held: no degree of freedom is left"};
  switch (modes->by_energy) {
  case ENERGY_MINIMUM:
    return "stable: a strict minimum of the energy, which the linearization does not show";
  case ENERGY_FALLS: return "unstable: the energy falls, which the linearization does not show";
  case ENERGY_LINEAR: return "linearly stable, undamped";
  case ENERGY_OPEN:
    return "undecided: the linearization has zero modes, and nonlinear terms decide";
  case ENERGY_DAMPED_ASIDE:
    return "asymptotically stable, with other slopes on the other side of a switch: the modes are "
           "those of one side";
  case ENERGY_RISES_ASIDE:
    return "stable, with other slopes on the other side of a switch: the modes are those of one "
           "side";
  case ENERGY_FALLS_ASIDE: return "unstable on one side of a switch";
  case ENERGY_OPEN_ASIDE:
    return "undecided: the slopes differ on the sides of a switch, and crossing it decides";
  default: return text[modes->stability];
  }
}

// Dirichlet: at rest, under forces that derive from an energy, where K^ is positive.
static bool is_held_by_energy(const Linearized *l) {
  const Reduced *r = &l->number;
  const System *s = l->system;
  Context *cx = l->cx;
  if (r->p != r->f || !is_symmetric(r->f, r->K)) return false;
  for (uint32_t i = 0; i < s->n; i++) {
    if (l->point->qd[i] != 0) return false;
    if (expr_has_kind(cx, s->Q[i], KIND_BIT(SYMBOL_COORDINATE) | KIND_BIT(SYMBOL_VELOCITY)) &&
        !(s->n == 1 && !expr_has_kind(cx, s->Q[i], KIND_BIT(SYMBOL_VELOCITY))))
      return false; // one coordinate's force has an energy in any case
  }
  Mark mark = arena_mark(&cx->scratch);
  double *K = arena_array(&cx->scratch, double, (size_t)r->f * r->f + 1);
  memcpy(K, r->K, (size_t)r->f * r->f * sizeof *K);
  bool positive = dense_cholesky((int)r->f, K, 1e-12) < 0;
  arena_release(&cx->scratch, mark);
  return positive;
}

void modes_judge_undamped(const Linearized *l, Modes *modes) {
  modes->by_energy = ENERGY_NOT_ASKED;
  if (modes->stability == STABILITY_OSCILLATORY && !l->sampled && l->is_balanced &&
      !is_held_by_energy(l))
    modes->by_energy = ENERGY_LINEAR;
}

Status modes_find(const Linearized *l, Arena *arena, Modes *out) {
  uint32_t size = l->sampled ? l->sampled->size : l->p + l->f;
  *out = (Modes){.eigenvalue = arena_alloc(arena, arena_size(arena, size + 1, 2 * sizeof(double))),
                 .mode = arena_array(arena, Mode, size + 1)};
  Collector c = {l, arena, out};
  Status status = QDOT_SINGULAR_MASS;
  out->undetermined = l->massless;
  if (l->is_pole) return status;
  if (l->sampled)
    status = collect_sampled(&c);
  else if (!l->is_regular)
    status = collect_finite(&c);
  else if (is_conservative(&l->number))
    status = collect_conservative(&c);
  if (l->is_regular && status == QDOT_SINGULAR_MASS) status = collect_general(&c);
  if (status != QDOT_OK) return status;
  qsort(out->eigenvalue, out->eigenvalue_count, sizeof *out->eigenvalue, compare_eigenvalues);
  out->period = l->sampled ? l->sampled->period : 0;
  qsort(out->mode, out->count, sizeof *out->mode, l->sampled ? compare_speeds : compare_modes);
  if (l->sampled)
    judge_sampled(out);
  else
    judge(out);
  modes_judge_undamped(l, out);
  return QDOT_OK;
}
