// What changes values at moments: the law of a controller, resets, the end of a run.
#include "expr/build.h"
#include "expr/value/eval.h"
#include "print/quantity.h"
#include "print/units.h"
#include "report/story.h"

static Document *doc(const Story *story) { return story->document; }

static const Model *model_of(const Story *story) { return story->listing->system->model; }

enum { MOST_ASSIGNMENTS = 24 }; // where a document does not show everything

static const Input *input_of(const Story *s, Expr symbol) {
  const Model *model = model_of(s);
  for (uint32_t i = 0; i < model->inputs.n; i++)
    if (model->inputs.at[i].symbol == symbol) return &model->inputs.at[i];
  return NULL;
}

// a of op(a, b), in whichever order; 0 where e is something else.
static Expr other_argument(const Context *cx, Expr e, Op op, Expr b) {
  if (op_of(cx, e) != op || expr_child_count(cx, e) != 2) return 0;
  if (expr_child(cx, e, 1) == b) return expr_child(cx, e, 0);
  return expr_child(cx, e, 0) == b ? expr_child(cx, e, 1) : 0;
}

// The value as the line gives it where the limits of its target stand around it; else 0.
static Expr before_limits(const Story *s, const Assignment *a, const Input *input) {
  const Context *cx = doc(s)->cx;
  if (!input || !input->low) return 0;
  Expr raised = other_argument(cx, a->value, OP_MIN, input->high);
  return raised ? other_argument(cx, raised, OP_MAX, input->low) : 0;
}

// A formula of parameters; a number alone with its unit.
static Insert insert_value(const Story *s, Expr e, UnitScale scale) {
  Document *d = doc(s);
  if (op_of(d->cx, e) != OP_NUMBER) return insert_expr(d, e);
  double value = expr_eval(d->cx, e, NULL) / scale.factor;
  return (Insert){.markup = document_quantity(d, value, scale.unit)};
}

static Insert insert_time(const Story *s, Expr e) {
  bool is_short = op_of(doc(s)->cx, e) == OP_NUMBER && expr_eval(doc(s)->cx, e, NULL) < 0.1;
  return insert_value(s, e, is_short ? (UnitScale){"ms", 1e-3} : (UnitScale){"s", 1});
}

static void show_assignment(const Story *s, const Assignment *a) {
  Document *d = doc(s);
  const Input *input = input_of(s, a->target);
  Expr free = before_limits(s, a, input);
  Formula f = formula_open(d);
  formula_expr(&f, a->target);
  formula_becomes(&f);
  formula_expr(&f, free ? free : a->value);
  document_display(d, &f, true);
  if (!free) return;
  UnitScale scale = unit_scale(d->cx, &d->cx->scratch, &input->measure,
                               quantity_of(d->cx, model_of(s), input->symbol));
  Insert inserts[] = {insert_expr(d, a->target), insert_value(s, input->low, scale),
                      insert_value(s, input->high, scale)};
  document_paragraph(d, SAY_ACTION_LIMITED, inserts);
}

static void show_assignments(const Story *s, uint32_t first, uint32_t count) {
  Document *d = doc(s);
  uint32_t n = d->most_entries && count > MOST_ASSIGNMENTS ? MOST_ASSIGNMENTS : count;
  for (uint32_t i = 0; i < n; i++) show_assignment(s, &model_of(s)->assignments.at[first + i]);
  Insert inserts[] = {insert_count(d, count - n)};
  if (n < count) document_paragraph(d, SAY_ACTIONS_MORE, inserts);
}

static void tell_sampling(const Story *s, const Sampling *sampling) {
  Document *d = doc(s);
  Insert period[] = {insert_time(s, sampling->period)};
  document_open_paragraph(d);
  document_say(d, SAY_EVERY, period);
  if (sampling->delay) {
    Insert delay[] = {insert_time(s, sampling->delay)};
    document_say(d, SAY_EVERY_DELAY, delay);
  }
  d->medium->text(d, ":", 1);
  document_close_paragraph(d);
  show_assignments(s, sampling->first, sampling->count);
}

static void tell_occasion(const Story *s, const Occasion *o) {
  Document *d = doc(s);
  Insert moment[] = {insert_expr(d, o->is_condition ? o->condition : o->function)};
  document_open_paragraph(d);
  document_say(d,
               o->is_condition      ? SAY_WHEN
               : o->direction == 0  ? SAY_WHEN_ZERO
               : o->direction == -1 ? SAY_WHEN_FALLS
                                    : SAY_WHEN_RISES,
               moment);
  if (!o->is_condition && o->condition) {
    Insert also[] = {insert_expr(d, o->condition)};
    document_say(d, SAY_WHEN_ALSO, also);
  }
  if (o->stops)
    document_say(d, SAY_WHEN_STOPS, NULL);
  else
    d->medium->text(d, ":", 1);
  document_close_paragraph(d);
  show_assignments(s, o->first, o->count);
}

void story_actions(Story *s) {
  const Model *model = model_of(s);
  if (!model_acts(model)) return;
  if (model->assignments.n) document_paragraph(doc(s), SAY_ACTIONS, NULL);
  for (uint32_t i = 0; i < model->samplings.n; i++) tell_sampling(s, &model->samplings.at[i]);
  for (uint32_t i = 0; i < model->occasions.n; i++) tell_occasion(s, &model->occasions.at[i]);
}

void story_action_values(const Story *s, ExprList *out) {
  const Model *model = model_of(s);
  Arena *arena = &doc(s)->cx->scratch;
  for (uint32_t i = 0; i < model->assignments.n; i++)
    vec_push(arena, out, model->assignments.at[i].value);
  for (uint32_t i = 0; i < model->occasions.n; i++) {
    vec_push(arena, out, model->occasions.at[i].function);
    if (model->occasions.at[i].condition) vec_push(arena, out, model->occasions.at[i].condition);
  }
}
