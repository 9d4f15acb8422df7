// Roads to the equations: Hamilton's of a chain, Kane's of the sleigh, first integrals of masses
// that attract each other, against SymPy. A job begins with the model and ends with its result.
#include <stdio.h>
#include <string.h>

#include "derive/roads/integral.h"
#include "derive/roads/road_type.h"
#include "lang/read.h"
#include "measure.h"
#include "support/pendulum.h"

enum { LINKS = 10, BODIES = 5 };

static const char *const sleigh = "param m = 2 [kg], J = 0.5 [kg*m^2], a = 0.3 [m]\n"
                                  "coord x = 0 [m], y = 0 [m], theta = 0 [rad]\n"
                                  "let G = (x, y) + a*(cos(theta), sin(theta))\n"
                                  "kinetic = 1/2*m*dot(G', G') + 1/2*J*theta'^2\n"
                                  "constraint blade: x'*sin(theta) = y'*cos(theta)\n"
                                  "speed u_1 = x'*cos(theta) + y'*sin(theta), u_2 = theta'\n";

typedef struct Job {
  Context *cx;
  Status (*work)(void *job);
} Job;

static void in_fresh_context(void *argument) {
  Job *job = argument;
  Limits limits = limits_defaults();
  Memory memory = memory_defaults();
  job->cx = context_open(&limits, &memory);
  if (guard_run(&job->cx->guard, job->work, job) != QDOT_OK) fprintf(stderr, "a job failed\n");
  context_close(job->cx);
}

static Status derive_by(Context *cx, const Model *model, Road road) {
  System s;
  void *result;
  Status status = derive_system(cx, model, DERIVE_MATRICES, &s);
  return status == QDOT_OK ? road_type(road)->derive(cx, &s, &result) : status;
}

static Status chain(void *argument) {
  Job *job = argument;
  return derive_by(job->cx, mechanism_pendulum(job->cx, LINKS), ROAD_HAMILTON);
}

static Status read_text(Context *cx, const char *text, Model **out) {
  return model_read(cx, "bench", text, strlen(text), NULL, out);
}

static Status kane(void *argument) {
  Job *job = argument;
  Model *model;
  Status status = read_text(job->cx, sleigh, &model);
  return status == QDOT_OK ? derive_by(job->cx, model, ROAD_KANE) : status;
}

// In the plane, each pair attracts: energy, two momenta, their boosts, angular momentum.
static const char *attracting(Context *cx) {
  Text text = text_new(&cx->scratch);
  text_addf(&text, "count N = %d\nparam G = 1 [m^3/(kg*s^2)], l = 1 [m]\n", BODIES);
  text_add(&text, "for i in 1..N\nparam m[i] = 1 [kg]\n"
                  "coord x[i] = i*l, y[i] = i^2*l\n"
                  "kinetic = 1/2*m[i]*(x[i]'^2 + y[i]'^2)\nend\n"
                  "for i in 1..N\nfor j in i+1..N\n"
                  "potential = -G*m[i]*m[j]/sqrt((x[i] - x[j])^2 + (y[i] - y[j])^2)\nend\nend\n");
  return text.at;
}

static Status conserve(void *argument) {
  Job *job = argument;
  Model *model;
  System s;
  Integrals found;
  Status status = read_text(job->cx, attracting(job->cx), &model);
  if (status == QDOT_OK) status = derive_system(job->cx, model, DERIVE_MATRICES, &s);
  if (status != QDOT_OK) return status;
  integrals_find(job->cx, &s, 1, &found);
  return found.list.n == 6 ? QDOT_OK : QDOT_INCONSISTENT;
}

static void measure_job(Sheet *sheet, const char *name, Status (*work)(void *), double most,
                        double sympy) {
  Job job = {.work = work};
  char promise[60];
  double ours = measure_work(in_fresh_context, &job);
  snprintf(promise, sizeof promise, "under %g ms", 1e3 * most);
  sheet_text(sheet, name);
  sheet_seconds(sheet, ours);
  if (sympy > 0) {
    sheet_seconds(sheet, sympy);
    sheet_number(sheet, "%.0f", sympy / ours);
  } else {
    sheet_text(sheet, "-"), sheet_text(sheet, "-");
  }
  sheet_met(sheet, ours < most);
  measure_summary(name, ours, sympy > 0 ? "SymPy" : NULL, sympy, promise, ours < most);
}

int main(void) {
  static const char *const names[] = {"job", "ours", "SymPy", "ratio", "met"};
  static const int widths[] = {48, 9, 9, 8, 4};
  double sympy[2] = {0};
  measure_peer("/usr/bin/python3 bench/peers/sympy_kane.py 10", sympy, 2);
  Sheet sheet = sheet_begin("Roads to the equations", names, widths, 5);
  measure_job(&sheet, "Hamilton's equations of a chain of 10", chain, 2e-3, sympy[1]);
  measure_job(&sheet, "Kane's equations of Chaplygin's sleigh", kane, 1e-3, sympy[0]);
  measure_job(&sheet, "first integrals of five bodies in the plane", conserve, 50e-3, 0);
  return 0;
}
