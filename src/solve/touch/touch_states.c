// Contacts of a step by Newton's method: who presses, rests and slides is taken as known and solved
// for, and those that do not agree change their state.
#include "solve/touch/touch_states.h"

#include <math.h>
#include <string.h>

enum { MOST_CHANGES = 4 };

// Contacts may share a load in many ways: a part of their own masses is added, and what that does
// is taken back by repeating.
static const double SOFT = 1e-8;

typedef struct Guess {
  TouchState *state;
  bool *presses, *rests; // by contact,
  double *share;         // and r of one that slides by its p
} Guess;

static TouchState state_of(const Touch *c, const double *v, double least) {
  if (!(c->p > 0)) return TOUCH_OPEN;
  if (!touch_rubs(c)) return TOUCH_SMOOTH;
  double u = touch_along(c, v);
  bool is_full = fabs(c->r) >= c->mu * c->p * (1 - 1e-9);
  return !is_full || fabs(u) <= least ? TOUCH_RESTS
         : c->r < 0                   ? TOUCH_SLIDES_UP
                                      : TOUCH_SLIDES_DOWN;
}

static void list_sets(const Touches *t, Guess *g) {
  for (int i = 0; i < t->count; i++) {
    g->presses[i] = g->state[i] != TOUCH_OPEN, g->rests[i] = g->state[i] == TOUCH_RESTS;
    g->share[i] = touch_share(g->state[i], t->at[i].mu);
  }
}

static void add_unknowns(Touches *t, const TouchMatrix *m, const Guess *g) {
  for (int i = 0; i < t->count; i++) {
    Touch *c = &t->at[i];
    if (!g->presses[i]) continue;
    c->p += m->x[m->press[i]];
    c->r = g->rests[i] ? c->r + m->x[m->rest[i]] : g->share[i] * c->p;
  }
}

// The impulses in the states that are taken as known.
static bool solve_states(Touches *t, TouchMatrix *m, Guess *g, const double *v_free) {
  enum { REPEATS = 3 };
  list_sets(t, g);
  for (int i = 0; i < t->count; i++) {
    Touch *c = &t->at[i];
    if (!g->presses[i]) c->p = 0;
    if (!g->rests[i]) c->r = g->share[i] * c->p;
  }
  if (!touch_matrix_factor(m, g->presses, g->rests, g->share, SOFT)) return false;
  for (int round = 0; round < REPEATS; round++) {
    touches_renew(t, v_free);
    for (int i = 0; i < t->count; i++) {
      const Touch *c = &t->at[i];
      if (g->presses[i]) m->x[m->press[i]] = c->aim - touch_apart(c, t->v);
      if (g->rests[i]) m->x[m->rest[i]] = -touch_along(c, t->v);
    }
    skyline_solve(&m->skyline, m->x);
    for (int a = 0; a < m->unknowns; a++)
      if (!isfinite(m->x[a])) return false;
    add_unknowns(t, m, g);
  }
  touches_renew(t, v_free);
  return true;
}

// Those that do not agree with what was found change their state; true when none has to.
static bool change_states(const Touches *t, Guess *g, double scale) {
  bool agree = true;
  for (int i = 0; i < t->count; i++) {
    const Touch *c = &t->at[i];
    if (!(c->own_push > 0)) continue;
    double slow = TOUCH_SAME * scale * c->size_rub;
    TouchState now = g->state[i];
    if (now == TOUCH_OPEN && touch_apart(c, t->v) - c->aim < -TOUCH_SAME * scale * c->size_push)
      now = touch_rubs(c) ? TOUCH_RESTS : TOUCH_SMOOTH;
    if (g->state[i] != TOUCH_OPEN && c->p * c->size_push < -TOUCH_SAME * scale) now = TOUCH_OPEN;
    double u = touch_rubs(c) ? touch_along(c, t->v) : 0;
    bool is_over = fabs(c->r) > c->mu * c->p + TOUCH_SAME * scale / c->size_push;
    if (now == TOUCH_RESTS && g->state[i] == TOUCH_RESTS && is_over)
      now = c->r < 0 ? TOUCH_SLIDES_UP : TOUCH_SLIDES_DOWN;
    if (g->state[i] == TOUCH_SLIDES_UP && now != TOUCH_OPEN && u < -slow) now = TOUCH_RESTS;
    if (g->state[i] == TOUCH_SLIDES_DOWN && now != TOUCH_OPEN && u > slow) now = TOUCH_RESTS;
    agree = agree && now == g->state[i];
    g->state[i] = now;
  }
  return agree;
}

void touches_guess_states(const Touches *t, double scale, TouchState *state) {
  for (int i = 0; i < t->count; i++) {
    const Touch *c = &t->at[i];
    state[i] = c->own_push > 0 ? state_of(c, t->v, TOUCH_SAME * scale * c->size_rub) : TOUCH_OPEN;
  }
}

bool touches_tell_states(Touches *t, TouchMatrix *m, const double *v_free, double scale,
                         const TouchState *from) {
  Guess g = {.state = arena_array(m->arena, TouchState, t->count),
             .presses = arena_array(m->arena, bool, t->count),
             .rests = arena_array(m->arena, bool, t->count),
             .share = arena_array(m->arena, double, t->count)};
  memcpy(g.state, from, (size_t)t->count * sizeof *from);
  for (int k = 0; k < MOST_CHANGES; k++) {
    if (!solve_states(t, m, &g, v_free)) return false;
    if (touches_miss(t, NULL) <= TOUCH_GOOD * scale) return true;
    if (change_states(t, &g, scale)) return false;
  }
  return false;
}
