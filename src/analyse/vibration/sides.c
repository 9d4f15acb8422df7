// Linearizations around a point: one for each side of its switches.
#include "analyse/vibration/sides.h"

#include <math.h>

#include "base/random.h"
#include "solve/algebra/dense.h"

#define ASIDE 1e-7     // in units of the coordinates' scales
#define SAME 1e-5      // of the largest entry
#define SYMMETRIC 1e-9 // of the largest entry
enum { DIRECTIONS = 8 };

typedef struct Sides {
  Balance *b;
  const Linearized *l;
  StateSlopes slopes;
  const double *scale;
  bool differ;              // from the linearization
  bool holds, damps, falls; // on all sides; on one
} Sides;

static double largest_of(size_t n, const double *A) {
  double most = 0;
  for (size_t i = 0; i < n; i++) most = fmax(most, fabs(A[i]));
  return most;
}

static bool is_same(size_t n, const double *A, const double *B) {
  double most = fmax(largest_of(n, A), largest_of(n, B));
  for (size_t i = 0; i < n; i++)
    if (!(fabs(A[i] - B[i]) <= SAME * most)) return false;
  return true;
}

static bool has_same_slopes(const Linearized *a, const Linearized *b) {
  size_t n2 = (size_t)a->n * a->n;
  return is_same(n2, a->full.K, b->full.K) && is_same(n2, a->full.C, b->full.C);
}

// Is the symmetric part positive definite, or at least not negative by `slack` of it?
static bool is_positive(Arena *scratch, uint32_t n, const double *A, double slack) {
  Mark mark = arena_mark(scratch);
  double *S = arena_array(scratch, double, (size_t)n *n + 1), most = largest_of((size_t)n * n, A);
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t j = 0; j < n; j++)
      S[i * n + j] = (A[i * n + j] + A[j * n + i]) / 2 + (i == j ? slack * most : 0);
  bool positive = most > 0 && dense_cholesky((int)n, S, 1e-12) < 0;
  arena_release(scratch, mark);
  return positive;
}

static bool is_symmetric(uint32_t n, const double *A) {
  double most = largest_of((size_t)n * n, A);
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t j = 0; j < i; j++)
      if (fabs(A[i * n + j] - A[j * n + i]) > SYMMETRIC * most) return false;
  return true;
}

// The point moved by ASIDE along dq and dqd, each in units of the scales.
static bool linearize_aside(Sides *s, const double *dq, const double *dqd, Linearized *out) {
  Steady *aside = steady_new(&s->b->arena, s->b);
  steady_copy(s->b, s->l->point, aside);
  for (uint32_t i = 0; i < s->b->n; i++) {
    aside->q[i] += ASIDE * dq[i];
    if (dqd) aside->qd[i] += ASIDE * dqd[i];
  }
  return linearize_numbers(s->b, &s->slopes, aside, &s->b->arena, out) == QDOT_OK;
}

// Does a real mode grow that stays on its side?
static bool has_ray(Sides *s, const Linearized *here, const Modes *modes) {
  for (uint32_t k = 0; k < modes->count; k++) {
    const Mode *mode = &modes->mode[k];
    if (mode->kind != MODE_EXPONENTIAL || !(mode->re > 0)) continue;
    double most = 0;
    for (uint32_t i = 0; i < s->b->n; i++) most = fmax(most, fabs(mode->shape_re[i]) / s->scale[i]);
    for (int side = -1; side <= 1; side += 2) {
      double *dq = arena_array(&s->b->arena, double, s->b->n + 1);
      double *dqd = arena_array(&s->b->arena, double, s->b->n + 1);
      Linearized there;
      for (uint32_t i = 0; i < s->b->n; i++) {
        dq[i] = side * mode->shape_re[i] / most;
        dqd[i] = mode->re * dq[i];
      }
      if (linearize_aside(s, dq, dqd, &there) && has_same_slopes(here, &there)) return true;
    }
  }
  return false;
}

static void look_at(Sides *s, const double *dq, const double *dqd) {
  Arena *scratch = &s->b->cx->scratch;
  Linearized here;
  Modes modes;
  if (!linearize_aside(s, dq, dqd, &here) || !here.has_state_space ||
      modes_find(&here, &s->b->arena, &modes) != QDOT_OK) {
    s->holds = s->damps = false;
    s->differ = true;
    return;
  }
  s->differ |= !has_same_slopes(s->l, &here);
  const Reduced *r = &here.number;
  s->holds &=
      r->f == r->p && is_symmetric(r->f, r->K) && is_positive(scratch, r->f, r->K, 0) &&
      (largest_of((size_t)r->f * r->f, r->C) == 0 || is_positive(scratch, r->f, r->C, 1e-9));
  s->damps &= is_positive(scratch, r->f, r->C, 0);
  s->falls |= has_ray(s, &here, &modes);
}

// to += a random combination of the columns of A (n x columns), each as long as its coordinate's
// scale.
static void add_columns(const Sides *s, uint32_t columns, const double *A, uint64_t *random,
                        double sign, double *to) {
  for (uint32_t k = 0; k < columns; k++) {
    double share = sign * s->scale[s->l->choice.z[k]] * random_signed(random);
    for (uint32_t i = 0; i < s->l->n; i++) to[i] += share * A[(size_t)i * columns + k];
  }
}

// Directions that the constraints allow, each with its opposite.
static void look_around(Sides *s) {
  const Linearized *l = s->l;
  Arena *arena = &s->b->arena;
  for (uint64_t k = 0; k < 2 * DIRECTIONS; k++) {
    Mark mark = arena_mark(arena);
    double *dq = arena_array(arena, double, l->n + 1);
    double *dqd = arena_array(arena, double, l->n + 1);
    uint64_t random = 1 + k / 2;
    double sign = k % 2 ? -1 : 1;
    add_columns(s, l->p, l->number.R, &random, sign, dq);
    add_columns(s, l->f, l->number.H, &random, sign, dqd);
    look_at(s, dq, dqd);
    arena_release(arena, mark);
  }
}

void sides_judge(Balance *b, const Linearized *l, Modes *modes) {
  Context *cx = b->cx;
  balance_evaluate(b, l->point->q, l->point->qd, l->point->lambda);
  if (l->p == 0 || kinks_at(b).n == 0) return;
  Mark mark = arena_mark(&cx->scratch);
  Sides s = {.b = b, .l = l, .holds = true, .damps = true};
  s.scale = operating_point_scales(b, &cx->scratch);
  state_slopes_derive(b, &b->arena, &s.slopes);
  look_around(&s);
  if (s.differ)
    modes->by_energy = s.falls              ? ENERGY_FALLS_ASIDE
                       : s.holds && s.damps ? ENERGY_DAMPED_ASIDE
                       : s.holds            ? ENERGY_RISES_ASIDE
                                            : ENERGY_OPEN_ASIDE;
  balance_evaluate(b, l->point->q, l->point->qd, l->point->lambda);
  arena_release(&cx->scratch, mark);
}
