// Ladders and rows of N loops as bodies and pins: how the cost of one right-hand side grows, and
// what must be paid before the first.
#include <stdio.h>
#include <stdlib.h>

#include "forward_cost.h"
#include "measure.h"

static Status measure_forward(TextModel *model, void *cost) {
  *(ForwardCost *)cost = forward_cost(model);
  return QDOT_OK;
}

static bool measure_table(const char *title, const char *path, int most) {
  static const int sizes[] = {5, 10, 20, 50, 100};
  static const char *const names[] = {"N", "formulation", "steps", "steps/N", "one rhs", "setup"};
  static const int widths[] = {4, 13, 8, 8, 10, 10};
  Sheet sheet = sheet_begin(title, names, widths, 6);
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes && sizes[i] <= most; i++)
    for (int f = 0; f < FORMULATIONS; f++) {
      if (f == FORMULATION_NEWTON_EULER) continue;
      TextModel model;
      ForwardCost cost = {0};
      bool fine =
          text_model_open_as(&model, path, sizes[i], (Formulation)f, measure_forward, &cost);
      text_model_close(&model);
      if (!fine) return false;
      sheet_number(&sheet, "%.0f", sizes[i]);
      sheet_text(&sheet, formulation_text((Formulation)f));
      sheet_number(&sheet, "%.0f", cost.steps);
      sheet_number(&sheet, "%.0f", cost.steps / sizes[i]);
      sheet_seconds(&sheet, cost.evaluation);
      sheet_seconds(&sheet, cost.setup);
    }
  return true;
}

// bench_loops BUILD [MOST]: up to so many loops.
int main(int count, char **words) {
  int most = count > 2 ? (int)strtol(words[2], NULL, 10) : 100;
  bool fine = measure_table("Scissor lift of N stages", "bench/models/scissor.qdot", most);
  fine = measure_table("N four-bars in a row", "bench/models/four_bars.qdot", most) && fine;
  return fine ? 0 : 1;
}
