// The map of a period: motion between samples by the exponential, samples by their slopes.
#include "analyse/linear/sampled.h"

#include <math.h>
#include <string.h>

#include "expr/diff.h"
#include "expr/value/eval.h"
#include "solve/algebra/dense.h"

enum { MOST_MOMENTS = 100000, MOST_WAITING = 1000 };
static const double AT_ONCE = 1e-9; // of a period, as in a run

// ---- The exponential

void matrix_exponential(Arena *scratch, uint32_t n, const double *A, double t, double *E) {
  Mark mark = arena_mark(scratch);
  size_t all = (size_t)n * n;
  double *X = arena_array(scratch, double, all + 1), *T = arena_array(scratch, double, all + 1),
         *N = arena_array(scratch, double, all + 1), norm = 0;
  for (uint32_t i = 0; i < n; i++) {
    double sum = 0;
    for (uint32_t j = 0; j < n; j++) sum += fabs(A[(size_t)i * n + j] * t);
    norm = fmax(norm, sum);
  }
  int halvings = norm > 0.25 ? (int)ceil(log2(norm / 0.25)) : 0;
  for (size_t i = 0; i < all; i++) X[i] = ldexp(A[i] * t, -halvings);
  memset(E, 0, all * sizeof *E);
  for (uint32_t i = 0; i < n; i++) E[(size_t)i * n + i] = T[(size_t)i * n + i] = 1;
  for (int k = 1; k <= 14; k++) { // 0.25^15/15! is below rounding
    matrix_multiply(n, n, n, T, X, N);
    for (size_t i = 0; i < all; i++) T[i] = N[i] / k, E[i] += T[i];
  }
  for (int k = 0; k < halvings; k++) {
    matrix_multiply(n, n, n, E, E, N);
    memcpy(E, N, all * sizeof *E);
  }
  arena_release(scratch, mark);
}

// ---- Lines

typedef struct Line {
  const Sampling *line;
  double period, delay;
  long next;              // sample
  uint32_t room, waiting; // values on their way, the oldest first
  double *due, *rows;     // room; room x assignments x width
} Line;

typedef struct Loop {
  Arena *arena;
  const Linearized *l;
  const StateSpace *state;
  bool tells;
  uint32_t lines, size, width; // of x without what waits; of x with it, and u
  Line *line;
  double *X;                  // size x width: the values now, by those at the beginning
  double *flow, *flow_inputs; // of the last interval:
  double flow_time;           //
} Loop;

static double *rows_new(const Loop *p, size_t rows) {
  return arena_array(p->arena, double, rows * p->width + 1);
}

static Status refuse(const Loop *p, Status status, Span span, const char *message,
                     const char *note) {
  if (!p->tells) return status;
  diag_error(p->l->cx, status, span, "%s", message);
  if (note) diag_note(p->l->cx, "%s", note);
  return status;
}

// The row of a value that is held.
static uint32_t row_of(const Loop *p, Expr target) {
  for (uint32_t i = 0; i < p->size; i++) {
    StateName name = linearized_state(p->l, i);
    if (!name.is_rate && p->l->system->q[name.coordinate] == target) return i;
  }
  return UINT32_MAX;
}

static Status check_targets(const Loop *p) {
  const Model *model = p->l->system->model;
  for (uint32_t i = 0; i < p->lines; i++) {
    const Sampling *a = &model->samplings.at[i];
    for (uint32_t k = 0; k < a->count; k++) {
      const Assignment *one = &model->assignments.at[a->first + k];
      for (uint32_t j = 0; j < i; j++) {
        const Sampling *b = &model->samplings.at[j];
        for (uint32_t m = 0; m < b->count; m++)
          if (model->assignments.at[b->first + m].target == one->target)
            return refuse(p, QDOT_UNSUPPORTED, one->span,
                          "two samples assign this: a linearization takes one",
                          "a memory for each, and a let that joins them, has the same effect");
      }
      for (uint32_t r = 0; r < p->l->system->row_count; r++)
        if (expr_depends(p->l->cx, p->l->system->rows[r].phi, one->target))
          return refuse(p, QDOT_UNSUPPORTED, one->span,
                        "a sample that moves a constraint acts by impulses, which are not "
                        "linearized",
                        "a drive with a state between, such as an actuator's lag, has none");
    }
  }
  return QDOT_OK;
}

static Status find_period(Loop *p, double *out) {
  double first = p->line[0].period;
  for (long n = 1; n <= MOST_MOMENTS; n++) {
    bool fits = true;
    for (uint32_t i = 0; i < p->lines && fits; i++) {
      double times = n * first / p->line[i].period;
      fits = times <= MOST_MOMENTS && fabs(times - round(times)) <= 1e-12 * fmax(times, 1);
    }
    if (!fits) continue;
    *out = n * first;
    return QDOT_OK;
  }
  return refuse(p, QDOT_UNSUPPORTED, p->line[p->lines - 1].line->span,
                "the periods of the samples have no common multiple of at most 100000 of them",
                "a loop of several rates repeats after such a time; its linearization is that of "
                "one repetition");
}

