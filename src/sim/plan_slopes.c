// How the numbers of a plan change along directions.
#include "expr/build.h"
#include "expr/diff.h"
#include "sim/direction_rates.h"
#include "sim/plan_source.h"

// What follows the values of a model along one direction.
typedef struct Along {
  PlanSource *source;
  uint32_t count; // of parameters and inputs
  Rate *rates;    // how they change
} Along;

// Of an expression of parameters and inputs; 0 (no expression) does not change.
static PlanValue slope_of(const Along *a, Expr e) {
  Context *cx = a->source->cx;
  PlanValue none = {.is_said = true};
  if (!e || !expr_has_kind(cx, e, KIND_BIT(SYMBOL_PARAMETER) | KIND_BIT(SYMBOL_INPUT))) return none;
  Expr slope;
  expr_diff_along(cx, &e, 1, a->rates, a->count, &slope);
  return plan_number(a->source, slope);
}

static PlanValue slope_of_start(const Along *a, const Initial *initial) {
  return slope_of(a, initial->kind == INITIAL_NONE ? 0 : initial->value);
}

static void fill_starts(const Along *a, PlanValue *out) {
  const Model *model = a->source->system->model;
  uint32_t n = model->coordinates.n;
  for (uint32_t i = 0; i < n; i++) {
    out[i] = slope_of_start(a, &model->coordinates.at[i].position);
    out[n + i] = slope_of_start(a, &model->coordinates.at[i].velocity);
  }
  for (uint32_t i = 0; i < model->states.n; i++)
    out[2 * n + i] = slope_of(a, model->states.at[i].value);
}

// Constraints decide where a motion starts: its slopes there do not follow from values alone.
static bool is_assembled(const System *s) { return s->row_count > 0; }

// The lists of a PlanSlopes while they are filled.
typedef struct SlopeLists {
  uint32_t state, samplings, reductions;
  PlanValue *values, *starts, *periods, *delays, *froms, *ends;
} SlopeLists;

static void fill_direction(PlanSource *source, const SlopeLists *to, uint32_t j) {
  const Model *model = source->system->model;
  Arena *scratch = &source->cx->scratch;
  Mark mark = arena_mark(scratch);
  uint32_t count = model->parameters.n + model->inputs.n;
  Expr *by = arena_array(scratch, Expr, count);
  Along along = {source, count, arena_array(scratch, Rate, count)};
  directions_rates(source->cx, model, source->directions, j, by);
  for (uint32_t i = 0; i < count; i++) {
    along.rates[i] = (Rate){directions_symbol(model, i), by[i]};
    to->values[(size_t)j * count + i] = plan_number(source, by[i]);
  }
  if (to->starts) fill_starts(&along, to->starts + (size_t)j * to->state);
  for (uint32_t i = 0; i < to->samplings; i++) {
    to->periods[j * to->samplings + i] = slope_of(&along, model->samplings.at[i].period);
    to->delays[j * to->samplings + i] = slope_of(&along, model->samplings.at[i].delay);
  }
  for (uint32_t i = 0; i < to->reductions; i++)
    to->froms[j * to->reductions + i] = slope_of(&along, model->requests.reductions.at[i].from);
  to->ends[j] = slope_of(&along, model->requests.simulate.end);
  arena_release(scratch, mark);
}

void plan_fill_slopes(PlanSource *source) {
  const System *s = source->system;
  const Model *model = s->model;
  const Directions *d = source->directions;
  Arena *arena = &source->arena;
  if (!d || d->n == 0) return;
  SlopeLists to = {.state = 2 * s->n + s->states,
                   .samplings = model->samplings.n,
                   .reductions = model->requests.reductions.n};
  size_t n = d->n, values = model->parameters.n + model->inputs.n;
  to.values = arena_array(arena, PlanValue, n * values + 1);
  if (!is_assembled(s)) to.starts = arena_array(arena, PlanValue, n * to.state + 1);
  to.periods = arena_array(arena, PlanValue, n * to.samplings + 1);
  to.delays = arena_array(arena, PlanValue, n * to.samplings + 1);
  to.froms = arena_array(arena, PlanValue, n * to.reductions + 1);
  to.ends = arena_array(arena, PlanValue, n);
  for (uint32_t j = 0; j < d->n; j++) fill_direction(source, &to, j);
  PlanSlopes *slopes = arena_new(arena, PlanSlopes);
  *slopes = (PlanSlopes){d, to.values, to.starts, to.periods, to.delays, to.froms, to.ends};
  source->plan.slopes = slopes;
}
