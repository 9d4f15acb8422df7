// Views in answers.
#include "view_add.h"

#include <math.h>
#include <stdlib.h>

// Beyond the first row, so that small motions keep their digits. False without memory.
static bool add_floats(Answer *answer, const double *numbers, size_t rows, size_t width) {
  size_t n = rows * width;
  float *floats = malloc(n * sizeof *floats + 1);
  double *first = malloc((width + 1) * sizeof *first);
  bool has_room = floats && first;
  for (size_t i = 0; has_room && i < n; i++) {
    if (i < width) first[i] = isfinite(numbers[i]) ? numbers[i] : 0;
    floats[i] = (float)(numbers[i] - first[i % width]);
  }
  if (has_room) {
    answer_section(answer, "numbers", floats, n * sizeof *floats);
    answer_section(answer, "first", first, (n ? width : 0) * sizeof *first);
  }
  free(first);
  free(floats);
  return has_room;
}

void view_add(Answer *answer, const qdot_view *view, bool as_floats) {
  size_t rows, width;
  const double *numbers = qdot_view_numbers(view, &rows, &width);
  answer_number(answer, "rows", (double)rows);
  answer_number(answer, "width", (double)width);
  answer_json(answer, "view", qdot_view_json(view));
  bool are_floats = as_floats && add_floats(answer, numbers, rows, width);
  answer_flag(answer, "floats", are_floats);
  if (!are_floats) answer_section(answer, "numbers", numbers, rows * width * sizeof *numbers);
}
