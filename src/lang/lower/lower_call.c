// Functions, conditions, summation.
#include <assert.h>
#include <math.h>
#include <string.h>

#include "expr/build.h"
#include "expr/value/eval.h"
#include "lang/lower/lower.h"
#include "lang/parse/cure.h"

// ---- Conditions

static Value truth_value(Expr e) {
  Value v = value_scalar(e, form_pure(), NAN);
  v.is_truth = true;
  return v;
}

// Compared values are scalars and alike.
Value lower_comparison(Lowering *l, const Ast *ast) {
  Context *cx = l->cx;
  Value a = lower_value(l, ast->args[0]), b = lower_value(l, ast->args[1]);
  if (!need_scalar(l, ast->args[0], a) || !need_scalar(l, ast->args[1], b)) return value_none();
  equate_values(l, ast->args[0], a.form[0], ast->args[1], b.form[0],
                "these two cannot be compared");
  Expr x = a.at[0], y = b.at[0];
  switch (ast->relation) {
  case TOKEN_LT: return truth_value(expr_function2(cx, OP_LT, x, y));
  case TOKEN_LE: return truth_value(expr_function2(cx, OP_LE, x, y));
  case TOKEN_GT: return truth_value(expr_function2(cx, OP_LT, y, x));
  case TOKEN_GE: return truth_value(expr_function2(cx, OP_LE, y, x));
  case TOKEN_EQ: return truth_value(expr_function2(cx, OP_EQ, x, y));
  default: return truth_value(expr_function1(cx, OP_NOT, expr_function2(cx, OP_EQ, x, y)));
  }
}

Value lower_condition(Lowering *l, const Ast *ast) {
  Value v = lower_value(l, ast);
  if (!has_value(v) || v.is_truth) return v;
  if (lower_error(l, QDOT_BAD_VALUE, ast->span, "expected a condition, found a %s",
                  v.n == 1 ? "number" : "vector"))
    diag_label(l->cx, "compare with < <= > >= == !=");
  return value_none();
}

// 'and' and 'or': what is decided early keeps the rest from being built.
Value lower_chain(Lowering *l, const Ast *ast) {
  Op op = ast->kind == AST_AND ? OP_AND : OP_OR;
  Expr decisive = expr_int(l->cx, op == OP_OR);
  Value all = truth_value(expr_int(l->cx, op == OP_AND));
  for (uint32_t i = 0; i < ast->n; i++) {
    Value v = lower_condition(l, ast->args[i]);
    if (!has_value(v) || !has_value(all))
      all = value_none();
    else
      all = truth_value(expr_function2(l->cx, op, all.at[0], v.at[0]));
    if (has_value(all) && all.at[0] == decisive) break;
  }
  return all;
}

Value lower_not(Lowering *l, const Ast *ast) {
  Value v = lower_condition(l, ast->args[0]);
  return has_value(v) ? truth_value(expr_function1(l->cx, OP_NOT, v.at[0])) : v;
}

// A decided condition keeps only its branch, before the other is built.
static Value lower_if(Lowering *l, const Ast *ast) {
  Value condition = lower_condition(l, ast->args[0]);
  if (!has_value(condition)) return condition;
  if (expr_is_number(l->cx, condition.at[0]))
    return lower_value(l, ast->args[expr_is_zero(l->cx, condition.at[0]) ? 2 : 1]);
  l->in_if++;
  Value a = lower_value(l, ast->args[1]), b = lower_value(l, ast->args[2]);
  l->in_if--;
  if (!has_value(a) || !has_value(b)) return value_none();
  if (a.n != b.n) {
    lower_error(l, QDOT_BAD_VALUE, ast->span, "the two branches have different shapes: %s and %s",
                a.n == 1 ? "a number" : "a vector", b.n == 1 ? "a number" : "a vector");
    return value_none();
  }
  Value v = a;
  v.number = NAN, v.is_truth = false;
  for (uint32_t i = 0; i < a.n; i++) {
    if (!equate_values(l, ast->args[1], a.form[i], ast->args[2], b.form[i],
                       "the two branches have different dimensions"))
      v.form[i] = form_wrong();
    else if (a.form[i].kind == FORM_BARE)
      v.form[i] = b.form[i];
    v.at[i] = expr_if(l->cx, condition.at[0], a.at[i], b.at[i]);
  }
  return v;
}

