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

// One line: wall time, and CPU time, which others on the machine disturb less and which is judged.
static void show(Sheet *sheet, const char *name, CommandTime time, double promised) {
  sheet_text(sheet, name);
  sheet_seconds(sheet, time.least);
  sheet_seconds(sheet, time.median);
  sheet_seconds(sheet, time.cpu);
  sheet_seconds(sheet, promised);
  sheet_met(sheet, time.cpu <= promised);
}

static CommandTime difference(CommandTime a, CommandTime b) {
  return (CommandTime){a.least - b.least, a.median - b.median, a.cpu - b.cpu};
}

int main(int count, char **words) {
  char qdot[4096], folder[] = "/tmp/qdot-bench-XXXXXX", remove[64];
  snprintf(qdot, sizeof qdot, "%s/qdot", count > 1 ? words[1] : "build");
  if (!mkdtemp(folder)) return 1;
#define PICTURE(verb, ...)                                                                         \
  { qdot, verb, "examples/four_bar.qdot", "--quiet", "--out", folder, __VA_ARGS__ }
  // --to asks for a new run each time; the others draw what is stored.
  enum { RUN, GIF, JOBS = 8 };
  const Job jobs[JOBS] = {
      [RUN] = {"run: SVG, HTML and GIF", PICTURE("run", "--format", "html"), 3, 2},
      [GIF] = {"animation of 5 s, GIF", PICTURE("animate", "--format", "gif"), 3, 2},
      {"simulate and plot, SVG", PICTURE("plot", "--to", "5"), 5, 1},
      {"plot again, SVG", PICTURE("plot", "--format", "svg"), 5, 0.5},
      {"plot again, PNG", PICTURE("plot", "--format", "png"), 3, 2},
      {"plot again, PDF", PICTURE("plot", "--format", "pdf"), 3, 2},
      {"still picture, SVG", PICTURE("animate", "--format", "svg"), 3, 0.5},
      {"modes as GIF and SVG", PICTURE("modes", "--animate"), 3, 1},
  };
  static const char *const names[] = {
      "pictures of the four-bar", "least", "median", "CPU", "promised", "met"};
  static const int widths[] = {28, 10, 10, 10, 10, 5};
  Sheet sheet = sheet_begin("Pictures", names, widths, 6);
  CommandTime time[JOBS] = {0};
  for (int i = 0; i < JOBS; i++)
    if (measure_command(jobs[i].words, jobs[i].runs, &time[i]))
      show(&sheet, jobs[i].name, time[i], jobs[i].promised);
  CommandTime quick = difference(time[RUN], time[GIF]), peer;
  show(&sheet, "run without the GIF", quick, 1);
  const char *const import[] = {"/usr/bin/python3", "-c", "import sympy", NULL};
  bool known = measure_command(import, 3, &peer);
  measure_summary("four-bar: run with SVG plots and HTML (CPU)", quick.cpu,
                  known ? "`import sympy`" : NULL, known ? peer.cpu : 0, "under 1 s",
                  quick.cpu < 1);
  snprintf(remove, sizeof remove, "rm -r %s", folder);
  return system(remove) == 0 ? 0 : 1;
}
