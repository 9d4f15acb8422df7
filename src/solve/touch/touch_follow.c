// The path (touch_path.h) whose shifts make the impulses at hand right: from them to those of the
// step. Lemke's proof holds where nothing presses at first.
#include "solve/touch/touch_follow.h"

#include <math.h>

#include "solve/touch/touch_path.h"

// So many changes of states for each contact, then it is given up.
enum { MOST_TURNS_NEAR = 1, MOST_TURNS = 20 };

// Between 0.2 and 1, another for each and each try, so that no two change at once.
static double margin(int i, int try) {
  uint32_t mixed = ((uint32_t)i + 1) * 2654435761u ^ (uint32_t)try * 0x9e3779b9u;
  mixed = (mixed ^ mixed >> 15) * 0x85ebca6bu;
  return 0.2 + 0.8 * (double)(mixed >> 8) / (1 << 24);
}

// Shifts that make the impulses at hand right.
static void shift(TouchPath *path, double size, int try) {
  const Touches *t = path->t;
  for (int i = 0; i < t->count; i++) {
    const Touch *c = &t->at[i];
    path->state[i] = touch_path_state(c);
    double w = touch_apart(c, t->v) - c->aim, least = margin(i, try) * size;
    path->a[i] = path->state[i] != TOUCH_OPEN ? -w
                 : try > 0                    ? least * c->size_push + fmax(0, -w)
                                              : fmax(0, least * c->size_push - w);
    if (!touch_rubs(c)) continue;
    double u = touch_along(c, t->v);
    least *= c->size_rub;
    if (path->state[i] == TOUCH_RESTS) path->b[i] = -u;
    if (path->state[i] == TOUCH_SLIDES_UP) path->b[i] = fmax(0, least - u);
    if (path->state[i] == TOUCH_SLIDES_DOWN) path->b[i] = fmin(0, -least - u);
  }
}

bool touches_follow_path(Touches *t, TouchMatrix *m, const double *v_free, double scale, int try,
                         double soft, bool is_careful, TouchState *state) {
  TouchPath path;
  int most = (try > 0 ? MOST_TURNS : MOST_TURNS_NEAR) * t->count;
  for (int i = 0; try > 0 && i < t->count; i++) t->at[i].p = 0;
  if (try > 0) touches_tidy(t, v_free);
  double size = fmax(touches_miss(t, NULL), TOUCH_GOOD * scale);
  touches_tidy(t, v_free);
  touch_path_open(&path, t, m, soft, state);
  path.is_careful = is_careful;
  shift(&path, size, try);
  for (int k = 0; k < most; k++) {
    if (!touch_path_begin(&path) || touch_path_go(&path) == INFINITY) return false;
    if (touch_path_turn(&path)) continue;
    touches_renew(t, v_free);
    return true;
  }
  return false;
}
