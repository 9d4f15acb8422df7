// Whole commands whose cost was once a cliff, and how it grows: the text of N links, and N
// four-bars in a row (IFToMM's benchmark A02) in every formulation.
#include <math.h>
#include <stdio.h>

#include "measure.h"

// CPU seconds of a command; NAN when it fails.
static double seconds_of(const char *const *words, int runs) {
  CommandTime time;
  return measure_command(words, runs, &time) ? time.cpu : NAN;
}

// A dense M has N^2 entries to print: more than that must not grow.
static bool measure_text(const char *qdot) {
  static const char *const names[] = {"links", "CPU", "growth", "N^2.6 at most"};
  static const int widths[] = {6, 10, 8, 14}, sizes[] = {25, 50, 100};
  Sheet sheet = sheet_begin("text of M, h and G of N links, whole command", names, widths, 4);
  double before = 0;
  bool good = true;
  for (int i = 0; i < 3; i++) {
    char set[16];
    snprintf(set, sizeof set, "N=%d", sizes[i]);
    const char *words[] = {qdot,   "derive", "bench/models/chain.qdot", "--set", set, "--format",
                           "text", NULL};
    double mine = seconds_of(words, 3), growth = i ? log2(mine / before) : 0;
    bool met = isfinite(mine) && growth < 2.6;
    good = good && met;
    sheet_number(&sheet, "%.0f", sizes[i]);
    sheet_seconds(&sheet, mine);
    i ? sheet_number(&sheet, "N^%.1f", growth) : sheet_text(&sheet, "-");
    sheet_met(&sheet, met);
    before = mine;
  }
  measure_summary("text of 100 links, whole command", before, NULL, 0, "N^2.6 at most", good);
  return good;
}

// Against the formulation with the fewest coordinates, in the same run.
static bool measure_growth(const char *qdot, const char *rtol, double most) {
  static const char *const formulations[] = {"lagrange", "maximal", "natural"};
  static const char *const names[] = {"formulation", "CPU", "of lagrange", "as promised"};
  static const int widths[] = {12, 10, 12, 12};
  char title[80];
  snprintf(title, sizeof title, "ten seconds of 40 four-bars in a row, rtol %s", rtol);
  Sheet sheet = sheet_begin(title, names, widths, 4);
  double lagrange = 0, mine = 0;
  bool good = true;
  for (int i = 0; i < 3; i++) {
    const char *words[] = {qdot,
                           "simulate",
                           "bench/models/four_bars.qdot",
                           "--set",
                           "N=40",
                           "--to",
                           "10",
                           "--rtol",
                           rtol,
                           "--formulation",
                           formulations[i],
                           "--quiet",
                           "--out",
                           "build/bench/a02",
                           NULL};
    mine = seconds_of(words, 1);
    if (i == 0) lagrange = mine;
    bool met = isfinite(mine) && mine < most * lagrange;
    good = good && met;
    sheet_text(&sheet, formulations[i]);
    sheet_seconds(&sheet, mine);
    sheet_number(&sheet, "%.1f", mine / lagrange);
    sheet_met(&sheet, met);
    char job[100];
    snprintf(job, sizeof job, "%s, %s", title, formulations[i]);
    if (i > 0) measure_summary(job, mine, "lagrange", lagrange, "see sheets.md", met);
  }
  return good;
}

int main(int count, char **words) {
  char qdot[4096];
  snprintf(qdot, sizeof qdot, "%s/qdot", count > 1 ? words[1] : "build");
  bool good = measure_text(qdot);
  good = measure_growth(qdot, "1e-8", 20) && good;
  return measure_growth(qdot, "1e-10", 60) && good ? 0 : 1;
}
