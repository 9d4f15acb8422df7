// What the cases of a sweep are.
#include "ask/sweep.h"

#include <string.h>

#include "ask/draw.h"
#include "ask/source_hash.inc"
#include "expr/value/eval.h"
#include "model/question.h"
#include "qdot/qdot.h"
#include "sim/direction_rates.h"

// ---- Opening

static Status take_scale(Sweep *s, const Rerun *rerun, uint32_t i) {
  const SweepAxis *axis = &s->request->axes.at[i];
  const double *values = rerun->simulation.run.machine.values;
  SweepScale *scale = &s->scales[i];
  int place = directions_place(s->cx, s->model, &axis->varied);
  if (place < 0) return QDOT_UNKNOWN_NAME;
  s->places[i] = (uint32_t)place;
  scale->centre = rerun_given(rerun, (uint32_t)place);
  if (axis->low) scale->low = expr_eval(s->cx, axis->low, values);
  if (axis->high) scale->high = expr_eval(s->cx, axis->high, values);
  if (axis->kind == AXIS_NORMAL) {
    Status status =
        width_of_varied(s->cx, &axis->width, &axis->varied, scale->centre, values, &scale->width);
    if (status != QDOT_OK) return status;
  }
  scale->list = axis->cells;
  if (axis->kind != AXIS_LIST) return QDOT_OK;
  double *list = arena_array(s->cx->results, double, axis->values.n);
  expr_eval_many(s->cx, axis->values.at, axis->values.n, values, list);
  scale->list = list;
  return QDOT_OK;
}

// Fowler, Noll and Vo's hash of 64 bits.
static uint64_t mix(uint64_t hash, const void *bytes, size_t n) {
  const unsigned char *at = bytes;
  for (size_t i = 0; i < n; i++) hash = (hash ^ at[i]) * 0x100000001B3u;
  return hash;
}

static uint64_t mix_text(uint64_t hash, const char *text) {
  return mix(hash, text ? text : "", text ? strlen(text) + 1 : 1);
}

// Two sweeps with the same one have the same table.
static uint64_t fingerprint(const Sweep *s, const SimOptions *o) {
  const Model *model = s->model;
  const Source *source = &s->cx->sources.at[model->source];
  const MethodOptions *m = &o->method;
  uint64_t hash = mix_text(mix_text(0xCBF29CE484222325u, QDOT_VERSION), source_hash);
  hash = mix(hash, source->text, source->length);
  hash = mix_text(hash, model->formulation);
  for (size_t i = 0; i < model->setting_count; i++) hash = mix_text(hash, model->settings[i]);
  for (uint32_t i = 0; i < model->data.n; i++)
    hash = mix(hash, &model->data.at[i].hash, sizeof model->data.at[i].hash);
  double numbers[] = {o->t_end,
                      o->every,
                      m->rtol,
                      m->atol,
                      m->step,
                      m->beta,
                      m->gamma,
                      m->rho,
                      m->baumgarte_alpha,
                      m->baumgarte_beta,
                      (double)m->method,
                      (double)m->stabilize};
  hash = mix(hash, numbers, sizeof numbers);
  uint64_t counts[] = {s->cases, s->seed, s->axes, s->measures};
  hash = mix(hash, counts, sizeof counts);
  for (uint32_t i = 0; i < s->axes; i++) {
    const SweepScale *scale = &s->scales[i];
    double ends[] = {scale->low, scale->high, scale->centre, scale->width};
    hash = mix(hash, ends, sizeof ends);
    if (scale->list) hash = mix(hash, scale->list, s->request->axes.at[i].steps * sizeof(double));
  }
  return hash;
}

static uint64_t count_cases(const SweepRequest *request) {
  if (request->runs > 0) return request->runs;
  uint64_t cases = 1;
  for (uint32_t i = 0; i < request->axes.n; i++) {
    cases *= request->axes.at[i].steps;
    if (request->axes.at[i].kind == AXIS_CASES) break; // all columns of a file have its rows
  }
  return cases;
}

