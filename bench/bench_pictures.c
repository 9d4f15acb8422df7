// How long the pictures of a four-bar linkage take, whole commands with reading and simulating.
#include <stdio.h>
#include <stdlib.h>

#include "measure.h"

typedef struct Job {
  const char *name;
  const char *words[12];
  int runs;
  double promised; // seconds
} Job;

int main(int count, char **words) {
  char qdot[4096], folder[] = "/tmp/qdot-bench-XXXXXX", remove[64];
  snprintf(qdot, sizeof qdot, "%s/qdot", count > 1 ? words[1] : "build");
  if (!mkdtemp(folder)) return 1;
#define PICTURE(verb, ...)                                                                         \
  { qdot, verb, "examples/four_bar.qdot", "--quiet", "--out", folder, __VA_ARGS__ }
  // --to asks for a new run each time; the others draw what is stored.
  const Job jobs[] = {
      {"simulate and plot, SVG", PICTURE("plot", "--to", "5"), 10, 1},
      {"plot again, SVG", PICTURE("plot", "--format", "svg"), 10, 0.5},
      {"plot again, PNG", PICTURE("plot", "--format", "png"), 5, 2},
      {"plot again, PDF", PICTURE("plot", "--format", "pdf"), 5, 2},
      {"still picture, SVG", PICTURE("animate", "--format", "svg"), 5, 0.5},
      {"animation of 5 s, GIF", PICTURE("animate", "--format", "gif"), 3, 2},
  };
  static const char *const names[] = {"pictures of the four-bar", "least", "median", "promised",
                                      "met"};
  static const int widths[] = {28, 10, 10, 10, 5};
  Sheet sheet = sheet_begin("Pictures (wall time)", names, widths, 5);
  for (size_t i = 0; i < sizeof jobs / sizeof *jobs; i++) {
    CommandTime time;
    if (!measure_command(jobs[i].words, jobs[i].runs, &time)) continue;
    sheet_text(&sheet, jobs[i].name);
    sheet_seconds(&sheet, time.least);
    sheet_seconds(&sheet, time.median);
    sheet_seconds(&sheet, jobs[i].promised);
    sheet_met(&sheet, time.median <= jobs[i].promised);
  }
  snprintf(remove, sizeof remove, "rm -r %s", folder);
  return system(remove) == 0 ? 0 : 1;
}
