// One right-hand side of the N-link chain from its text file, against code written by hand.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hand.h"
#include "measure.h"
#include "sim/equations.h"
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

static bool machine_open(Machine *machine, const char *path, int links) {
  *machine = (Machine){0};
  return text_model_open(&machine->model, path, links, build, machine);
}

static void machine_close(Machine *machine) {
  if (machine->equations) equations_close(machine->equations);
  text_model_close(&machine->model);
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

static bool measure_chain(Sheet *sheet, int n, double simbody) {
  static HandChain chain;
  Machine machine;
  double q[HAND_MOST], qd[HAND_MOST], articulated[HAND_MOST], dense[HAND_MOST];
  hand_chain_open(&chain, n);
  if (!machine_open(&machine, "bench/models/chain.qdot", n)) return false;
  set_state(&machine, n, q, qd);
  Timing timing = {&machine, &chain, hand_articulated, q, qd, articulated, 20000 / n + 1};
  double ours = time_of(call_machine, &timing);
  double by_articulated = time_of(call_hand, &timing);
  timing.hand = hand_dense, timing.qdd = dense;
  timing.calls = n > 20 ? 10 : timing.calls;
  double by_dense = time_of(call_hand, &timing), error = 0;
  for (int i = 0; i < n; i++) {
    error = fmax(error, fabs(machine.out[i] - articulated[i]) / (1 + fabs(articulated[i])));
    error = fmax(error, fabs(dense[i] - articulated[i]) / (1 + fabs(articulated[i])));
  }
  sheet_number(sheet, "%.0f", n);
  sheet_number(sheet, "%.0f", machine.steps);
  sheet_number(sheet, "%.1f", 1e9 * ours);
  sheet_number(sheet, "%.1f", 1e9 * by_articulated);
  sheet_number(sheet, "%.2f", ours / by_articulated);
  sheet_number(sheet, "%.1f", 1e9 * by_dense);
  sheet_number(sheet, "%.2f", ours / by_dense);
  sheet_number(sheet, "%.1f", 1e3 * machine.seconds);
  sheet_number(sheet, "%.0e", error);
  sheet_met(sheet, ours <= 2 * by_articulated && (n < 5 || ours < by_dense) && error < 1e-9);
  if (simbody > 0) sheet_number(sheet, "%.0f", simbody / (1e9 * ours));
  machine_close(&machine);
  return true;
}

static bool measure_loop(Sheet *sheet, int n) {
  Machine machine;
  double q[HAND_MOST], qd[HAND_MOST];
  if (!machine_open(&machine, "bench/models/loop.qdot", n)) return false;
  set_state(&machine, n, q, qd);
  Timing timing = {.machine = &machine, .calls = 20000 / n + 1};
  double ours = time_of(call_machine, &timing);
  sheet_number(sheet, "%.0f", n);
  sheet_number(sheet, "%.0f", machine.steps);
  sheet_number(sheet, "%.1f", 1e9 * ours);
  sheet_number(sheet, "%.1f", 1e9 * ours / n);
  sheet_number(sheet, "%.1f", 1e3 * machine.seconds);
  machine_close(&machine);
  return true;
}

int main(int count, char **words) {
  double simbody[SIZES];
  char peer[256];
  snprintf(peer, sizeof peer, "%s/bench/simbody_chain", count > 1 ? words[1] : "build");
  ask_peer(peer, simbody);
  static const char *const names[] = {"N",     "steps", "ours ns",    "by hand", "ratio",
                                      "dense", "ratio", "to code ms", "error",   "met"};
  static const int widths[] = {4, 7, 9, 9, 6, 11, 7, 11, 7, 4, 13};
  Sheet sheet = sheet_begin("Right-hand side of N rods, from the text file; by hand: articulated "
                            "bodies, and dense",
                            names, widths, simbody[0] > 0 ? 11 : 10);
  for (int i = 0; i < SIZES; i++)
    if (!measure_chain(&sheet, links[i], simbody[i])) return 1;
  static const char *const loop_names[] = {"N", "steps", "ours ns", "ns/N", "to code ms"};
  static const int loop_widths[] = {4, 7, 9, 7, 11};
  sheet = sheet_begin("The same closed to a loop: two constraints", loop_names, loop_widths, 5);
  for (int i = 1; i < SIZES; i++)
    if (!measure_loop(&sheet, links[i])) return 1;
  return 0;
}
