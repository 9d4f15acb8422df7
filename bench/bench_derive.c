// Deriving the N-link pendulum with all symbols, through the library and as a whole command, and
// the reader's form of the triple pendulum, against SymPy.
#include <math.h>
#include <stdio.h>

#include "derive/system.h"
#include "expr/build.h"
#include "expr/define.h"
#include "expr/diff.h"
#include "measure.h"
#include "qdot/qdot.h"
#include "support/pendulum.h"

typedef struct Job {
  Context *cx;
  Status (*derive)(void *job);
  int links;
  uint32_t nodes; // after the derivation
  size_t memory;
} Job;

static void in_fresh_context(void *argument) {
  Job *job = argument;
  Limits limits = limits_defaults();
  Memory memory = memory_defaults();
  job->cx = context_open(&limits, &memory);
  guard_run(&job->cx->guard, job->derive, job);
  job->nodes = expr_count(job->cx);
  job->memory = job->cx->memory.peak;
  context_close(job->cx);
}

static Status build_only(void *argument) {
  Job *job = argument;
  mechanism_pendulum(job->cx, job->links);
  return QDOT_OK;
}

static System basic(Job *job) {
  System s;
  derive_system(job->cx, mechanism_pendulum(job->cx, job->links), DERIVE_BASIC, &s);
  return s;
}

// dL/dq and dL/dq' by reverse sweeps, M by forward ones, f along (q', 0).
static Status by_sweeps(void *argument) {
  Job *job = argument;
  Context *cx = job->cx;
  System s = basic(job);
  uint32_t n = s.n;
  Expr *p = arena_array(&cx->keep, Expr, n), *slope = arena_array(&cx->keep, Expr, n);
  Expr *M = arena_array(&cx->keep, Expr, n * n), *f = arena_array(&cx->keep, Expr, n);
  Rate *rates = arena_array(&cx->keep, Rate, n);
  expr_gradient(cx, s.T, s.qd, n, p);
  expr_gradient(cx, expr_sub(cx, s.T, s.V), s.q, n, slope);
  expr_jacobian(cx, p, n, s.qd, n, M);
  for (uint32_t i = 0; i < n; i++) rates[i] = (Rate){s.q[i], s.qd[i]};
  expr_diff_along(cx, p, n, rates, n, f);
  for (uint32_t i = 0; i < n; i++) f[i] = expr_sub(cx, slope[i], f[i]);
  return QDOT_OK;
}

static Status by_lifting(void *argument) {
  System s = basic(argument);
  derive_matrices(s.cx, &s);
  return QDOT_OK;
}

static Status lifted_only(void *argument) {
  System s = basic(argument);
  derive_lifted(s.cx, &s);
  return QDOT_OK;
}

static double seconds(Job *job, Status (*derive)(void *job)) {
  job->derive = derive;
  return measure_work(in_fresh_context, job);
}

// ---- whole commands

static double command_seconds(const char *build, const char *const *rest) {
  char qdot[4096];
  const char *words[12] = {qdot};
  snprintf(qdot, sizeof qdot, "%s/qdot", build);
  for (int i = 0; rest[i]; i++) words[i + 1] = rest[i];
  CommandTime time = {0};
  return measure_command(words, 15, &time) ? time.cpu : 0;
}

static double derive_command(const char *build, int links) {
  char set[16];
  snprintf(set, sizeof set, "N=%d", links);
  return command_seconds(build,
                         (const char *[]){"derive", "examples/n_link_pendulum.qdot", "--set", set,
                                          "--format", "json", "--simplify", "none", NULL});
}

static void summarize(int links, double matrices, double command, double sympy) {
  char job[100], promise[100];
  double most = links == 10 ? 10e-3 : links == 100 ? 150e-3 : 0;
  double whole = links == 10 ? 2e-3 : links == 20 ? 5e-3 : links == 50 ? 22e-3 : 0;
  if (whole > 0) {
    snprintf(job, sizeof job, "derive M and f of %d links", links);
    snprintf(promise, sizeof promise, "under %.3g ms", 1e3 * whole);
    measure_summary(job, matrices, "SymPy", sympy, promise, matrices < whole);
  }
  if (most > 0) {
    snprintf(job, sizeof job, "`derive --format json --simplify none`, %d links", links);
    snprintf(promise, sizeof promise, "under %.3g ms", 1e3 * most);
    measure_summary(job, command, "SymPy", sympy, promise, command < most);
  }
}

