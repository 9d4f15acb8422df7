// Ten seconds of the four-bar in nine coordinates at a tolerance of 1e-8: CPU time, error and drift
// against SciPy, Octave and Simbody.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "measure.h"
#include "sim/sim.h"
#include "text_model.h"

enum { N = 9, CRANK = 2, RUNS = 10 };

typedef struct Run {
  double seconds, drift;
  double start[2 * N], end[2 * N];
} Run;

typedef struct Four {
  Run truth, rk853, rk45;
} Four;

static Status keep_row(void *user, const double *values, uint32_t count) {
  Run *run = user;
  (void)count;
  memcpy(values[0] == 0 ? run->start : run->end, values + 1, 2 * N * sizeof *values);
  return QDOT_OK;
}

static Status simulate(TextModel *model, MethodId method, double tolerance, int runs, Run *run) {
  SimOptions options;
  Status status = sim_options(model->cx, model->system.model, &options);
  if (status != QDOT_OK) return status;
  options.t_end = 10;
  options.every = 1;
  options.method.method = method;
  options.method.rtol = options.method.atol = tolerance;
  run->seconds = 1e300;
  for (int i = 0; i < runs && status == QDOT_OK; i++) {
    RowSink sink = {.user = run, .row = keep_row};
    SimSummary summary = {0};
    status = sim_run(model->cx, &model->system, &options, &sink, &summary);
    run->seconds = fmin(run->seconds, summary.wall_seconds);
    run->drift = summary.position.value;
  }
  return status;
}

static Status simulate_all(TextModel *model, void *argument) {
  Four *four = argument;
  Status status = simulate(model, METHOD_RK853, 1e-13, 1, &four->truth);
  if (status == QDOT_OK) status = simulate(model, METHOD_RK853, 1e-8, RUNS, &four->rk853);
  if (status == QDOT_OK) status = simulate(model, METHOD_RK45, 1e-8, RUNS, &four->rk45);
  return status;
}

static void add_row(Sheet *sheet, const char *name, const Four *four, double seconds, double angle,
                    double drift) {
  double error = fabs(angle - four->truth.end[CRANK]);
  sheet_text(sheet, name);
  sheet_seconds(sheet, seconds / 10);
  sheet_number(sheet, "%.0f", seconds / four->rk853.seconds);
  sheet_number(sheet, "%.0e", error);
  sheet_number(sheet, "%.0e", drift);
}

// The program of a peer, with the start behind it: CPU seconds, the crank's angle, the drift.
static void add_peer(Sheet *sheet, const char *name, const char *program, double least,
                     const char *remark_of_peer, const Four *four) {
  char command[1200];
  int at = snprintf(command, sizeof command, "%s", program);
  for (int i = 0; i < 2 * N; i++)
    at += snprintf(command + at, sizeof command - (size_t)at, " %.17g", four->rk853.start[i]);
  snprintf(command + at, sizeof command - (size_t)at, " 2> /dev/null");
  double numbers[3], ours = four->rk853.seconds;
  if (measure_peer(command, numbers, 3) != 3) return;
  add_row(sheet, name, four, numbers[0], numbers[1], numbers[2]);
  char remark[100], tool[40];
  snprintf(tool, sizeof tool, "%.*s", (int)strcspn(name, " "), name);
  snprintf(remark, sizeof remark, "%sloop %.0e m open", remark_of_peer, numbers[2]);
  measure_row(tool, "fourbar", numbers[0], fabs(numbers[1] - four->truth.end[CRANK]), remark);
  sheet_met(sheet, numbers[0] >= least * ours);
  if (least == 0) return;
  char promise[40];
  snprintf(promise, sizeof promise, "at least %.0f times", least);
  measure_summary("the four-bar for 10 s at 1e-8", ours, name, numbers[0], promise,
                  numbers[0] >= least * ours);
}

int main(int count, char **words) {
  static const char *const names[] = {"program", "a second", "times ours", "error", "drift", "met"};
  static const int widths[] = {14, 10, 11, 8, 8, 4};
  static Four four;
  TextModel model;
  bool fine = text_model_open(&model, "examples/four_bar.qdot", 0, simulate_all, &four);
  text_model_close(&model);
  if (!fine) return 1;
  Sheet sheet = sheet_begin("Ten seconds of the four-bar in nine coordinates at 1e-8: CPU time per "
                            "simulated second, error of the crank's angle, open loop",
                            names, widths, 6);
  const Run *ours = &four.rk853, *other = &four.rk45;
  add_row(&sheet, "Qdot rk853", &four, ours->seconds, ours->end[CRANK], ours->drift);
  sheet_met(&sheet, ours->seconds < 10 * 0.3e-3 && ours->drift < 1e-12);
  measure_row("Qdot", "fourbar", ours->seconds, fabs(ours->end[CRANK] - four.truth.end[CRANK]),
              "rk853, 1e-8");
  add_row(&sheet, "Qdot rk45", &four, other->seconds, other->end[CRANK], other->drift);
  sheet_met(&sheet, other->drift < 1e-12);
  char simbody[600];
  snprintf(simbody, sizeof simbody, "%s/bench/simbody_motion four_bar",
           count > 1 ? words[1] : "build");
  const char *scipy = "/usr/bin/python3 bench/peers/scipy_four_bar.py";
  char dop853[200], rk45[200];
  snprintf(dop853, sizeof dop853, "%s dop853", scipy);
  snprintf(rk45, sizeof rk45, "%s rk45", scipy);
  add_peer(&sheet, "SciPy DOP853", dop853, 50, "DOP853, 1e-8, ", &four);
  add_peer(&sheet, "SciPy RK45", rk45, 50, "RK45, 1e-8, ", &four);
  add_peer(&sheet, "Octave ode45", "octave-cli -qf bench/peers/octave_four_bar.m", 50, "ode45, ",
           &four);
  add_peer(&sheet, "Simbody", simbody, 30, "1e-8, ", &four);
  char mujoco[600];
  snprintf(mujoco, sizeof mujoco, "timeout 60 %s/bench/peer_mujoco four_bar",
           count > 1 ? words[1] : "build");
  add_peer(&sheet, "MuJoCo", mujoco, 0, "steps of 0.1 ms; a spring there, ", &four);
  return 0;
}
