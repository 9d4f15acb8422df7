// Random response: |H|^2 times densities, and their integrals.
#include "analyse/excited/random_response.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/excited/weighting.h"
#include "expr/value/eval.h"
#include "solve/algebra/quadrature.h"

#define TOLERANCE 1e-10
enum { MOST_HALVINGS = 4000, MOST_OCTAVES = 60 };

typedef struct Excited {
  Plant *plant;
  double *values; // of parameters, by variable
  RandomResponse *r;
  const Modes *modes;
  uint32_t source; // at hand
  double *room;    // twice the outputs
  Arena *work;
} Excited;

// ---- Sources

// ISO 8608: G_d(n) = G_d(n_0) (n/n_0)^-2 with n_0 = 0.1/m, the geometric mean of each class at n_0
// four times that of the class before; displacements are compared from 0.011/m to 2.83/m.
static double road_density(const RandomSource *s, double hz) {
  double G = 16e-6 * pow(4, s->line->road - 'A'), rate = s->line->is_rate ? 2 * M_PI * hz : 1;
  return G * 0.01 * s->speed / (hz * hz) * rate * rate;
}

static double source_density(const Excited *e, const RandomSource *s, double hz) {
  if (hz < s->low || hz > s->high) return 0;
  if (s->line->road) return road_density(s, hz);
  Context *cx = e->plant->l.cx;
  if (s->line->frequency) e->values[symbol_variable(cx, s->line->frequency)] = hz;
  return expr_eval(cx, s->line->density, e->values);
}

static double number_of(const Excited *e, Expr value, double otherwise) {
  return value ? expr_eval(e->plant->l.cx, value, e->values) : otherwise;
}

static RandomSource source_of(const Excited *e, const RandomLine *line) {
  RandomSource s = {.line = line, .name = symbol_text(e->plant->l.cx, line->input)};
  s.speed = number_of(e, line->speed, 0);
  s.low = number_of(e, line->lowest, line->road ? 0.011 * s.speed : 0);
  s.high = number_of(e, line->upper, line->road ? 2.83 * s.speed : INFINITY);
  return s;
}

static void find_sources(Excited *e, Arena *arena) {
  const Model *model = e->plant->l.system->model;
  const Requests *requests = &model->requests;
  RandomResponse *r = e->r;
  r->sources = arena_array(arena, RandomSource, requests->randoms.n + 1);
  r->inputs = arena_array(arena, RandomInput, requests->randoms.n + 1);
  uint32_t *place = arena_array(e->work, uint32_t, requests->randoms.n + 1);
  for (uint32_t i = 0; i < requests->randoms.n; i++) {
    const RandomLine *line = &requests->randoms.at[i];
    if (line->source == i) {
      place[i] = r->source_count;
      r->sources[r->source_count++] = source_of(e, line);
    }
    const NameEntry *entry = model_find(model, line->input);
    r->inputs[r->input_count++] =
        (RandomInput){{symbol_text(e->plant->l.cx, line->input), false, entry->number},
                      place[line->source],
                      number_of(e, line->delay, 0)};
  }
}

static Status check_source(Context *cx, const RandomSource *s) {
  if (s->low < s->high) return QDOT_OK;
  Status status = diag_error(cx, QDOT_BAD_VALUE, s->line->span,
                             "the frequencies of '%s' end before they begin", s->name);
  diag_label(cx, "they are from %g Hz to %g Hz", s->low, s->high);
  return status;
}

// ---- One frequency

