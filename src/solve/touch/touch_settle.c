// Contacts of a step as a sequence of convex problems.
//
// With multipliers p0, r0 and a bound b = mu p0 of the step before,
//
//   p = max(0, p0 - (w - aim)/soft),  r = -b .. r0 - u/soft .. b,  K (v - v_free) = N^T p + T^T r
//
// is where a convex function of v is least, smooth but for its second derivative. Its fixed point
// p = p0, r = r0 is the law of contacts, whatever `soft` is.
#include "solve/touch/touch_settle.h"

#include <math.h>
#include <string.h>

enum { MOST_ROUNDS = 20, MOST_NEWTON_STEPS = 30, MOST_CUTS = 40, PATIENCE = 6, LONG = 10 };

// Of a contact's own response.
static const double FIRST_SOFT = 1, LAST_SOFT = 1e-3;
// A miss that is left of the one before says that it is slow.
static const double SLOW = 0.95;

typedef struct Settling {
  double soft; // of a contact's own response
  Touches *t;
  TouchMatrix *matrix;
  const double *v_free;
  double *p0, *r0, *bound;
  bool *presses, *rests; // sets that the matrix is factored for,
  bool is_factored;
  bool *presses_now, *rests_now; // and those of the present speeds
  double *no_share;
  double *w, *u, *p, *r; // before a step
  double *dw, *du;
} Settling;

static void settling_open(Settling *s, Touches *t, TouchMatrix *matrix, const double *v_free) {
  size_t n = (size_t)t->count;
  *s = (Settling){.t = t, .matrix = matrix, .v_free = v_free};
  double **arrays[] = {&s->p0, &s->r0, &s->bound, &s->no_share, &s->w,
                       &s->u,  &s->p,  &s->r,     &s->dw,       &s->du};
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
    *arrays[i] = arena_array(matrix->arena, double, n);
  bool **sets[] = {&s->presses, &s->rests, &s->presses_now, &s->rests_now};
  for (size_t i = 0; i < sizeof sets / sizeof *sets; i++)
    *sets[i] = arena_array(matrix->arena, bool, n);
}

static double pressed_at(const Settling *s, int i, double w) {
  const Touch *c = &s->t->at[i];
  return fmax(0, s->p0[i] - (w - c->aim) / (s->soft * c->own_push));
}

static double rubbed_at(const Settling *s, int i, double u) {
  const Touch *c = &s->t->at[i];
  double r = s->r0[i] - u / (s->soft * c->own_rub);
  return fmin(fmax(r, -s->bound[i]), s->bound[i]);
}

// Speeds and sets at the present velocities; by how much the impulses miss what belongs to these.
static double read_speeds(Settling *s) {
  double miss = 0;
  for (int i = 0; i < s->t->count; i++) {
    const Touch *c = &s->t->at[i];
    s->presses_now[i] = s->rests_now[i] = false;
    if (!(c->own_push > 0)) continue;
    s->w[i] = touch_apart(c, s->t->v);
    double p = pressed_at(s, i, s->w[i]);
    s->presses_now[i] = p > 0;
    miss = fmax(miss, fabs(p - c->p) * c->size_push);
    if (!touch_rubs(c)) continue;
    s->u[i] = touch_along(c, s->t->v);
    double r = rubbed_at(s, i, s->u[i]);
    s->rests_now[i] = fabs(r) < s->bound[i];
    miss = fmax(miss, fabs(r - c->r) * c->size_rub);
  }
  return s->soft * miss;
}

static bool factor(Settling *s) {
  size_t bytes = (size_t)s->t->count * sizeof *s->presses;
  if (s->is_factored && memcmp(s->presses, s->presses_now, bytes) == 0 &&
      memcmp(s->rests, s->rests_now, bytes) == 0)
    return true;
  memcpy(s->presses, s->presses_now, bytes);
  memcpy(s->rests, s->rests_now, bytes);
  s->is_factored = touch_matrix_factor(s->matrix, s->presses, s->rests, s->no_share, s->soft);
  return s->is_factored;
}

