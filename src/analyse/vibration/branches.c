// Following modes through a root locus.
#include "analyse/vibration/branches.h"

#include <math.h>

// |<a, b>|^2 / (|a|^2 |b|^2) of complex shapes: 1 for the same shape, whatever its phase.
static double shape_likeness(const Mode *a, const Mode *b, uint32_t n) {
  double re = 0, im = 0, aa = 0, bb = 0;
  for (uint32_t i = 0; i < n; i++) {
    re += a->shape_re[i] * b->shape_re[i] + a->shape_im[i] * b->shape_im[i];
    im += a->shape_re[i] * b->shape_im[i] - a->shape_im[i] * b->shape_re[i];
    aa += a->shape_re[i] * a->shape_re[i] + a->shape_im[i] * a->shape_im[i];
    bb += b->shape_re[i] * b->shape_re[i] + b->shape_im[i] * b->shape_im[i];
  }
  return aa > 0 && bb > 0 ? (re * re + im * im) / (aa * bb) : 0;
}

// Modes of one shape, such as a growing and a decaying one, are told apart by their eigenvalues.
static double likeness(const Mode *a, const Mode *b, uint32_t n) {
  double apart = hypot(a->re - b->re, a->im - b->im), size = a->omega + b->omega;
  return shape_likeness(a, b, n) - (size > 0 ? apart / size : 0) - (a->kind != b->kind ? 0.25 : 0);
}

static bool is_taken(const uint32_t *modes, uint32_t count, uint32_t mode) {
  for (uint32_t k = 0; k < count; k++)
    if (modes[k] == mode) return true;
  return false;
}

// The best pair of a branch and a mode that are both free; false where there is none.
static bool join_best(const Modes *before, const uint32_t *from, const Modes *now, uint32_t *to,
                      uint32_t count, uint32_t n) {
  double best = -INFINITY;
  uint32_t branch = 0, mode = 0;
  for (uint32_t k = 0; k < count; k++) {
    if (to[k] != NO_BRANCH || from[k] == NO_BRANCH) continue;
    for (uint32_t m = 0; m < now->count; m++) {
      if (is_taken(to, count, m)) continue;
      double like = likeness(&before->mode[from[k]], &now->mode[m], n);
      if (like > best) best = like, branch = k, mode = m;
    }
  }
  if (best > -INFINITY) to[branch] = mode;
  return best > -INFINITY;
}

// What no branch took continues those that are free.
static void fill_free(const Modes *now, uint32_t *to, uint32_t count) {
  for (uint32_t m = 0; m < now->count; m++) {
    uint32_t k = 0;
    while (!is_taken(to, count, m) && k < count && to[k] != NO_BRANCH) k++;
    if (!is_taken(to, count, m) && k < count) to[k] = m;
  }
}

Branches locus_branches(const Locus *locus, uint32_t n, Arena *arena) {
  Branches b = {0};
  for (uint32_t i = 0; i < locus->n; i++)
    if (locus->step[i].is_found && locus->step[i].modes.count > b.count)
      b.count = locus->step[i].modes.count;
  b.mode = arena_array(arena, uint32_t, (size_t)locus->n * b.count + 1);
  const LocusStep *last = NULL;
  for (uint32_t i = 0; i < locus->n; i++) {
    const LocusStep *step = &locus->step[i];
    uint32_t *to = b.mode + (size_t)i * b.count;
    for (uint32_t k = 0; k < b.count; k++) to[k] = NO_BRANCH;
    if (!step->is_found) continue;
    const uint32_t *from = last ? b.mode + (size_t)(last - locus->step) * b.count : NULL;
    while (last && join_best(&last->modes, from, &step->modes, to, b.count, n)) continue;
    fill_free(&step->modes, to, b.count);
    last = step;
  }
  return b;
}

const Mode *branch_mode(const Locus *locus, const Branches *branches, uint32_t step, uint32_t k) {
  uint32_t mode = branches->mode[(size_t)step * branches->count + k];
  return mode == NO_BRANCH ? NULL : &locus->step[step].modes.mode[mode];
}
