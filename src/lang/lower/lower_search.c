// What parameters do, and which values serve.
#include "lang/lower/lower.h"

static bool is_first(Lowering *l, const Statement *s, bool is_given, Span before) {
  if (!is_given) return true;
  if (lower_error(l, QDOT_DUPLICATE_NAME, s->word, "there is a '%s' already", s->row->word))
    diag_second(l->cx, before, "it is here");
  return false;
}

bool lower_sensitivity(Lowering *l, const Statement *s) {
  SensitivityRequest *request = &l->model->requests.sensitivity;
  if (!is_first(l, s, request->is_given, request->span)) return false;
  *request = (SensitivityRequest){.is_given = true, .span = s->span};
  bool good = true;
  for (uint32_t i = 0; i < s->values.n; i++) {
    uint32_t measure;
    bool is_one =
        lower_measure_name(l, s->values.at[i], request->measures.at, request->measures.n, &measure);
    if (is_one) vec_push(&l->cx->keep, &request->measures, measure);
    good = good && is_one;
  }
  for (uint32_t i = 0; i < s->items.n; i++) {
    VariedBy by = {0};
    bool is_one = lower_varied(l, &s->items.at[i], &by.varied, &by.measure);
    for (uint32_t k = 0; is_one && k < request->by.n; k++)
      is_one = is_new_varied(l, &by.varied, &request->by.at[k].varied);
    if (is_one) vec_push(&l->cx->keep, &request->by, by);
    good = good && is_one;
  }
  return good;
}
