// Frequency response by solving at every frequency.
#include "analyse/vibration/response.h"

#include <math.h>
#include <stdlib.h>

// ---- Frequencies

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

static void default_range(const Modes *modes, double *from, double *to) {
  double low = INFINITY, high = 0;
  for (uint32_t k = 0; k < modes->count; k++) {
    if (modes->mode[k].omega == 0) continue;
    low = fmin(low, modes->mode[k].hz), high = fmax(high, modes->mode[k].hz);
  }
  if (high == 0) low = high = 1;
  bool has_from = *from > 0, has_to = *to > 0;
  if (!has_from) *from = low / 10;
  if (!has_to) *to = high * 10;
  // modes beyond the end that was asked for
  if (!has_from && *from >= *to) *from = *to / 100;
  if (!has_to && *to <= *from) *to = 100 * *from;
  // samples do not tell faster oscillations from slow ones
  if (modes->period > 0) *to = fmin(*to, 0.5 / modes->period);
  if (modes->period > 0) *from = fmin(*from, *to / 10);
}

// Even on a logarithmic scale, and closer around resonances: a peak is as wide as its damping. Its
// top is among them.
static void choose_frequencies(const Modes *modes, Arena *arena, Response *out) {
  static const double beside[] = {0.05, 0.15, 0.3, 0.5, 0.7, 1, 1.4, 2, 3, 5, 8, 13, 21};
  enum { BESIDE = sizeof beside / sizeof *beside };
  double from = out->task.from, to = out->task.to;
  size_t pairs = (size_t)out->task.input_count * out->task.output_count, tops = 0;
  for (size_t i = 0; i < pairs; i++) tops += out->extrema[i].resonances.n;
  uint32_t points = out->task.points > 1 ? out->task.points : 2;
  out->hz = arena_array(arena, double, points + 2 * BESIDE * (size_t)modes->count + tops);
  for (uint32_t i = 0; i < points; i++)
    out->hz[out->n++] = from * pow(to / from, (double)i / (points - 1));
  for (uint32_t k = 0; k < modes->count; k++) {
    const Mode *mode = &modes->mode[k];
    if (mode->kind != MODE_OSCILLATION) continue;
    double width = fmin(fmax(fabs(mode->damping), 1e-5), 0.05);
    for (int i = 0; i < 2 * BESIDE; i++) {
      double hz = mode->hz * (1 + (i % 2 ? width : -width) * beside[i / 2]);
      if (hz > from && hz < to) out->hz[out->n++] = hz;
    }
  }
  for (size_t i = 0; i < pairs; i++)
    for (uint32_t k = 0; k < out->extrema[i].resonances.n; k++) {
      const Extremum *top = &out->extrema[i].resonances.at[k];
      if (!top->is_unlimited) out->hz[out->n++] = top->hz;
    }
  qsort(out->hz, out->n, sizeof *out->hz, ascending);
  uint32_t n = 0;
  for (uint32_t i = 0; i < out->n; i++)
    if (n == 0 || out->hz[i] > out->hz[n - 1] * (1 + 1e-12)) out->hz[n++] = out->hz[i];
  out->n = n;
}

// ---- The whole

static void close_work(void *object) { arena_close(object); }

static void respond(Plant *plant, const ResponseTask *task, double w, double *re, double *im) {
  plant_set(plant, w);
  for (uint32_t i = 0; i < task->input_count; i++) {
    plant_excite(plant, &task->inputs[i], false);
    for (uint32_t o = 0; o < task->output_count; o++) {
      Transfer t = plant_transfer(plant, &task->inputs[i], o);
      size_t at = (size_t)o * task->input_count + i;
      re[at] = t.re, im[at] = t.im;
    }
  }
}

// ---- At rest

// The slowest that there is besides what stands still; 0 where nothing resists at all.
static double slowest_of(const Modes *modes) {
  for (uint32_t k = 0; k < modes->count; k++)
    if (modes->mode[k].kind != MODE_RIGID) return modes->mode[k].omega;
  return 0;
}

static bool has_rigid(const Modes *modes) { return modes->count > 0 && modes->mode[0].omega == 0; }

