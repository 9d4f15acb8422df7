// A net of N by N masses on rigid rods: how the work of one right-hand side, and of what comes
// before the first, grows with the number of unknowns; beside it a dense factorization of M and
// Phi_q by LAPACK, for one solution.
#include <math.h>
#include <stdio.h>

#include "forward_cost.h"
#include "measure.h"
#include "solve/algebra/dense.h"

typedef struct Net {
  ForwardCost cost;
  int unknowns;
} Net;

static Status measure_net(TextModel *model, void *argument) {
  Net *net = argument;
  net->cost = forward_cost(model);
  net->unknowns = (int)(model->system.n + model->system.row_count);
  return QDOT_OK;
}

typedef struct Dense {
  int n;
  double seconds;
  double *A, *b;
  int *pivot;
} Dense;

static void factor(void *argument) {
  Dense *d = argument;
  for (int i = 0; i < d->n; i++)
    for (int j = 0; j < d->n; j++) d->A[(size_t)i * d->n + j] = i == j ? 4 : 1.0 / (1 + i + j);
  dense_lu(d->n, d->A, d->pivot);
  dense_lu_solve(d->n, d->A, d->pivot, d->b);
}

static Status measure_dense(TextModel *model, void *argument) {
  Dense *d = argument;
  Arena *arena = &model->cx->keep;
  d->A = arena_array(arena, double, (size_t)d->n * d->n);
  d->b = arena_array(arena, double, d->n);
  d->pivot = arena_array(arena, int, d->n);
  d->seconds = measure_work(factor, d);
  return QDOT_OK;
}

int main(void) {
  static const char *const names[] = {"N",      "unknowns", "steps",      "growth", "one rhs",
                                      "growth", "setup",    "dense, one", "ratio",  "below u^1.8"};
  static const int widths[] = {4, 9, 9, 8, 10, 8, 10, 11, 8, 12};
  static const int sizes[] = {5, 7, 10, 14, 20};
  Sheet sheet = sheet_begin("net of N x N masses on rigid rods", names, widths, 10);
  Net before = {0};
  double dense = 0;
  bool good = true;
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    TextModel model;
    Net net = {0};
    bool fine = text_model_open(&model, "bench/models/net.qdot", sizes[i], measure_net, &net);
    text_model_close(&model);
    Dense d = {.n = net.unknowns};
    fine = fine && text_model_open(&model, "bench/models/net.qdot", 2, measure_dense, &d);
    text_model_close(&model);
    if (!fine) return 1;
    dense = d.seconds;
    double wider = i ? log((double)net.unknowns / before.unknowns) : 1;
    double more = i ? log(net.cost.steps / before.cost.steps) / wider : 0;
    double slower = i ? log(net.cost.evaluation / before.cost.evaluation) / wider : 0;
    bool met = net.cost.steps > 0 && more < 1.8;
    good = good && met;
    sheet_number(&sheet, "%.0f", sizes[i]);
    sheet_number(&sheet, "%.0f", net.unknowns);
    sheet_number(&sheet, "%.0f", net.cost.steps);
    i ? sheet_number(&sheet, "u^%.2f", more) : sheet_text(&sheet, "-");
    sheet_seconds(&sheet, net.cost.evaluation);
    i ? sheet_number(&sheet, "u^%.2f", slower) : sheet_text(&sheet, "-");
    sheet_seconds(&sheet, net.cost.setup);
    sheet_seconds(&sheet, dense);
    sheet_number(&sheet, "%.3g", dense / net.cost.evaluation);
    sheet_met(&sheet, met);
    before = net;
  }
  measure_summary("right-hand side of a net of 20 x 20 masses on rods", before.cost.evaluation,
                  "LAPACK, dense, the solution alone", dense, "steps grow by u^1.8 at most", good);
  return good ? 0 : 1;
}
