// What presses the joints that rub, by Broyden's method.
#include "engine/event/press.h"

#include <math.h>
#include <string.h>

#include "base/power.h"
#include "solve/algebra/dense.h"

// What is left may be the rounding of badly scaled equations: it counts the less the longer it
// stays.
static const double ROUNDING = 1e-14;
enum { PATIENCE = 8, CLEVER_TRIES = 20 };

void press_forget(PressSearch *s) {
  memset(s->inverse, 0, (size_t)s->n * (size_t)s->n * sizeof *s->inverse);
  for (int i = 0; i < s->n; i++) s->inverse[i * s->n + i] = 1;
  s->has_last = false;
}

void press_open(PressSearch *s, Arena *arena, int n) {
  *s = (PressSearch){.n = n};
  s->inverse = arena_array(arena, double, (size_t)n *(size_t)n);
  s->kept = arena_array(arena, double, (size_t)n *((size_t)n + 1));
  double **vectors[] = {&s->z, &s->off, &s->by, &s->change, &s->room};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
    *vectors[i] = arena_array(arena, double, n);
  press_forget(s);
}

void press_put_aside(PressSearch *s, const double *z) {
  size_t n = (size_t)s->n;
  memcpy(s->kept, s->inverse, n * n * sizeof *z);
  memcpy(s->kept + n * n, z, n * sizeof *z);
}

void press_take_back(PressSearch *s, double *z) {
  size_t n = (size_t)s->n;
  memcpy(s->inverse, s->kept, n * n * sizeof *z);
  memcpy(z, s->kept + n * n, n * sizeof *z);
}

void press_begin(PressSearch *s) {
  s->has_last = false;
  s->tries = 0;
}

// H += (by - H change) by^T H / (by^T H change)
static void learn(PressSearch *s) {
  int n = s->n;
  double share = 0;
  dense_multiply(n, n, s->inverse, s->change, s->room);
  for (int i = 0; i < n; i++) share += s->by[i] * s->room[i];
  if (!(fabs(share) > 1e-12 * dense_dot(n, s->by, s->by))) return;
  for (int i = 0; i < n; i++) s->room[i] = (s->by[i] - s->room[i]) / share;
  for (int j = 0; j < n; j++) {
    double row = 0;
    for (int i = 0; i < n; i++) row += s->by[i] * s->inverse[i * n + j];
    s->change[j] = row;
  }
  for (int i = 0; i < n; i++) dense_add(n, s->room[i], s->change, s->inverse + (size_t)i * n);
}

bool press_is_found(PressSearch *s, const double *z, const double *G, double least) {
  int n = s->n;
  double largest = 0, rounding = ROUNDING * power_of_ten(2 * (int)fmin(s->tries++ / PATIENCE, 2));
  bool good = true;
  for (int i = 0; i < n; i++) largest = fmax(largest, fmax(fabs(z[i]), fabs(G[i])));
  for (int i = 0; i < n; i++) {
    double off = z[i] - G[i];
    good = good && fabs(off) <= rounding * largest + least;
    s->by[i] = z[i] - s->z[i], s->change[i] = off - s->off[i];
    s->z[i] = z[i], s->off[i] = off;
  }
  return good;
}

bool press_next(PressSearch *s, double *z, const double *G, double least) {
  int n = s->n;
  if (press_is_found(s, z, G, least)) return true;
  // where a force changes its sign the slope jumps: z = G(z), again and again, gets there as well
  bool is_clever = s->tries <= CLEVER_TRIES;
  if (!is_clever && s->tries % CLEVER_TRIES == 1) press_forget(s);
  if (s->has_last && is_clever) learn(s);
  s->has_last = is_clever;
  for (int i = 0; i < n; i++) {
    double step = 0;
    for (int j = 0; j < n; j++) step += s->inverse[i * n + j] * s->off[j];
    z[i] = fmax(s->z[i] - step, 0);
  }
  return false;
}
