// Roots of polynomial systems by continuation from one whose roots are known.
//
// H(x, t) = (1 - t) G(x) + t F(x), homogeneous in x_0 ... x_n so that what runs away to infinity
// stays finite, on a random complex plane. G_i = a_i x_i^d - b_i x_0^d with random complex a_i,
// b_i: with probability 1 no two paths meet before t = 1.
#include <math.h>
#include <string.h>

#include "analyse/equilibrium/polynomials.h"
#include "base/random.h"

typedef double complex Complex;

enum { PLACES = POLYNOMIAL_VARIABLES + 1, MOST_STEPS = 4000, MOST_ROUNDS = 4, AT_END = 30 };
static const double FIRST_STEP = 0.02, LONGEST_STEP = 0.1, SHORTEST_STEP = 1e-14;
static const double ON_PATH = 1e-9, ON_ROOT = 1e-11; // of the size of x: Newton's last step
// Parts of the largest value: of x_0 at infinity where a path ends well, and where it does not.
static const double INFINITE = 1e-9, NEARLY_INFINITE = 1e-3;
// Parts of imaginary parts beside the whole.
static const double REAL = 1e-8, SURELY_COMPLEX = 1e-6;
static const double SAME = 1e-7; // roots of simple paths do not meet

typedef struct Path {
  const PolynomialSystem *system;
  uint32_t n;                                  // of the variables; x_0 beside them
  Complex a[PLACES], b[PLACES], plane[PLACES]; // of G; what x_0 ... x_n keep: sum of plane x = 1
  Complex x[PLACES], h[PLACES], by_t[PLACES];  // place; H and its derivative by t there
  Complex J[PLACES][PLACES];                   // of H by x, and the plane
} Path;

static Complex whole_power(Complex x, uint32_t k) {
  Complex y = 1;
  for (uint32_t i = 0; i < k; i++) y *= x;
  return y;
}

// F_i and its derivatives by x_0 ... x_n.
static Complex evaluate(const Path *p, uint32_t i, const Complex *x, Complex *slope) {
  const Polynomial *f = &p->system->equation[i];
  uint32_t degree = p->system->degree[i];
  Complex sum = 0;
  memset(slope, 0, (p->n + 1) * sizeof *slope);
  for (uint32_t k = 0; k < f->n; k++) {
    const Monomial *m = &f->at[k];
    uint32_t power[PLACES] = {degree};
    for (uint32_t v = 0; v < p->n; v++) power[v + 1] = m->power[v], power[0] -= m->power[v];
    Complex term = m->factor;
    for (uint32_t v = 0; v <= p->n; v++) term *= whole_power(x[v], power[v]);
    sum += term;
    for (uint32_t v = 0; v <= p->n; v++) {
      if (power[v] == 0) continue;
      Complex by = m->factor * power[v];
      for (uint32_t w = 0; w <= p->n; w++) by *= whole_power(x[w], power[w] - (w == v));
      slope[v] += by;
    }
  }
  return sum;
}

static void evaluate_path(Path *p, const Complex *x, double t) {
  Complex slope[PLACES];
  for (uint32_t i = 0; i < p->n; i++) {
    uint32_t d = p->system->degree[i];
    Complex F = evaluate(p, i, x, slope);
    Complex G = p->a[i] * whole_power(x[i + 1], d) - p->b[i] * whole_power(x[0], d);
    p->h[i] = (1 - t) * G + t * F;
    p->by_t[i] = F - G;
    for (uint32_t v = 0; v <= p->n; v++) p->J[i][v] = t * slope[v];
    p->J[i][i + 1] += (1 - t) * p->a[i] * d * whole_power(x[i + 1], d - 1);
    p->J[i][0] -= (1 - t) * p->b[i] * d * whole_power(x[0], d - 1);
  }
  p->h[p->n] = -1, p->by_t[p->n] = 0;
  for (uint32_t v = 0; v <= p->n; v++) {
    p->h[p->n] += p->plane[v] * x[v];
    p->J[p->n][v] = p->plane[v];
  }
}

