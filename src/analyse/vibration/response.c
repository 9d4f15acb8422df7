// Frequency response by solving at every frequency.
#include "analyse/vibration/response.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/linear/following.h"
#include "solve/dense.h"

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
  if (!(*from > 0)) *from = low / 10;
  if (!(*to > 0)) *to = high * 10;
}

// Even on a logarithmic scale, and closer around resonances: a peak is as wide as its damping.
static void choose_frequencies(const Modes *modes, Arena *arena, Response *out) {
  static const double beside[] = {0.05, 0.15, 0.3, 0.5, 0.7, 1, 1.4, 2, 3, 5, 8, 13, 21};
  enum { BESIDE = sizeof beside / sizeof *beside };
  double from = out->task.from, to = out->task.to;
  default_range(modes, &from, &to);
  out->task.from = from, out->task.to = to;
  uint32_t points = out->task.points > 1 ? out->task.points : 2;
  out->hz = arena_array(arena, double, points + 2 * BESIDE * (size_t)modes->count);
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
  qsort(out->hz, out->n, sizeof *out->hz, ascending);
  uint32_t n = 0;
  for (uint32_t i = 0; i < out->n; i++)
    if (n == 0 || out->hz[i] > out->hz[n - 1] * (1 + 1e-12)) out->hz[n++] = out->hz[i];
  out->n = n;
}

// ---- The system with a force on every coordinate beside the inputs

static void extend(const Linearized *l, Arena *arena, Linearized *out) {
  uint32_t n = l->n, inputs = l->inputs + n;
  double *B = arena_array(arena, double, (size_t)n *inputs + 1);
  for (uint32_t i = 0; i < n; i++) {
    memcpy(B + (size_t)i * inputs, l->full.B + (size_t)i * l->inputs, l->inputs * sizeof *B);
    B[(size_t)i * inputs + l->inputs + i] = 1;
  }
  *out = *l;
  out->inputs = out->full.inputs = inputs;
  out->full.B = B;
  uint32_t light;
  reduced_make(arena, &out->full, &out->rows, &out->choice, &out->number);
  if (l->has_state_space) reduced_state_space(arena, &out->number, &out->state, &light);
}

// Values of every symbol at the point, by variable.
static double *values_at_point(const Linearized *l, const double *values, Arena *arena) {
  Context *cx = l->cx;
  const System *s = l->system;
  const Model *model = s->model;
  double *out = arena_array(arena, double, cx->exprs->symbols.n + 1);
  for (uint32_t i = 0; i < model->parameters.n; i++) {
    uint32_t at = symbol_variable(cx, model->parameters.at[i].symbol);
    out[at] = values[at];
  }
  for (uint32_t i = 0; i < model->inputs.n; i++)
    out[symbol_variable(cx, model->inputs.at[i].symbol)] = l->u[i];
  for (uint32_t i = 0; i < l->n; i++) {
    out[symbol_variable(cx, s->q[i])] = l->point->q[i];
    out[symbol_variable(cx, s->qd[i])] = l->point->qd[i];
  }
  for (uint32_t k = 0; k < l->m; k++) {
    const Row *row = k < s->row_count ? &s->rows[k] : &s->contacts[k - s->row_count];
    out[symbol_variable(cx, row->multiplier)] = l->point->lambda[k];
  }
  return out;
}

// ---- One frequency

typedef struct Plant {
  const Linearized *l; // extended
  uint32_t size;       // of the complex system: f, or p + f with rolling
  double *Z;           // 2 size x 2 size, real: (Re, -Im; Im, Re)
  double *x, *state_re, *state_im;
  int *pivot;
} Plant;

