// L U in a skyline, by dot products of rows and columns.
#include "solve/algebra/skyline.h"

#include <math.h>
#include <string.h>

#include "solve/algebra/dense.h"

static double *longer(Arena *arena, const double *old, size_t kept, size_t n) {
  double *out = arena_array(arena, double, n);
  if (kept > 0) memcpy(out, old, kept * sizeof *out);
  return out;
}

static void make_room(Skyline *s, Arena *arena, int n, int kept) {
  if (n <= s->room) return;
  const int *start = s->start;
  const size_t *at = s->at;
  s->room = 2 * n;
  s->start = arena_array(arena, int, s->room);
  s->at = arena_array(arena, size_t, s->room + 1);
  s->diagonal = longer(arena, s->diagonal, (size_t)kept, (size_t)s->room);
  for (int i = 0; i < kept; i++) s->start[i] = start[i], s->at[i] = at[i];
}

void skyline_shape(Skyline *s, Arena *arena, int n, const int *start, int kept) {
  make_room(s, arena, n, kept);
  s->n = n;
  size_t entries = kept > 0 ? s->at[kept - 1] + (size_t)(kept - 1 - s->start[kept - 1]) : 0;
  size_t filled = entries;
  for (int i = kept; i < n; i++) {
    s->start[i] = start[i];
    s->at[i] = entries;
    entries += (size_t)(i - start[i]);
  }
  if (entries > s->entries) {
    s->entries = 2 * entries;
    s->lower = longer(arena, s->lower, filled, s->entries);
    s->upper = longer(arena, s->upper, filled, s->entries);
  }
  for (int i = kept; i < n; i++) s->diagonal[i] = 0;
  if (entries == filled) return;
  memset(s->lower + filled, 0, (entries - filled) * sizeof *s->lower);
  memset(s->upper + filled, 0, (entries - filled) * sizeof *s->upper);
}

// The factors are computed with the widest vectors that the machine has; no fused operations: all
// give the same bits.
#if defined(__x86_64__) && !defined(QDOT_ALONE)
#define SKYLINE_WIDE __attribute__((target("avx2")))
#define skyline_is_wide() __builtin_cpu_supports("avx2")
#else
#define SKYLINE_WIDE
#define skyline_is_wide() 0
#endif
#define SKYLINE_BODY static inline __attribute__((always_inline))

// a.b and c.d of n values each, four at a time.
SKYLINE_BODY void two_dots(int n, const double *a, const double *b, const double *c,
                           const double *d, double *ab, double *cd) {
  typedef double Four __attribute__((vector_size(32), aligned(8)));
  Four first = {0}, second = {0};
  int i = 0;
  for (; i + 4 <= n; i += 4) {
    first += *(const Four *)(a + i) * *(const Four *)(b + i);
    second += *(const Four *)(c + i) * *(const Four *)(d + i);
  }
  *ab = first[0] + first[1] + first[2] + first[3];
  *cd = second[0] + second[1] + second[2] + second[3];
  for (; i < n; i++) *ab += a[i] * b[i], *cd += c[i] * d[i];
}

SKYLINE_BODY bool factor(Skyline *s, double relative, int kept) {
  for (int i = kept; i < s->n; i++) {
    int begin = s->start[i];
    double *row = s->lower + s->at[i], *column = s->upper + s->at[i];
    for (int j = begin; j < i; j++) {
      int from = s->start[j] > begin ? s->start[j] : begin;
      size_t there = s->at[j] + (size_t)(from - s->start[j]), here = (size_t)(from - begin);
      double below, above;
      two_dots(j - from, row + here, s->upper + there, column + here, s->lower + there, &below,
               &above);
      row[j - begin] = (row[j - begin] - below) * s->diagonal[j];
      column[j - begin] -= above;
    }
    double pivot = s->diagonal[i] - dense_dot(i - begin, row, column);
    if (!(fabs(pivot) > relative * fabs(s->diagonal[i]))) return false;
    s->diagonal[i] = 1 / pivot;
  }
  return true;
}

static SKYLINE_WIDE bool factor_wide(Skyline *s, double relative, int kept) {
  return factor(s, relative, kept);
}

bool skyline_factor(Skyline *s, double relative, int kept) {
  return skyline_is_wide() ? factor_wide(s, relative, kept) : factor(s, relative, kept);
}

void skyline_solve(const Skyline *s, double *b) {
  for (int i = 0; i < s->n; i++)
    b[i] -= dense_dot(i - s->start[i], s->lower + s->at[i], b + s->start[i]);
  for (int i = s->n - 1; i >= 0; i--) {
    b[i] *= s->diagonal[i];
    dense_add(i - s->start[i], -b[i], s->upper + s->at[i], b + s->start[i]);
  }
}
