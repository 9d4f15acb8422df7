// Chains and loops of N rods as bodies and pins: maximal and natural coordinates against the
// spanning tree's, for one right-hand side and for one simulated second.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "forward_cost.h"
#include "measure.h"
#include "sim/sim.h"

static const Formulation formulations[] = {FORMULATION_LAGRANGE, FORMULATION_MAXIMAL,
                                           FORMULATION_NATURAL};
enum { FORMS = sizeof formulations / sizeof *formulations };

typedef struct Cost {
  ForwardCost forward;
  double wall, setup; // CPU time of a simulated second, and before the first
  double evaluations; // in a simulated second
  double drift;
} Cost;

static Status drop_row(void *user, const double *values, uint32_t n) {
  (void)user, (void)values, (void)n;
  return QDOT_OK;
}

static double cpu_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// The least CPU time of a run, with all that comes before it.
static Status time_run(TextModel *model, SimOptions *options, double t_end, Cost *cost,
                       double *seconds) {
  options->t_end = t_end;
  *seconds = 1e300;
  for (int i = 0; i < 5; i++) {
    RowSink sink = {.row = drop_row};
    SimSummary summary = {0};
    double began = cpu_seconds();
    Status status = sim_run(model->cx, &model->system, options, &sink, &summary);
    if (status != QDOT_OK) return status;
    *seconds = fmin(*seconds, cpu_seconds() - began);
    cost->evaluations = (double)summary.evaluations / t_end;
    cost->drift = summary.position.value;
  }
  return QDOT_OK;
}

static Status measure_model(TextModel *model, void *argument) {
  Cost *cost = argument;
  enum { LONG = 6 }; // seconds, of which the first is taken away
  cost->forward = forward_cost(model);
  SimOptions options;
  Status status = sim_options(model->cx, model->system.model, &options);
  if (status != QDOT_OK) return status;
  options.method.rtol = options.method.atol = 1e-8;
  double first, all;
  status = time_run(model, &options, 1, cost, &first);
  if (status == QDOT_OK) status = time_run(model, &options, LONG, cost, &all);
  if (status != QDOT_OK) return status;
  cost->wall = (all - first) / (LONG - 1);
  cost->setup = first - cost->wall;
  return QDOT_OK;
}

static bool measure_bodies(Sheet *sheet, const char *path, int n, bool is_chain) {
  Cost minimal = {0};
  for (int f = 0; f < FORMS; f++) {
    TextModel model;
    Cost cost = {0};
    bool fine = text_model_open_as(&model, path, n, formulations[f], measure_model, &cost);
    text_model_close(&model);
    if (!fine) return false;
    if (f == 0) minimal = cost;
    sheet_number(sheet, "%.0f", n);
    sheet_text(sheet, formulation_text(formulations[f]));
    sheet_number(sheet, "%.0f", cost.forward.steps);
    sheet_seconds(sheet, cost.forward.evaluation);
    sheet_number(sheet, "%.1f", 1e9 * cost.forward.evaluation / n);
    sheet_number(sheet, "%.2f", cost.forward.evaluation / minimal.forward.evaluation);
    sheet_seconds(sheet, cost.wall);
    sheet_number(sheet, "%.0f", cost.evaluations);
    sheet_number(sheet, "%.2f", cost.wall / minimal.wall);
    sheet_seconds(sheet, cost.setup);
    sheet_number(sheet, "%.0e", cost.drift);
    bool bounded = formulations[f] != FORMULATION_MAXIMAL || !is_chain || n < 100;
    sheet_met(sheet, bounded || (cost.forward.evaluation <= 3 * minimal.forward.evaluation &&
                                 cost.wall <= 3 * minimal.wall));
  }
  return true;
}

static bool measure_table(const char *title, const char *path, bool is_chain, int most) {
  static const int sizes[] = {3, 10, 20, 50, 100, 200};
  static const char *const names[] = {"N",   "formulation", "steps", "one rhs", "ns/N",  "ratio",
                                      "1 s", "evaluations", "ratio", "setup",   "drift", "met"};
  static const int widths[] = {4, 13, 7, 10, 7, 6, 10, 12, 6, 10, 7, 4};
  Sheet sheet = sheet_begin(title, names, widths, 12);
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
    if (sizes[i] <= most && !measure_bodies(&sheet, path, sizes[i], is_chain)) return false;
  return true;
}

// bench_bodies BUILD [MOST]: up to so many rods.
int main(int count, char **words) {
  int most = count > 2 ? (int)strtol(words[2], NULL, 10) : 200;
  bool fine =
      measure_table("N rods hanging as bodies: one right-hand side, and a second of motion at 1e-8",
                    "bench/models/chain_bodies.qdot", true, most);
  fine = measure_table("The same closed to a loop", "bench/models/loop_bodies.qdot", false,
                       most < 100 ? most : 100) &&
         fine;
  return fine ? 0 : 1;
}