// ---- Scalar functions

static Form form_of_call(Lowering *l, const Ast *ast, const Value *args) {
  const Function *f = ast->function;
  Form form = args[0].form[0];
  switch (f->kind) {
  case FUNCTION_PURE: {
    const char *what = text_format(l->arena, "the argument of %s", f->name);
    bool bare = form.kind == FORM_BARE;
    return need_pure(l, ast->args[0], form, what) ? (bare ? form_bare() : form_pure())
                                                  : form_wrong();
  }
  case FUNCTION_SQRT: return form_pow(&l->inference, form, (Ratio){1, 2});
  default: break;
  }
  for (uint32_t i = 1; i < ast->n; i++) {
    if (!equate_values(l, ast->args[0], args[0].form[0], ast->args[i], args[i].form[0],
                       "the arguments have different dimensions"))
      return form_wrong();
    if (form.kind == FORM_BARE) form = args[i].form[0];
  }
  if (f->kind == FUNCTION_RATIO && form.kind != FORM_BARE) return form_pure();
  return form;
}

// A function of given numbers must have a real value.
static bool has_real_value(Lowering *l, const Ast *ast, double argument, double value) {
  if (isnan(argument) || !isnan(value) || l->in_if) return true;
  if (lower_error(l, QDOT_UNDEFINED, ast->span, "%s has no real value here", ast->function->name))
    diag_label(l->cx, "its argument is %g", argument);
  return false;
}

static Value lower_scalar_function(Lowering *l, const Ast *ast) {
  const Function *f = ast->function;
  Context *cx = l->cx;
  Mark mark = arena_mark(&cx->scratch);
  Value *args = arena_array(&cx->scratch, Value, ast->n);
  bool complete = true;
  for (uint32_t i = 0; i < ast->n; i++) {
    args[i] = lower_value(l, ast->args[i]);
    complete = need_scalar(l, ast->args[i], args[i]) && complete;
  }
  Value v = value_none();
  if (f->op >= OP_SIN && f->op <= OP_TAN) warn_degrees(l, ast->args[0]);
  if (complete) {
    v = value_scalar(args[0].at[0], form_of_call(l, ast, args), args[0].number);
    if (f->kind == FUNCTION_SQRT) {
      v.at[0] = expr_sqrt(cx, v.at[0]), v.number = sqrt(v.number);
    } else if (op_arity(f->op) == 1) {
      v.at[0] = expr_function1(cx, f->op, v.at[0]);
      v.number = op_value(f->op, &v.number);
    }
    for (uint32_t i = 1; i < ast->n; i++) { // atan2 of two, min and max of many
      v.at[0] = expr_function2(cx, f->op, v.at[0], args[i].at[0]);
      v.number = op_value(f->op, (double[]){v.number, args[i].number});
    }
    if (ast->n == 1 && !has_real_value(l, ast, args[0].number, v.number)) v = value_none();
  }
  arena_release(&cx->scratch, mark);
  return v;
}

// ---- Functions of vectors

static bool need_vector(Lowering *l, const Ast *ast, Value v) {
  if (v.n != 1) return v.n > 1;
  lower_error(l, QDOT_BAD_VALUE, ast->span, "expected a vector, found a number");
  return false;
}

static Value component(const Value *v, uint32_t i) {
  return value_scalar(v->at[i], v->form[i], NAN);
}

static Value add_checked(Lowering *l, const Ast *ast, Value a, Value b) {
  if (!form_equate(&l->inference, a.form[0], b.form[0])) {
    if (lower_error(l, QDOT_BAD_UNIT, ast->span, "the components have different dimensions"))
      diag_label(l->cx, "%s and %s", form_text(l, a.form[0]), form_text(l, b.form[0]));
    a.form[0] = form_wrong();
  }
  return value_add(l, a, b);
}

static Value minus(Lowering *l, Value v) {
  v.at[0] = expr_neg(l->cx, v.at[0]);
  return v;
}