// By the number of cases alone, so that every machine cuts in the same places: small enough to
// share out and to lose, large enough to be worth a file, and to fill lanes several times where
// there are some hundred blocks all the same.
static uint32_t block_size(uint64_t cases) {
  enum { BLOCKS = 1024, LEAST = 16, MOST = 65536, FEWER = 256, FULL = 128 };
  uint64_t size = (cases + BLOCKS - 1) / BLOCKS, full = cases / FEWER;
  if (full > FULL) full = FULL;
  if (size < full) size = full;
  return (uint32_t)(size < LEAST ? LEAST : size > MOST ? MOST : size);
}

Status sweep_open(Sweep *s, const Model *model, const Rerun *rerun, const uint64_t *seed) {
  const SweepRequest *request = &model->requests.sweep;
  *s = (Sweep){.cx = model->cx,
               .model = model,
               .request = request,
               .cases = count_cases(request),
               .seed = seed ? *seed : request->seed,
               .axes = request->axes.n,
               .measures = request->measures.n};
  s->block = block_size(s->cases);
  s->blocks = (s->cases + s->block - 1) / s->block;
  s->places = arena_array(s->cx->results, uint32_t, s->axes);
  s->scales = arena_array(s->cx->results, SweepScale, s->axes);
  for (uint32_t i = 0; i < s->axes; i++) {
    Status status = take_scale(s, rerun, i);
    if (status != QDOT_OK) return status;
  }
  s->fingerprint = fingerprint(s, &rerun->simulation.options);
  return QDOT_OK;
}

uint64_t sweep_first(const Sweep *s, uint64_t block) { return block * s->block; }

uint32_t sweep_count(const Sweep *s, uint64_t block) {
  uint64_t left = s->cases - sweep_first(s, block);
  return left < s->block ? (uint32_t)left : s->block;
}

const char *sweep_axis_name(const Sweep *s, uint32_t axis) {
  return varied_text(s->cx, &s->request->axes.at[axis].varied);
}

const char *sweep_measure_name(const Sweep *s, uint32_t measure) {
  return symbol_text(s->cx,
                     s->model->requests.measurements.at[s->request->measures.at[measure]].name);
}

// ---- Cases

// Both ends belong to it and are hit exactly.
static double grid_value(const SweepScale *scale, uint64_t steps, uint64_t i) {
  if (i == 0 || steps < 2) return scale->low;
  if (i == steps - 1) return scale->high;
  return scale->low + (scale->high - scale->low) * ((double)i / (double)(steps - 1));
}

static double drawn_value(const Sweep *s, uint32_t i, uint64_t number) {
  const SweepScale *scale = &s->scales[i];
  double u =
      s->request->is_sobol ? draw_sobol(s->seed, number, i) : draw_random(s->seed, number, i);
  if (s->request->axes.at[i].kind == AXIS_UNIFORM)
    return scale->low + (scale->high - scale->low) * u;
  return scale->centre + scale->width * draw_normal(u);
}

void sweep_values(const Sweep *s, uint64_t number, double *out) {
  uint64_t left = number;
  for (uint32_t i = s->axes; i-- > 0;) { // the last runs fastest
    const SweepAxis *axis = &s->request->axes.at[i];
    switch (axis->kind) {
    case AXIS_GRID:
      out[i] = grid_value(&s->scales[i], axis->steps, left % axis->steps);
      left /= axis->steps;
      break;
    case AXIS_LIST:
      out[i] = s->scales[i].list[left % axis->steps];
      left /= axis->steps;
      break;
    case AXIS_CASES: out[i] = s->scales[i].list[number]; break;
    case AXIS_UNIFORM:
    case AXIS_NORMAL: out[i] = drawn_value(s, i, number); break;
    }
  }
}
