// The real Schur form: Hessenberg's by reflections, then Francis's steps with two shifts at a time
// (Golub and Van Loan, Matrix Computations, 7.4 and 7.5), in a fixed order.
#include <float.h>
#include <math.h>
#include <string.h>

#include "solve/algebra/dense.h"
#include "solve/algebra/eigenvalues.h"

enum { MOST_STEPS = 60 }; // for an eigenvalue, of which three are usual

// ---- Reflections 1 - beta v v^T

// That which takes x to a multiple of the first unit vector; its v stands where x stood. Returns
// beta, 0 where x is one already; *length is the multiple.
static double reflection(int size, double *x, double *length) {
  double most = 0, sum = 0;
  for (int i = 1; i < size; i++) most = fmax(most, fabs(x[i]));
  *length = x[0];
  if (most == 0) return 0;
  most = fmax(most, fabs(x[0]));
  for (int i = 0; i < size; i++) x[i] /= most, sum += x[i] * x[i];
  double norm = x[0] > 0 ? -sqrt(sum) : sqrt(sum);
  double first = x[0] - norm;
  *length = norm * most;
  for (int i = 1; i < size; i++) x[i] /= first;
  x[0] = 1;
  return -first / norm;
}

// From both sides to the rows and columns k .. of T, of which columns `from` .. and rows .. `to`
// are touched, and to Z.
static void reflect(Schur *s, int k, int size, const double *v, double beta, int from, int to) {
  int n = s->n;
  double *top = s->T + (size_t)k * n;
  for (int j = from; j < n; j++) {
    double sum = 0;
    for (int i = 0; i < size; i++) sum += v[i] * top[(size_t)i * n + j];
    for (int i = 0; i < size; i++) top[(size_t)i * n + j] -= beta * sum * v[i];
  }
  for (int i = 0; i <= to; i++) {
    double *row = s->T + (size_t)i * n + k, sum = 0;
    for (int j = 0; j < size; j++) sum += v[j] * row[j];
    for (int j = 0; j < size; j++) row[j] -= beta * sum * v[j];
  }
  double *z = s->Zt ? s->Zt + (size_t)k * n : NULL;
  for (int j = 0; z && j < n; j++) {
    double sum = 0;
    for (int i = 0; i < size; i++) sum += v[i] * z[(size_t)i * n + j];
    for (int i = 0; i < size; i++) z[(size_t)i * n + j] -= beta * sum * v[i];
  }
}

static double *entry(const Schur *s, int i, int j) { return s->T + (size_t)i * s->n + j; }

// Zeros below the first subdiagonal. im lends the room for v.
static void to_hessenberg(Schur *s) {
  int n = s->n;
  double *v = s->im;
  for (int k = 0; k + 2 < n; k++) {
    int size = n - k - 1;
    for (int i = 0; i < size; i++) v[i] = *entry(s, k + 1 + i, k);
    double length, beta = reflection(size, v, &length);
    if (beta == 0) continue;
    reflect(s, k + 1, size, v, beta, k + 1, n - 1);
    *entry(s, k + 1, k) = length;
    for (int i = 1; i < size; i++) *entry(s, k + 1 + i, k) = 0;
  }
}

// ---- Francis's steps

// The shifts of a step are the roots of x^2 - sum x + product.
typedef struct Shifts {
  double sum, product;
} Shifts;

static void step(Schur *s, int low, int high, Shifts shifts) {
  double a = *entry(s, low, low), b = *entry(s, low + 1, low);
  double c = *entry(s, low + 1, low + 1), r = a - shifts.sum;
  double v[3] = {(a * r + shifts.product) / b + *entry(s, low, low + 1), r + c,
                 low + 2 <= high ? *entry(s, low + 2, low + 1) : 0};
  for (int k = low; k < high; k++) {
    int size = k + 2 <= high ? 3 : 2, below = k + 3 < high ? k + 3 : high;
    if (k > low)
      for (int i = 0; i < size; i++) v[i] = *entry(s, k + i, k - 1);
    double length, beta = reflection(size, v, &length);
    if (beta == 0) continue;
    reflect(s, k, size, v, beta, k, below);
    if (k == low) continue;
    *entry(s, k, k - 1) = length;
    for (int i = 1; i < size; i++) *entry(s, k + i, k - 1) = 0;
  }
}

