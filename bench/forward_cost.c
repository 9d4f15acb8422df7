// One right-hand side at the start of a model, called again and again.
#include "forward_cost.h"

#include <time.h>

#include "expr/value/eval.h"
#include "measure.h"
#include "sim/equation_maker.h"
#include "support/equation_values.h"

typedef struct Timing {
  const Compiled *forward;
  double *in, *out, *work;
  int calls;
} Timing;

static void call_forward(void *argument) {
  const Timing *t = argument;
  for (int i = 0; i < t->calls; i++) compiled_run(t->forward, t->in, t->out, t->work);
}

ForwardCost forward_cost(TextModel *model) {
  Context *cx = model->cx;
  ForwardCost cost = {0};
  clock_t began = clock();
  Equations *e = equations_open(cx, &model->system, NULL, 0, BACKEND_BEST, &cx->keep);
  cost.setup = (double)(clock() - began) / CLOCKS_PER_SEC;
  const Compiled *forward = &e->parts[PART_FORWARD];
  if (!e->has_forward) return cost;
  Timing t = {.forward = forward, .calls = 4000 / (int)model->system.n + 1};
  t.in = arena_array(&cx->keep, double, e->layout.count);
  t.out = arena_array(&cx->keep, double, forward->program->output_count);
  t.work = arena_array(&cx->keep, double, forward->work_size + 1);
  double *values = text_model_values(model);
  equations_set_values(e, values, t.in);
  for (uint32_t i = 0; i < model->system.n; i++) {
    Expr start = model->system.model->coordinates.at[i].position.value;
    t.in[e->layout.q + i] = start ? expr_eval(cx, start, values) : 0;
  }
  compiled_prepare(forward, t.in, t.work);
  cost.steps = forward->program->main_count;
  cost.evaluation = measure_work(call_forward, &t) / t.calls;
  equations_close(e);
  return cost;
}
