// What measures make of the slopes of a motion: extremes where they are reached, moments where
// conditions change, integrals between them.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/slopes/slopes.h"

// Slopes of equal peaks that differ by less than this part are equal, too.
static const double EQUAL_SLOPES = 1e-4;

static const char *const TWO_PEAKS = "two peaks are equal, with different slopes";
static const char *const AT_FROM = "an event falls on the moment from which it counts";
static const char *const AT_END = "a sample or an event falls on the end of the run";
static const char *const GRAZING = "a condition only just begins or ceases to hold";

static bool is_extreme(ReductionKind kind) { return kind == REDUCE_MAX || kind == REDUCE_MIN; }

static bool is_integral(ReductionKind kind) {
  return kind == REDUCE_MEAN || kind == REDUCE_RMS || kind == REDUCE_INTEGRAL;
}

void slopes_lose_reduction(RunSlopes *s, uint32_t i, double t, const char *why) {
  GaugeSlopes *g = &s->sums.gauges[i];
  if (g->undefined) return;
  g->undefined = why;
  g->undefined_at = t;
}

void slopes_open_gauges(RunSlopes *s, Arena *arena) {
  const Gauges *g = &s->run->gauges;
  s->sums.gauges = arena_array(arena, GaugeSlopes, g->n + 1);
  s->sums.before = arena_array(arena, Gauge, g->n + 1);
  for (uint32_t i = 0; i < g->n; i++) {
    GaugeSlopes *to = &s->sums.gauges[i];
    double **all[] = {&to->extreme, &to->sum, &to->first, &to->met, &to->left};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
      *all[k] = arena_array(arena, double, s->count);
    to->best = to->best_at = NAN;
  }
  s->sums.row = arena_array(arena, double, (size_t)s->count * s->state + 1);
  s->sums.moved = arena_array(arena, double, s->count);
  s->sums.reductions = arena_array(arena, double, (size_t)g->n * s->count + 1);
  s->look.values = arena_array(arena, double, (size_t)g->n + 1);
  s->look.value_slopes = arena_array(arena, double, (size_t)g->n * s->count + 1);
  s->look.value_rates = arena_array(arena, double, (size_t)g->n + 1);
  s->look.guard_slopes = arena_array(arena, double, (size_t)g->guards * s->count + 1);
  s->look.guard_rates = arena_array(arena, double, (size_t)g->guards + 1);
}

// ---- Pieces

void slopes_begin_looking(Run *run) {
  RunSlopes *s = run->slopes;
  if (!s) return;
  memcpy(s->sums.before, run->gauges.at, run->gauges.n * sizeof *s->sums.before);
}

static void push_mark(RunSlopes *s, SlopeMark mark) {
  vec_push(s->run->memory.room, &s->marks.list, mark);
}

static Cut cut_at(const SmoothPiece *piece, double t) {
  if (t == piece->begin.t) return piece->begin;
  if (t == piece->end.t) return piece->end;
  return (Cut){.t = t};
}

// The extreme of every value that is asked for, unless it is beyond doubt not the greatest.
static void note_extremes(RunSlopes *s, uint32_t piece, double a, double b) {
  const Gauges *g = &s->run->gauges;
  for (uint32_t i = 0; i < g->n; i++) {
    if (!is_extreme(g->reductions[i].kind) || !gauge_is_active(&g->at[i], a)) continue;
    Extremes e = extremes_none();
    extremes_widen_column(&e, g->times, gauge_values(g, i), &g->ranges[i]);
    bool most = g->reductions[i].kind == REDUCE_MAX;
    double value = most ? e.most : e.least, t = most ? e.t_most : e.t_least;
    double short_of = most ? g->at[i].extreme - value : value - g->at[i].extreme;
    if (!isfinite(t) || short_of > SLOPES_EQUAL_PEAKS * g->at[i].scale) continue;
    push_mark(s, (SlopeMark){.t = fmin(fmax(t, a), b),
                             .value = value,
                             .kind = MARK_EXTREME,
                             .reduction = i,
                             .piece = piece});
  }
}

