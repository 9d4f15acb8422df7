// One right-hand side of the N-link chain from its text file, against code written by hand.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expr/eval.h"
#include "hand.h"
#include "lang/read.h"
#include "measure.h"
#include "sim/equations.h"

// What a text file became.
typedef struct Machine {
  Context *cx;
  Equations *equations;
  const Compiled *forward;
  double *in, *out, *work;
  double seconds; // from text to code that runs
  uint32_t steps;
} Machine;

typedef struct Job {
  const char *path;
  int links;
  Backend backend;
  Machine *machine;
} Job;

static char *read_whole(const char *path, size_t *length) {
  FILE *file = fopen(path, "rb");
  if (!file) return NULL;
  char *text = malloc(1 << 16);
  *length = text ? fread(text, 1, 1 << 16, file) : 0;
  fclose(file);
  return text;
}

static double *values_of(Context *cx, const Model *model) {
  double *values = arena_array(&cx->keep, double, cx->exprs->symbols.n + 1);
  for (uint32_t i = 0; i < model->parameters.n; i++) {
    const Parameter *p = &model->parameters.at[i];
    values[symbol_variable(cx, p->symbol)] = expr_eval(cx, p->value, values);
  }
  return values;
}

static Status build(void *argument) {
  Job *job = argument;
  Machine *machine = job->machine;
  Context *cx = machine->cx;
  size_t length;
  char *text = read_whole(job->path, &length), setting[32];
  if (!text) return QDOT_IO;
  snprintf(setting, sizeof setting, "N=%d", job->links);
  const char *settings[] = {setting};
  ReadOptions options = {settings, 1};
  double began = context_seconds();
  Model *model;
  Status status = model_read(cx, job->path, text, length, &options, &model);
  free(text);
  if (status != QDOT_OK) return status;
  System *system = arena_new(&cx->keep, System);
  status = derive_system(cx, model, DERIVE_BASIC, system);
  if (status != QDOT_OK) return status;
  machine->equations = equations_open(cx, system, NULL, 0, job->backend, &cx->keep);
  machine->forward = &machine->equations->parts[PART_FORWARD];
  machine->seconds = context_seconds() - began;
  const Program *program = machine->forward->program;
  machine->steps = program->main_count;
  machine->in = arena_array(&cx->keep, double, machine->equations->layout.count);
  machine->out = arena_array(&cx->keep, double, program->output_count);
  machine->work = arena_array(&cx->keep, double, machine->forward->work_size + 1);
  equations_set_values(machine->equations, values_of(cx, model), machine->in);
  compiled_prepare(machine->forward, machine->in, machine->work);
  return QDOT_OK;
}

static bool machine_open(Machine *machine, const char *path, int links, Backend backend) {
  Limits limits = qdot_limits_defaults();
  Memory memory = memory_defaults();
  *machine = (Machine){.cx = context_open(&limits, &memory)};
  Job job = {path, links, backend, machine};
  return machine->cx && guard_run(&machine->cx->guard, build, &job) == QDOT_OK;
}

static void machine_close(Machine *machine) {
  if (machine->equations) equations_close(machine->equations);
  context_close(machine->cx);
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

static bool measure_chain(Table *table, int n, double simbody) {
  static HandChain chain;
  Machine machine;
  double q[HAND_MOST], qd[HAND_MOST], articulated[HAND_MOST], dense[HAND_MOST];
  hand_chain_open(&chain, n);
  if (!machine_open(&machine, "bench/models/chain.qdot", n, BACKEND_BEST)) return false;
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
  table_number(table, "%.0f", n);
  table_number(table, "%.0f", machine.steps);
  table_number(table, "%.1f", 1e9 * ours);
  table_number(table, "%.1f", 1e9 * by_articulated);
  table_number(table, "%.2f", ours / by_articulated);
  table_number(table, "%.1f", 1e9 * by_dense);
  table_number(table, "%.2f", ours / by_dense);
  table_number(table, "%.1f", 1e3 * machine.seconds);
  table_number(table, "%.0e", error);
  table_met(table, ours <= 2 * by_articulated && (n < 5 || ours < by_dense) && error < 1e-9);
  if (simbody > 0) table_number(table, "%.0f", simbody / (1e9 * ours));
  machine_close(&machine);
  return true;
}

static bool measure_loop(Table *table, int n) {
  Machine machine;
  double q[HAND_MOST], qd[HAND_MOST];
  if (!machine_open(&machine, "bench/models/loop.qdot", n, BACKEND_BEST)) return false;
  set_state(&machine, n, q, qd);
  Timing timing = {.machine = &machine, .calls = 20000 / n + 1};
  double ours = time_of(call_machine, &timing);
  table_number(table, "%.0f", n);
  table_number(table, "%.0f", machine.steps);
  table_number(table, "%.1f", 1e9 * ours);
  table_number(table, "%.1f", 1e9 * ours / n);
  table_number(table, "%.1f", 1e3 * machine.seconds);
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
  Table table = table_begin("Right-hand side of N rods, from the text file; by hand: articulated "
                            "bodies, and dense",
                            names, widths, simbody[0] > 0 ? 11 : 10);
  for (int i = 0; i < SIZES; i++)
    if (!measure_chain(&table, links[i], simbody[i])) return 1;
  static const char *const loop_names[] = {"N", "steps", "ours ns", "ns/N", "to code ms"};
  static const int loop_widths[] = {4, 7, 9, 7, 11};
  table = table_begin("The same closed to a loop: two constraints", loop_names, loop_widths, 5);
  for (int i = 1; i < SIZES; i++)
    if (!measure_loop(&table, links[i])) return 1;
  return 0;
}