static Value product_of(Lowering *l, const Value *a, uint32_t i, const Value *b, uint32_t j) {
  return value_mul(l, component(a, i), component(b, j));
}

static Value dot_product(Lowering *l, const Ast *ast, const Value *a, const Value *b) {
  Value sum = product_of(l, a, 0, b, 0);
  for (uint32_t i = 1; i < a->n; i++) sum = add_checked(l, ast, sum, product_of(l, a, i, b, i));
  return sum;
}

// a_i b_j - a_j b_i
static Value minor_of(Lowering *l, const Ast *ast, const Value *a, const Value *b, uint32_t i,
                      uint32_t j) {
  Value forward = product_of(l, a, i, b, j);
  return add_checked(l, ast, forward, minus(l, product_of(l, a, j, b, i)));
}

static Value from_components(Value x, Value y, Value z) {
  return (Value){.n = 3,
                 .at = {x.at[0], y.at[0], z.at[0]},
                 .form = {x.form[0], y.form[0], z.form[0]},
                 .number = NAN};
}

// In the plane the cross product is a number.
static Value cross_product(Lowering *l, const Ast *ast, const Value *a, const Value *b) {
  if (a->n == 2) return minor_of(l, ast, a, b, 0, 1);
  Value x = minor_of(l, ast, a, b, 1, 2);
  Value y = minor_of(l, ast, a, b, 2, 0);
  Value z = minor_of(l, ast, a, b, 0, 1);
  return from_components(x, y, z);
}

static Value norm_of(Lowering *l, const Ast *ast, const Value *a) {
  Value square = dot_product(l, ast, a, a);
  return value_scalar(expr_sqrt(l->cx, square.at[0]),
                      form_pow(&l->inference, square.form[0], (Ratio){1, 2}), NAN);
}

// Turns v by the angle about an axis: the two other components mix.
static Value rotated(Lowering *l, const Ast *ast, Value angle, Value v) {
  const Function *f = ast->function;
  bool plane = f->axis == 3;
  if (plane ? v.n != 2 : v.n != 3) {
    if (lower_error(l, QDOT_BAD_VALUE, ast->args[1]->span, "%s turns a vector of %s", f->name,
                    plane ? "two" : "three"))
      diag_label(l->cx, "this has %u components", v.n);
    return value_none();
  }
  need_pure(l, ast->args[0], angle.form[0], "an angle");
  warn_degrees(l, ast->args[0]);
  uint32_t i = plane ? 0 : (uint32_t)(f->axis + 1) % 3, j = plane ? 1 : (uint32_t)(f->axis + 2) % 3;
  Value c = value_scalar(expr_cos(l->cx, angle.at[0]), form_pure(), NAN);
  Value s = value_scalar(expr_sin(l->cx, angle.at[0]), form_pure(), NAN);
  Value vi = component(&v, i), vj = component(&v, j);
  Value kept = value_mul(l, c, vi), brought = value_mul(l, s, vj);
  Value new_i = add_checked(l, ast, kept, minus(l, brought));
  brought = value_mul(l, s, vi), kept = value_mul(l, c, vj);
  Value new_j = add_checked(l, ast, brought, kept);
  v.at[i] = new_i.at[0], v.form[i] = new_i.form[0];
  v.at[j] = new_j.at[0], v.form[j] = new_j.form[0];
  return v;
}

static Value lower_vector_function(Lowering *l, const Ast *ast) {
  Value a = lower_value(l, ast->args[0]);
  Value b = ast->n > 1 ? lower_value(l, ast->args[1]) : value_none();
  if (ast->function->kind == FUNCTION_ROTATE) {
    bool good = need_scalar(l, ast->args[0], a);
    return need_vector(l, ast->args[1], b) && good ? rotated(l, ast, a, b) : value_none();
  }
  if (!need_vector(l, ast->args[0], a)) return value_none();
  if (ast->function->kind == FUNCTION_NORM) return norm_of(l, ast, &a);
  if (!need_vector(l, ast->args[1], b)) return value_none();
  if (a.n != b.n) {
    lower_error(l, QDOT_BAD_VALUE, ast->span, "one vector has %u components, the other %u", a.n,
                b.n);
    return value_none();
  }
  return ast->function->kind == FUNCTION_DOT ? dot_product(l, ast, &a, &b)
                                             : cross_product(l, ast, &a, &b);
}