// J y = right, J being used up; false where it is singular.
static bool solve(Path *p, Complex *y) {
  uint32_t n = p->n + 1;
  for (uint32_t k = 0; k < n; k++) {
    uint32_t pivot = k;
    for (uint32_t i = k + 1; i < n; i++)
      if (cabs(p->J[i][k]) > cabs(p->J[pivot][k])) pivot = i;
    if (!(cabs(p->J[pivot][k]) > 0)) return false;
    for (uint32_t j = 0; j < n && pivot != k; j++) {
      Complex kept = p->J[k][j];
      p->J[k][j] = p->J[pivot][j], p->J[pivot][j] = kept;
    }
    Complex kept = y[k];
    y[k] = y[pivot], y[pivot] = kept;
    for (uint32_t i = k + 1; i < n; i++) {
      Complex by = p->J[i][k] / p->J[k][k];
      for (uint32_t j = k; j < n; j++) p->J[i][j] -= by * p->J[k][j];
      y[i] -= by * y[k];
    }
  }
  for (uint32_t k = n; k-- > 0;) {
    for (uint32_t j = k + 1; j < n; j++) y[k] -= p->J[k][j] * y[j];
    y[k] /= p->J[k][k];
  }
  return true;
}

static double size_of(const Path *p, const Complex *x) {
  double most = 0;
  for (uint32_t v = 0; v <= p->n; v++) most = fmax(most, cabs(x[v]));
  return most;
}

// dx/dt along the path.
static bool tangent(Path *p, const Complex *x, double t, Complex *out) {
  evaluate_path(p, x, t);
  for (uint32_t i = 0; i <= p->n; i++) out[i] = -p->by_t[i];
  return solve(p, out);
}

// Newton's iteration at t; false where its last step is not small enough.
static bool correct(Path *p, Complex *x, double t, int rounds, double small) {
  double last = INFINITY;
  for (int round = 0; round < rounds; round++) {
    evaluate_path(p, x, t);
    Complex dx[PLACES];
    for (uint32_t i = 0; i <= p->n; i++) dx[i] = -p->h[i];
    if (!solve(p, dx)) return false;
    for (uint32_t v = 0; v <= p->n; v++) x[v] += dx[v];
    double step = size_of(p, dx), size = size_of(p, x);
    if (!isfinite(step) || (round > 0 && step > last)) return last <= small * size;
    if (step <= small * size) return true;
    last = step;
  }
  return false;
}

// A step of Runge and Kutta's along the tangent, brought back onto the path.
static bool step_to(Path *p, double t, double h, Complex *to) {
  static const double at[4] = {0, 0.5, 0.5, 1}, weight[4] = {1. / 6, 1. / 3, 1. / 3, 1. / 6};
  Complex k[4][PLACES], x[PLACES];
  memcpy(to, p->x, sizeof p->x);
  for (int s = 0; s < 4; s++) {
    for (uint32_t v = 0; v <= p->n; v++) x[v] = p->x[v] + (s ? at[s] * h * k[s - 1][v] : 0);
    if (!tangent(p, x, t + at[s] * h, k[s])) return false;
  }
  for (int s = 0; s < 4; s++)
    for (uint32_t v = 0; v <= p->n; v++) to[v] += weight[s] * h * k[s][v];
  return correct(p, to, t + h, MOST_ROUNDS, ON_PATH);
}

// From t = 0 towards 1; how far it came.
static double follow(Path *p) {
  double t = 0, h = FIRST_STEP;
  int good = 0;
  for (int step = 0; step < MOST_STEPS && t < 1; step++) {
    Complex to[PLACES];
    bool last = t + h >= 1;
    if (last) h = 1 - t;
    if (step_to(p, t, h, to)) {
      memcpy(p->x, to, sizeof to);
      t = last ? 1 : t + h;
      if (++good >= 4) h = fmin(2 * h, LONGEST_STEP), good = 0;
    } else {
      h /= 2, good = 0;
    }
    if (h < SHORTEST_STEP) break;
  }
  return t;
}