static void measure_links(Sheet *sheet, const char *build, int links, double sympy) {
  Job job = {.links = links};
  double model = seconds(&job, build_only), sweeps = seconds(&job, by_sweeps);
  double lifted = seconds(&job, lifted_only), matrices = seconds(&job, by_lifting);
  double command = derive_command(build, links);
  sheet_number(sheet, "%.0f", links);
  sheet_seconds(sheet, model);
  sheet_seconds(sheet, sweeps);
  sheet_seconds(sheet, matrices);
  sheet_seconds(sheet, lifted);
  sheet_number(sheet, "%.0f", job.nodes);
  sheet_number(sheet, "%.0f", (double)job.memory / job.nodes);
  sheet_number(sheet, "%.1f MB", (double)job.memory / 1e6);
  sheet_seconds(sheet, command);
  if (sympy > 0) {
    sheet_seconds(sheet, sympy);
    sheet_number(sheet, "%.0f", sympy / matrices);
    sheet_number(sheet, "%.0f", sympy / command);
  } else {
    for (int i = 0; i < 3; i++) sheet_text(sheet, "-");
  }
  summarize(links, matrices, command, sympy);
  char key[40];
  snprintf(key, sizeof key, "derive/%d", links);
  if (links == 10 || links == 20 || links == 50)
    measure_row("Qdot", key, matrices, NAN, "symbols for all masses, lengths and inertias");
}

// The textbook form, process and all, against SymPy's trigsimp without its start.
static void measure_reader(const char *build) {
  static const char *const names[] = {"job", "ours", "SymPy", "ratio", "met"};
  static const int widths[] = {34, 9, 9, 8, 4};
  double sympy = 0;
  measure_peer("/usr/bin/python3 bench/peers/sympy_reader.py", &sympy, 1);
  double ours =
      command_seconds(build, (const char *[]){"derive", "examples/triple_arm.qdot", NULL});
  measure_row("Qdot", "textbook/3", ours, NAN, "the whole command");
  Sheet sheet = sheet_begin("The reader's form, whole command", names, widths, 5);
  sheet_text(&sheet, "triple pendulum arm, all equations");
  sheet_seconds(&sheet, ours);
  sheet_seconds(&sheet, sympy);
  sheet_number(&sheet, "%.0f", sympy / ours);
  bool met = sympy == 0 || sympy > 100 * ours;
  sheet_met(&sheet, met);
  measure_summary("textbook form of the triple pendulum, whole command", ours, "SymPy", sympy,
                  "100 times faster", met);
}

int main(int count, char **words) {
  static const int links[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 20, 50, 100, 200};
  const char *build = count > 1 ? words[1] : "build";
  double sympy[10] = {0};
  size_t known = measure_peer("/usr/bin/python3 bench/peers/sympy_pendulum.py 1 2 3 4 5 6 7 8 9 10",
                              sympy, 10);
  static const char *const names[] = {"links",   "model", "sweeps", "M and h",
                                      "lifted",  "nodes", "B/node", "peak",
                                      "command", "SymPy", "ratio",  "to command"};
  static const int widths[] = {6, 9, 9, 9, 9, 8, 7, 9, 9, 9, 8, 10};
  Sheet sheet = sheet_begin("Deriving M and f of the N-link pendulum, all symbols (CPU time); "
                            "command: the whole of derive --format json --simplify none",
                            names, widths, 12);
  for (size_t i = 0; i < sizeof links / sizeof *links; i++)
    measure_links(&sheet, build, links[i], i < known ? sympy[i] : 0);
  measure_reader(build);
  return 0;
}
