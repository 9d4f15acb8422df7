// Measures: what a whole run amounts to, in the values of the model's names.
#include <math.h>

#include "expr/build.h"
#include "lang/lower/lower.h"

#define OF_A_MOTION                                                                                \
  (~(KIND_BIT(SYMBOL_PARAMETER) | KIND_BIT(SYMBOL_INPUT) | KIND_BIT(SYMBOL_REDUCTION)) &           \
   ((1u << SYMBOL_KINDS) - 1))

static const Rules measure_rules = {PLACE_OF_RESULTS, "a measure"};
static const Rules time_rules = {~KIND_BIT(SYMBOL_PARAMETER) & ((1u << SYMBOL_KINDS) - 1),
                                 "the time after 'from'"};

// ---- max(x), first(t, x > 1) ...

static ReductionKind kind_of(const Function *f) {
  if (f->kind == FUNCTION_REDUCE) return (ReductionKind)f->axis;
  return f->op == OP_MAX ? REDUCE_MAX : REDUCE_MIN;
}

// The values of a run are known when it is over.
static bool may_reduce(Lowering *l, const Ast *ast) {
  const char *name = ast->function->name;
  if (!l->in_measure && ast->function->kind != FUNCTION_REDUCE) {
    if (lower_error(l, QDOT_SYNTAX, ast->span, "%s takes at least 2 arguments, found 1", name))
      diag_label(l->cx, "write %s; for a whole run it belongs in a measure", ast->function->usage);
    return false;
  }
  if (!l->in_measure) {
    if (lower_error(l, QDOT_BAD_VALUE, ast->span, "%s is a number of the whole run", name))
      diag_label(l->cx, "it belongs in a measure: measure NAME = %s", ast->function->usage);
    return false;
  }
  if (!l->in_reduction) return true;
  if (lower_error(l, QDOT_BAD_VALUE, ast->span, "%s is inside another number of the run", name))
    diag_label(l->cx, "it is known only when the run is over");
  return false;
}

static bool is_known_in_time(Lowering *l, const Ast *ast, Value v) {
  if (!expr_has_kind(l->cx, v.at[0], KIND_BIT(SYMBOL_REDUCTION))) return true;
  if (lower_error(l, QDOT_BAD_VALUE, ast->span, "a measure is inside a number of the run"))
    diag_label(l->cx, "it is known only when the run is over");
  return false;
}

static Value argument_of(Lowering *l, const Ast *ast, bool is_condition) {
  Value v = is_condition ? lower_condition(l, ast) : lower_value(l, ast);
  if (!has_value(v) || !need_scalar(l, ast, v) || !is_known_in_time(l, ast, v)) return value_none();
  if (v.is_truth == is_condition) return v;
  if (lower_error(l, QDOT_BAD_VALUE, ast->span, "expected a number, found a condition"))
    diag_label(l->cx, "first(t, condition), last(t, condition), count(condition)");
  return value_none();
}

static Form form_of(Lowering *l, ReductionKind kind, Form form) {
  if (kind == REDUCE_COUNT) return form_pure();
  if (kind != REDUCE_INTEGRAL) return form;
  return form_mul(&l->inference, form, form_known(dimension_base(0, 0, 1)));
}