// Clenshaw and Curtis' weights, as for the value itself.
static void note_integrals(RunSlopes *s, uint32_t piece, double a, double b) {
  Gauges *g = &s->run->gauges;
  for (uint32_t i = 0; i < g->n; i++) {
    if (!is_integral(g->reductions[i].kind) || !gauge_is_active(&g->at[i], a)) continue;
    const double *values = gauge_values(g, i);
    for (uint32_t k = 0; k < GAUGE_NODES; k++) {
      push_mark(s, (SlopeMark){.t = g->times[k],
                               .weight = gauge_weights[k] * (b - a),
                               .value = values[k],
                               .kind = MARK_SUM,
                               .reduction = i,
                               .piece = piece});
    }
    for (int end = 0; end < 2; end++) {
      push_mark(s, (SlopeMark){.t = end ? b : a,
                               .weight = end ? 1 : -1,
                               .value = values[end ? GAUGE_NODES - 1 : 0],
                               .kind = MARK_BOUNDARY,
                               .reduction = i,
                               .piece = piece});
    }
  }
}

void slopes_note_piece(Run *run, double a, double b) {
  RunSlopes *s = run->slopes;
  if (!s || s->undefined) return;
  Gauges *g = &run->gauges;
  SmoothPiece piece = {.begin = s->marks.last_cut, .end = {.t = b}, .signs = s->marks.signs.n};
  if (piece.begin.t != a) piece.begin = (Cut){.t = a};
  for (uint32_t k = 0; k < g->guards; k++) vec_push(run->memory.room, &s->marks.signs, g->sign[k]);
  vec_push(run->memory.room, &s->marks.pieces, piece);
  s->marks.last_cut = (Cut){.t = b};
  note_extremes(s, s->marks.pieces.n - 1, a, b);
  note_integrals(s, s->marks.pieces.n - 1, a, b);
}

static void end_piece(RunSlopes *s, Mover mover, uint32_t number) {
  if (!s || s->marks.pieces.n == 0) return;
  SmoothPiece *last = &s->marks.pieces.at[s->marks.pieces.n - 1];
  last->end.mover = mover;
  last->end.number = number;
  s->marks.last_cut = last->end;
}

void slopes_note_crossing(Run *run, uint32_t guard) {
  end_piece(run->slopes, MOVES_BY_GUARD, guard);
}

// ---- Marks

static uint32_t piece_at(const RunSlopes *s, double t) {
  for (uint32_t k = 0; k < s->marks.pieces.n; k++)
    if (s->marks.pieces.at[k].begin.t == t) return k;
  for (uint32_t k = 0; k < s->marks.pieces.n; k++)
    if (t >= s->marks.pieces.at[k].begin.t && t <= s->marks.pieces.at[k].end.t) return k;
  return NO_PIECE;
}

// Something of a reduction was settled in this step.
static void mark_moment(RunSlopes *s, uint32_t i, double t, double before, MarkKind kind) {
  if (isnan(t) || t == before) return;
  uint32_t piece = piece_at(s, t);
  if (piece == NO_PIECE) return;
  push_mark(s, (SlopeMark){.t = t, .kind = kind, .reduction = i, .piece = piece});
}

static void mark_looks(RunSlopes *s, double until) {
  const SlopeLook *look = s->run->o->look;
  for (; look && s->marks.next_look < look->count && look->times[s->marks.next_look] <= until;
       s->marks.next_look++) {
    double t = fmax(look->times[s->marks.next_look], s->run->stepper->t_old);
    push_mark(s, (SlopeMark){.t = t,
                             .kind = MARK_LOOK,
                             .reduction = s->marks.next_look,
                             .piece = piece_at(s, t)});
  }
}

static int by_time(const void *a, const void *b) {
  double x = ((const SlopeMark *)a)->t, y = ((const SlopeMark *)b)->t;
  return (x > y) - (x < y);
}

