// Ladders and rows of N loops as bodies and pins: how the cost of one right-hand side grows, and
// what must be paid before the first.
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "expr/value/eval.h"
#include "measure.h"
#include "sim/equations.h"
#include "text_model.h"

typedef struct Cost {
  double steps;      // of the program; 0 where there is none
  double evaluation; // seconds
  double setup;      // CPU seconds from equations to machine code
} Cost;

typedef struct Timing {
  const Compiled *forward;
  double *in, *out, *work;
  int calls;
} Timing;

static void call_forward(void *argument) {
  const Timing *t = argument;
  for (int i = 0; i < t->calls; i++) compiled_run(t->forward, t->in, t->out, t->work);
}

static Status measure_forward(TextModel *model, void *argument) {
  Cost *cost = argument;
  Context *cx = model->cx;
  clock_t began = clock();
  Equations *e = equations_open(cx, &model->system, NULL, 0, BACKEND_BEST, &cx->keep);
  cost->setup = (double)(clock() - began) / CLOCKS_PER_SEC;
  const Compiled *forward = &e->parts[PART_FORWARD];
  if (!e->has_forward) return QDOT_OK;
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
  cost->steps = forward->program->main_count;
  cost->evaluation = measure_work(call_forward, &t) / t.calls;
  equations_close(e);
  return QDOT_OK;
}

static bool measure_table(const char *title, const char *path, int most) {
  static const int sizes[] = {5, 10, 20, 50, 100};
  static const char *const names[] = {"N", "formulation", "steps", "steps/N", "one rhs", "setup"};
  static const int widths[] = {4, 13, 8, 8, 10, 10};
  Sheet sheet = sheet_begin(title, names, widths, 6);
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes && sizes[i] <= most; i++)
    for (int f = 0; f < FORMULATIONS; f++) {
      if (f == FORMULATION_NEWTON_EULER) continue;
      TextModel model;
      Cost cost = {0};
      bool fine =
          text_model_open_as(&model, path, sizes[i], (Formulation)f, measure_forward, &cost);
      text_model_close(&model);
      if (!fine) return false;
      sheet_number(&sheet, "%.0f", sizes[i]);
      sheet_text(&sheet, formulation_text((Formulation)f));
      sheet_number(&sheet, "%.0f", cost.steps);
      sheet_number(&sheet, "%.0f", cost.steps / sizes[i]);
      sheet_seconds(&sheet, cost.evaluation);
      sheet_seconds(&sheet, cost.setup);
    }
  return true;
}

// bench_loops BUILD [MOST]: up to so many loops.
int main(int count, char **words) {
  int most = count > 2 ? (int)strtol(words[2], NULL, 10) : 100;
  bool fine = measure_table("Scissor lift of N stages", "bench/models/scissor.qdot", most);
  fine = measure_table("N four-bars in a row", "bench/models/four_bars.qdot", most) && fine;
  return fine ? 0 : 1;
}
