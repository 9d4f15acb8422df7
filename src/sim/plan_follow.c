// How the values of a model follow each other, as programs of a plan.
#include "code/flatten.h"
#include "expr/build.h"
#include "expr/diff.h"
#include "sim/plan_source.h"

// A program over all values whose outputs are these expressions.
static const Program *program_over_values(PlanSource *source, const Expr *e, size_t n) {
  const Model *model = source->system->model;
  ProgramBuilder builder;
  Flattener flat;
  uint32_t parameters = model->parameters.n;
  program_open(&builder, source->cx, parameters + model->inputs.n);
  flatten_open(&flat, &builder);
  for (uint32_t i = 0; i < parameters; i++)
    flatten_bind(&flat, model->parameters.at[i].symbol, program_input(&builder, i));
  for (uint32_t i = 0; i < model->inputs.n; i++)
    flatten_bind(&flat, model->inputs.at[i].symbol, program_input(&builder, parameters + i));
  for (size_t i = 0; i < n; i++) program_output(&builder, flatten_expr(&flat, e[i]));
  const Program *program = program_finish(&builder, &source->arena);
  flatten_close(&flat);
  program_close(&builder);
  return program;
}

static void fill_values(PlanSource *source, PlanFollow *out) {
  const Model *model = source->system->model;
  uint32_t parameters = model->parameters.n, count = parameters + model->inputs.n;
  Expr *values = arena_array(&source->cx->scratch, Expr, count);
  for (uint32_t i = 0; i < count; i++)
    values[i] =
        i < parameters ? model->parameters.at[i].value : model->inputs.at[i - parameters].value;
  out->values = program_over_values(source, values, count);
}

// Derivatives of computed parameters by those they are computed from.
static void fill_slopes(PlanSource *source, PlanFollow *out) {
  Context *cx = source->cx;
  const Model *model = source->system->model;
  uint32_t n = model->parameters.n;
  Expr *symbols = arena_array(&cx->scratch, Expr, n);
  Expr *gradient = arena_array(&cx->scratch, Expr, n);
  VEC(PlanFollowSlope) slopes = {0};
  ExprList values = {0};
  for (uint32_t i = 0; i < n; i++) symbols[i] = model->parameters.at[i].symbol;
  for (uint32_t of = n; of-- > 0;) {
    if (!expr_has_kind(cx, model->parameters.at[of].value, KIND_BIT(SYMBOL_PARAMETER))) continue;
    expr_gradient(cx, model->parameters.at[of].value, symbols, of, gradient);
    for (uint32_t by = 0; by < of; by++) {
      if (expr_is_zero(cx, gradient[by])) continue;
      vec_push(&source->arena, &slopes, ((PlanFollowSlope){of, by}));
      vec_push(&cx->scratch, &values, gradient[by]);
    }
  }
  out->slope_at = slopes.at, out->slope_count = slopes.n;
  out->slopes = program_over_values(source, values.at, values.n);
}

void plan_fill_follow(PlanSource *source) {
  if (source->plan.follow) return;
  PlanFollow *follow = arena_new(&source->arena, PlanFollow);
  Mark mark = arena_mark(&source->cx->scratch);
  fill_values(source, follow);
  fill_slopes(source, follow);
  arena_release(&source->cx->scratch, mark);
  source->plan.follow = follow;
}