static void plant_open(Plant *plant, const Linearized *l, Arena *arena) {
  uint32_t size = l->p == l->f ? l->f : l->p + l->f;
  *plant = (Plant){.l = l, .size = size};
  plant->Z = arena_array(arena, double, 4 * (size_t)size * size + 1);
  plant->x = arena_array(arena, double, 2 * (size_t)size + 1);
  plant->state_re = arena_array(arena, double, l->p + 2 * l->f + 1);
  plant->state_im = arena_array(arena, double, l->p + 2 * l->f + 1);
  plant->pivot = arena_array(arena, int, 2 * (size_t)size + 1);
}

static void put(Plant *plant, uint32_t i, uint32_t j, double re, double im) {
  size_t size = plant->size, width = 2 * size;
  plant->Z[i * width + j] = plant->Z[(size + i) * width + size + j] = re;
  plant->Z[i * width + size + j] = -im;
  plant->Z[(size + i) * width + j] = im;
}

// K - w^2 M + i w C, or the rows i w z - Y z - W s = 0 and K z + (C + i w M) s.
static bool plant_factor(Plant *plant, double w) {
  const Reduced *r = &plant->l->number;
  uint32_t p = r->p, f = r->f;
  memset(plant->Z, 0, 4 * (size_t)plant->size * plant->size * sizeof *plant->Z);
  if (p == f) {
    for (uint32_t i = 0; i < f; i++)
      for (uint32_t j = 0; j < f; j++) {
        size_t ij = (size_t)i * f + j;
        put(plant, i, j, r->K[ij] - w * w * r->M[ij], w * r->C[ij]);
      }
  } else {
    for (uint32_t i = 0; i < p; i++) {
      for (uint32_t j = 0; j < p; j++) put(plant, i, j, -r->Y[(size_t)i * p + j], i == j ? w : 0);
      for (uint32_t j = 0; j < f; j++) put(plant, i, p + j, -r->W[(size_t)i * f + j], 0);
    }
    for (uint32_t i = 0; i < f; i++) {
      for (uint32_t j = 0; j < p; j++) put(plant, p + i, j, r->K[(size_t)i * p + j], 0);
      for (uint32_t j = 0; j < f; j++) {
        size_t ij = (size_t)i * f + j;
        put(plant, p + i, p + j, r->C[ij], w * r->M[ij]);
      }
    }
  }
  return dense_lu((int)(2 * plant->size), plant->Z, plant->pivot) > 0;
}

// The state that an input of amplitude 1 leads to, and ds/dt behind it.
static void plant_solve(Plant *plant, double w, uint32_t input) {
  const Reduced *r = &plant->l->number;
  uint32_t p = r->p, f = r->f, size = plant->size, first = size - f;
  memset(plant->x, 0, 2 * (size_t)size * sizeof *plant->x);
  for (uint32_t i = 0; i < f; i++) plant->x[first + i] = r->B[(size_t)i * r->inputs + input];
  dense_lu_solve((int)(2 * size), plant->Z, plant->pivot, plant->x);
  for (uint32_t i = 0; i < size; i++)
    plant->state_re[i] = plant->x[i], plant->state_im[i] = plant->x[size + i];
  for (uint32_t i = 0; p == f && i < f; i++) {
    plant->state_re[p + i] = -w * plant->x[size + i];
    plant->state_im[p + i] = w * plant->x[i];
  }
  for (uint32_t i = 0; i < f; i++) {
    plant->state_re[p + f + i] = -w * plant->state_im[p + i];
    plant->state_im[p + f + i] = w * plant->state_re[p + i];
  }
}

// ---- The whole

typedef struct Rows {
  uint32_t states, columns;
  double *at; // outputs x columns
} Rows;

static Rows output_rows(const Linearized *extended, const double *values, const ResponseTask *task,
                        Arena *arena) {
  Following f;
  following_find(extended, arena, &f);
  Rows rows = {f.states, f.columns,
               arena_array(arena, double, (size_t)task->output_count *f.columns + 1)};
  for (uint32_t o = 0; o < task->output_count; o++)
    following_row(extended->cx, extended, &f, values, task->outputs[o].value,
                  rows.at + (size_t)o * f.columns);
  return rows;
}