static Status open_lines(Loop *p, const double *values) {
  const Model *model = p->l->system->model;
  Context *cx = p->l->cx;
  p->lines = model->samplings.n;
  p->line = arena_array(p->arena, Line, p->lines + 1);
  for (uint32_t i = 0; i < p->lines; i++) {
    Line *a = &p->line[i];
    a->line = &model->samplings.at[i];
    a->period = expr_eval(cx, a->line->period, values);
    a->delay = a->line->delay ? expr_eval(cx, a->line->delay, values) : 0;
    if (!(a->period > 0) || !(a->delay >= 0) || !(a->delay / a->period < MOST_WAITING))
      return refuse(p, QDOT_BAD_VALUE, a->line->span,
                    "a sample needs a positive time and a delay that is not negative", NULL);
    a->waiting = a->delay > 0 ? (uint32_t)ceil(a->delay / a->period - AT_ONCE) : 0;
    a->room = a->waiting + 2;
    a->next = 1;
  }
  return check_targets(p);
}

// What waits at the beginning are the last places of x.
static void fill_waiting(Loop *p) {
  uint32_t at = p->size;
  for (uint32_t i = 0; i < p->lines; i++) {
    Line *a = &p->line[i];
    uint32_t count = a->line->count;
    a->due = arena_array(p->arena, double, a->room);
    a->rows = rows_new(p, (size_t)a->room * count);
    for (uint32_t w = 0; w < a->waiting; w++) {
      a->due[w] = a->delay - (a->waiting - 1 - w) * a->period;
      for (uint32_t k = 0; k < count; k++) a->rows[((size_t)w * count + k) * p->width + at++] = 1;
    }
  }
}

// ---- A period

static void flow(Loop *p, double time) {
  uint32_t n = p->size, inputs = p->state->inputs, all = n + inputs;
  Mark mark = arena_mark(p->arena);
  if (fabs(time - p->flow_time) > 1e-12 * time) {
    double *A = arena_array(p->arena, double, (size_t)all *all + 1),
           *E = arena_array(p->arena, double, (size_t)all *all + 1);
    for (uint32_t i = 0; i < n; i++) {
      StateName name = linearized_state(p->l, i);
      if (!name.is_rate && name.coordinate >= p->l->n - p->l->system->held) continue; // held
      memcpy(A + (size_t)i * all, p->state->A + (size_t)i * n, n * sizeof *A);
      memcpy(A + (size_t)i * all + n, p->state->B + (size_t)i * inputs, inputs * sizeof *A);
    }
    matrix_exponential(p->arena, all, A, time, E);
    for (uint32_t i = 0; i < n; i++) {
      memcpy(p->flow + (size_t)i * n, E + (size_t)i * all, n * sizeof *E);
      memcpy(p->flow_inputs + (size_t)i * inputs, E + (size_t)i * all + n, inputs * sizeof *E);
    }
    p->flow_time = time;
  }
  double *X = rows_new(p, n);
  matrix_multiply(n, n, p->width, p->flow, p->X, X);
  for (uint32_t i = 0; i < n; i++)
    dense_add((int)inputs, 1, p->flow_inputs + (size_t)i * inputs,
              X + (size_t)i * p->width + p->width - inputs);
  memcpy(p->X, X, (size_t)n * p->width * sizeof *X);
  arena_release(p->arena, mark);
}

static void deliver(Loop *p, Line *a) {
  uint32_t count = a->line->count;
  size_t bytes = p->width * sizeof(double);
  for (uint32_t k = 0; k < count; k++)
    memcpy(p->X +
               row_of(p, p->l->system->model->assignments.at[a->line->first + k].target) * p->width,
           a->rows + (size_t)k * p->width, bytes);
  a->waiting--;
  memmove(a->rows, a->rows + (size_t)count * p->width, (size_t)a->waiting * count * bytes);
  memmove(a->due, a->due + 1, a->waiting * sizeof *a->due);
}

// The next value of a held one: w + T times the rate that the linearization knows.
static void next_value(const Loop *p, const Line *a, uint32_t row, double *out) {
  uint32_t n = p->size, inputs = p->state->inputs;
  memcpy(out, p->X + (size_t)row * p->width, p->width * sizeof *out);
  for (uint32_t j = 0; j < n; j++)
    dense_add((int)p->width, a->period * p->state->A[(size_t)row * n + j],
              p->X + (size_t)j * p->width, out);
  dense_add((int)inputs, a->period, p->state->B + (size_t)row * inputs, out + p->width - inputs);
}

