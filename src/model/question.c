// What questions to many runs change.
#include "model/question.h"

#include <math.h>

#include "base/text.h"
#include "expr/value/eval.h"

const char *varied_text(Context *cx, const Varied *v) {
  const char *name = symbol_text(cx, v->name);
  if (!v->is_start) return name;
  return text_format(&cx->scratch, "%s%s(0)", name, v->primes ? "'" : "");
}

double width_about(Context *cx, const Width *width, double centre, const double *values) {
  double value = expr_eval(cx, width->value, values);
  if (!width->is_relative) return value;
  return centre == 0 ? NAN : value * fabs(centre);
}

Status width_of_varied(Context *cx, const Width *width, const Varied *varied, double centre,
                       const double *values, double *out) {
  *out = width_about(cx, width, centre, values);
  if (!isnan(*out)) return QDOT_OK;
  Status status =
      diag_error(cx, QDOT_BAD_VALUE, varied->span,
                 "a percentage of '%s' is zero, as its value is 0", varied_text(cx, varied));
  diag_label(cx, "state the width in its unit");
  return status;
}
