// Sweeps: CPU time of a run alone and in the lanes of the machine's vectors; whole sweeps on one
// core, on two and in ranks.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ask/sweep.h"
#include "measure.h"
#include "text_model.h"

typedef struct Swept {
  Sweep sweep;
  SweepWorker worker;
  double seconds[9]; // a run, by the number of lanes
  double sum[9];     // of all measures: the same bits in all lanes
} Swept;

// A full block of a large sweep.
static void run_block(void *argument) {
  Swept *s = argument;
  sweep_run(&s->sweep, &s->worker, 1);
}

static Status measure(TextModel *model, void *argument) {
  Swept *s = argument;
  SimOptions options;
  Status status = sim_options(model->cx, model->system.model, &options);
  for (uint32_t lanes = 1; status == QDOT_OK && lanes <= packed_most_lanes();
       lanes *= lanes == 1 ? 4 : 2) {
    status = sweep_worker_open(&s->worker, model->cx, &model->system, &options, lanes);
    if (status == QDOT_OK)
      status = sweep_open(&s->sweep, model->system.model, &s->worker.runs.rerun, NULL);
    if (status != QDOT_OK) break;
    s->seconds[lanes] = measure_work(run_block, s) / sweep_count(&s->sweep, 1);
    const SweepBlock *b = &s->worker.block;
    for (uint32_t i = 0; i < b->count * s->sweep.measures; i++) s->sum[lanes] += b->values[i];
    sweep_worker_close(&s->worker);
  }
  return status;
}

static void put_ratio(Sheet *sheet, const Swept *s, int lanes) {
  if (s->seconds[lanes] > 0)
    sheet_number(sheet, "%.1f", s->seconds[1] / s->seconds[lanes]);
  else
    sheet_text(sheet, "");
}

static bool add_row(Sheet *sheet, const char *job, const char *path, int links, double most) {
  TextModel model;
  Swept s = {.seconds = {0}};
  bool fine = text_model_open(&model, path, links, measure, &s);
  text_model_close(&model);
  if (!fine) return false;
  int best = s.seconds[8] > 0 ? 8 : s.seconds[4] > 0 ? 4 : 1;
  double ratio = s.seconds[1] / s.seconds[best];
  bool same = s.sum[best] == s.sum[1] && (s.sum[4] == s.sum[1] || s.seconds[4] == 0);
  bool met = same && (most > 0 ? s.seconds[best] <= most : ratio >= 2.5);
  sheet_text(sheet, job);
  for (int lanes = 1; lanes <= 8; lanes *= lanes == 1 ? 4 : 2)
    sheet_seconds(sheet, s.seconds[lanes]);
  put_ratio(sheet, &s, 4);
  put_ratio(sheet, &s, 8);
  sheet_met(sheet, met);
  char line[100], key[60], remark[80];
  snprintf(key, sizeof key, "lanes/%s", job);
  snprintf(remark, sizeof remark, "%d lanes; alone %.3g us", best, 1e6 * s.seconds[1]);
  measure_row("Qdot", key, s.seconds[best], NAN, remark);
  snprintf(line, sizeof line, "a run of a sweep: %s", job);
  measure_summary(line, s.seconds[best], "one after the other", s.seconds[1],
                  most > 0 ? "120 us: 10^6 in 60 s on two cores" : "2.5 times by lanes", met);
  return true;
}

// ---- Cores and ranks

// The least wall time of the whole command, with table and picture; so many runs that starting the
// ranks, a fifth of a second, is little beside them.
static double time_sweep(const char *launcher, const char *build, const char *options) {
  char command[500];
  snprintf(command, sizeof command,
           "rm -rf /tmp/qdot_bench_sweep && exec %s %s/qdot sweep bench/models/swept_pendulum.qdot "
           "--quiet --out /tmp/qdot_bench_sweep %s",
           launcher, build, options);
  CommandTime time;
  return measure_command((const char *const[]){"sh", "-c", command, NULL}, 3, &time) ? time.least
                                                                                     : NAN;
}

static void add_many(Sheet *sheet, const char *job, double seconds, double other,
                     const char *promise, bool met) {
  sheet_text(sheet, job);
  sheet_seconds(sheet, seconds);
  sheet_number(sheet, "%.2f", other / seconds);
  sheet_text(sheet, promise);
  sheet_met(sheet, met);
  char line[100];
  snprintf(line, sizeof line, "100,000 double pendulums, %s (wall)", job);
  measure_summary(line, seconds, NULL, 0, promise, met);
}

static bool measure_cores(const char *build) {
  static const char *const names[] = {"100,000 double pendulums", "wall", "ratio", "promised",
                                      "met"};
  static const int widths[] = {40, 10, 8, 34, 5};
  double one = time_sweep("", build, "--threads 1"), two = time_sweep("", build, "--threads 2");
  double ranks =
      time_sweep("mpirun --allow-run-as-root --oversubscribe -n 4", build, "--threads 1");
  Sheet sheet = sheet_begin("Whole sweeps: threads and ranks of Open MPI", names, widths, 5);
  add_many(&sheet, "one thread", one, one, "", isfinite(one));
  add_many(&sheet, "two threads", two, one, "1.9 times one", one >= 1.9 * two);
  if (isfinite(ranks))
    add_many(&sheet, "four ranks", ranks, two, "at most 10 % beyond threads", ranks <= 1.1 * two);
  return isfinite(one) && isfinite(two);
}

int main(int argc, char **argv) {
  static const char *const names[] = {"a run of a sweep", "scalar",  "4 lanes", "8 lanes",
                                      "4 lanes",          "8 lanes", "met"};
  static const int widths[] = {40, 10, 10, 10, 9, 9, 5};
  Sheet sheet =
      sheet_begin("Sweeps on one core: CPU time of a run, and ratios to scalar", names, widths, 7);
  bool fine =
      add_row(&sheet, "double pendulum, 10 s", "bench/models/swept_pendulum.qdot", 0, 120e-6);
  static const int links[] = {2, 5, 10, 20};
  for (size_t i = 0; i < sizeof links / sizeof *links; i++) {
    char job[40];
    snprintf(job, sizeof job, "chain of %d links, 1 s", links[i]);
    fine = add_row(&sheet, job, "bench/models/swept_chain.qdot", links[i], 0) && fine;
  }
  fine = add_row(&sheet, "four-bar, 1 s", "bench/models/swept_four_bar.qdot", 0, 0) && fine;
  return measure_cores(argc > 1 ? argv[1] : "build") && fine ? 0 : 1;
}
