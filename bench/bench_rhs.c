// One right-hand side of the N-link chain from its text file, against code written by hand.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hand.h"
#include "measure.h"
#include "sim/equation_maker.h"
#include "support/equation_values.h"
#include "text_model.h"

// What a text file became.
typedef struct Machine {
  TextModel model;
  Equations *equations;
  const Compiled *forward;
  double *in, *out, *work;
  double seconds; // from text to code that runs
  uint32_t steps;
} Machine;

static Status build(TextModel *model, void *argument) {
  Machine *machine = argument;
  Context *cx = model->cx;
  double began = context_seconds();
  machine->equations = equations_open(cx, &model->system, NULL, 0, BACKEND_BEST, &cx->keep);
  machine->forward = &machine->equations->parts[PART_FORWARD];
  machine->seconds = model->seconds + context_seconds() - began;
  const Program *program = machine->forward->program;
  machine->steps = program->main_count;
  machine->in = arena_array(&cx->keep, double, machine->equations->layout.count);
  machine->out = arena_array(&cx->keep, double, program->output_count);
  machine->work = arena_array(&cx->keep, double, machine->forward->work_size + 1);
  equations_set_values(machine->equations, text_model_values(model), machine->in);
  compiled_prepare(machine->forward, machine->in, machine->work);
  return QDOT_OK;
}

static void machine_close(Machine *machine) {
  if (machine->equations) equations_close(machine->equations);
  text_model_close(&machine->model);
}

// Opened several times: the first is slower, and the machine may be shared.
static bool machine_open(Machine *machine, const char *path, int links) {
  double least = 1e300;
  for (int i = 0; i < 5; i++) {
    if (i > 0) machine_close(machine);
    *machine = (Machine){0};
    if (!text_model_open(&machine->model, path, links, build, machine)) return false;
    least = fmin(least, machine->seconds);
  }
  machine->seconds = least;
  return true;
}

// ---- timing: many calls between two looks at the clock

typedef struct Timing {
  const Machine *machine;
  const HandChain *chain;
  void (*hand)(const HandChain *chain, const double *q, const double *qd, double *qdd);
  const double *q, *qd;
  double *qdd;
  int calls;
} Timing;

static void call_machine(void *argument) {
  const Timing *t = argument;
  for (int i = 0; i < t->calls; i++)
    compiled_run(t->machine->forward, t->machine->in, t->machine->out, t->machine->work);
}

static void call_hand(void *argument) {
  const Timing *t = argument;
  for (int i = 0; i < t->calls; i++) {
    t->hand(t->chain, t->q, t->qd, t->qdd);
    __asm__ volatile("" ::"r"(t->qdd) : "memory");
  }
}

static double time_of(void (*work)(void *argument), Timing *timing) {
  return measure_work(work, timing) / timing->calls;
}

static void set_state(const Machine *machine, int n, double *q, double *qd) {
  for (int i = 0; i < n; i++) q[i] = 0.3 + 0.37 * i, qd[i] = 0.1 * i - 1;
  memcpy(machine->in + machine->equations->layout.q, q, (size_t)n * sizeof *q);
  memcpy(machine->in + machine->equations->layout.qd, qd, (size_t)n * sizeof *qd);
}

static const int links[] = {1, 2, 3, 5, 10, 20, 50, 100, 200};
enum { SIZES = sizeof links / sizeof *links };

// Nanoseconds of a peer's program for every size; 0 where it is not there.
static void ask_peer(const char *program, double *nanoseconds) {
  char command[512];
  int at = snprintf(command, sizeof command, "%s", program);
  for (int i = 0; i < SIZES; i++)
    at += snprintf(command + at, sizeof command - (size_t)at, " %d", links[i]);
  snprintf(command + at, sizeof command - (size_t)at, " 2> /dev/null");
  if (measure_peer(command, nanoseconds, SIZES) != SIZES)
    memset(nanoseconds, 0, SIZES * sizeof *nanoseconds);
}