// What a source makes of every output: |sum of H exp(-i w delay)|^2, times its density.
static void respond_to(const Excited *e, uint32_t source, double hz, double S, double *out) {
  const RandomResponse *r = e->r;
  double w = 2 * M_PI * hz;
  double *re = out, *im = out + r->output_count;
  memset(out, 0, 2 * (size_t)r->output_count * sizeof *out);
  for (uint32_t i = 0; i < r->input_count; i++) {
    const RandomInput *input = &r->inputs[i];
    if (input->source != source) continue;
    double c = cos(w * input->delay), s = sin(w * input->delay);
    plant_excite(e->plant, &input->input, false);
    for (uint32_t o = 0; o < r->output_count; o++) {
      Transfer t = plant_transfer(e->plant, &input->input, o);
      re[o] += t.re * c + t.im * s, im[o] += t.im * c - t.re * s;
    }
  }
  for (uint32_t o = 0; o < r->output_count; o++) {
    double weight = r->outputs[o].weight ? weighting_gain(r->outputs[o].weight, hz) : 1;
    out[o] = (re[o] * re[o] + im[o] * im[o]) * weight * weight * S;
  }
}

static void densities_at(const Excited *e, double hz, double *out) {
  const RandomResponse *r = e->r;
  memset(out, 0, r->output_count * sizeof *out);
  plant_set(e->plant, 2 * M_PI * hz);
  for (uint32_t s = 0; s < r->source_count; s++) {
    double S = source_density(e, &r->sources[s], hz);
    if (S == 0) continue;
    respond_to(e, s, hz, S, e->room);
    for (uint32_t o = 0; o < r->output_count; o++) out[o] += e->room[o];
  }
}

// ---- Mean squares

