// One simulated second of N rods at a tolerance of 1e-8: CPU time and error against an integration
// written by hand, SciPy, Octave and Simbody.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "hand.h"
#include "measure.h"
#include "sim/run_source.h"
#include "text_model.h"

static const int links[] = {1, 2, 3, 5, 10, 20, 50};
enum { SIZES = sizeof links / sizeof *links, MOST_PEER = 20 };

// ---- What a step costs beside its evaluations

typedef struct Steps {
  Machine machine;
  Stepper *stepper;
  double q[HAND_MOST], qd[HAND_MOST];
  double y[2 * HAND_MOST + 8], k[2 * HAND_MOST + 8];
  double seconds; // of the integration to t = 1
  long evaluations;
  double end;      // the first angle there,
  double truth;    // and as it should be
  double overhead; // seconds a step beside its evaluations
} Steps;

enum { STEPS = 1000 };

static void take_steps(void *argument) {
  Steps *steps = argument;
  stepper_start(steps->stepper, 0, steps->q, steps->qd, NULL);
  for (int i = 0; i < STEPS; i++) stepper_step(steps->stepper, 1e9);
}

static void take_a_second(void *argument) {
  Steps *steps = argument;
  Stepper *s = steps->stepper;
  s->dynamics.evaluations = 0;
  stepper_start(s, 0, steps->q, steps->qd, NULL);
  while (s->t < 1) stepper_step(s, 1);
  steps->end = s->y[0];
  steps->evaluations = s->dynamics.evaluations;
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

static void measure_overhead(Steps *steps) {
  double all = measure_work(take_steps, steps), one = measure_work(evaluate, steps) / STEPS;
  long evaluations = steps->stepper->dynamics.evaluations, rejected = steps->stepper->rejected;
  take_steps(steps);
  evaluations = steps->stepper->dynamics.evaluations - evaluations;
  rejected = steps->stepper->rejected - rejected;
  steps->overhead = (all - one * (double)evaluations) / (double)(STEPS + rejected);
}

static Status open_stepper(TextModel *model, Steps *steps, double tolerance) {
  MethodOptions options = method_defaults();
  options.rtol = options.atol = tolerance;
  return stepper_open(&model->cx->keep, &steps->machine.problem, &options, &steps->stepper);
}

static Status measure_ours(TextModel *model, void *argument) {
  Steps *steps = argument;
  Status status = machine_open(&steps->machine, &model->system, BACKEND_BEST);
  if (status != QDOT_OK) return status;
  int n = steps->machine.n;
  for (int i = 0; i < n; i++) steps->q[i] = steps->y[i] = 0.3, steps->qd[i] = 0;
  status = open_stepper(model, steps, 1e-13);
  if (status == QDOT_OK) take_a_second(steps);
  steps->truth = steps->end;
  if (status == QDOT_OK) status = open_stepper(model, steps, 1e-8);
  if (status == QDOT_OK) {
    steps->seconds = measure_work(take_a_second, steps);
    measure_overhead(steps);
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

// ---- The peers

typedef struct Peer {
  const char *name, *command; // %s: where programs are built
  double least;               // times ours, promised
  double numbers[2 * SIZES];  // seconds and the first angle, for every N they can do
  size_t count;
} Peer;

static Peer peers[] = {
    {"DOP853", "/usr/bin/python3 bench/peers/scipy_chain.py dop853", 50, {0}, 0},
    {"RK45", "/usr/bin/python3 bench/peers/scipy_chain.py rk45", 50, {0}, 0},
    {"NumPy", "/usr/bin/python3 bench/peers/scipy_chain.py numpy", 0, {0}, 0},
    {"Octave", "octave-cli -qf bench/peers/octave_chain.m", 50, {0}, 0},
    {"Simbody", "%s/bench/simbody_motion chain", 30, {0}, 0},
};
enum { PEERS = sizeof peers / sizeof *peers };

static void ask(Peer *peer, const char *build) {
  char command[1024];
  int at = snprintf(command, sizeof command, peer->command, build);
  for (int i = 0; i < SIZES && links[i] <= MOST_PEER; i++)
    at += snprintf(command + at, sizeof command - (size_t)at, " %d", links[i]);
  snprintf(command + at, sizeof command - (size_t)at, " 2> /dev/null");
  peer->count = measure_peer(command, peer->numbers, 2 * SIZES) / 2;
}

static double peer_seconds(const Peer *peer, int i) {
  return (size_t)i < peer->count ? peer->numbers[2 * i] : 0;
}

static void sheet_ratios(Sheet *sheet, int i, double ours, bool *beats) {
  for (int p = 0; p < PEERS; p++) {
    double seconds = peer_seconds(&peers[p], i);
    if (seconds > 0)
      sheet_number(sheet, "%.0f", seconds / ours);
    else
      sheet_text(sheet, "-");
    if (links[i] >= 3 && seconds > 0 && seconds < peers[p].least * ours) *beats = false;
  }
}

static void compare_errors(const Steps *all, const Hand *hands) {
  static const char *const names[] = {"N",          "ours",   "by hand", "SciPy DOP853",
                                      "SciPy RK45", "Octave", "Simbody"};
  static const int widths[] = {4, 10, 10, 13, 11, 10, 10};
  static const int columns[] = {0, 1, 3, 4};
  Sheet sheet = sheet_begin("The error of the first angle after that second", names, widths, 7);
  for (int i = 0; i < SIZES && links[i] <= MOST_PEER; i++) {
    sheet_number(&sheet, "%.0f", links[i]);
    sheet_number(&sheet, "%.0e", fabs(all[i].end - all[i].truth));
    sheet_number(&sheet, "%.0e", fabs(hands[i].y[0] - all[i].truth));
    for (size_t c = 0; c < sizeof columns / sizeof *columns; c++) {
      const Peer *peer = &peers[columns[c]];
      if ((size_t)i < peer->count)
        sheet_number(&sheet, "%.0e", fabs(peer->numbers[2 * i + 1] - all[i].truth));
      else
        sheet_text(&sheet, "-");
    }
  }
}

// For the comparison of tools.
static void put_rows(const Steps *s, const Hand *hand, double by_hand, int i) {
  char job[40];
  snprintf(job, sizeof job, "second/%d", links[i]);
  measure_row("Qdot", job, s->seconds, fabs(s->end - s->truth), "rk853, 1e-8");
  measure_row("C by hand", job, by_hand, fabs(hand->y[0] - s->truth), "DOP853, 1e-8");
  static const struct {
    int peer;
    const char *tool, *remark;
  } shown[] = {{0, "SciPy", "DOP853, lambdified SymPy"},
               {3, "Octave", "ode45"},
               {4, "Simbody", "Runge-Kutta-Merson"}};
  for (size_t k = 0; k < sizeof shown / sizeof *shown; k++) {
    const Peer *peer = &peers[shown[k].peer];
    double seconds = peer_seconds(peer, i);
    if (seconds == 0) continue;
    measure_row(shown[k].tool, job, seconds, fabs(peer->numbers[2 * i + 1] - s->truth),
                shown[k].remark);
  }
}

static void summarize(const Steps *all, const double *by_hand, int i) {
  char job[80];
  snprintf(job, sizeof job, "one second of %d rods at 1e-8", links[i]);
  measure_summary(job, all[i].seconds, "the same in C by hand", by_hand[i], "at most twice",
                  all[i].seconds <= 2 * by_hand[i]);
  static const char *const names[] = {"SciPy DOP853, lambdified SymPy",
                                      "SciPy RK45, lambdified SymPy", "SciPy DOP853, NumPy by hand",
                                      "Octave ode45", "Simbody"};
  for (int p = 0; p < PEERS; p++) {
    if (peer_seconds(&peers[p], i) == 0 || peers[p].least == 0) continue;
    char promise[40];
    snprintf(promise, sizeof promise, "at least %.0f times", peers[p].least);
    measure_summary(job, all[i].seconds, names[p], peer_seconds(&peers[p], i), promise,
                    peer_seconds(&peers[p], i) >= peers[p].least * all[i].seconds);
  }
}

int main(int count, char **words) {
  static const char *const names[] = {
      "N",           "ours",      "evaluations", "by hand", "evaluations", "ratio", "overhead",
      "DOP853/ours", "RK45/ours", "NumPy",       "Octave",  "Simbody",     "met"};
  static const int widths[] = {4, 9, 12, 9, 12, 6, 9, 12, 10, 6, 7, 8, 4};
  static Hand hands[SIZES];
  static Steps all[SIZES];
  double by_hand[SIZES];
  for (int p = 0; p < PEERS; p++) ask(&peers[p], count > 1 ? words[1] : "build");
  Sheet sheet = sheet_begin("One second of N rods at 1e-8. By hand: articulated bodies and "
                            "Dormand-Prince 8(5,3) in C. Overhead: a step beside its evaluations. "
                            "DOP853, RK45: SciPy with lambdified SymPy; NumPy: DOP853 by hand",
                            names, widths, 13);
  for (int i = 0; i < SIZES; i++) {
    TextModel model;
    int n = links[i];
    bool fine = text_model_open(&model, "bench/models/chain.qdot", n, measure_ours, &all[i]);
    text_model_close(&model);
    if (!fine) return 1;
    double ours = all[i].seconds;
    hand_chain_open(&hands[i].chain, n);
    by_hand[i] = measure_work(integrate_by_hand, &hands[i]);
    sheet_number(&sheet, "%.0f", n);
    sheet_seconds(&sheet, ours);
    sheet_number(&sheet, "%.0f", (double)all[i].evaluations);
    sheet_seconds(&sheet, by_hand[i]);
    sheet_number(&sheet, "%.0f", hands[i].evaluations);
    sheet_number(&sheet, "%.2f", ours / by_hand[i]);
    sheet_seconds(&sheet, all[i].overhead);
    bool met = ours <= 2 * by_hand[i] && (2 * n > 10 || all[i].overhead < 0.2e-6);
    sheet_ratios(&sheet, i, ours, &met);
    sheet_met(&sheet, met && fabs(all[i].end - all[i].truth) < 1e-5);
  }
  compare_errors(all, hands);
  for (int i = 2; i < SIZES; i++)
    if (links[i] == 5 || links[i] == 20) {
      summarize(all, by_hand, i);
      put_rows(&all[i], &hands[i], by_hand[i], i);
    }
  return 0;
}