// Seconds of everything that computes one right-hand side of n links; 0 where it is not there.
typedef struct Costs {
  int n;
  double ours, articulated, dense, simbody, loop;
  double to_code; // from text to code that runs
} Costs;

static void summarize(const Costs *c) {
  char job[100];
  bool linear = c->ours <= 2 * c->articulated;
  if (c->n == 1 || c->n == 10 || c->n == 100) {
    snprintf(job, sizeof job, "right-hand side of %d link%s", c->n, c->n > 1 ? "s" : "");
    measure_summary(job, c->ours, "by hand in C", c->articulated, "at most twice the hand", linear);
    if (c->simbody > 0)
      measure_summary(job, c->ours, "Simbody", c->simbody, "10 times faster",
                      c->simbody >= 10 * c->ours);
  }
  if (c->n == 10 || c->n == 100) {
    double most = c->n == 10 ? 5e-3 : 100e-3;
    snprintf(job, sizeof job, "from text to running machine code, %d links", c->n);
    measure_summary(job, c->to_code, NULL, 0, c->n == 10 ? "under 5 ms" : "under 100 ms",
                    c->to_code < most);
  }
}

// For the comparison of tools; instructions and operations for what the chip could do.
static void put_rows(const Costs *c, Timing *timing, double steps, double error) {
  char job[40];
  snprintf(job, sizeof job, "rhs/%d", c->n);
  measure_row("Qdot", job, c->ours, error, "from its text, as machine code");
  measure_row("C by hand", job, c->articulated, 0, "articulated bodies, -O3");
  if (c->simbody > 0) measure_row("Simbody", job, c->simbody, NAN, "realize to accelerations");
  if (c->n != 10 && c->n != 100) return;
  timing->calls = 1;
  snprintf(job, sizeof job, "instructions/%d", c->n);
  measure_row("Qdot", job, measure_instructions(call_machine, timing), NAN, "");
  measure_row("C by hand", job, measure_instructions(call_hand, timing), NAN, "");
  snprintf(job, sizeof job, "operations/%d", c->n);
  measure_row("Qdot", job, steps, NAN, "steps of its program");
  measure_row("C by hand", job, HAND_OPERATIONS * c->n, NAN, "sine and cosine count as one each");
}

// For the picture.
static void keep_costs(const Costs *c) {
  const char *path = getenv("QDOT_BENCH_COST");
  FILE *file = path ? fopen(path, "a") : NULL;
  if (!file) return;
  fprintf(file, "%d %.4g %.4g %.4g", c->n, 1e9 * c->ours, 1e9 * c->articulated, 1e9 * c->dense);
  fprintf(file, c->simbody > 0 ? " %.4g" : " -", 1e9 * c->simbody);
  fprintf(file, c->loop > 0 ? " %.4g\n" : " -\n", 1e9 * c->loop);
  fclose(file);
}