// Impulses and velocities that the sets ask for.
static void solve_sets(Settling *s) {
  Touches *t = s->t;
  TouchMatrix *m = s->matrix;
  for (int i = 0; i < t->count; i++) {
    Touch *c = &t->at[i];
    if (!s->presses[i]) c->p = 0;
    if (touch_rubs(c) && !s->rests[i]) c->r = rubbed_at(s, i, s->u[i]);
  }
  touches_renew(t, s->v_free);
  for (int i = 0; i < t->count; i++) {
    const Touch *c = &t->at[i];
    if (s->presses[i])
      m->x[m->press[i]] = c->aim - touch_apart(c, t->v) - s->soft * c->own_push * (c->p - s->p0[i]);
    if (s->rests[i])
      m->x[m->rest[i]] = -touch_along(c, t->v) - s->soft * c->own_rub * (c->r - s->r0[i]);
  }
  skyline_solve(&m->skyline, m->x);
  for (int i = 0; i < t->count; i++) {
    if (s->presses[i]) t->at[i].p += m->x[m->press[i]];
    if (s->rests[i]) t->at[i].r += m->x[m->rest[i]];
  }
  touches_renew(t, s->v_free);
}

// The slope of the convex function at a part of the way from before to now.
static double slope_at(const Settling *s, double part) {
  double slope = 0;
  for (int i = 0; i < s->t->count; i++) {
    const Touch *c = &s->t->at[i];
    if (!(c->own_push > 0)) continue;
    double p = s->p[i] + part * (c->p - s->p[i]);
    slope += s->dw[i] * (p - pressed_at(s, i, s->w[i] + part * s->dw[i]));
    if (!touch_rubs(c)) continue;
    double r = s->r[i] + part * (c->r - s->r[i]);
    slope += s->du[i] * (r - rubbed_at(s, i, s->u[i] + part * s->du[i]));
  }
  return slope;
}

// Where the slope is zero, or nearly: the part of the way to go.
static double part_of_way(const Settling *s) {
  enum { NEARLY = 10 };
  double begin = slope_at(s, 0), end = slope_at(s, 1), low = 0, high = 1, at_low = begin,
         at_high = end;
  if (!(NEARLY * end > fabs(begin))) return 1;
  for (int k = 0; k < MOST_CUTS; k++) {
    double middle = low + (high - low) * at_low / (at_low - at_high);
    if (!(middle > low && middle < high) || k % 3 == 2) middle = (low + high) / 2;
    double slope = slope_at(s, middle);
    if (fabs(slope) * NEARLY <= fabs(begin)) return middle;
    if (slope < 0)
      low = middle, at_low = slope;
    else
      high = middle, at_high = slope;
  }
  return low > 0 ? low : high;
}

// One step of Newton's method.
static bool step(Settling *s) {
  Touches *t = s->t;
  if (!factor(s)) return false;
  for (int i = 0; i < t->count; i++) s->p[i] = t->at[i].p, s->r[i] = t->at[i].r;
  solve_sets(s);
  for (int i = 0; i < t->count; i++) {
    const Touch *c = &t->at[i];
    if (!(c->own_push > 0)) continue;
    s->dw[i] = touch_apart(c, t->v) - s->w[i];
    if (touch_rubs(c)) s->du[i] = touch_along(c, t->v) - s->u[i];
  }
  double part = part_of_way(s);
  if (part == 1) return true;
  for (int i = 0; i < t->count; i++) {
    Touch *c = &t->at[i];
    c->p = s->p[i] + part * (c->p - s->p[i]);
    c->r = s->r[i] + part * (c->r - s->r[i]);
  }
  touches_renew(t, s->v_free);
  return true;
}

// A step from here; bounds that follow at once may swing to and fro.
static void take_bounds(Settling *s, bool at_once) {
  for (int i = 0; i < s->t->count; i++) {
    const Touch *c = &s->t->at[i];
    double bound = c->mu * c->p;
    s->p0[i] = c->p, s->r0[i] = c->r;
    s->bound[i] = at_once ? bound : (s->bound[i] + bound) / 2;
  }
}

