// Bounces that grow along a path (touch_path.h): at s = 1 there are none, at s = 0 all of them.
//
// Newton's law of restitution together with Coulomb's of friction may make energy. Without bounces
// they never do; the energy is a parabola of s on each straight part.
#include "solve/touch/touch_bounce.h"

#include <math.h>

#include "solve/touch/touch_path.h"

// So many changes of states for each contact, then what has been reached has to do.
enum { MOST_TURNS = 4 };

// Impulses of so many times the speeds that they are to bring do not bring them.
static const double WEDGED = 1e4;

// Back to where energy begins to be made on the part of the path just gone: it was `begin` there,
// none, and is `end` here.
static void move_back(TouchPath *path, double far, double begin, double end) {
  touch_path_move(path, -far / 2);
  double middle = touches_made(path->t);
  double square = 2 * (begin - 2 * middle + end), slope = end - begin - square;
  double root = sqrt(fmax(0, slope * slope - 4 * square * begin));
  double part = begin < 0 ? -2 * begin / (slope + root) : 0;
  touch_path_move(path, far * (fmin(fmax(part, 0), 1) - 0.5));
}

// Nothing but softness has let it part on the way just gone: what is wedged between others cannot
// bounce. What is held by a limit alone, as by a joint, soon gives way.
static bool is_wedged(const TouchPath *path, double far) {
  double impulse = 0, speed = path->t->speed;
  for (int i = 0; i < path->t->count; i++) {
    const Touch *c = &path->t->at[i];
    if (!(c->own_push > 0)) continue;
    impulse = fmax(impulse, fabs(far * path->dp[i]) * c->size_push);
    speed = fmax(speed, path->a[i] / c->size_push);
  }
  return impulse > WEDGED * speed;
}

static void grow(TouchPath *path) {
  double made = touches_made(path->t);
  for (int k = 0; k < MOST_TURNS * path->t->count && !(made > 0); k++) {
    if (!touch_path_begin(path) || path->way > 0) return;
    double far = touch_path_go(path), before = made;
    if (isfinite(far) && is_wedged(path, far)) {
      touch_path_move(path, -far);
      return;
    }
    made = touches_made(path->t);
    if (made > 0) move_back(path, far, before, made);
    if (made > 0 || !touch_path_turn(path)) return;
  }
}

double touches_bounce(Touches *t, TouchMatrix *m, const double *v_free, TouchState *state) {
  TouchPath path;
  touch_path_open(&path, t, m, TOUCH_GOOD, state);
  for (int i = 0; i < t->count; i++) {
    Touch *c = &t->at[i];
    state[i] = touch_path_state(c);
    path.a[i] = c->bounce;
    c->aim += c->bounce;
  }
  grow(&path);
  for (int i = 0; i < t->count; i++) t->at[i].aim -= path.s * path.a[i];
  touches_renew(t, v_free);
  return 1 - path.s;
}