// The first row of the block that ends at `high`: above it stands nothing but rounding.
static int block_start(Schur *s, int high, double norm) {
  int low = high;
  for (; low > 0; low--) {
    double size = fabs(*entry(s, low - 1, low - 1)) + fabs(*entry(s, low, low));
    if (size == 0) size = norm;
    if (fabs(*entry(s, low, low - 1)) > DBL_EPSILON * size) continue;
    *entry(s, low, low - 1) = 0;
    break;
  }
  return low;
}

// The eigenvalues of the rows k, k + 1; where they are real, a rotation makes the block a triangle.
static void split(Schur *s, int k) {
  int n = s->n, l = k + 1;
  double a = *entry(s, k, k), b = *entry(s, k, l), c = *entry(s, l, k), d = *entry(s, l, l);
  double p = 0.5 * (a - d), q = p * p + b * c, root = sqrt(fabs(q));
  s->re[k] = s->re[l] = d + p;
  s->im[k] = root, s->im[l] = -root;
  if (q < 0) return;
  double z = p < 0 ? p - root : p + root;
  s->re[k] = d + z, s->re[l] = z != 0 ? d - b * c / z : d + z;
  s->im[k] = s->im[l] = 0;
  double length = sqrt(c * c + z * z);
  if (length == 0) return;
  double sine = c / length, cosine = z / length;
  for (int j = k; j < n; j++) {
    double x = *entry(s, k, j), y = *entry(s, l, j);
    *entry(s, k, j) = cosine * x + sine * y, *entry(s, l, j) = cosine * y - sine * x;
  }
  for (int i = 0; i <= l; i++) {
    double x = *entry(s, i, k), y = *entry(s, i, l);
    *entry(s, i, k) = cosine * x + sine * y, *entry(s, i, l) = cosine * y - sine * x;
  }
  for (int j = 0; s->Zt && j < n; j++) {
    double *x = s->Zt + (size_t)k * n + j, *y = s->Zt + (size_t)l * n + j, kept = *x;
    *x = cosine * kept + sine * *y, *y = cosine * *y - sine * kept;
  }
  *entry(s, l, k) = 0;
}

static Shifts shifts_of(const Schur *s, int high, int tries) {
  double a = *entry(s, high - 1, high - 1), b = *entry(s, high - 1, high);
  double c = *entry(s, high, high - 1), d = *entry(s, high, high);
  if (tries % 10 != 0 || tries == 0) return (Shifts){a + d, a * d - b * c};
  // out of a circle in which steps may go round
  double size = fabs(c) + (high >= 2 ? fabs(*entry(s, high - 1, high - 2)) : 0);
  return (Shifts){2 * (d + 0.75 * size),
                  (d + 0.75 * size) * (d + 0.75 * size) + 0.4375 * size * size};
}

Status schur_compute(Schur *s) {
  int n = s->n;
  for (int i = 0; s->Zt && i < n; i++)
    for (int j = 0; j < n; j++) s->Zt[(size_t)i * n + j] = i == j;
  double norm = dense_norm(n * n, s->T);
  to_hessenberg(s);
  for (int high = n - 1, tries = 0; high >= 0;) {
    int low = block_start(s, high, norm);
    if (low < high - 1) {
      if (tries++ == MOST_STEPS) return QDOT_NO_CONVERGENCE;
      step(s, low, high, shifts_of(s, high, tries));
      continue;
    }
    if (low == high)
      s->re[high] = *entry(s, high, high), s->im[high] = 0;
    else
      split(s, low);
    high = low - 1, tries = 0;
  }
  return QDOT_OK;
}

// ---- Vectors: (T - w) x = 0 from the bottom up, then Z x

typedef struct Complex {
  double re, im;
} Complex;

