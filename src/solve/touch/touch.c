// What contacts of a step are made of, and how far they are from the law.
#include "solve/touch/touch.h"

#include <math.h>
#include <string.h>

SparseRow sparse_row(Arena *arena, int n, const double *row) {
  SparseRow out = {0};
  for (int i = 0; i < n; i++) out.n += row[i] != 0;
  out.index = arena_array(arena, int, out.n);
  out.value = arena_array(arena, double, out.n);
  for (int i = 0, k = 0; i < n; i++)
    if (row[i] != 0) out.index[k] = i, out.value[k++] = row[i];
  return out;
}

void touches_renew(Touches *t, const double *v_free) {
  memcpy(t->v, v_free, (size_t)t->n * sizeof *t->v);
  for (int i = 0; i < t->count; i++) {
    const Touch *c = &t->at[i];
    if (c->p != 0) sparse_add(&c->push, c->p, t->v);
    if (c->r != 0) sparse_add(&c->rub, c->r, t->v);
  }
}

void touches_tidy(Touches *t, const double *v_free) {
  for (int i = 0; i < t->count; i++) {
    Touch *c = &t->at[i];
    c->p = fmax(c->p, 0);
    c->r = touch_rubs(c) ? fmin(fmax(c->r, -c->mu * c->p), c->mu * c->p) : 0;
  }
  touches_renew(t, v_free);
}

// Impulses beyond this multiple of what stops the largest speed hold parts that are wedged: they
// are no measure of speeds.
static const double MOST_LOAD = 1e3;

double touches_miss(const Touches *t, double *scale) {
  double worst = 0, largest = t->speed, load = 0;
  for (int i = 0; i < t->count; i++) {
    const Touch *c = &t->at[i];
    if (!(c->own_push > 0)) continue;
    double root = sqrt(c->own_push), w = touch_apart(c, t->v) - c->aim;
    double step = c->p - fmax(0, c->p - w / c->own_push);
    worst = fmax(worst, fabs(step) * root);
    largest = fmax(largest, fabs(c->aim) / root);
    load = fmax(load, c->p * root);
    if (!touch_rubs(c)) continue;
    double most = c->mu * c->p, r = c->r - touch_along(c, t->v) / c->own_rub;
    worst = fmax(worst, fabs(c->r - fmin(fmax(r, -most), most)) * sqrt(c->own_rub));
  }
  if (scale) *scale = fmax(largest, fmin(load, MOST_LOAD * largest));
  return worst;
}

double touches_made(const Touches *t) {
  double made = 0;
  for (int i = 0; i < t->count; i++) {
    const Touch *c = &t->at[i];
    if (c->p == 0) continue;
    double twice = sparse_dot(&c->normal, t->before) + sparse_dot(&c->normal, t->v);
    made += c->p * (twice / 2 + c->normal_moves);
    if (c->r == 0) continue;
    twice = sparse_dot(&c->along, t->before) + sparse_dot(&c->along, t->v);
    made += c->r * (twice / 2 + c->along_moves);
  }
  return made;
}