// The outputs, then the input itself.
static void integrand(void *user, double hz, double *y) {
  Excited *e = user;
  const RandomResponse *r = e->r;
  double S = source_density(e, &r->sources[e->source], hz);
  plant_set(e->plant, 2 * M_PI * hz);
  respond_to(e, e->source, hz, S, e->room);
  memcpy(y, e->room, r->output_count * sizeof *y);
  y[r->output_count] = S;
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

typedef VEC(double) Breaks;

static void add_break(Arena *arena, Breaks *breaks, double low, double high, double hz) {
  if (hz > low && hz < high) vec_push(arena, breaks, hz);
}

// Ends, octaves, and places around every resonance: a peak is as wide as its damping.
static Breaks breaks_of(const Excited *e, double low, double high) {
  static const double beside[] = {0, 1, 2, 4, 8, 16, 32};
  Breaks breaks = {0};
  vec_push(e->work, &breaks, low);
  vec_push(e->work, &breaks, high);
  for (double hz = 2 * low; hz < high; hz *= 2) add_break(e->work, &breaks, low, high, hz);
  for (uint32_t k = 0; k < e->modes->count; k++) {
    const Mode *mode = &e->modes->mode[k];
    if (mode->kind != MODE_OSCILLATION) continue;
    double hz = mode->im / (2 * M_PI), width = fmax(fabs(mode->damping), 1e-9);
    for (size_t i = 0; i < 2 * sizeof beside / sizeof *beside; i++)
      add_break(e->work, &breaks, low, high, hz * (1 + (i % 2 ? width : -width) * beside[i / 2]));
  }
  qsort(breaks.at, breaks.n, sizeof *breaks.at, ascending);
  return breaks;
}

// A decade beyond the modes, within the band.
static void core_of(const Excited *e, const RandomSource *s, double *low, double *high) {
  double least = INFINITY, most = 0;
  for (uint32_t k = 0; k < e->modes->count; k++) {
    double hz = e->modes->mode[k].omega / (2 * M_PI);
    if (!(hz > 0) || !isfinite(hz)) continue;
    least = fmin(least, hz), most = fmax(most, hz);
  }
  if (most == 0) least = most = 1;
  *low = s->low > 0 ? s->low : fmin(least / 10, s->high / 2);
  *high = isfinite(s->high) ? s->high : fmax(10 * most, 2 * *low);
}

// Octave after octave towards 0 or beyond all bounds, where contributions fall in equal ratios in
// the end: what is left is a geometric series, or has no sum.
static void add_tail(Excited *e, const Integrand *f, double from, double factor, RandomBound bound,
                     RandomBound *bounds, double *value, double *error) {
  uint32_t n = f->n;
  double *before = arena_array(e->work, double, n), *now = arena_array(e->work, double, n);
  double *last = arena_array(e->work, double, n);
  for (int k = 0; k < MOST_OCTAVES; k++, from *= factor) {
    double ends[2] = {fmin(from, from * factor), fmax(from, from * factor)};
    memcpy(last, now, n * sizeof *last);
    memcpy(before, value, n * sizeof *before);
    quadrature_add(f, ends, 2, TOLERANCE, 100, e->work, value, error);
    bool is_done = true;
    for (uint32_t i = 0; i < n; i++) {
      now[i] = value[i] - before[i];
      is_done = is_done && now[i] <= 1e-13 * value[i];
    }
    if (is_done && k > 2) return;
  }
  for (uint32_t i = 0; i < n; i++) {
    if (now[i] <= 1e-13 * value[i]) continue;
    double ratio = now[i] / last[i];
    if (!(ratio < 0.95)) {
      bounds[i] = bound;
      continue;
    }
    double rest = now[i] * ratio / (1 - ratio);
    value[i] += rest, error[i] += rest;
  }
}

// Does an output grow beyond bounds towards an undamped mode within the band?
static void find_undamped(Excited *e, const RandomSource *s, RandomBound *bounds) {
  uint32_t n = e->r->output_count;
  double *far = arena_array(e->work, double, n + 1);
  for (uint32_t k = 0; k < e->modes->count; k++) {
    const Mode *mode = &e->modes->mode[k];
    double hz = mode->im / (2 * M_PI);
    bool is_one = mode->kind == MODE_OSCILLATION && fabs(mode->damping) < 1e-9;
    if (!is_one || hz < s->low || hz > s->high) continue;
    for (int near = 0; near < 2; near++) {
      double at = hz * (1 + (near ? 1e-5 : 1e-4));
      plant_set(e->plant, 2 * M_PI * at);
      respond_to(e, e->source, at, source_density(e, s, at), e->room);
      if (!near) memcpy(far, e->room, n * sizeof *far);
    }
    for (uint32_t o = 0; o < n; o++)
      if (!(e->room[o] < 50 * far[o]) && e->room[o] > 0) bounds[o] = RANDOM_UNDAMPED;
  }
}

// Adds the mean squares that one source makes.
static void integrate(Excited *e, uint32_t source, double *square, double *error) {
  RandomResponse *r = e->r;
  RandomSource *s = &r->sources[source];
  Mark mark = arena_mark(e->work);
  uint32_t n = r->output_count + 1;
  double *value = arena_array(e->work, double, n), *off = arena_array(e->work, double, n);
  RandomBound *bounds = arena_array(e->work, RandomBound, n);
  Integrand f = {integrand, e, n};
  double low, high;
  e->source = source;
  core_of(e, s, &low, &high);
  Breaks breaks = breaks_of(e, low, high);
  quadrature_add(&f, breaks.at, breaks.n, TOLERANCE, MOST_HALVINGS, e->work, value, off);
  if (s->low == 0) add_tail(e, &f, low, 0.5, RANDOM_SLOW, bounds, value, off);
  if (!isfinite(s->high)) add_tail(e, &f, high, 2, RANDOM_FAST, bounds, value, off);
  find_undamped(e, s, bounds);
  for (uint32_t o = 0; o < r->output_count; o++) {
    square[o] += value[o], error[o] += off[o];
    if (bounds[o] != RANDOM_BOUNDED) r->outputs[o].bound = bounds[o];
  }
  s->rms = bounds[n - 1] == RANDOM_BOUNDED ? sqrt(value[n - 1]) : INFINITY;
  arena_release(e->work, mark);
}

static void find_squares(Excited *e) {
  RandomResponse *r = e->r;
  double *square = arena_array(e->work, double, r->output_count + 1);
  double *error = arena_array(e->work, double, r->output_count + 1);
  for (uint32_t s = 0; s < r->source_count; s++) integrate(e, s, square, error);
  for (uint32_t o = 0; o < r->output_count; o++) {
    RandomOutput *out = &r->outputs[o];
    bool is_bounded = out->bound == RANDOM_BOUNDED;
    out->rms = is_bounded ? sqrt(square[o]) : INFINITY;
    out->error = is_bounded && square[o] > 0 ? 0.5 * error[o] / square[o] : 0;
  }
}

// ---- The whole

static Status can_respond(const Linearized *l, const Modes *modes) {
  Context *cx = l->cx;
  Span span = l->system->model->requests.randoms.at[0].span;
  if (l->sampled) {
    Status status = diag_error(cx, QDOT_UNSUPPORTED, span,
                               "the response of a sampled loop to random inputs is not known");
    diag_label(cx, "its linearization knows the motion at the samples only; simulate it with the "
                   "input as a table");
    return status;
  }
  if (modes->stability != STABILITY_UNSTABLE) return QDOT_OK;
  Status status = diag_error(cx, QDOT_INCONSISTENT, span, "there is no steady random response");
  diag_label(cx, "small motions grow: the system is unstable here");
  return status;
}

static void list_outputs(const Model *model, const ResponseOutput *outputs, uint32_t count,
                         Arena *arena, RandomResponse *out) {
  const Requests *requests = &model->requests;
  out->outputs = arena_array(arena, RandomOutput, count + requests->comforts.n + 1);
  for (uint32_t i = 0; i < count; i++)
    out->outputs[out->output_count++] =
        (RandomOutput){.name = outputs[i].name, .value = outputs[i].value};
  for (uint32_t i = 0; i < requests->comforts.n; i++) {
    const ComfortLine *line = &requests->comforts.at[i];
    out->outputs[out->output_count++] = (RandomOutput){
        .name = line->label, .weight = symbol_text(model->cx, line->weight), .value = line->value};
  }
}

static double *parameter_values(const Model *model, const double *values, Arena *arena) {
  Context *cx = model->cx;
  double *out = arena_array(arena, double, cx->exprs->symbols.n + 1);
  for (uint32_t i = 0; i < model->parameters.n; i++) {
    uint32_t at = symbol_variable(cx, model->parameters.at[i].symbol);
    out[at] = values[at];
  }
  return out;
}

static void close_work(void *object) { arena_close(object); }

Status random_respond(const Linearized *l, const Modes *modes, const double *values,
                      const ResponseOutput *outputs, uint32_t output_count, const double *hz,
                      uint32_t n, Arena *arena, RandomResponse *out) {
  const Model *model = l->system->model;
  *out = (RandomResponse){0};
  if (model->requests.randoms.n == 0) return QDOT_OK;
  Status status = can_respond(l, modes);
  if (status != QDOT_OK) return status;
  list_outputs(model, outputs, output_count, arena, out);
  Arena work;
  arena_open(&work, &l->cx->memory, &l->cx->guard);
  Handle handle;
  guard_register(&l->cx->guard, &handle, &work, close_work);
  ResponseOutput *all = arena_array(&work, ResponseOutput, out->output_count + 1);
  for (uint32_t o = 0; o < out->output_count; o++)
    all[o] = (ResponseOutput){out->outputs[o].name, out->outputs[o].value};
  Plant plant;
  plant_open(&plant, l, values, all, out->output_count, &work);
  Excited e = {.plant = &plant, .r = out, .modes = modes, .work = &work};
  e.values = parameter_values(model, values, &work);
  e.room = arena_array(&work, double, 2 * (size_t)out->output_count + 1);
  find_sources(&e, arena);
  for (uint32_t s = 0; s < out->source_count && status == QDOT_OK; s++)
    status = check_source(l->cx, &out->sources[s]);
  if (status == QDOT_OK) {
    out->density = arena_array(arena, double, (size_t)n * out->output_count + 1);
    for (uint32_t k = 0; k < n; k++)
      densities_at(&e, hz[k], out->density + (size_t)k * out->output_count);
    context_poll(l->cx);
    find_squares(&e);
  }
  guard_close(&l->cx->guard, &handle);
  return status;
}
