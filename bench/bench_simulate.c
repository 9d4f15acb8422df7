// One simulated second of N rods at a tolerance of 1e-8, against an integration written by hand and
// against SciPy and Octave.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "hand.h"
#include "measure.h"
#include "sim/machine.h"
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

// ---- What a step costs beside its evaluations

typedef struct Steps {
  Machine machine;
  Stepper *stepper;
  double q[HAND_MOST], qd[HAND_MOST];
  double y[2 * HAND_MOST + 8], k[2 * HAND_MOST + 8];
  double overhead; // seconds a step
} Steps;

enum { STEPS = 1000 };

static void take_steps(void *argument) {
  Steps *steps = argument;
  stepper_start(steps->stepper, 0, steps->q, steps->qd, NULL);
  for (int i = 0; i < STEPS; i++) stepper_step(steps->stepper, 1e9);
}

// Each evaluation waits for the last one, as in a step.
static void evaluate(void *argument) {
  Steps *steps = argument;
  const Problem *p = &steps->machine.problem;
  for (int i = 0; i < STEPS; i++) {
    p->derivative(p->user, 0, steps->y, steps->k);
    steps->y[0] = 0.3 + 1e-300 * steps->k[2 * p->n - 1];
  }
}

static Status measure_steps(TextModel *model, void *argument) {
  Steps *steps = argument;
  Status status = machine_open(&steps->machine, model->cx, &model->system, BACKEND_BEST);
  if (status != QDOT_OK) return status;
  int n = steps->machine.n;
  for (int i = 0; i < n; i++) steps->q[i] = steps->y[i] = 0.3, steps->qd[i] = 0;
  MethodOptions options = method_defaults();
  options.atol = options.rtol;
  status = stepper_open(&model->cx->keep, &steps->machine.problem, &options, &steps->stepper);
  if (status == QDOT_OK) {
    double all = measure_work(take_steps, steps), one = measure_work(evaluate, steps) / STEPS;
    stepper_start(steps->stepper, 0, steps->q, steps->qd, NULL);
    long evaluations = steps->stepper->dynamics.evaluations, rejected = steps->stepper->rejected;
    take_steps(steps);
    evaluations = steps->stepper->dynamics.evaluations - evaluations;
    rejected = steps->stepper->rejected - rejected;
    steps->overhead = (all - one * (double)evaluations) / (double)(STEPS + rejected);
    stepper_close(steps->stepper);
  }
  machine_close(&steps->machine);
  return status;
}

// ---- The same by hand

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
  static const char *const names[] = {
      "N",     "ours",       "evaluations", "by hand",    "evaluations",
      "ratio", "SciPy/ours", "Octave/ours", "difference", "step - evaluations",
      "met"};
  static const int widths[] = {4, 10, 12, 10, 12, 6, 11, 12, 11, 19, 4};
  static Hand hand;
  static Run run;
  double scipy[SIZES], octave[SIZES];
  ask_peer("/usr/bin/python3 bench/peers/scipy_chain.py", scipy);
  ask_peer("octave-cli -qf bench/peers/octave_chain.m", octave);
  Sheet sheet = sheet_begin("One second of N rods at 1e-8; by hand: articulated bodies and "
                            "Dormand-Prince 8(5,3) in C",
                            names, widths, 11);
  for (int i = 0; i < SIZES; i++) {
    TextModel model;
    int n = run.n = links[i];
    bool fine = text_model_open(&model, "bench/models/chain.qdot", n, simulate, &run);
    text_model_close(&model);
    static Steps steps;
    fine = fine && text_model_open(&model, "bench/models/chain.qdot", n, measure_steps, &steps);
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
    sheet_seconds(&sheet, steps.overhead);
    bool beats = n < 3 || ((scipy[i] == 0 || scipy[i] > 50 * run.wall) &&
                           (octave[i] == 0 || octave[i] > 50 * run.wall));
    bool quick = 2 * n > 10 || steps.overhead < 0.2e-6;
    sheet_met(&sheet, run.wall <= 2 * by_hand && beats && quick && difference < 1e-5);
  }
  return 0;
}