static uint32_t column_of(const Linearized *l, const ResponseInput *input) {
  return input->is_force ? l->system->model->inputs.n + input->number : input->number;
}

static void respond(Plant *plant, const Rows *rows, const ResponseTask *task, double w, double *re,
                    double *im) {
  uint32_t size = rows->states;
  bool regular = plant_factor(plant, w);
  for (uint32_t i = 0; i < task->input_count; i++) {
    uint32_t column = column_of(plant->l, &task->inputs[i]);
    if (regular) plant_solve(plant, w, column);
    for (uint32_t o = 0; o < task->output_count; o++) {
      const double *row = rows->at + (size_t)o * rows->columns;
      size_t at = (size_t)o * task->input_count + i;
      double direct = row[size + column];
      re[at] = regular ? direct + dense_dot((int)size, row, plant->state_re) : NAN;
      im[at] = regular ? dense_dot((int)size, row, plant->state_im) : NAN;
    }
  }
}

Status response_compute(const Linearized *l, const Modes *modes, const double *values,
                        const ResponseTask *task, Arena *arena, Response *out) {
  *out = (Response){.task = *task, .modes = modes};
  choose_frequencies(modes, arena, out);
  size_t pairs = (size_t)task->input_count * task->output_count;
  out->re = arena_array(arena, double, pairs * out->n + 1);
  out->im = arena_array(arena, double, pairs * out->n + 1);
  out->rest = arena_array(arena, double, pairs + 1);
  Arena *scratch = &l->cx->scratch;
  Mark mark = arena_mark(scratch);
  Linearized extended;
  Plant plant;
  extend(l, scratch, &extended);
  double *there = values_at_point(l, values, scratch);
  double *nothing = arena_array(scratch, double, pairs + 1);
  Rows rows = output_rows(&extended, there, task, scratch);
  plant_open(&plant, &extended, scratch);
  respond(&plant, &rows, task, 0, out->rest, nothing);
  for (uint32_t k = 0; k < out->n; k++) {
    context_poll(l->cx);
    respond(&plant, &rows, task, 2 * M_PI * out->hz[k], out->re + k * pairs, out->im + k * pairs);
  }
  // what does not answer at rest is left with rounding
  for (size_t i = 0; i < pairs; i++) {
    double least = INFINITY;
    for (uint32_t k = 0; k < out->n; k++)
      least = fmin(least, hypot(out->re[k * pairs + i], out->im[k * pairs + i]));
    if (out->n > 0 && fabs(out->rest[i]) < 1e-13 * least) out->rest[i] = 0;
  }
  arena_release(scratch, mark);
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
  double re = r->re[at], im = r->im[at];
  // rounding must not turn an undamped -180 into +180
  if (fabs(im) < 1e-13 * fabs(re)) im = 0;
  return im == 0 ? re < 0 ? -180 : 0 : atan2(im, re) * 180 / M_PI;
}

bool response_is_unlimited(const Response *r, uint32_t k) {
  for (uint32_t i = 0; i < r->modes->count; i++) {
    const Mode *mode = &r->modes->mode[i];
    bool undamped = mode->kind == MODE_OSCILLATION && fabs(mode->damping) < 1e-9;
    if (undamped && fabs(r->hz[k] - mode->hz) < 1e-5 * mode->hz) return true;
  }
  return false;
}

uint32_t response_peaks(const Response *r, uint32_t output, uint32_t input, uint32_t *at,
                        uint32_t most) {
  uint32_t n = 0;
  for (uint32_t k = 1; k + 1 < r->n && n < most; k++) {
    double gain = response_gain(r, k, output, input);
    bool rises = gain > response_gain(r, k - 1, output, input);
    if (rises && gain >= response_gain(r, k + 1, output, input)) at[n++] = k;
  }
  return n;
}