Value lower_reduction(Lowering *l, const Ast *ast) {
  Context *cx = l->cx;
  if (!may_reduce(l, ast)) return value_none();
  ReductionKind kind = kind_of(ast->function);
  bool has_value_of_motion = kind != REDUCE_COUNT;
  bool has_condition = kind == REDUCE_FIRST || kind == REDUCE_LAST || kind == REDUCE_COUNT;
  l->in_reduction = true;
  Value value = has_value_of_motion ? argument_of(l, ast->args[0], false) : value_none();
  Value condition = has_condition ? argument_of(l, ast->args[ast->n - 1], true) : value_none();
  l->in_reduction = false;
  if ((has_value_of_motion && !has_value(value)) || (has_condition && !has_value(condition)))
    return value_none();
  Requests *requests = &l->model->requests;
  Reduction reduction = {.kind = kind, .from = l->from, .span = ast->span};
  if (has_value_of_motion) reduction.value = value.at[0];
  if (has_condition) reduction.condition = condition.at[0];
  for (uint32_t i = 0; i < requests->reductions.n; i++) {
    const Reduction *r = &requests->reductions.at[i];
    if (r->kind == kind && r->from == l->from && r->value == reduction.value &&
        r->condition == reduction.condition)
      reduction.symbol = r->symbol;
  }
  if (!reduction.symbol) {
    const char *name =
        text_format(l->arena, "%s_%u", ast->function->name, requests->reductions.n + 1);
    reduction.symbol = expr_symbol(cx, SYMBOL_REDUCTION, symbol_from_text(cx, name));
    vec_push(&cx->keep, &requests->reductions, reduction);
  }
  Form form = has_value_of_motion ? value.form[0] : form_pure();
  return value_scalar(reduction.symbol, form_of(l, kind, form), NAN);
}

uint32_t lower_hidden_reduction(Lowering *l, ReductionKind kind, Expr value, Span span) {
  Requests *requests = &l->model->requests;
  const char *name = text_format(l->arena, "looked_at_%u", requests->reductions.n + 1);
  Reduction reduction = {.kind = kind, .value = value, .span = span};
  reduction.symbol = expr_symbol(l->cx, SYMBOL_REDUCTION, symbol_from_text(l->cx, name));
  vec_push(&l->cx->keep, &requests->reductions, reduction);
  return requests->reductions.n - 1;
}

// ---- measure NAME = VALUE from T

static bool lower_from(Lowering *l, const Clause *from) {
  l->from = 0;
  if (!from->value) return true;
  Value v = lower_scalar(l, from->value, &time_rules);
  if (!has_value(v) || !need_dimension(l, from->value, v.form[0],
                                       form_known(dimension_base(0, 0, 1)), time_rules.place))
    return false;
  l->from = v.at[0];
  if (v.number >= 0) return true;
  if (lower_error(l, QDOT_BAD_VALUE, from->value->span,
                  "the time after 'from' must not be negative"))
    diag_label(l->cx, "this is %g s", v.number);
  return false;
}

// What still depends on time is not a number of the run.
static bool is_a_number(Lowering *l, const Item *item, Value v) {
  if (v.is_truth) {
    if (lower_error(l, QDOT_BAD_VALUE, item->value_span, "expected a number, found a condition"))
      diag_label(l->cx, "count(condition) or first(t, condition) is a number");
    return false;
  }
  if (!expr_has_kind(l->cx, v.at[0], OF_A_MOTION)) return true;
  if (lower_error(l, QDOT_BAD_VALUE, item->value_span, "measure '%s' depends on t",
                  symbol_text(l->cx, item_symbol(l, item))))
    diag_label(l->cx, "a number of the run is max(...), mean(...), final(...) or their like");
  return false;
}

static bool lower_one_measure(Lowering *l, const Item *item, const Clause *from) {
  Symbol name = item_symbol(l, item);
  bool good = lower_from(l, from);
  l->in_measure = l->asks = true;
  Value v = lower_scalar(l, item->value, &measure_rules);
  l->in_measure = l->asks = false;
  l->from = 0;
  good = good && name && has_value(v) && is_a_number(l, item, v);
  if (!good || !define_name(l, name, item, NAME_MEASURE, l->model->requests.measurements.n)) {
    break_name(l, item);
    return false;
  }
  Measurement measurement = {.name = name,
                             .value = v.at[0],
                             .measure = measure_of(l, v.form[0], NULL),
                             .description = item->text,
                             .span = item->span};
  vec_push(&l->cx->keep, &l->model->requests.measurements, measurement);
  return true;
}

bool lower_measure(Lowering *l, const Statement *s) {
  bool good = true;
  for (uint32_t i = 0; i < s->items.n && i < s->clauses.n; i++)
    good = lower_one_measure(l, &s->items.at[i], &s->clauses.at[i]) && good;
  return good;
}
