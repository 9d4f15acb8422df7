// Straight parts of a path and the contacts that change between them: Lemke's method in the states
// of contacts.
#include "solve/touch/touch_path.h"

#include <math.h>
#include <string.h>

// What borders of the matrix have lost beyond this asks for new factors.
static const double MOST_STRAY = 1e-4;
// s grows without end.
static const double FAR = 1e6;

void touch_path_open(TouchPath *path, Touches *t, TouchMatrix *m, double soft, TouchState *state) {
  size_t n = (size_t)t->count;
  *path =
      (TouchPath){.t = t, .matrix = m, .soft = soft, .state = state, .s = 1, .way = -1, .who = -1};
  double **arrays[] = {&path->a, &path->b, &path->p0, &path->r0, &path->dp, &path->dr};
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
    *arrays[i] = arena_array(m->arena, double, n);
  path->dv = arena_array(m->arena, double, t->n);
  touch_border_open(&path->border, m, path->a, path->b, soft);
  for (int i = 0; i < t->count; i++) path->p0[i] = t->at[i].p, path->r0[i] = t->at[i].r;
}

TouchState touch_path_state(const Touch *c) {
  if (!(c->p > 0) || !(c->own_push > 0)) return TOUCH_OPEN;
  if (!touch_rubs(c)) return TOUCH_SMOOTH;
  if (fabs(c->r) < c->mu * c->p * (1 - 1e-12)) return TOUCH_RESTS;
  return c->r < 0 ? TOUCH_SLIDES_UP : TOUCH_SLIDES_DOWN;
}

// ---- Speeds, with their shifts and what softness adds

static double apart(const TouchPath *path, int i) {
  const Touch *c = &path->t->at[i];
  return touch_apart(c, path->t->v) - c->aim + path->s * path->a[i] +
         path->soft * c->own_push * (c->p - path->p0[i]);
}

static double along(const TouchPath *path, int i) {
  const Touch *c = &path->t->at[i];
  return touch_along(c, path->t->v) + path->s * path->b[i] +
         path->soft * c->own_rub * (c->r - path->r0[i]);
}

// By s.
static double apart_rate(const TouchPath *path, int i) {
  const Touch *c = &path->t->at[i];
  return sparse_dot(&c->normal, path->dv) + path->a[i] + path->soft * c->own_push * path->dp[i];
}

static double along_rate(const TouchPath *path, int i) {
  const Touch *c = &path->t->at[i];
  return sparse_dot(&c->along, path->dv) + path->b[i] + path->soft * c->own_rub * path->dr[i];
}

// ---- A straight part

// How far what presses and rests is from keeping its shifted speeds, as a part of the shifts.
static double stray(const TouchPath *path) {
  double worst = 0, shift = 0;
  for (int i = 0; i < path->t->count; i++) {
    const Touch *c = &path->t->at[i];
    if (path->state[i] == TOUCH_OPEN) continue;
    worst = fmax(worst, fabs(apart_rate(path, i)) / c->size_push);
    shift = fmax(shift, fabs(path->a[i]) / c->size_push);
    if (path->state[i] != TOUCH_RESTS) continue;
    worst = fmax(worst, fabs(along_rate(path, i)) / c->size_rub);
    shift = fmax(shift, fabs(path->b[i]) / c->size_rub);
  }
  return worst > 0 ? worst / fmax(shift, 1e-290) : 0;
}

static bool find_rates_by(TouchPath *path, bool afresh) {
  Touches *t = path->t;
  if (!touch_border_solve(&path->border, path->state, afresh, path->dp, path->dr)) return false;
  memset(path->dv, 0, (size_t)t->n * sizeof *path->dv);
  for (int i = 0; i < t->count; i++) {
    const Touch *c = &t->at[i];
    if (!isfinite(path->dp[i]) || !isfinite(path->dr[i])) return false;
    if (path->dp[i] != 0) sparse_add(&c->push, path->dp[i], path->dv);
    if (path->dr[i] != 0) sparse_add(&c->rub, path->dr[i], path->dv);
  }
  return true;
}

// How impulses and velocities change with s; false when the matrix is singular.
static bool find_rates(TouchPath *path) {
  bool found = find_rates_by(path, path->is_careful);
  if (path->border.count == 0 || (found && stray(path) <= MOST_STRAY)) return found;
  return find_rates_by(path, true);
}