static RootKind kind_of(const Path *p, bool is_simple, PolynomialRoot *out) {
  double size = size_of(p, p->x), finite = cabs(p->x[0]) / size;
  if (finite < (is_simple ? INFINITE : NEARLY_INFINITE)) return ROOT_AT_INFINITY;
  double imaginary = 0;
  for (uint32_t v = 0; v < p->n; v++) {
    out->x[v] = p->x[v + 1] / p->x[0];
    imaginary = fmax(imaginary, fabs(cimag(out->x[v])) / (1 + cabs(out->x[v])));
  }
  if (!is_simple) return ROOT_MULTIPLE;
  return imaginary < REAL ? ROOT_REAL : imaginary > SURELY_COMPLEX ? ROOT_COMPLEX : ROOT_MULTIPLE;
}

static Complex draw(uint64_t *seed) {
  double angle = 2 * M_PI * random_mixed_fraction(seed);
  return (0.5 + random_mixed_fraction(seed)) * cexp(I * angle);
}

// Root `number` of G, on the plane.
static void begin_path(Path *p, uint32_t number) {
  Complex on_plane = p->plane[0];
  p->x[0] = 1;
  for (uint32_t i = 0; i < p->n; i++) {
    uint32_t d = p->system->degree[i];
    Complex root = cpow(p->b[i] / p->a[i], 1. / d);
    p->x[i + 1] = root * cexp(I * (2 * M_PI * (number % d) / d));
    number /= d;
    on_plane += p->plane[i + 1] * p->x[i + 1];
  }
  for (uint32_t v = 0; v <= p->n; v++) p->x[v] /= on_plane;
}

PolynomialRoot *polynomial_roots(Context *cx, Arena *arena, const PolynomialSystem *system,
                                 uint64_t seed, uint32_t *count) {
  Path p = {.system = system, .n = system->n};
  uint64_t paths = 1;
  for (uint32_t i = 0; i < system->n; i++) {
    paths *= system->degree[i];
    if (paths == 0 || paths > POLYNOMIAL_PATHS) return NULL;
  }
  for (uint32_t v = 0; v <= system->n; v++)
    p.a[v] = draw(&seed), p.b[v] = draw(&seed), p.plane[v] = draw(&seed);
  PolynomialRoot *roots = arena_array(arena, PolynomialRoot, paths);
  for (uint32_t k = 0; k < paths; k++) {
    context_poll(cx);
    begin_path(&p, k);
    double t = follow(&p);
    bool is_simple = t == 1 && correct(&p, p.x, 1, AT_END, ON_ROOT);
    // a path that does not come so far is lost; near the end it meets others
    roots[k].kind = t < 1 - 1e-6 ? ROOT_LOST : kind_of(&p, is_simple, &roots[k]);
  }
  *count = (uint32_t)paths;
  return roots;
}

static bool are_same(const PolynomialSystem *system, const PolynomialRoot *a,
                     const PolynomialRoot *b, bool conjugate) {
  for (uint32_t v = 0; v < system->n; v++) {
    Complex x = conjugate ? conj(b->x[v]) : b->x[v];
    if (cabs(a->x[v] - x) > SAME * (1 + cabs(x))) return false;
  }
  return true;
}

bool polynomial_roots_are_all(const PolynomialSystem *system, const PolynomialRoot *roots,
                              uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    if (roots[i].kind == ROOT_LOST) return false;
    if (roots[i].kind != ROOT_REAL && roots[i].kind != ROOT_COMPLEX) continue;
    bool has_conjugate = false;
    for (uint32_t k = 0; k < count; k++) {
      if (roots[k].kind != roots[i].kind) continue;
      if (k != i && are_same(system, &roots[i], &roots[k], false)) return false;
      has_conjugate = has_conjugate || are_same(system, &roots[i], &roots[k], true);
    }
    if (!has_conjugate) return false;
  }
  return true;
}
