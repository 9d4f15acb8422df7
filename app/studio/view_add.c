// Views in answers.
#include "view_add.h"

#include <stdlib.h>

void view_add(Answer *answer, const qdot_view *view, bool as_floats) {
  size_t rows, width;
  const double *numbers = qdot_view_numbers(view, &rows, &width);
  size_t n = rows * width;
  answer_number(answer, "rows", (double)rows);
  answer_number(answer, "width", (double)width);
  answer_json(answer, "view", qdot_view_json(view));
  float *floats = as_floats ? malloc(n * sizeof *floats + 1) : NULL;
  answer_flag(answer, "floats", floats);
  for (size_t i = 0; floats && i < n; i++) floats[i] = (float)numbers[i];
  if (floats)
    answer_section(answer, "numbers", floats, n * sizeof *floats);
  else
    answer_section(answer, "numbers", numbers, n * sizeof *numbers);
  free(floats);
}
