// Steps of rk853 in lanes.
#include <string.h>

#include "solve/rk853.h"
#include "solve/rk853_sums.h"

// ---- The rows

static double *rows_new(Arena *arena, int lanes, int n) {
  size_t row = (size_t)lanes * sizeof(double);
  char *bytes = arena_array(arena, char, row *((size_t)n + 1));
  return (double *)(bytes + (row - (uintptr_t)bytes % row) % row);
}

LaneRows *lane_rows_new(Arena *arena, int lanes, const Problem *p, bool works) {
  LaneRows *w = arena_new(arena, LaneRows);
  int acting = 2 * p->n + p->states, size = acting + p->quadratures;
  int kinds = p->kind ? p->kinds : 1;
  w->lanes = lanes, w->acting = acting, w->size = size, w->moving = works ? size : acting;
  double **ones[] = {&w->h,     &w->t,     &w->t_end,   &w->six,        &w->five,
                     &w->three, &w->fast,  &w->error,   &w->fast_error, &w->distance,
                     &w->above, &w->below, &w->greatest};
  double **states[] = {&w->y,       &w->floor,       &w->relative, &w->stage,
                       &w->y_new,   &w->last_stage,  &w->weight,   &w->off,
                       &w->largest, &w->largest_new, &w->given,    &w->floor_new};
  for (size_t i = 0; i < sizeof ones / sizeof *ones; i++) *ones[i] = rows_new(arena, lanes, 1);
  for (size_t i = 0; i < sizeof states / sizeof *states; i++)
    *states[i] = rows_new(arena, lanes, size);
  w->most = rows_new(arena, lanes, kinds), w->scale = rows_new(arena, lanes, kinds);
  for (int i = 1; i <= LANE_STAGES; i++) w->k[i] = rows_new(arena, lanes, size + 1);
  for (int i = 1; i < LANE_DENSE; i++) w->c[i] = rows_new(arena, lanes, size);
  return w;
}

static void put_in(const LaneRows *w, int lane, const double *from, int n, double *rows) {
  for (int i = 0; i < n; i++) rows[i * w->lanes + lane] = from[i];
}

static void take_out(const LaneRows *w, int lane, const double *rows, int n, double *to) {
  for (int i = 0; i < n; i++) to[i] = rows[i * w->lanes + lane];
}

bool lane_rows_aim(LaneRows *w, int lane) {
  Stepper *s = w->stepper[lane];
  bool last;
  double limit = w->limit[lane], h = limited_step(s->t, s->h, limit, &last);
  if (step_is_too_small(s, h) && !last) return false;
  w->h[lane] = h, w->t[lane] = s->t, w->t_end[lane] = last ? limit : s->t + h;
  w->last = (w->last & ~(1u << lane)) | (uint32_t)last << lane;
  return true;
}

void lane_rows_weigh(LaneRows *w, int lane) {
  const Stepper *s = w->stepper[lane];
  for (int i = w->acting; i < w->moving; i++) w->floor[i * w->lanes + lane] = s->floor[i];
}

bool lane_rows_take(LaneRows *w, int lane, Stepper *s, double limit) {
  const Explicit *x = s->work;
  w->stepper[lane] = s, w->limit[lane] = limit;
  w->moved &= ~(1u << lane);
  if (!lane_rows_aim(w, lane)) return false;
  put_in(w, lane, s->y, w->moving, w->y);
  put_in(w, lane, x->k_begin, w->moving, w->k[1]);
  put_in(w, lane, s->floor, w->moving, w->floor);
  put_in(w, lane, s->relative, w->moving, w->relative);
  put_in(w, lane, s->largest, w->acting, w->largest);
  put_in(w, lane, s->given, w->acting, w->given);
  for (int k = 0; k < s->kinds && s->kinds > 1; k++)
    w->scale[k * w->lanes + lane] = s->problem->scale[k];
  return true;
}

void lane_rows_give(LaneRows *w, int lane) {
  Stepper *s = w->stepper[lane];
  Explicit *x = s->work;
  if (!(w->moved >> lane & 1)) return;
  take_out(w, lane, w->y, w->moving, s->y);
  take_out(w, lane, w->k[1], w->moving, x->k_begin);
  take_out(w, lane, w->floor, w->moving, s->floor);
  take_out(w, lane, w->largest, w->acting, s->largest);
  s->reach = dense_norm(s->n, s->largest);
  s->t_old = s->t;
  memcpy(s->y_old, s->y, (size_t)s->size * sizeof *s->y);
}

// ---- The step

#if defined(__x86_64__) && !defined(QDOT_ALONE)
#define LANES 4
#define TARGET __attribute__((target("avx2")))
#define Row Row4
#define RowBits RowBits4
#define step_rows step_4
#include "solve/rk853_rows.h"
#define LANES 8
#define TARGET __attribute__((target("avx512f,avx512dq,avx512vl")))
#define Row Row8
#define RowBits RowBits8
#define step_rows step_8
#include "solve/rk853_rows.h"
#endif