// What must stay positive, and its rate; up to two of a contact.
typedef struct Room {
  TouchLimit limit;
  double left, rate;
} Room;

static int rooms_of(const TouchPath *path, int i, Room *out) {
  const Touch *c = &path->t->at[i];
  double dp = path->dp[i], dr = path->dr[i];
  switch (path->state[i]) {
  case TOUCH_OPEN:
    if (!(c->own_push > 0)) return 0;
    out[0] = (Room){LIMIT_GAP, apart(path, i), apart_rate(path, i)};
    return 1;
  case TOUCH_RESTS:
    out[0] = (Room){LIMIT_REST_UP, c->mu * c->p + c->r, c->mu * dp + dr};
    out[1] = (Room){LIMIT_REST_DOWN, c->mu * c->p - c->r, c->mu * dp - dr};
    return 2;
  case TOUCH_SMOOTH: out[0] = (Room){LIMIT_PRESS, c->p, dp}; return 1;
  default: {
    double side = path->state[i] == TOUCH_SLIDES_UP ? 1 : -1;
    out[0] = (Room){LIMIT_PRESS, c->p, dp};
    out[1] = (Room){LIMIT_SLIDE, side * along(path, i), side * along_rate(path, i)};
    return 2;
  }
  }
}

// The way on which what has changed leaves its limit.
static bool choose_way(TouchPath *path) {
  Room room[2];
  if (path->who < 0) return true;
  for (int k = 0, n = rooms_of(path, path->who, room); k < n; k++)
    if (room[k].limit == path->entry) {
      path->way = room[k].rate > 0 ? 1 : -1;
      return room[k].rate != 0;
    }
  return false;
}

bool touch_path_begin(TouchPath *path) { return find_rates(path) && choose_way(path); }

void touch_path_move(TouchPath *path, double far) {
  Touches *t = path->t;
  double change = path->way * far;
  path->s += change;
  for (int i = 0; i < t->count; i++) {
    t->at[i].p += change * path->dp[i];
    t->at[i].r += change * path->dr[i];
  }
  for (int j = 0; j < t->n; j++) t->v[j] += change * path->dv[j];
}

double touch_path_go(TouchPath *path) {
  double nearest = path->way < 0 ? path->s : FAR;
  path->next = -1;
  for (int i = 0; i < path->t->count; i++) {
    Room room[2];
    for (int k = 0, n = rooms_of(path, i, room); k < n; k++) {
      double rate = path->way * room[k].rate;
      if (!(rate < 0) || (i == path->who && room[k].limit == path->entry)) continue;
      double far = fmax(room[k].left, 0) / -rate;
      if (far < nearest) nearest = far, path->next = i, path->limit = room[k].limit;
    }
  }
  if (nearest >= FAR) return INFINITY;
  touch_path_move(path, nearest);
  return nearest;
}

bool touch_path_turn(TouchPath *path) {
  int i = path->next;
  if (i < 0) return false;
  Touch *c = &path->t->at[i];
  TouchState *state = &path->state[i];
  path->who = i;
  switch (path->limit) {
  case LIMIT_PRESS: *state = TOUCH_OPEN, path->entry = LIMIT_GAP, c->p = c->r = 0; break;
  case LIMIT_REST_UP:
    *state = TOUCH_SLIDES_UP, path->entry = LIMIT_SLIDE, c->r = -c->mu * c->p;
    break;
  case LIMIT_REST_DOWN:
    *state = TOUCH_SLIDES_DOWN, path->entry = LIMIT_SLIDE, c->r = c->mu * c->p;
    break;
  case LIMIT_GAP:
    path->entry = LIMIT_PRESS;
    *state = !touch_rubs(c)       ? TOUCH_SMOOTH
             : along(path, i) > 0 ? TOUCH_SLIDES_UP
                                  : TOUCH_SLIDES_DOWN;
    break;
  default:
    path->entry = *state == TOUCH_SLIDES_UP ? LIMIT_REST_UP : LIMIT_REST_DOWN;
    *state = TOUCH_RESTS;
  }
  return true;
}