void slopes_make_marks(RunSlopes *s, double until, bool is_event) {
  const Gauges *g = &s->run->gauges;
  if (is_event) end_piece(s, MOVES_BY_EVENT, 0);
  if (is_event) s->marks.last_cut = (Cut){.t = until, .mover = MOVES_BY_EVENT};
  for (uint32_t i = 0; i < g->n; i++) {
    const Gauge *now = &g->at[i], *before = &s->sums.before[i];
    ReductionKind kind = g->reductions[i].kind;
    if (kind == REDUCE_FIRST) mark_moment(s, i, now->met_at, before->met_at, MARK_MET);
    if (kind == REDUCE_LAST) mark_moment(s, i, now->left_at, before->left_at, MARK_LEFT);
    if (kind == REDUCE_START) mark_moment(s, i, now->first_at, before->first_at, MARK_FIRST);
  }
  mark_looks(s, until);
  for (uint32_t k = 0; k < s->marks.list.n; k++) {
    SlopeMark *mark = &s->marks.list.at[k];
    if (mark->piece == NO_PIECE || mark->kind == MARK_LOOK) continue;
    mark->cut = cut_at(&s->marks.pieces.at[mark->piece], mark->t);
    if (mark->kind == MARK_BOUNDARY && mark->weight > 0)
      mark->cut = s->marks.pieces.at[mark->piece].end;
    if (mark->cut.mover == MOVES_NOT && mark->t > 0 && mark->t == g->at[mark->reduction].from)
      mark->cut.mover = MOVES_BY_FROM;
    bool is_free = mark->cut.mover == MOVES_NOT || mark->cut.mover == MOVES_BY_EVENT;
    if (is_free && mark->t == s->run->o->t_end) mark->cut.mover = MOVES_BY_END;
    mark->is_late = is_event && mark->cut.mover == MOVES_BY_EVENT && mark->cut.t == until;
  }
  if (s->marks.list.n > 1)
    qsort(s->marks.list.at, s->marks.list.n, sizeof *s->marks.list.at, by_time);
  s->marks.next = 0;
}

// ---- Taking them

// An extreme between the ends of a piece is where its rate vanishes.
static Status refine(RunSlopes *s, SlopeMark *mark, const SmoothPiece *piece, double *S) {
  double length = piece->end.t - piece->begin.t, h = 1e-3 * length;
  for (int round = 0; round < 3; round++) {
    double t = mark->t, rate = s->look.value_rates[mark->reduction];
    double beside = t + (t + h < piece->end.t ? h : -h);
    if (rate == 0 || isnan(rate)) return QDOT_OK;
    Status status = slopes_at(s, beside, S);
    if (status == QDOT_OK) status = slopes_look(s, beside, piece, S, true);
    if (status != QDOT_OK) return status;
    double bend = (s->look.value_rates[mark->reduction] - rate) / (beside - t), step = -rate / bend;
    bool is_near = isfinite(step) && fabs(step) < 0.05 * length && t + step > piece->begin.t &&
                   t + step < piece->end.t;
    if (is_near) mark->t = t + step;
    status = slopes_at(s, mark->t, S);
    if (status == QDOT_OK) status = slopes_look(s, mark->t, piece, S, true);
    if (status != QDOT_OK || !is_near || fabs(step) < 1e-10 * length) return status;
    h = fmin(h, 10 * fabs(step));
  }
  return QDOT_OK;
}

static void take_extreme(RunSlopes *s, const SlopeMark *mark, const double *slope) {
  GaugeSlopes *g = &s->sums.gauges[mark->reduction];
  const Gauge *gauge = &s->run->gauges.at[mark->reduction];
  bool most = s->run->gauges.reductions[mark->reduction].kind == REDUCE_MAX;
  double ahead = most ? mark->value - g->best : g->best - mark->value;
  double equal = SLOPES_EQUAL_PEAKS * gauge->scale;
  // where one step ends and the next begins, a value may be on its way to the peak
  bool is_passing = mark->cut.mover == MOVES_NOT && mark->t > 0 && !mark->is_inner;
  if (ahead > equal || isnan(g->best)) {
    g->undefined = NULL;
  } else if (fabs(ahead) <= equal && !is_passing && !g->is_passing) {
    double length = s->run->stepper->t - s->run->stepper->t_old;
    for (uint32_t j = 0; j < s->count && fabs(mark->t - g->best_at) > 1e-3 * length; j++) {
      double size = fmax(fabs(slope[j]), fabs(g->extreme[j]));
      double least = EQUAL_SLOPES * gauge->scale / s->unit[j];
      if (fabs(slope[j] - g->extreme[j]) > EQUAL_SLOPES * size + least)
        slopes_lose_reduction(s, mark->reduction, mark->t, TWO_PEAKS);
    }
  }
  bool ends_passing = g->is_passing && !is_passing && ahead >= -equal;
  if (!(ahead > 0) && !isnan(g->best) && !ends_passing) return;
  g->is_passing = is_passing;
  memcpy(g->extreme, slope, s->count * sizeof *slope);
  g->best = mark->value;
  g->best_at = mark->t;
}