void lane_rows_step(LaneRows *w, const LaneSystem *system, uint32_t which) {
#if defined(__x86_64__) && !defined(QDOT_ALONE)
  if (w->lanes == 8)
    step_8(w, system, which);
  else
    step_4(w, system, which);
#else
  (void)w, (void)system, (void)which;
#endif
}

uint32_t lane_rows_good(const LaneRows *w, uint32_t which) {
  for (int lane = 0; lane < w->lanes; lane++)
    if (which >> lane & 1 &&
        !(rk853_combined_error(w->stepper[lane], w->h[lane], w->five[lane], w->three[lane]) <= 1))
      which &= ~(1u << lane);
  return which;
}

// ---- The stepper's side

void rk853_ride(Stepper *s, double limit) {
  struct StepLane *lane = s->lane;
  lane->has_step = false;
  if (s->is_plain) lane->ride(lane, s, limit);
}

bool rk853_attempt_in_lane(Stepper *s, double h, double *error) {
  struct StepLane *lane = s->lane;
  bool is_there = lane->has_step;
  lane->has_step = lane->has_state = lane->has_signs = lane->has_stages = false;
  lane->has_end = lane->has_dense = false;
  if (!is_there) return false;
  Rk853 *w = s->work;
  const LaneRows *rows = lane->rows;
  const uint32_t own = 1u << lane->lane;
  if (!(rows->done & own)) return false;
  s->dynamics.evaluations += 11;
  lane->t = s->t, lane->t_end = w->x.t_new, lane->h = h;
  lane->has_state = lane->has_signs = lane->has_stages = true;
  lane->has_end = rows->ended & own;
  lane->has_dense = rows->dense & own;
  w->six = rows->six[lane->lane], w->five = rows->five[lane->lane];
  *error = rk853_combined_error(s, h, w->five, rows->three[lane->lane]);
  return true;
}

static void take_state(Stepper *s) {
  struct StepLane *lane = s->lane;
  Rk853 *w = s->work;
  const LaneRows *rows = lane->rows;
  lane->has_state = false;
  take_out(rows, lane->lane, rows->y_new, rows->moving, w->x.y_new);
  for (int i = rows->moving; i < rows->size; i++) w->x.y_new[i] = s->y[i];
}

void rk853_take_signs(Stepper *s) {
  struct StepLane *lane = s->lane;
  Rk853 *w = s->work;
  const LaneRows *rows = lane->rows;
  if (!lane->has_signs) return;
  lane->has_signs = false;
  take_out(rows, lane->lane, rows->stage, rows->acting, w->x.stage);
  take_out(rows, lane->lane, rows->k[12], rows->moving, w->k[12]);
}

bool rk853_fast_sum_in_lane(const Stepper *s, double *sum) {
  const struct StepLane *lane = s->lane;
  const Rk853 *w = s->work;
  bool is_there = lane->has_end && lane->t == s->t && lane->t_end == w->x.t_new;
  if (is_there) *sum = lane->rows->fast[lane->lane];
  return is_there;
}

bool rk853_arrive_in_lane(Stepper *s, double t) {
  struct StepLane *lane = s->lane;
  Rk853 *w = s->work;
  if (lane->has_state) take_state(s);
  if (!lane->has_end || lane->t_end != t) return false;
  take_out(lane->rows, lane->lane, lane->rows->k[13], lane->rows->moving, w->x.k_end);
  s->dynamics.evaluations++;
  return true;
}

void rk853_take_stages(Stepper *s) {
  struct StepLane *lane = s->lane;
  Rk853 *w = s->work;
  if (lane->has_state) take_state(s);
  rk853_take_signs(s);
  if (!lane->has_stages) return;
  lane->has_stages = false;
  for (int i = 6; i < 12; i++)
    take_out(lane->rows, lane->lane, lane->rows->k[i], lane->rows->moving, w->k[i]);
}

bool rk853_dense_in_lane(Stepper *s) {
  struct StepLane *lane = s->lane;
  Rk853 *w = s->work;
  const LaneRows *rows = lane->rows;
  bool is_there =
      lane->has_dense && lane->t == s->t_old && lane->t_end == s->t && lane->h == w->x.h_done;
  if (!is_there) return false;
  for (int i = 1; i < LANE_DENSE; i++)
    take_out(rows, lane->lane, rows->c[i], rows->moving, w->whole.c[i]);
  take_out(rows, lane->lane, rows->last_stage, rows->acting, w->x.stage);
  s->dynamics.evaluations += 3;
  return true;
}

void rk853_take_differences(const Stepper *s, double *e) {
  take_out(s->lane->rows, s->lane->lane, s->lane->rows->off, s->acting, e);
}
