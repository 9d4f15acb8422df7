// How long the command takes to start, and for its smallest jobs.
#include <stdio.h>
#include <unistd.h>

#include "measure.h"

typedef struct Job {
  const char *name;
  const char *words[8];
  double promised; // seconds
} Job;

int main(int count, char **words) {
  char qdot[4096];
  snprintf(qdot, sizeof qdot, "%s/qdot", count > 1 ? words[1] : "build");
  const Job jobs[] = {
      {"--version", {qdot, "--version"}, 10e-3},
      {"check of the pendulum", {qdot, "check", "examples/pendulum.qdot"}, 20e-3},
      {"derive the pendulum", {qdot, "derive", "examples/pendulum.qdot"}, 20e-3},
  };
  static const char *const names[] = {"command", "least", "median", "CPU", "promised", "met"};
  static const int widths[] = {28, 10, 10, 10, 10, 5};
  Sheet sheet = sheet_begin("Start-up (wall time, 30 runs)", names, widths, 6);
  for (size_t i = 0; i < sizeof jobs / sizeof *jobs; i++) {
    CommandTime time;
    if (!measure_command(jobs[i].words, 30, &time)) continue;
    sheet_text(&sheet, jobs[i].name);
    sheet_seconds(&sheet, time.least);
    sheet_seconds(&sheet, time.median);
    sheet_seconds(&sheet, time.cpu);
    sheet_seconds(&sheet, jobs[i].promised);
    sheet_met(&sheet, time.cpu <= jobs[i].promised);
    char job[80], promise[40];
    snprintf(job, sizeof job, "%s, whole command", jobs[i].name);
    snprintf(promise, sizeof promise, "under %.3g ms", 1e3 * jobs[i].promised);
    measure_summary(job, time.cpu, NULL, 0, promise, time.cpu <= jobs[i].promised);
  }
  return 0;
}
