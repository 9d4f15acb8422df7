// Deriving the N-link pendulum with all symbols, through the library, against SymPy.
#include <stdio.h>

#include "derive/system.h"
#include "expr/build.h"
#include "expr/define.h"
#include "expr/diff.h"
#include "measure.h"
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
  Limits limits = qdot_limits_defaults();
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

int main(void) {
  static const int links[] = {1, 2, 3, 5, 10, 20, 50, 100, 200};
  double sympy[4] = {0};
  size_t known = measure_peer("/usr/bin/python3 bench/peers/sympy_pendulum.py 2 3 5 10", sympy, 4);
  static const char *const names[] = {"links", "model",  "sweeps", "M and h", "lifted",
                                      "nodes", "B/node", "peak",   "SymPy",   "ratio"};
  static const int widths[] = {6, 9, 9, 9, 9, 8, 7, 9, 9, 8};
  Sheet sheet = sheet_begin("Deriving M and f of the N-link pendulum, all symbols (CPU time)",
                            names, widths, 10);
  size_t peer = 0;
  for (size_t i = 0; i < sizeof links / sizeof *links; i++) {
    Job job = {.links = links[i]};
    double model = seconds(&job, build_only), sweeps = seconds(&job, by_sweeps);
    double lifted = seconds(&job, lifted_only), matrices = seconds(&job, by_lifting);
    sheet_number(&sheet, "%.0f", links[i]);
    sheet_seconds(&sheet, model);
    sheet_seconds(&sheet, sweeps);
    sheet_seconds(&sheet, matrices);
    sheet_seconds(&sheet, lifted);
    sheet_number(&sheet, "%.0f", job.nodes);
    sheet_number(&sheet, "%.0f", (double)job.memory / job.nodes);
    sheet_number(&sheet, "%.1f MB", (double)job.memory / 1e6);
    bool compared = links[i] >= 2 && links[i] <= 10 && peer < known;
    if (compared) {
      sheet_seconds(&sheet, sympy[peer]);
      sheet_number(&sheet, "%.0f", sympy[peer] / matrices);
      peer++;
    } else {
      sheet_text(&sheet, "-");
      sheet_text(&sheet, "-");
    }
  }
  return 0;
}