// Has anyone changed between open, resting and sliding?
static bool tell(const Settling *s, TouchState *state) {
  bool changed = false;
  for (int i = 0; i < s->t->count; i++) {
    const Touch *c = &s->t->at[i];
    TouchState now = !s->presses_now[i] ? TOUCH_OPEN
                     : !touch_rubs(c)   ? TOUCH_SMOOTH
                     : s->rests_now[i]  ? TOUCH_RESTS
                     : c->r < 0         ? TOUCH_SLIDES_UP
                                        : TOUCH_SLIDES_DOWN;
    changed = changed || state[i] != now;
    state[i] = now;
  }
  return changed;
}

// How often the last step can be repeated until someone changes its state.
static double repeats(const Settling *s) {
  double most = 1e6;
  for (int i = 0; i < s->t->count; i++) {
    const Touch *c = &s->t->at[i];
    if (!s->presses_now[i]) continue;
    double dp = c->p - s->p0[i], dr = c->r - s->r0[i];
    if (dp < 0) most = fmin(most, c->p / -dp);
    for (int side = -1; s->rests_now[i] && side < 2; side += 2) {
      double room = c->mu * c->p - side * c->r, change = c->mu * dp - side * dr;
      if (change < 0 && room > 0) most = fmin(most, room / -change);
    }
  }
  return 1.001 * most;
}

// The least of the convex function; false when a matrix is singular.
static bool find_least(Settling *s, double enough) {
  for (int k = 0; k < MOST_NEWTON_STEPS && read_speeds(s) > enough; k++)
    if (!step(s)) return false;
  read_speeds(s);
  return true;
}

// Newton's method on the states that have been found; if that fails, all is as it was.
static bool try_states(Settling *s, double scale, const TouchState *state) {
  Touches *t = s->t;
  for (int i = 0; i < t->count; i++) s->p[i] = t->at[i].p, s->r[i] = t->at[i].r;
  if (touches_tell_states(t, s->matrix, s->v_free, scale, state)) return true;
  for (int i = 0; i < t->count; i++) t->at[i].p = s->p[i], t->at[i].r = s->r[i];
  touches_renew(t, s->v_free);
  s->is_factored = false;
  return false;
}

// Loads that grow by themselves, step by step, are followed to where someone gives way.
static void repeat_step(Settling *s) {
  double more = repeats(s);
  for (int i = 0; i < s->t->count; i++) {
    Touch *c = &s->t->at[i];
    c->p += more * (c->p - s->p0[i]), c->r += more * (c->r - s->r0[i]);
  }
  touches_renew(s->t, s->v_free);
}

bool touches_settle(Touches *t, TouchMatrix *matrix, const double *v_free, double scale,
                    TouchState *state) {
  Settling s;
  settling_open(&s, t, matrix, v_free);
  double last = touches_miss(t, NULL), tried = INFINITY;
  int still = 0, slow = 0, age = 0;
  bool at_once = true;
  s.soft = FIRST_SOFT;
  for (int round = 0; round < MOST_ROUNDS; round++) {
    take_bounds(&s, at_once);
    at_once = false;
    if (!find_least(&s, fmax(TOUCH_SAME * scale, 0.01 * s.soft * last))) return false;
    still = tell(&s, state) ? 0 : still + 1;
    double miss = touches_miss(t, NULL);
    if (miss <= TOUCH_GOOD * scale) return true;
    slow = miss > SLOW * last ? slow + 1 : 0;
    last = miss;
    if (still > 0 && (miss < tried / 10 || still % 4 == 0)) {
      if (try_states(&s, scale, state)) return true;
      tried = miss;
    }
    age++;
    if (s.soft > LAST_SOFT && ((still > 1 && slow > 0) || age > LONG)) {
      s.soft = fmax(LAST_SOFT, s.soft / 10), s.is_factored = false;
      age = 0;
    } else if (still > 2 && slow >= PATIENCE) {
      repeat_step(&s);
      at_once = true;
      still = slow = 0;
    }
  }
  return false;
}