static Complex times(Complex a, Complex b) {
  return (Complex){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

static Complex minus(Complex a, Complex b) { return (Complex){a.re - b.re, a.im - b.im}; }

// a / b; a divisor that has vanished counts as `least`.
static Complex over(Complex a, Complex b, double least) {
  double most = fmax(fabs(b.re), fabs(b.im));
  if (most < least) return (Complex){a.re / least, a.im / least};
  double c = b.re / most, d = b.im / most, size = (c * c + d * d) * most;
  return (Complex){(a.re * c + a.im * d) / size, (a.im * c - a.re * d) / size};
}

typedef struct Back {
  const Schur *schur;
  Complex w, *x; // x of rows below k are 0
  int k;
  double least;
} Back;

// What the rows known so far leave in row i: minus the sum of T_ij x_j, j > from.
static Complex rest_of(const Back *b, int i, int from) {
  Complex sum = {0, 0};
  const double *row = b->schur->T + (size_t)i * b->schur->n;
  for (int j = from + 1; j <= b->k; j++)
    sum.re -= row[j] * b->x[j].re, sum.im -= row[j] * b->x[j].im;
  return sum;
}

static Complex diagonal(const Back *b, int i) {
  return (Complex){*entry(b->schur, i, i) - b->w.re, -b->w.im};
}

// Rows i - 1 and i together, by Cramer's rule.
static void solve_pair(Back *b, int i) {
  Complex f = rest_of(b, i - 1, i), g = rest_of(b, i, i);
  Complex a = diagonal(b, i - 1), d = diagonal(b, i);
  Complex upper = {*entry(b->schur, i - 1, i), 0}, lower = {*entry(b->schur, i, i - 1), 0};
  Complex determinant = minus(times(a, d), times(upper, lower));
  double size = fabs(a.re) + fabs(a.im) + fabs(d.re) + fabs(d.im) + fabs(upper.re) + fabs(lower.re);
  double least = b->least * fmax(size, b->least);
  b->x[i - 1] = over(minus(times(f, d), times(upper, g)), determinant, least);
  b->x[i] = over(minus(times(a, g), times(lower, f)), determinant, least);
}

// Long before they overflow, all components are taken smaller.
static void keep_small(Back *b, int i) {
  double most = fmax(fabs(b->x[i].re), fabs(b->x[i].im));
  if (!(most > 1e100)) return;
  for (int j = i; j <= b->k; j++) b->x[j].re /= most, b->x[j].im /= most;
}

static void solve_back(Back *b) {
  int i = b->k - 1;
  b->x[b->k] = (Complex){1, 0};
  if (b->w.im != 0) {
    double upper = *entry(b->schur, i, b->k), lower = *entry(b->schur, b->k, i);
    Complex up = diagonal(b, i), low = diagonal(b, b->k);
    if (fabs(lower) > fabs(upper))
      b->x[i] = (Complex){-low.re / lower, -low.im / lower};
    else
      b->x[i] = (Complex){1, 0}, b->x[b->k] = (Complex){-up.re / upper, -up.im / upper};
    i--;
  }
  for (; i >= 0; i--) {
    if (b->schur->im[i] == 0) {
      b->x[i] = over(rest_of(b, i, i), diagonal(b, i), b->least);
    } else {
      solve_pair(b, i);
      keep_small(b, i--);
    }
    keep_small(b, i);
  }
}

void schur_vectors(Arena *arena, const Schur *s, double *vectors) {
  Mark mark = arena_mark(arena);
  int n = s->n;
  Back b = {.schur = s, .x = arena_array(arena, Complex, n + 1)};
  b.least = DBL_EPSILON * fmax(dense_norm(n * n, s->T), DBL_MIN / DBL_EPSILON);
  for (int k = 0; k < n; k++) {
    bool is_pair = s->im[k] > 0;
    double *re = vectors + (size_t)k * n, *im = is_pair ? re + n : NULL;
    b.k = is_pair ? k + 1 : k, b.w = (Complex){s->re[k], s->im[k]};
    solve_back(&b);
    memset(re, 0, (size_t)n * (is_pair ? 2 : 1) * sizeof *re);
    for (int j = 0; j <= b.k; j++) {
      dense_add(n, b.x[j].re, s->Zt + (size_t)j * n, re);
      if (im) dense_add(n, b.x[j].im, s->Zt + (size_t)j * n, im);
    }
    k += is_pair;
  }
  arena_release(arena, mark);
}
