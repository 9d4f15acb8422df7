// From places to the squares of velocities: the step in front of every kinetic energy.
#include "expr/algebra/cost.h"
#include "expr/algebra/expand.h"
#include "expr/build.h"
#include "expr/define.h"
#include "expr/diff.h"
#include "expr/order.h"
#include "report/story.h"

enum { MOST_VECTORS = 6, MOST_OPERATIONS = 400, MOST_TERMS = 10, LONGEST_SQUARE = 300 };

typedef struct RateUse {
  Symbol name;
  bool found;
} RateUse;

static Visit look_for_rate(const Context *cx, Expr e, void *argument) {
  RateUse *use = argument;
  if (expr_is_definition(cx, e) && definition_name(cx, e) == use->name &&
      definition_order(cx, e) == 1)
    use->found = true;
  return use->found ? VISIT_SKIP : VISIT_ENTER;
}

static bool uses_rate(Context *cx, Expr energy, Symbol name) {
  RateUse use = {.name = name};
  Mark mark = arena_mark(&cx->scratch);
  expr_walk(cx, &energy, 1, look_for_rate, &use);
  arena_release(&cx->scratch, mark);
  return use.found;
}

static void show_square(Document *d, Expr square, Expr value) {
  Formula f = formula_open(d);
  formula_expr(&f, square);
  formula_equals(&f);
  formula_expr(&f, value);
  document_display(d, &f, true);
}

// r.x' = ..., r.y' = ..., and r.x'^2 + r.y'^2 multiplied out and put together.
static void show_velocity(Document *d, const Model *model, const Vector *v) {
  Context *cx = d->cx;
  Expr rates[3], squares[3], short_squares[3];
  for (uint32_t i = 0; i < v->n; i++) {
    Expr definition = model->definitions.at[v->first + i].value;
    rates[i] = expr_simplify(cx, expr_time_derivative(cx, definition_body(cx, definition)),
                             SIMPLIFY_NORMAL);
    squares[i] = expr_square(cx, rates[i]);
    short_squares[i] = expr_square(cx, expr_time_derivative(cx, definition));
  }
  Expr sum = expr_sum(cx, squares, v->n), multiplied = expr_expand(cx, sum, MOST_OPERATIONS);
  // from what is multiplied out: the sum itself may be shorter, but leads back
  Expr together = expr_simplify(cx, multiplied, SIMPLIFY_NORMAL);
  if (expr_terms(cx, multiplied).n > MOST_TERMS) multiplied = sum;
  if (expr_cost_with_definitions(cx, sum) > LONGEST_SQUARE) return;
  Insert inserts[] = {insert_name(d, symbol_text(cx, v->name))};
  document_paragraph(d, SAY_VELOCITY, inserts);
  for (uint32_t i = 0; i < v->n; i++)
    document_equation(
        d,
        text_format(&cx->scratch, "%s'", symbol_text(cx, model->definitions.at[v->first + i].name)),
        rates[i]);
  Expr square = expr_sum(cx, short_squares, v->n);
  show_square(d, square, multiplied);
  if (together != multiplied) show_square(d, square, together);
}

void story_velocities(Story *s) {
  const System *system = s->listing->system;
  const Model *model = system->model;
  Context *cx = system->cx;
  uint32_t shown = 0;
  for (uint32_t i = 0; i < model->vectors.n && shown < MOST_VECTORS; i++) {
    const Vector *v = &model->vectors.at[i];
    bool defined = !v->moves && v->first + v->n <= model->definitions.n, used = false;
    for (uint32_t k = 0; defined && k < v->n; k++) {
      const Definition *it = &model->definitions.at[v->first + k];
      defined = expr_is_definition(cx, it->value);
      used = used || (defined && uses_rate(cx, system->T, it->name));
    }
    if (!defined || !used) continue;
    show_velocity(s->document, model, v);
    shown++;
  }
}
