// Exact linearization of the double pendulum in natural coordinates, against SymPy's Linearizer.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analyse/vibration/modes.h"
#include "derive/formulate.h"
#include "expr/walk.h"
#include "lang/read.h"
#include "measure.h"
#include "model/values.h"
#include "qdot/qdot.h"

static const char in_points[] =
    "param g = 9.81 [m/s^2], m_1 = 1 [kg], m_2 = 2 [kg], L_1 = 1 [m], L_2 = 0.5 [m]\n"
    "coord x_1 = 0 [m], y_1 = 0 [m], x_2 ~ 0.1 [m], y_2 ~ -1 [m], x_3 ~ 0 [m], y_3 ~ -1.5 [m]\n"
    "kinetic one = m_1/6*(x_1'^2 + x_1'*x_2' + x_2'^2 + y_1'^2 + y_1'*y_2' + y_2'^2)\n"
    "kinetic two = m_2/6*(x_2'^2 + x_2'*x_3' + x_3'^2 + y_2'^2 + y_2'*y_3' + y_3'^2)\n"
    "potential = m_1*g*(y_1 + y_2)/2 + m_2*g*(y_2 + y_3)/2\n"
    "constraint O_x: x_1 = 0\n"
    "constraint O_y: y_1 = 0\n"
    "constraint one: (x_2 - x_1)^2 + (y_2 - y_1)^2 = L_1^2\n"
    "constraint two: (x_3 - x_2)^2 + (y_3 - y_2)^2 = L_2^2\n";

// A chain of N rods in points: large mechanisms.
static const char chain[] =
    "count N = 2\n"
    "param g = 9.81 [m/s^2]\n"
    "let x[0] = 0, y[0] = 0\n"
    "for i in 1..N\n"
    "  param m[i] = 1 [kg], L[i] = 1 [m]\n"
    "  coord x[i] ~ 0 [m], y[i] ~ -1 [m]*i\n"
    "  kinetic = m[i]/6*(x[i-1]'^2 + x[i-1]'*x[i]' + x[i]'^2 + y[i-1]'^2 + y[i-1]'*y[i]' + "
    "y[i]'^2)\n"
    "  potential = m[i]*g*(y[i-1] + y[i])/2\n"
    "  constraint rod[i]: (x[i] - x[i-1])^2 + (y[i] - y[i-1])^2 = L[i]^2\n"
    "end\n";

typedef struct Job {
  const char *text;
  int links; // 0: as the text says
  Context *cx;
  double omega[2];
  uint32_t operations, names;
  Status status;
} Job;

static uint32_t operations_of(Context *cx, const Linearized *l) {
  ExprList roots = {0};
  for (uint32_t i = 0; i < l->f * l->f; i++) {
    vec_push(&cx->scratch, &roots, l->M[i]);
    vec_push(&cx->scratch, &roots, l->K[i]);
  }
  return expr_walk(cx, roots.at, roots.n, visit_all, NULL).n;
}

static Status read_derive_linearize(void *argument) {
  Job *job = argument;
  Context *cx = job->cx;
  char set[32];
  snprintf(set, sizeof set, "N=%d", job->links);
  const char *sets[] = {set};
  ReadOptions options = {.overrides = sets, .override_count = job->links > 0};
  Model *model;
  System system;
  double *values;
  Linearized l;
  Modes modes;
  Status status = model_read(cx, "bench", job->text, strlen(job->text), &options, &model);
  if (status == QDOT_OK) status = model_formulate(cx, model, FORMULATION_LAGRANGE, &model);
  if (status == QDOT_OK) status = derive_system(cx, model, DERIVE_MATRICES, &system);
  if (status == QDOT_OK) status = model_values(cx, model, &cx->keep, &values);
  if (status == QDOT_OK) status = linearize_system(cx, &system, values, &(LinearizeOptions){0}, &l);
  if (status == QDOT_OK) status = modes_find(&l, &cx->keep, &modes);
  if (status != QDOT_OK) return status;
  job->omega[0] = modes.mode[0].omega, job->omega[1] = modes.mode[modes.count - 1].omega;
  job->operations = operations_of(cx, &l);
  job->names = l.form.names.n;
  return QDOT_OK;
}

static void in_fresh_context(void *argument) {
  Job *job = argument;
  Limits limits = limits_defaults();
  Memory memory = memory_defaults();
  job->cx = context_open(&limits, &memory);
  job->status = guard_run(&job->cx->guard, read_derive_linearize, job);
  context_close(job->cx);
}

static bool is_right(const Job *job) {
  return job->status == QDOT_OK && fabs(job->omega[0] - 2.8933337031544536) < 1e-12 &&
         fabs(job->omega[1] - 10.171657686050516) < 1e-11;
}

int main(void) {
  static const char *const names[] = {"rods",  "read to modes",  "nodes in M, K", "closed form",
                                      "SymPy", "its operations", "ratio",         "100 times"};
  static const int widths[] = {6, 14, 14, 12, 10, 15, 8, 10};
  Sheet sheet = sheet_begin("linearize rods in natural coordinates, all symbols", names, widths, 8);
  double sympy[4] = {0};
  size_t known = measure_peer("/usr/bin/python3 bench/peers/sympy_linearize.py", sympy, 4);
  Job job = {.text = in_points};
  double mine = measure_work(in_fresh_context, &job);
  sheet_text(&sheet, "2");
  sheet_seconds(&sheet, mine);
  sheet_number(&sheet, "%.0f", job.operations);
  sheet_met(&sheet, is_right(&job) && job.names == 0);
  if (known == 4) {
    sheet_seconds(&sheet, sympy[0]);
    sheet_number(&sheet, "%.0f", sympy[1]);
    sheet_number(&sheet, "%.0f", sympy[0] / mine);
    sheet_met(&sheet, sympy[0] / mine >= 100);
    measure_summary("linearize the double pendulum in natural coordinates", mine,
                    "SymPy's Linearizer", sympy[0], "100 times faster",
                    is_right(&job) && sympy[0] / mine >= 100);
  } else {
    for (int i = 0; i < 4; i++) sheet_text(&sheet, "-");
  }
  static const int links[] = {5, 10, 20};
  for (size_t i = 0; i < sizeof links / sizeof *links; i++) {
    char text[16];
    job = (Job){.text = chain, .links = links[i]};
    snprintf(text, sizeof text, "%d", links[i]);
    sheet_text(&sheet, text);
    sheet_seconds(&sheet, measure_work(in_fresh_context, &job));
    sheet_number(&sheet, "%.0f", job.operations);
    sheet_met(&sheet, job.status == QDOT_OK && job.names == 0);
    for (int k = 0; k < 4; k++) sheet_text(&sheet, "-");
  }
  double fails[4];
  size_t found =
      measure_peer("/usr/bin/python3 bench/peers/sympy_linearize.py paper 2>/dev/null", fails, 4);
  printf("in the paper's order of coordinates: ours is the same, SymPy %s\n",
         found == 4 ? "succeeds" : "fails (matrix not invertible)");
  return job.status == QDOT_OK ? 0 : 1;
}