static void take_value(RunSlopes *s, const SlopeMark *mark, const double *slope) {
  const PlanReduction *r = &s->run->gauges.reductions[mark->reduction];
  GaugeSlopes *g = &s->sums.gauges[mark->reduction];
  for (uint32_t j = 0; j < s->count; j++) {
    switch (mark->kind) {
    case MARK_SUM:
      g->sum[j] += mark->weight * slope[j] * (r->kind == REDUCE_RMS ? 2 * mark->value : 1);
      break;
    case MARK_BOUNDARY:
      g->sum[j] += mark->weight * s->sums.moved[j] *
                   (r->kind == REDUCE_RMS ? mark->value * mark->value : mark->value);
      break;
    case MARK_MET: g->met[j] = slope[j]; break;
    case MARK_LEFT: g->left[j] = slope[j]; break;
    case MARK_FIRST: g->first[j] = slope[j]; break;
    case MARK_EXTREME:
    case MARK_LOOK: break;
    }
  }
  if (mark->kind == MARK_EXTREME) take_extreme(s, mark, slope);
}

static Status take_look(RunSlopes *s, const SlopeMark *mark, const double *S) {
  const SlopeLook *look = s->run->o->look;
  Status status = slopes_state_at(s, mark->t, s->x);
  if (status == QDOT_OK && mark->piece != NO_PIECE) {
    const SmoothPiece *piece = &s->marks.pieces.at[mark->piece];
    status = slopes_look(s, mark->t, piece, S, false);
    if (status == QDOT_OK) status = slopes_signals(s, mark->t, s->look.values, NULL);
  }
  if (status == QDOT_OK)
    look->take(look->user, mark->reduction, s->x, S, s->look.values, s->look.value_slopes);
  return status;
}

static Status take_mark(RunSlopes *s, SlopeMark *mark) {
  double *S = s->sums.row;
  // the nodes of an integral stay where they are
  bool moves = mark->kind != MARK_SUM && mark->cut.mover != MOVES_NOT;
  if (mark->kind == MARK_BOUNDARY && !moves) return QDOT_OK;
  Status status = slopes_at(s, mark->t, S);
  if (status == QDOT_OK && mark->kind == MARK_LOOK) return take_look(s, mark, S);
  if (status != QDOT_OK) return status;
  const SmoothPiece *piece = &s->marks.pieces.at[mark->piece];
  mark->is_inner = mark->kind == MARK_EXTREME && mark->t > piece->begin.t && mark->t < piece->end.t;
  status = slopes_look(s, mark->t, piece, S, moves || mark->is_inner);
  if (status == QDOT_OK && mark->is_inner) status = refine(s, mark, piece, S);
  if (status != QDOT_OK) return status;
  // what ceased to hold before does not count any more
  if (mark->kind == MARK_LEFT) s->sums.gauges[mark->reduction].undefined = NULL;
  bool is_known = true;
  if (moves) status = slopes_find_moves(s, mark, S, &is_known);
  if (status != QDOT_OK) return status;
  if (!is_known) slopes_lose_reduction(s, mark->reduction, mark->t, GRAZING);
  if (slopes_part_from_event(s, mark)) slopes_lose_reduction(s, mark->reduction, mark->t, AT_FROM);
  double *slope = s->look.value_slopes + (size_t)mark->reduction * s->count;
  for (uint32_t j = 0; moves && is_known && j < s->count; j++)
    slope[j] += s->look.value_rates[mark->reduction] * s->sums.moved[j];
  take_value(s, mark, slope);
  return QDOT_OK;
}

