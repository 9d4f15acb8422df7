// One simulated second of N rods at a tolerance of 1e-8, against an integration written by hand and
// against SciPy and Octave.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "hand.h"
#include "measure.h"
#include "sim/sim.h"
#include "text_model.h"

static const int links[] = {1, 2, 3, 5, 10, 20, 50};
enum { SIZES = sizeof links / sizeof *links };

typedef struct Run {
  double wall; // of the integration alone, the least of several
  long evaluations;
  double last[2 * HAND_MOST]; // the state at the end
  int n;
} Run;

static Status keep_row(void *user, const double *values, uint32_t count) {
  Run *run = user;
  (void)count;
  memcpy(run->last, values + 1, 2 * (size_t)run->n * sizeof *values);
  return QDOT_OK;
}

static Status simulate(TextModel *model, void *argument) {
  Run *run = argument;
  SimOptions options;
  Status status = sim_options(model->cx, model->system.model, &options);
  if (status != QDOT_OK) return status;
  options.t_end = options.every = 1;
  options.method.rtol = options.method.atol = 1e-8;
  run->wall = 1e300;
  for (int i = 0; i < 20 && status == QDOT_OK; i++) {
    RowSink sink = {.user = run, .row = keep_row};
    SimSummary summary = {0};
    status = sim_run(model->cx, &model->system, &options, &sink, &summary);
    run->wall = fmin(run->wall, summary.wall_seconds);
    run->evaluations = summary.evaluations;
  }
  return status;
}

typedef struct Hand {
  HandChain chain;
  double y[2 * HAND_MOST];
  int evaluations;
} Hand;

static void integrate_by_hand(void *argument) {
  Hand *hand = argument;
  for (int i = 0; i < hand->chain.n; i++) hand->y[i] = 0.3, hand->y[hand->chain.n + i] = 0;
  hand->evaluations = hand_integrate(&hand->chain, hand->y, 1, 1e-8);
}

static void ask_peer(const char *program, double *seconds) {
  char command[512];
  int at = snprintf(command, sizeof command, "%s", program);
  for (int i = 0; i < SIZES; i++)
    at += snprintf(command + at, sizeof command - (size_t)at, " %d", links[i]);
  snprintf(command + at, sizeof command - (size_t)at, " 2> /dev/null");
  if (measure_peer(command, seconds, SIZES) != SIZES) memset(seconds, 0, SIZES * sizeof *seconds);
}

static void sheet_ratio(Sheet *sheet, double peer, double ours) {
  if (peer > 0)
    sheet_number(sheet, "%.0f", peer / ours);
  else
    sheet_text(sheet, "-");
}

int main(void) {
  static const char *const names[] = {"N",           "ours",  "evaluations", "by hand",
                                      "evaluations", "ratio", "SciPy/ours",  "Octave/ours",
                                      "difference",  "met"};
  static const int widths[] = {4, 10, 12, 10, 12, 6, 11, 12, 11, 4};
  static Hand hand;
  static Run run;
  double scipy[SIZES], octave[SIZES];
  ask_peer("/usr/bin/python3 bench/peers/scipy_chain.py", scipy);
  ask_peer("octave-cli -qf bench/peers/octave_chain.m", octave);
  Sheet sheet = sheet_begin("One second of N rods at 1e-8; by hand: articulated bodies and "
                            "Dormand-Prince 8(5,3) in C",
                            names, widths, 10);
  for (int i = 0; i < SIZES; i++) {
    TextModel model;
    int n = run.n = links[i];
    bool fine = text_model_open(&model, "bench/models/chain.qdot", n, simulate, &run);
    text_model_close(&model);
    if (!fine) return 1;
    hand_chain_open(&hand.chain, n);
    double by_hand = measure_work(integrate_by_hand, &hand), difference = 0;
    for (int k = 0; k < 2 * n; k++)
      difference = fmax(difference, fabs(run.last[k] - hand.y[k]) / (1 + fabs(hand.y[k])));
    sheet_number(&sheet, "%.0f", n);
    sheet_seconds(&sheet, run.wall);
    sheet_number(&sheet, "%.0f", (double)run.evaluations);
    sheet_seconds(&sheet, by_hand);
    sheet_number(&sheet, "%.0f", hand.evaluations);
    sheet_number(&sheet, "%.2f", run.wall / by_hand);
    sheet_ratio(&sheet, scipy[i], run.wall);
    sheet_ratio(&sheet, octave[i], run.wall);
    sheet_number(&sheet, "%.0e", difference);
    bool beats = n < 3 || ((scipy[i] == 0 || scipy[i] > 50 * run.wall) &&
                           (octave[i] == 0 || octave[i] > 50 * run.wall));
    sheet_met(&sheet, run.wall <= 2 * by_hand && beats && difference < 1e-5);
  }
  return 0;
}