static bool measure_chain(Sheet *sheet, Costs *c) {
  static HandChain chain;
  Machine machine;
  int n = c->n;
  double q[HAND_MOST], qd[HAND_MOST], articulated[HAND_MOST], dense[HAND_MOST], error = 0;
  hand_chain_open(&chain, n);
  if (!machine_open(&machine, "bench/models/chain.qdot", n)) return false;
  set_state(&machine, n, q, qd);
  Timing timing = {&machine, &chain, hand_articulated, q, qd, articulated, 20000 / n + 1};
  c->ours = time_of(call_machine, &timing);
  c->articulated = time_of(call_hand, &timing);
  for (int i = 0; i < n; i++)
    error = fmax(error, fabs(machine.out[i] - articulated[i]) / (1 + fabs(articulated[i])));
  put_rows(c, &timing, machine.steps, error);
  timing.calls = 20000 / n + 1;
  timing.hand = hand_dense, timing.qdd = dense;
  timing.calls = n > 20 ? 10 : timing.calls;
  c->dense = time_of(call_hand, &timing);
  c->to_code = machine.seconds;
  for (int i = 0; i < n; i++)
    error = fmax(error, fabs(dense[i] - articulated[i]) / (1 + fabs(articulated[i])));
  sheet_number(sheet, "%.0f", n);
  sheet_number(sheet, "%.0f", machine.steps);
  sheet_number(sheet, "%.1f", 1e9 * c->ours);
  sheet_number(sheet, "%.1f", 1e9 * c->articulated);
  sheet_number(sheet, "%.2f", c->ours / c->articulated);
  sheet_number(sheet, "%.1f", 1e9 * c->dense);
  sheet_number(sheet, "%.2f", c->ours / c->dense);
  if (c->simbody > 0) {
    sheet_number(sheet, "%.0f", 1e9 * c->simbody);
    sheet_number(sheet, "%.0f times", c->simbody / c->ours);
  } else {
    sheet_text(sheet, "-");
    sheet_text(sheet, "-");
  }
  sheet_number(sheet, "%.1f", 1e3 * c->to_code);
  sheet_number(sheet, "%.0e", error);
  sheet_met(sheet, c->ours <= 2 * c->articulated && (n < 5 || c->ours < c->dense) &&
                       (c->simbody == 0 || c->simbody >= 10 * c->ours) && error < 1e-9);
  machine_close(&machine);
  return true;
}

static bool measure_loop(Sheet *sheet, Costs *c, double per_link) {
  Machine machine;
  double q[HAND_MOST], qd[HAND_MOST];
  if (!machine_open(&machine, "bench/models/loop.qdot", c->n)) return false;
  set_state(&machine, c->n, q, qd);
  Timing timing = {.machine = &machine, .calls = 20000 / c->n + 1};
  c->loop = time_of(call_machine, &timing);
  sheet_number(sheet, "%.0f", c->n);
  sheet_number(sheet, "%.0f", machine.steps);
  sheet_number(sheet, "%.1f", 1e9 * c->loop);
  sheet_number(sheet, "%.1f", 1e9 * c->loop / c->n);
  sheet_number(sheet, "%.1f", 1e3 * machine.seconds);
  // linear: a link of a long loop costs what one of 20 does
  bool linear = per_link == 0 || c->loop / c->n < 1.5 * per_link;
  sheet_met(sheet, linear);
  if (c->n == 200)
    measure_summary("right-hand side of a closed loop of 200 links", c->loop, NULL, 0,
                    "linear growth from 20", linear);
  machine_close(&machine);
  return true;
}

int main(int count, char **words) {
  double simbody[SIZES];
  Costs costs[SIZES] = {0};
  char peer[256];
  snprintf(peer, sizeof peer, "%s/bench/simbody_chain", count > 1 ? words[1] : "build");
  ask_peer(peer, simbody);
  static const char *const names[] = {"N",     "steps",   "ours ns", "by hand",    "ratio", "dense",
                                      "ratio", "Simbody", "faster",  "to code ms", "error", "met"};
  static const int widths[] = {4, 7, 9, 9, 6, 10, 6, 9, 10, 10, 6, 4};
  Sheet sheet = sheet_begin("Right-hand side of N rods, from the text file; by hand: articulated "
                            "bodies, and dense",
                            names, widths, 12);
  for (int i = 0; i < SIZES; i++) {
    costs[i].n = links[i], costs[i].simbody = 1e-9 * simbody[i];
    if (!measure_chain(&sheet, &costs[i])) return 1;
    summarize(&costs[i]);
  }
  static const char *const loop_names[] = {"N", "steps", "ours ns", "ns/N", "to code ms", "linear"};
  static const int loop_widths[] = {4, 7, 9, 7, 11, 6};
  sheet = sheet_begin("The same closed to a loop: two constraints", loop_names, loop_widths, 6);
  double per_link = 0;
  for (int i = 1; i < SIZES; i++) {
    if (!measure_loop(&sheet, &costs[i], per_link)) return 1;
    if (links[i] == 20) per_link = costs[i].loop / 20;
  }
  for (int i = 0; i < SIZES; i++) keep_costs(&costs[i]);
  return 0;
}