// What other programs call a time derivative.
static bool is_derivative_elsewhere(const char *name) {
  static const char *const names[] = {"ddot", "ddt", "der", "deriv", "derivative", "diff", "D"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(names[i], name) == 0) return true;
  return false;
}

static Value unknown_function(Lowering *l, const Ast *ast) {
  const char *name = symbol_text(l->cx, ast->name);
  Span span = ast->span;
  span.end = span.begin + (uint32_t)ast->count;
  if (!lower_error(l, QDOT_UNKNOWN_NAME, span, "unknown function '%s'", name)) return value_none();
  if (model_find(l->model, ast->name))
    diag_label(l->cx, "is a '*' missing after it?");
  else if (is_derivative_elsewhere(name))
    diag_label(l->cx, "a time derivative is written with a prime: x', x''");
  else if (cure_for_function(name))
    diag_label(l->cx, "write %s", cure_for_function(name));
  else
    diag_suggest(l->cx, function_nearest(name));
  return value_none();
}

Value lower_call(Lowering *l, const Ast *ast) {
  if (!ast->function) return unknown_function(l, ast);
  switch (ast->function->kind) {
  case FUNCTION_IF: return lower_if(l, ast);
  case FUNCTION_TABLE: return lower_table(l, ast);
  case FUNCTION_REDUCE: return lower_reduction(l, ast);
  case FUNCTION_DOT:
  case FUNCTION_CROSS:
  case FUNCTION_NORM:
  case FUNCTION_ROTATE: return lower_vector_function(l, ast);
  default:
    return ast->n == 1 && (ast->function->op == OP_MIN || ast->function->op == OP_MAX)
               ? lower_reduction(l, ast)
               : lower_scalar_function(l, ast);
  }
}

// ---- Summation

static bool index_is_free(Lowering *l, const Ast *ast) {
  const NameEntry *entry = model_find(l->model, ast->name);
  bool taken = entry != NULL;
  for (uint32_t i = 0; i < l->loops.n; i++) taken = taken || l->loops.at[i].name == ast->name;
  if (taken &&
      lower_error(l, QDOT_DUPLICATE_NAME, ast->span, "the index '%s' of this sum is already a name",
                  symbol_text(l->cx, ast->name)) &&
      entry)
    show_taken(l, entry);
  return !taken;
}

Value lower_summation(Lowering *l, const Ast *ast) {
  int64_t from, to;
  bool good = lower_integer(l, ast->args[0], "the start of a range", &from);
  good = lower_integer(l, ast->args[1], "the end of a range", &to) && good;
  if (!index_is_free(l, ast) || !good) return value_none();
  if (to < from) return value_scalar(expr_int(l->cx, 0), form_bare(), 0);
  if (!lower_range_fits(l, ast->span, from, to)) return value_none();
  Value sum = {.number = 0};
  VEC(Expr) terms[3] = {{0}};
  vec_push(l->arena, &l->loops, ((LoopIndex){ast->name, from}));
  for (int64_t i = from; i <= to && good; i++) {
    l->loops.at[l->loops.n - 1].value = i;
    Value v = lower_step(l, ast->span) ? lower_value(l, ast->args[2]) : value_none();
    good = has_value(v) && (i == from || v.n == sum.n);
    if (!good) break;
    for (uint32_t k = 0; k < v.n; k++) {
      if (i > from && !equate_values(l, ast->args[2], sum.form[k], ast->args[2], v.form[k],
                                     "the terms of this sum have different dimensions"))
        sum.form[k] = form_wrong();
      else if (i == from || sum.form[k].kind == FORM_BARE)
        sum.form[k] = v.form[k];
      vec_push(l->arena, &terms[k], v.at[k]);
    }
    sum.n = v.n, sum.number += v.number;
  }
  l->loops.n--;
  for (uint32_t k = 0; good && k < sum.n; k++) sum.at[k] = expr_sum(l->cx, terms[k].at, terms[k].n);
  return good ? sum : value_none();
}
