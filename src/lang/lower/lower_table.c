// Tables: values between given points.
#include <math.h>
#include <string.h>

#include "expr/build.h"
#include "expr/spline.h"
#include "expr/value/eval.h"
#include "lang/lower/lower.h"

// The points of a table: their places as numbers, and all values as expressions.
typedef struct Points {
  Value x; // what is looked up
  uint32_t n;
  double *place;
  Expr *at, *value;
  Form form; // of the values
} Points;

static bool add_point(Lowering *l, const Ast *table, const Ast *ast, Points *points) {
  bool outer = l->in_table;
  l->in_table = true;
  Value p = lower_value(l, ast);
  l->in_table = outer;
  if (!has_value(p)) return false;
  if (p.n != 2) {
    if (lower_error(l, QDOT_BAD_VALUE, ast->span, "a point of a table is a pair"))
      diag_label(l->cx, "write (a_1, b_1)");
    return false;
  }
  uint32_t i = points->n++;
  points->at[i] = p.at[0], points->value[i] = p.at[1];
  if (i == 0) points->form = p.form[1];
  bool alike =
      equate_values(l, table->args[0], points->x.form[0], ast, p.form[0],
                    "the places of a table must have the dimension of what is looked up in it");
  alike = equate_values(l, table->args[1], points->form, ast, p.form[1],
                        "the values of a table have different dimensions") &&
          alike;
  if (points->form.kind == FORM_BARE) points->form = p.form[1];
  points->place[i] =
      expr_has_kind(l->cx, p.at[0], UINT32_MAX) ? NAN : expr_eval(l->cx, p.at[0], NULL);
  if (isnan(points->place[i])) {
    lower_error(l, QDOT_BAD_VALUE, ast->span, "the place of a point of a table is a number");
    return false;
  }
  if (i > 0 && !(points->place[i] > points->place[i - 1])) {
    if (lower_error(l, QDOT_BAD_VALUE, ast->span, "the places of a table must ascend"))
      diag_label(l->cx, "%g comes after %g", points->place[i], points->place[i - 1]);
    return false;
  }
  return alike;
}

// Straight between the points numbered first and last, level beyond the outer ones: conditions that
// halve the range, so that they are nested no deeper than needed.
static Expr table_between(Context *cx, const Points *p, uint32_t first, uint32_t last) {
  Expr x = p->x.at[0];
  if (last - first == 1) {
    Expr rise = expr_sub(cx, p->value[last], p->value[first]);
    Expr run = expr_sub(cx, p->at[last], p->at[first]);
    Expr along = expr_sub(cx, x, p->at[first]);
    return expr_add(cx, p->value[first], expr_mul(cx, expr_div(cx, rise, run), along));
  }
  uint32_t middle = (first + last) / 2;
  Expr is_before = expr_function2(cx, OP_LT, x, p->at[middle]);
  Expr before = table_between(cx, p, first, middle);
  return expr_if(cx, is_before, before, table_between(cx, p, middle, last));
}

// Values that contain parameters: conditions in place of a table of numbers.
static Expr table_of_expressions(Context *cx, const Points *p) {
  Expr x = p->x.at[0], inside = table_between(cx, p, 0, p->n - 1);
  Expr is_inside = expr_function2(cx, OP_LT, x, p->at[p->n - 1]);
  inside = expr_if(cx, is_inside, inside, p->value[p->n - 1]);
  return expr_if(cx, expr_function2(cx, OP_LT, x, p->at[0]), p->value[0], inside);
}

// Numbers alone; false where a value is none.
static bool table_of_numbers(Context *cx, const Points *p, Expr *out) {
  double *y = arena_array(&cx->scratch, double, p->n);
  for (uint32_t i = 0; i < p->n; i++) {
    if (expr_has_kind(cx, p->value[i], UINT32_MAX)) return false;
    y[i] = expr_eval(cx, p->value[i], NULL);
    if (!isfinite(y[i])) return false;
  }
  *out = expr_table(cx, table_linear(cx, p->n, p->place, y), TABLE_VALUE, p->x.at[0]);
  return true;
}

// The unit of a number; NULL where it is none, or has none.
static const Unit *unit_of(const Ast *ast) {
  while (ast->kind == AST_NEGATE) ast = ast->args[0];
  return ast->kind == AST_NUMBER ? ast->unit : NULL;
}

// The unit that all points have in this component; zeros may be without.
static const Unit *unit_of_column(const Ast *table, uint32_t component) {
  const Unit *common = NULL;
  for (uint32_t i = 1; i < table->n; i++) {
    const Ast *point = table->args[i];
    if (point->kind != AST_VECTOR || point->n != 2) return NULL;
    const Unit *unit = unit_of(point->args[component]);
    if (unit && common && strcmp(unit->text, common->text) != 0) return NULL;
    if (unit) common = unit;
  }
  return common;
}

static void keep_units(Context *cx, const Ast *ast, Expr table) {
  const Unit *x = unit_of_column(ast, 0), *y = unit_of_column(ast, 1);
  if (op_of(cx, table) != OP_TABLE) return;
  table_set_units(cx, node_table(node_of(cx, table)), x ? x->text : NULL,
                  x ? expr_eval(cx, x->factor, NULL) : 1, y ? y->text : NULL,
                  y ? expr_eval(cx, y->factor, NULL) : 1);
}

Value lower_table(Lowering *l, const Ast *ast) {
  Context *cx = l->cx;
  if (ast->n > 1 && ast->args[1]->kind == AST_FILE) return lower_file_table(l, ast);
  uint32_t n = ast->n - 1;
  Points points = {.x = lower_value(l, ast->args[0])};
  if (!need_scalar(l, ast->args[0], points.x)) return value_none();
  Mark mark = arena_mark(&cx->scratch);
  points.place = arena_array(&cx->scratch, double, n);
  points.at = arena_array(&cx->scratch, Expr, n);
  points.value = arena_array(&cx->scratch, Expr, n);
  Value v = value_none();
  bool good = true;
  for (uint32_t i = 1; i <= n && good; i++) good = add_point(l, ast, ast->args[i], &points);
  if (good) {
    Expr value;
    if (!table_of_numbers(cx, &points, &value)) value = table_of_expressions(cx, &points);
    keep_units(cx, ast, value);
    v = value_scalar(value, points.form, NAN);
  }
  arena_release(&cx->scratch, mark);
  return v;
}