static void sample(Loop *p, Line *a) {
  uint32_t count = a->line->count;
  Mark mark = arena_mark(p->arena);
  double *rows = rows_new(p, count);
  const Assignment *list = p->l->system->model->assignments.at + a->line->first;
  for (uint32_t k = 0; k < count; k++)
    next_value(p, a, row_of(p, list[k].target), rows + (size_t)k * p->width);
  size_t bytes = p->width * sizeof *rows;
  if (a->delay > 0) {
    memcpy(a->rows + (size_t)a->waiting * count * p->width, rows, count * bytes);
    a->due[a->waiting++] = a->next * a->period + a->delay;
  }
  for (uint32_t k = 0; k < count && a->delay == 0; k++)
    memcpy(p->X + row_of(p, list[k].target) * p->width, rows + (size_t)k * p->width, bytes);
  a->next++;
  arena_release(p->arena, mark);
}

static double next_moment(const Loop *p) {
  double next = INFINITY;
  for (uint32_t i = 0; i < p->lines; i++) {
    const Line *a = &p->line[i];
    next = fmin(next, a->next * a->period);
    if (a->waiting > 0) next = fmin(next, a->due[0]);
  }
  return next;
}

static void pass_period(Loop *p, double period) {
  double t = 0, least = INFINITY;
  for (uint32_t i = 0; i < p->lines; i++) least = fmin(least, p->line[i].period);
  while (t < period - AT_ONCE * least) {
    double next = next_moment(p);
    flow(p, next - t);
    t = next;
    for (uint32_t i = 0; i < p->lines; i++) {
      Line *a = &p->line[i];
      double until = t + AT_ONCE * a->period;
      while (a->waiting > 0 && a->due[0] <= until) deliver(p, a);
      if (a->next * a->period <= until) sample(p, a);
    }
  }
}

static void read_map(Loop *p, Sampled *out) {
  uint32_t n = out->size, at = p->size;
  Context *cx = p->l->cx;
  out->A = arena_array(p->arena, double, (size_t)n *n + 1);
  out->B = arena_array(p->arena, double, (size_t)n * out->inputs + 1);
  out->waiting_names = arena_array(p->arena, const char *, out->waiting + 1);
  for (uint32_t i = 0; i < p->lines; i++) {
    const Line *a = &p->line[i];
    for (uint32_t w = 0; w < a->waiting; w++)
      for (uint32_t k = 0; k < a->line->count; k++)
        out->waiting_names[at++ - p->size] = text_format(
            p->arena, "%s[%u]",
            symbol_text(
                cx,
                symbol_name(cx, p->l->system->model->assignments.at[a->line->first + k].target)),
            a->waiting - w);
  }
  at = p->size;
  for (uint32_t i = 0; i < p->size; i++) {
    memcpy(out->A + (size_t)i * n, p->X + (size_t)i * p->width, n * sizeof(double));
    memcpy(out->B + (size_t)i * out->inputs, p->X + (size_t)i * p->width + n,
           out->inputs * sizeof(double));
  }
  for (uint32_t i = 0; i < p->lines; i++)
    for (size_t k = 0; k < (size_t)p->line[i].waiting * p->line[i].line->count; k++, at++) {
      const double *row = p->line[i].rows + k * p->width;
      memcpy(out->A + (size_t)at * n, row, n * sizeof(double));
      memcpy(out->B + (size_t)at * out->inputs, row + n, out->inputs * sizeof(double));
    }
}

Status sampled_make(Arena *arena, const Linearized *l, const StateSpace *state,
                    const double *values, bool tells, Sampled *out) {
  Loop p = {.arena = arena, .l = l, .state = state, .tells = tells, .size = state->size};
  *out = (Sampled){.inputs = state->inputs};
  Status status = open_lines(&p, values);
  if (status == QDOT_OK) status = find_period(&p, &out->period);
  if (status != QDOT_OK || !l->has_state_space) return status;
  for (uint32_t i = 0; i < p.lines; i++) out->waiting += p.line[i].waiting * p.line[i].line->count;
  out->size = p.size + out->waiting;
  p.width = out->size + out->inputs;
  p.X = rows_new(&p, p.size);
  for (uint32_t i = 0; i < p.size; i++) p.X[(size_t)i * p.width + i] = 1;
  p.flow = arena_array(arena, double, (size_t)p.size *p.size + 1);
  p.flow_inputs = arena_array(arena, double, (size_t)p.size * out->inputs + 1);
  fill_waiting(&p);
  pass_period(&p, out->period);
  read_map(&p, out);
  return QDOT_OK;
}
