// Questions to many runs.
#include <math.h>
#include <string.h>

#include "lang/lower/lower.h"

static const Rules width_rules = {~KIND_BIT(SYMBOL_PARAMETER) & ((1u << SYMBOL_KINDS) - 1),
                                  "the width of a tolerance"};

static bool lower_spread(Lowering *l, const Item *item, ToleranceRequest *request) {
  Symbol name = item_symbol(l, item);
  const NameEntry *entry = need_name(l, name, item->span, NAME_PARAMETER);
  Value v = lower_scalar(l, item->value, &width_rules);
  if (!entry || !has_value(v)) return false;
  const Parameter *parameter = &l->model->parameters.at[entry->number];
  const char *what = text_format(l->arena, "the tolerance of '%s'", symbol_text(l->cx, name));
  if (!need_dimension(l, item->value, v.form[0], measure_form(parameter->measure), what))
    return false;
  if (!(v.number > 0)) {
    if (lower_error(l, QDOT_BAD_VALUE, item->value_span, "%s is positive", what))
      diag_label(l->cx, "this is %g", v.number);
    return false;
  }
  for (uint32_t i = 0; i < request->spreads.n; i++) {
    if (request->spreads.at[i].parameter != name) continue;
    if (lower_error(l, QDOT_DUPLICATE_NAME, item->span, "'%s' is given twice",
                    symbol_text(l->cx, name)))
      diag_second(l->cx, request->spreads.at[i].span, "it is given here");
    return false;
  }
  Spread spread = {
      .parameter = name, .width = v.at[0], .is_normal = item->word != 0, .span = item->span};
  vec_push(&l->cx->keep, &request->spreads, spread);
  return true;
}

static bool lower_measure_name(Lowering *l, const Ast *ast, ToleranceRequest *request) {
  const NameEntry *entry = need_name(l, ast_symbol(l, ast), ast->span, NAME_MEASURE);
  if (!entry) return false;
  for (uint32_t i = 0; i < request->measures.n; i++)
    if (request->measures.at[i] == entry->number)
      lower_error(l, QDOT_DUPLICATE_NAME, ast->span, "'%s' is listed twice",
                  symbol_text(l->cx, entry->name));
  vec_push(&l->cx->keep, &request->measures, entry->number);
  return true;
}

static bool lower_run_option(Lowering *l, const Clause *clause, ToleranceRequest *request) {
  bool is_runs = strcmp(symbol_text(l->cx, clause->word), "runs") == 0;
  int64_t number = 0;
  if (!lower_integer(l, clause->value, is_runs ? "the number of runs" : "the seed", &number))
    return false;
  if (is_runs && (number < 2 || number > 100000000)) {
    lower_error(l, QDOT_BAD_VALUE, clause->value->span,
                "the number of runs is from 2 to 100000000");
    return false;
  }
  if (is_runs)
    request->runs = (uint32_t)number;
  else
    request->seed = (uint64_t)number;
  return true;
}

bool lower_tolerance(Lowering *l, const Statement *s) {
  ToleranceRequest *request = &l->model->requests.tolerance;
  if (request->is_given) {
    if (lower_error(l, QDOT_DUPLICATE_NAME, s->word, "there is a 'tolerance' already"))
      diag_second(l->cx, request->span, "it is here");
    return false;
  }
  *request = (ToleranceRequest){.is_given = true, .runs = 1000, .seed = 1, .span = s->span};
  bool good = true;
  for (uint32_t i = 0; i < s->items.n; i++)
    good = lower_spread(l, &s->items.at[i], request) && good;
  for (uint32_t i = 0; i < s->clauses.n; i++)
    good = lower_run_option(l, &s->clauses.at[i], request) && good;
  for (uint32_t i = 0; i < s->values.n; i++)
    good = lower_measure_name(l, s->values.at[i], request) && good;
  if (s->items.n > 0 || !good) return good;
  lower_error(l, QDOT_BAD_VALUE, s->word, "a tolerance varies at least one parameter");
  return false;
}
