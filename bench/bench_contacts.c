// Contacts with friction: how a second of poured discs grows with their number; and the woodpecker
// toy, by events, against Siconos's time stepping with steps that are as exact as a tenth of a
// millisecond.
#include <math.h>
#include <stdio.h>

#include "measure.h"
#include "sim/sim.h"
#include "text_model.h"

typedef struct Ours {
  TextModel *model;
  SimOptions options;
  SimSummary summary;
  double seconds;
} Ours;

static Status drop(void *user, const double *values, uint32_t count) {
  (void)user, (void)values, (void)count;
  return QDOT_OK;
}

static void run_ours(void *argument) {
  Ours *ours = argument;
  RowSink sink = {.row = drop};
  sim_run(ours->model->cx, &ours->model->system, &ours->options, &sink, &ours->summary);
}

static Status measure_ours(TextModel *model, void *argument) {
  Ours *ours = argument;
  ours->model = model;
  Status status = sim_options(model->cx, model->system.model, &ours->options);
  if (status == QDOT_OK) ours->seconds = measure_work(run_ours, ours);
  return status;
}

static bool pour(void) {
  static const char *const names[] = {"discs", "contacts", "a second", "growth", "miss", "met"};
  static const int widths[] = {6, 9, 10, 8, 8, 4};
  static const int rows[] = {3, 5, 12, 25};
  Sheet sheet =
      sheet_begin("Discs poured into a funnel, steps of 1 ms; with compiling", names, widths, 6);
  double last = 0;
  for (int i = 0; i < 4; i++) {
    static Ours ours;
    TextModel model;
    bool fine = text_model_open(&model, "bench/models/funnel.qdot", rows[i], measure_ours, &ours);
    double contacts = fine ? model.system.contact_count : 0;
    text_model_close(&model);
    if (!fine) return false;
    bool met = rows[i] > 12 || ours.seconds < 1;
    sheet_number(&sheet, "%.0f", 4 * rows[i]);
    sheet_number(&sheet, "%.0f", contacts);
    sheet_seconds(&sheet, ours.seconds);
    i ? sheet_number(&sheet, "n^%.2f",
                     log(ours.seconds / last) / log((double)rows[i] / rows[i - 1]))
      : sheet_text(&sheet, "-");
    sheet_number(&sheet, "%.0e", ours.summary.complementarity);
    sheet_met(&sheet, met);
    if (rows[i] == 12)
      measure_summary("48 discs poured into a funnel, a second", ours.seconds, NULL, 0,
                      "less than a second", met);
    last = ours.seconds;
  }
  return true;
}

static bool strike(void) {
  static Ours ours;
  TextModel model;
  double numbers[32];
  bool fine = text_model_open(&model, "examples/woodpecker.qdot", 0, measure_ours, &ours);
  text_model_close(&model);
  if (!fine) return false;
  const char *command = "/usr/bin/python3 bench/peers/siconos_contacts.py woodpecker 1e-5";
  size_t count = measure_peer(command, numbers, 32);
  double theirs = count > 1 ? numbers[count - 1] : 0;
  bool met = theirs == 0 || theirs > 10 * ours.seconds;
  measure_summary("woodpecker toy, a second", ours.seconds, theirs > 0 ? "Siconos" : NULL, theirs,
                  "ten times faster", met);
  printf("\nwoodpecker toy, a second: %.3g ms", 1e3 * ours.seconds);
  if (theirs > 0)
    printf(", Siconos with steps of 10 us %.3g ms\n", 1e3 * theirs);
  else
    printf(", Siconos is not installed\n");
  return true;
}

int main(void) { return pour() && strike() ? 0 : 1; }