// With a rigid-body motion K is singular, and what an output does is a limit: it may grow beyond
// all bounds, or not take part in that motion. Well below the slowest mode a gain that is bounded
// is H_0 + i w H_1 - w^2 H_2 + ..., and one that is not grows twice or four times as w is halved.
static void find_limits(Plant *plant, const Response *r, double *rest, Arena *work) {
  enum { LEVELS = 3 };
  const ResponseTask *task = &r->task;
  size_t pairs = (size_t)task->input_count * task->output_count;
  double slowest = slowest_of(r->modes), *re[LEVELS], *im[LEVELS];
  double w = slowest > 0 ? 0.01 * slowest : 2 * M_PI * task->from;
  for (int k = 0; k < LEVELS; k++, w /= 2) {
    re[k] = arena_array(work, double, pairs + 1);
    im[k] = arena_array(work, double, pairs + 1);
    respond(plant, task, w, re[k], im[k]);
  }
  for (size_t i = 0; i < pairs; i++) {
    double before = hypot(re[1][i], im[1][i]), last = hypot(re[2][i], im[2][i]);
    double first = (4 * re[1][i] - re[0][i]) / 3, second = (4 * re[2][i] - re[1][i]) / 3;
    double limit = (16 * second - first) / 15;
    // what falls with w vanishes, and leaves the rounding of what it is the difference of
    if (fabs(limit) < 1e-7 * last) limit = 0;
    rest[i] = last <= 1.5 * before ? limit : NAN;
  }
}

// What does not answer at rest is left with rounding.
static void clear_rest(Response *r, size_t pairs) {
  for (size_t i = 0; i < pairs; i++) {
    double least = INFINITY;
    for (uint32_t k = 0; k < r->n; k++)
      least = fmin(least, hypot(r->re[k * pairs + i], r->im[k * pairs + i]));
    if (r->n > 0 && fabs(r->rest[i]) < 1e-13 * least) r->rest[i] = 0;
  }
}

// The motions that a sampled loop shows once a period: exp(s t) for an eigenvalue exp(s T).
static const Modes *motions_of(const Modes *modes, Arena *arena) {
  if (modes->period == 0) return modes;
  Modes *out = arena_new(arena, Modes);
  *out = *modes;
  out->mode = arena_array(arena, Mode, modes->count + 1);
  out->count = 0;
  for (uint32_t k = 0; k < modes->count; k++) {
    Mode mode = modes->mode[k];
    if (!isfinite(mode.omega)) continue; // gone after a period
    mode.im = 2 * M_PI * mode.damped_hz;
    mode.re = -mode.damping * mode.omega;
    out->mode[out->count++] = mode;
  }
  return out;
}

Status response_compute(const Linearized *l, const Modes *found, const double *values,
                        const ResponseTask *task, Arena *arena, Response *out) {
  const Modes *modes = motions_of(found, arena);
  *out = (Response){.task = *task, .modes = modes};
  default_range(modes, &out->task.from, &out->task.to);
  size_t pairs = (size_t)task->input_count * task->output_count;
  Arena work;
  arena_open(&work, &l->cx->memory, &l->cx->guard);
  Handle handle;
  guard_register(&l->cx->guard, &handle, &work, close_work);
  Plant plant;
  plant_open(&plant, l, values, task->outputs, task->output_count, &work);
  out->extrema = resonances_find(&plant, modes, task->inputs, task->input_count, task->output_count,
                                 out->task.from, out->task.to, arena);
  choose_frequencies(modes, arena, out);
  out->re = arena_array(arena, double, pairs * out->n + 1);
  out->im = arena_array(arena, double, pairs * out->n + 1);
  out->rest = arena_array(arena, double, pairs + 1);
  double *nothing = arena_array(&work, double, pairs + 1);
  if (has_rigid(modes))
    find_limits(&plant, out, out->rest, &work);
  else
    respond(&plant, task, 0, out->rest, nothing);
  for (uint32_t k = 0; k < out->n; k++) {
    context_poll(l->cx);
    respond(&plant, task, 2 * M_PI * out->hz[k], out->re + k * pairs, out->im + k * pairs);
  }
  clear_rest(out, pairs);
  guard_close(&l->cx->guard, &handle);
  return QDOT_OK;
}

// ---- Reading

static size_t place(const Response *r, uint32_t k, uint32_t output, uint32_t input) {
  return ((size_t)k * r->task.output_count + output) * r->task.input_count + input;
}

double response_gain(const Response *r, uint32_t k, uint32_t output, uint32_t input) {
  size_t at = place(r, k, output, input);
  return hypot(r->re[at], r->im[at]);
}

double response_phase(const Response *r, uint32_t k, uint32_t output, uint32_t input) {
  size_t at = place(r, k, output, input);
  return transfer_phase(r->re[at], r->im[at]);
}

const Extrema *response_extrema(const Response *r, uint32_t output, uint32_t input) {
  return &r->extrema[(size_t)output * r->task.input_count + input];
}
