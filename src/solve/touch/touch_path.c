// Contacts of a step by following a path: Lemke's method in the states of contacts.
//
// Speeds apart and along are shifted, w + s a and u + s b, so that with s = 1 the impulses at hand
// obey the law. While nobody changes between open, resting and sliding, impulses are linear in s;
// where somebody has to, s may turn round, and goes the way in which that one leaves its old state.
// At s = 0 the law is that of the step. Lemke's proof holds where nothing presses at first.
#include "solve/touch/touch_path.h"

#include <math.h>
#include <string.h>

// So many changes of states for each contact, then it is given up.
enum { MOST_TURNS_NEAR = 1, MOST_TURNS = 20 };

// Contacts may share a load in many ways: a part of their own masses is added, so small that what
// it does to speeds is good.
static const double SOFT = TOUCH_GOOD;
// s grows without end.
static const double FAR = 1e6;

typedef enum Limit {
  NO_LIMIT,
  LIMIT_PRESS,
  LIMIT_REST_UP,
  LIMIT_REST_DOWN,
  LIMIT_GAP,
  LIMIT_SLIDE
} Limit;

typedef struct Path {
  Touches *t;
  TouchMatrix *matrix;
  const double *v_free;
  TouchState *state;
  double s, way;        // where it is, and to which side it goes, -1 or 1
  double *a, *b;        // shifts of the speeds apart and along
  double *p0, *r0;      // impulses at the beginning
  double *dp, *dr, *dv; // by s
  bool *presses, *rests;
  double *share;
  int who;     // the contact that has just changed,
  Limit entry; // and what leaves its limit there
} Path;

static void path_open(Path *path, Touches *t, TouchMatrix *m, const double *v_free,
                      TouchState *state) {
  size_t n = (size_t)t->count;
  *path =
      (Path){.t = t, .matrix = m, .v_free = v_free, .state = state, .s = 1, .way = -1, .who = -1};
  double **arrays[] = {&path->a,  &path->b,  &path->p0,   &path->r0,
                       &path->dp, &path->dr, &path->share};
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
    *arrays[i] = arena_array(m->arena, double, n);
  path->dv = arena_array(m->arena, double, t->n);
  path->presses = arena_array(m->arena, bool, n);
  path->rests = arena_array(m->arena, bool, n);
}

// ---- Speeds, with their shifts and what softness adds

static double apart(const Path *path, int i) {
  const Touch *c = &path->t->at[i];
  return touch_apart(c, path->t->v) - c->aim + path->s * path->a[i] +
         SOFT * c->own_push * (c->p - path->p0[i]);
}

static double along(const Path *path, int i) {
  const Touch *c = &path->t->at[i];
  return touch_along(c, path->t->v) + path->s * path->b[i] +
         SOFT * c->own_rub * (c->r - path->r0[i]);
}

// By s.
static double apart_rate(const Path *path, int i) {
  const Touch *c = &path->t->at[i];
  return sparse_dot(&c->normal, path->dv) + path->a[i] + SOFT * c->own_push * path->dp[i];
}

static double along_rate(const Path *path, int i) {
  const Touch *c = &path->t->at[i];
  return sparse_dot(&c->along, path->dv) + path->b[i] + SOFT * c->own_rub * path->dr[i];
}

// ---- The beginning

// Between 0.2 and 1, another for each and each try, so that no two change at once.
static double margin(int i, int try) {
  uint32_t mixed = ((uint32_t)i + 1) * 2654435761u ^ (uint32_t)try * 0x9e3779b9u;
  mixed = (mixed ^ mixed >> 15) * 0x85ebca6bu;
  return 0.2 + 0.8 * (double)(mixed >> 8) / (1 << 24);
}

static TouchState state_now(const Touch *c) {
  if (!(c->p > 0) || !(c->own_push > 0)) return TOUCH_OPEN;
  if (!touch_rubs(c)) return TOUCH_SMOOTH;
  if (fabs(c->r) < c->mu * c->p * (1 - 1e-12)) return TOUCH_RESTS;
  return c->r < 0 ? TOUCH_SLIDES_UP : TOUCH_SLIDES_DOWN;
}