static Status take_if(RunSlopes *s, SlopeMark *mark) {
  Status status = take_mark(s, mark);
  if (!run_is_numeric(status)) return status;
  if (mark->kind != MARK_LOOK)
    slopes_lose_reduction(s, mark->reduction, mark->t, "the motion cannot be evaluated here");
  return QDOT_OK;
}

Status slopes_take_marks(RunSlopes *s, double until) {
  Status status = QDOT_OK;
  for (; s->marks.next < s->marks.list.n && status == QDOT_OK; s->marks.next++) {
    SlopeMark *mark = &s->marks.list.at[s->marks.next];
    if (mark->t > until) break;
    if (!mark->is_late) status = take_if(s, mark);
  }
  return status;
}

Status slopes_take_late_marks(RunSlopes *s) {
  Status status = QDOT_OK;
  for (uint32_t k = 0; k < s->marks.list.n && status == QDOT_OK; k++)
    if (s->marks.list.at[k].is_late) status = take_if(s, &s->marks.list.at[k]);
  return status;
}

// ---- The last moment

// The end stays where it is while what happens at it moves, or the other way round.
static bool parts_from_end(const RunSlopes *s, double t) {
  for (uint32_t j = 0; j < s->count; j++) {
    double end = slopes_end_slope(s, j);
    if (fabs(s->event.shift[j] - end) > SLOPES_LEAST_CHANGE * (fabs(end) + t / s->unit[j]))
      return true;
  }
  return false;
}

static bool differs(double a, double b) { return !(fabs(a - b) <= 1e-12 * fmax(fabs(a), fabs(b))); }

// Has the last moment decided what a reduction amounts to?
static bool is_decided_last(ReductionKind kind, const Gauge *now, const Gauge *before) {
  bool is_other = differs(now->final, before->final);
  switch (kind) {
  case REDUCE_MAX:
  case REDUCE_MIN:
    return is_other && fabs(now->final - now->extreme) <= SLOPES_EQUAL_PEAKS * now->scale;
  case REDUCE_FIRST: return now->met_at != before->met_at && !isnan(now->met_at);
  case REDUCE_START: return now->begun != before->begun;
  case REDUCE_LAST:
    return now->holds != before->holds || (now->holds != 0 && is_other) ||
           (now->left_at != before->left_at && !isnan(now->left_at));
  case REDUCE_COUNT: return now->count != before->count;
  case REDUCE_FINAL:
  case REDUCE_MEAN:
  case REDUCE_RMS:
  case REDUCE_INTEGRAL: return is_other;
  }
  return true;
}

void slopes_take_last(RunSlopes *s, double t) {
  const Gauges *g = &s->run->gauges;
  bool parts = parts_from_end(s, t);
  for (uint32_t i = 0; i < g->n; i++) {
    const Gauge *now = &g->at[i], *before = &s->sums.before[i];
    SlopeMark mark = {.t = t, .value = now->final, .reduction = i, .cut.mover = MOVES_BY_END};
    const double *slope = s->look.value_slopes + (size_t)i * s->count;
    const struct {
      MarkKind kind;
      bool is_new;
    } found[] = {{MARK_MET, now->met_at != before->met_at && now->met_at == t},
                 {MARK_LEFT, now->left_at != before->left_at && now->left_at == t},
                 {MARK_FIRST, now->first_at != before->first_at && now->first_at == t},
                 {MARK_EXTREME, is_extreme(g->reductions[i].kind) && gauge_is_active(now, t)}};
    for (size_t k = 0; k < sizeof found / sizeof *found; k++) {
      mark.kind = found[k].kind;
      if (found[k].is_new) take_value(s, &mark, slope);
    }
    if (parts && is_decided_last(g->reductions[i].kind, now, before))
      slopes_lose_reduction(s, i, t, AT_END);
  }
}