// Shifts that make the impulses at hand right.
static void begin(Path *path, double size, int try) {
  Touches *t = path->t;
  for (int i = 0; i < t->count; i++) {
    Touch *c = &t->at[i];
    c->p = fmax(c->p, 0);
    c->r = touch_rubs(c) ? fmin(fmax(c->r, -c->mu * c->p), c->mu * c->p) : 0;
    path->p0[i] = c->p, path->r0[i] = c->r;
    path->state[i] = state_now(c);
  }
  touches_renew(t, path->v_free);
  for (int i = 0; i < t->count; i++) {
    const Touch *c = &t->at[i];
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

// ---- A straight part

// How impulses and velocities change with s; false when the matrix is singular.
static bool find_rates(Path *path) {
  Touches *t = path->t;
  TouchMatrix *m = path->matrix;
  for (int i = 0; i < t->count; i++) {
    TouchState now = path->state[i];
    path->presses[i] = now != TOUCH_OPEN, path->rests[i] = now == TOUCH_RESTS;
    path->share[i] = touch_share(now, t->at[i].mu);
  }
  if (!touch_matrix_factor(m, path->presses, path->rests, path->share, SOFT)) return false;
  for (int i = 0; i < t->count; i++) {
    if (path->presses[i]) m->x[m->press[i]] = -path->a[i];
    if (path->rests[i]) m->x[m->rest[i]] = -path->b[i];
  }
  skyline_solve(&m->skyline, m->x);
  memset(path->dv, 0, (size_t)t->n * sizeof *path->dv);
  for (int i = 0; i < t->count; i++) {
    const Touch *c = &t->at[i];
    path->dp[i] = path->presses[i] ? m->x[m->press[i]] : 0;
    path->dr[i] = path->rests[i] ? m->x[m->rest[i]] : path->share[i] * path->dp[i];
    if (!isfinite(path->dp[i]) || !isfinite(path->dr[i])) return false;
    if (path->dp[i] != 0) sparse_add(&c->push, path->dp[i], path->dv);
    if (path->dr[i] != 0) sparse_add(&c->rub, path->dr[i], path->dv);
  }
  return true;
}

// What must stay positive, and its rate; up to two of a contact.
typedef struct Room {
  Limit limit;
  double left, rate;
} Room;

static int rooms_of(const Path *path, int i, Room *out) {
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
static bool choose_way(Path *path) {
  Room room[2];
  if (path->who < 0) return true;
  for (int k = 0, n = rooms_of(path, path->who, room); k < n; k++)
    if (room[k].limit == path->entry) {
      path->way = room[k].rate > 0 ? 1 : -1;
      return room[k].rate != 0;
    }
  return false;
}

// The first limit on the way; how far it is.
static double nearest_limit(const Path *path, int *who, Limit *limit) {
  double nearest = path->way < 0 ? path->s : FAR;
  *who = -1;
  *limit = NO_LIMIT;
  for (int i = 0; i < path->t->count; i++) {
    Room room[2];
    for (int k = 0, n = rooms_of(path, i, room); k < n; k++) {
      double rate = path->way * room[k].rate;
      if (!(rate < 0) || (i == path->who && room[k].limit == path->entry)) continue;
      double far = fmax(room[k].left, 0) / -rate;
      if (far < nearest) nearest = far, *who = i, *limit = room[k].limit;
    }
  }
  return nearest;
}

static void move(Path *path, double far) {
  Touches *t = path->t;
  double change = path->way * far;
  path->s += change;
  for (int i = 0; i < t->count; i++) {
    t->at[i].p += change * path->dp[i];
    t->at[i].r += change * path->dr[i];
  }
  for (int j = 0; j < t->n; j++) t->v[j] += change * path->dv[j];
}

// Who has come to a limit changes its state.
static void turn(Path *path, int i, Limit limit) {
  Touch *c = &path->t->at[i];
  TouchState *state = &path->state[i];
  path->who = i;
  switch (limit) {
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
}

bool touches_follow_path(Touches *t, TouchMatrix *m, const double *v_free, double scale, int try,
                         TouchState *state) {
  Path path;
  int most = (try > 0 ? MOST_TURNS : MOST_TURNS_NEAR) * t->count;
  path_open(&path, t, m, v_free, state);
  for (int i = 0; try > 0 && i < t->count; i++) t->at[i].p = t->at[i].r = 0;
  if (try > 0) touches_renew(t, v_free);
  begin(&path, fmax(touches_miss(t, NULL), TOUCH_GOOD * scale), try);
  for (int k = 0; k < most; k++) {
    int who;
    Limit limit;
    if (!find_rates(&path) || !choose_way(&path)) return false;
    double far = nearest_limit(&path, &who, &limit);
    if (far >= FAR) return false;
    move(&path, far);
    if (who >= 0) {
      turn(&path, who, limit);
      continue;
    }
    touches_renew(t, v_free);
    return true;
  }
  return false;
}
