// Expressions: numbers, sums, products, powers, primes and vectors.
#include <assert.h>
#include <math.h>

#include "expr/build.h"
#include "expr/define.h"
#include "expr/diff.h"
#include "expr/value/eval.h"
#include "lang/lower/lower.h"
#include "lang/lower/lower_number.h"

// ---- Values

Value value_none(void) { return (Value){.number = NAN}; }

Value value_scalar(Expr e, Form form, double number) {
  return (Value){.n = 1, .at = {e}, .form = {form}, .number = number};
}

bool need_scalar(Lowering *l, const Ast *ast, Value v) {
  if (v.n <= 1) return v.n == 1;
  lower_error(l, QDOT_BAD_VALUE, ast->span, "expected a number, found a vector");
  return false;
}

// A product with the bare number 0 fits every dimension, as 0 does.
static bool is_bare_zero(const Lowering *l, const Value *v, uint32_t i) {
  return v->form[i].kind == FORM_BARE && expr_is_zero(l->cx, v->at[i]);
}

Value value_mul(Lowering *l, Value a, Value b) {
  if (!has_value(a) || !has_value(b)) return value_none();
  if (a.n > 1) return value_mul(l, b, a);
  Value v = {.n = b.n, .number = a.number * b.number};
  for (uint32_t i = 0; i < b.n; i++) {
    v.at[i] = expr_mul(l->cx, a.at[0], b.at[i]);
    bool zero = is_bare_zero(l, &a, 0) || is_bare_zero(l, &b, i);
    v.form[i] = zero ? form_bare() : form_mul(&l->inference, a.form[0], b.form[i]);
  }
  return v;
}

Value value_add(Lowering *l, Value a, Value b) {
  assert(a.n == b.n);
  Value v = a;
  v.number = a.number + b.number;
  for (uint32_t i = 0; i < a.n; i++) {
    v.at[i] = expr_add(l->cx, a.at[i], b.at[i]);
    if (a.form[i].kind == FORM_BARE) v.form[i] = b.form[i];
  }
  return v;
}

static Value negative(Lowering *l, Value v) {
  for (uint32_t i = 0; i < v.n; i++) v.at[i] = expr_neg(l->cx, v.at[i]);
  v.number = -v.number;
  v.is_truth = false;
  return v;
}

// ---- Numbers

static Value lower_number(Lowering *l, const Ast *ast) {
  Context *cx = l->cx;
  Expr e = expr_number(cx, ast->number);
  if (!ast->unit) return value_scalar(e, form_bare(), number_to_double(cx, ast->number));
  e = expr_mul(cx, e, ast->unit->factor);
  warn_revolutions(l, ast);
  bool apart = l->rules && (l->rules->forbidden & PLACE_APART);
  double number = expr_eval(cx, e, NULL);
  if (!apart && !dimension_is_pure(ast->unit->dimension)) {
    Expr quantity = name_quantity(l, ast, e);
    if (quantity == e && !expr_is_zero(cx, e)) l->model->hides_units = true;
    e = quantity;
  }
  return value_scalar(e, form_known(ast->unit->dimension), number);
}

// ---- Sums

// Terms of a sum must be alike and of the same length; those of a whole energy are compared with
// what an energy is, once all are known.
static bool can_add(Lowering *l, const Ast *a, const Value *va, const Ast *b, const Value *vb,
                    bool is_energy) {
  if (va->n != vb->n) {
    const char *const texts[] = {"", "number", "vector of 2", "vector of 3"};
    if (lower_error(l, QDOT_BAD_VALUE, a->span, "these two terms cannot be added")) {
      diag_label(l->cx, "%s", texts[va->n]);
      diag_second(l->cx, b->span, texts[vb->n]);
    }
    return false;
  }
  bool good = true;
  for (uint32_t i = 0; i < va->n && good && !is_energy; i++)
    good = equate_values(l, a, va->form[i], b, vb->form[i], "these two terms cannot be added");
  return good;
}

// The forms of a sum: those of its first term with a fixed dimension, per component.
typedef struct Reference {
  const Ast *ast;
  Value value;
} Reference;

static Value lower_sum(Lowering *l, const Ast *ast) {
  Context *cx = l->cx;
  Mark mark = arena_mark(&cx->scratch);
  Expr *terms = arena_array(&cx->scratch, Expr, (size_t)ast->n * 3);
  bool is_energy = ast == l->whole, has_one = false;
  Form *forms = arena_array(&cx->scratch, Form, ast->n);
  Reference first = {0};
  Value sum = {.number = 0};
  bool complete = true, alike = true;
  for (uint32_t i = 0; i < ast->n; i++) {
    Value v = lower_value(l, ast->args[i]);
    if (!has_value(v)) complete = false;
    if (!has_value(v) || !complete) continue;
    if (i > 0) {
      complete = v.n == sum.n;
      bool good = can_add(l, first.ast, &first.value, ast->args[i], &v, is_energy);
      alike = alike && good;
      if (!complete) continue;
    }
    has_one |= v.form[0].kind == FORM_BARE && fabs(v.number) == 1;
    // A bare number does not say what the others must be.
    bool bare = i > 0 && first.value.form[0].kind == FORM_BARE;
    if (i == 0 || bare) first = (Reference){ast->args[i], v};
    forms[i] = v.form[0];
    sum.n = v.n;
    sum.number += ast->flags[i] ? -v.number : v.number;
    for (uint32_t k = 0; k < v.n; k++) {
      terms[k * ast->n + i] = ast->flags[i] ? expr_neg(cx, v.at[k]) : v.at[k];
      if (i == 0 || sum.form[k].kind == FORM_BARE) sum.form[k] = v.form[k];
    }
  }
  for (uint32_t i = 0; has_one && complete && i < ast->n; i++)
    inference_beside_one(&l->inference, forms[i]);
  if (is_energy && complete && sum.n == 1) alike = are_energies(l, ast, forms);
  for (uint32_t k = 0; complete && k < sum.n; k++) {
    sum.at[k] = expr_sum(cx, terms + k * ast->n, ast->n);
    if (!alike) sum.form[k] = form_wrong();
  }
  arena_release(&cx->scratch, mark);
  return complete ? sum : value_none();
}

// ---- Products

static bool can_divide(Lowering *l, const Ast *ast, Value v) {
  if (!need_scalar(l, ast, v)) return false;
  bool zero = expr_is_zero(l->cx, v.at[0]);
  if (!zero && (v.number != 0 || l->in_if)) return true;
  if (lower_error(l, QDOT_UNDEFINED, ast->span, "division by zero") && !zero)
    diag_label(l->cx, "this is 0 with the given parameters");
  return false;
}

// '/12 [kg]' behind other factors is hardly meant as a division by 12 kg.
static void warn_unit_of_divisor(Lowering *l, const Ast *ast, uint32_t i) {
  const Ast *divisor = ast->args[i];
  if (divisor->kind != AST_NUMBER || !divisor->unit || divisor->in_brackets) return;
  if (lower_warning(l, divisor->span, "the unit belongs to this number only, and divides"))
    diag_label(l->cx, "if that is meant, put it in brackets");
}

// m of m, of m^2.
static Symbol parameter_in(const Context *cx, Expr e) {
  const Node *node = node_of(cx, e);
  if (node->op == OP_PRODUCT && node->count == 1) e = pairs_of(node)[0].expr;
  bool is_one = op_of(cx, e) == OP_SYMBOL && symbol_kind(cx, e) == SYMBOL_PARAMETER;
  return is_one ? symbol_name(cx, e) : 0;
}

// How the author orders factors is how they are printed.
static void note_factors(Lowering *l, const Expr *factors, uint32_t n) {
  uint32_t before = l->products.n;
  for (uint32_t i = 0; i < n; i++) {
    Symbol name = parameter_in(l->cx, factors[i]);
    if (name) vec_push(l->arena, &l->products, name);
  }
  if (l->products.n - before < 2)
    l->products.n = before;
  else
    vec_push(l->arena, &l->products, 0);
}

static Value lower_product(Lowering *l, const Ast *ast) {
  Context *cx = l->cx;
  Mark mark = arena_mark(&cx->scratch);
  Expr *factors = arena_array(&cx->scratch, Expr, ast->n);
  uint32_t n = 0;
  Value vector = {0}; // the one factor that may be a vector
  Form form = form_bare();
  double number = 1;
  bool complete = true, zero = false;
  for (uint32_t i = 0; i < ast->n; i++) {
    Value v = lower_value(l, ast->args[i]);
    bool divides = ast->flags[i];
    if (!has_value(v) || (divides && !can_divide(l, ast->args[i], v))) {
      complete = false;
      continue;
    }
    if (divides) warn_unit_of_divisor(l, ast, i);
    if (v.n > 1) {
      if (vector.n) {
        if (lower_error(l, QDOT_BAD_VALUE, ast->args[i]->span, "a vector times a vector"))
          diag_label(l->cx, "write dot(a, b) or cross(a, b)");
        complete = false;
      }
      vector = v;
      continue;
    }
    factors[n++] = divides ? expr_div(cx, expr_int(cx, 1), v.at[0]) : v.at[0];
    form = divides ? form_div(&l->inference, form, v.form[0])
                   : form_mul(&l->inference, form, v.form[0]);
    number = divides ? number / v.number : number * v.number;
    zero = zero || (!divides && is_bare_zero(l, &v, 0));
  }
  if (zero) form = form_bare();
  Value product = value_none();
  if (l->text) note_factors(l, factors, n);
  if (complete) product = value_scalar(expr_product(cx, factors, n), form, number);
  arena_release(&cx->scratch, mark);
  return complete && vector.n ? value_mul(l, product, vector) : product;
}

// ---- Powers

static bool exponent_ratio(Lowering *l, Value v, Ratio *out) {
  int64_t over, under;
  Number exact = expr_number_value(l->cx, v.at[0]);
  if (exact != NUMBER_NONE && number_to_ratio(l->cx, exact, &over, &under)) {
    *out = ratio_from(over, under);
    return out->under != 0;
  }
  return ratio_from_double(v.number, out);
}

static Value lower_power(Lowering *l, const Ast *ast) {
  Value base = lower_value(l, ast->args[0]), exponent = lower_value(l, ast->args[1]);
  if (has_value(base) && base.n > 1) {
    if (lower_error(l, QDOT_BAD_VALUE, ast->args[0]->span, "a vector has no power"))
      diag_label(l->cx, "write dot(a, a) or norm(a)");
    return value_none();
  }
  if (!has_value(base) || !has_value(exponent) || !need_scalar(l, ast->args[1], exponent))
    return value_none();
  need_pure(l, ast->args[1], exponent.form[0], "an exponent");
  Form form = base.form[0];
  Ratio ratio;
  if (exponent_ratio(l, exponent, &ratio))
    form = form_pow(&l->inference, form, ratio);
  else if (!need_pure(l, ast->args[0], form, "with an exponent that is not a number, the base"))
    form = form_wrong();
  bool root_of_zero = exponent.number < 0 && !can_divide(l, ast->args[0], base);
  if (root_of_zero) return value_none();
  return value_scalar(expr_pow(l->cx, base.at[0], exponent.at[0]), form,
                      pow(base.number, exponent.number));
}

// ---- Primes, components, vectors

static const char *without_rate(const Context *cx, Expr e) {
  if (expr_has_kind(cx, e, KIND_BIT(SYMBOL_INPUT))) return "an input has no known derivative";
  if (expr_has_kind(cx, e, KIND_BIT(SYMBOL_MULTIPLIER)))
    return "a constraint force has no known derivative";
  if (expr_has_kind(cx, e, KIND_BIT(SYMBOL_STATE_RATE)))
    return "the rate of a state has no derivative of its own";
  if (expr_has_kind(cx, e, KIND_BIT(SYMBOL_ACCELERATION))) return "a third derivative is not known";
  return "the derivative of this has no value";
}

static Value lower_prime(Lowering *l, const Ast *ast) {
  // A velocity may be allowed where what it is made of is not, and the other way round.
  const Rules *rules = l->rules;
  bool outer = l->rates_of_momenta;
  l->rates_of_momenta = outer || momenta_may_stand(l);
  l->rules = NULL;
  Value v = lower_value(l, ast->args[0]);
  l->rules = rules, l->rates_of_momenta = outer;
  if (!has_value(v)) return v;
  Form per_second = form_known(dimension_base(0, 0, -1));
  for (uint32_t i = 0; i < v.n; i++) {
    bool bare = v.form[i].kind == FORM_BARE;
    for (uint32_t k = 0; k < ast->count && k < 4; k++) {
      Expr rate = expr_time_derivative(l->cx, v.at[i]);
      bool known = !expr_has_kind(l->cx, v.at[i], KIND_BIT(SYMBOL_INPUT));
      if (!known || !expr_is_defined(l->cx, rate)) {
        if (lower_error(l, QDOT_BAD_VALUE, ast->span, "%s", without_rate(l->cx, v.at[i])) && !known)
          diag_note(l->cx, "write it as a function of t, 'let u = ...', or add a coordinate that "
                           "follows the input");
        return value_none();
      }
      v.at[i] = rate;
      if (!bare) v.form[i] = form_mul(&l->inference, v.form[i], per_second);
    }
    if (!is_allowed(l, ast->span, v.at[i], NULL)) return value_none();
  }
  v.number = expr_is_zero(l->cx, v.at[0]) ? 0 : NAN;
  v.is_truth = false;
  return v;
}

static Value lower_vector(Lowering *l, const Ast *ast) {
  Value vector = {.n = ast->n, .number = NAN};
  bool complete = true;
  for (uint32_t i = 0; i < ast->n; i++) {
    Value v = lower_value(l, ast->args[i]);
    if (!has_value(v) || !need_scalar(l, ast->args[i], v)) {
      complete = false;
      continue;
    }
    vector.at[i] = v.at[0], vector.form[i] = v.form[0];
  }
  return complete ? vector : value_none();
}

// ---- All of them

static Value lower_plain(Lowering *l, const Ast *ast) {
  switch (ast->kind) {
  case AST_NUMBER: return lower_number(l, ast);
  case AST_NAME: return lower_name(l, ast);
  case AST_CALL: return lower_call(l, ast);
  case AST_SUM: return lower_sum(l, ast);
  case AST_PRODUCT: return lower_product(l, ast);
  case AST_POWER: return lower_power(l, ast);
  case AST_NEGATE: return negative(l, lower_value(l, ast->args[0]));
  case AST_PRIME: return lower_prime(l, ast);
  case AST_COMPONENT: return lower_component(l, ast);
  case AST_VECTOR: return lower_vector(l, ast);
  case AST_COMPARE: return lower_comparison(l, ast);
  case AST_AND:
  case AST_OR: return lower_chain(l, ast);
  case AST_NOT: return lower_not(l, ast);
  case AST_SUMMATION: return lower_summation(l, ast);
  case AST_FILE: // these two stand where nobody asks for a value
  case AST_COLUMN:
  case AST_BROKEN: break;
  }
  return value_none();
}

static void report_undefined(Lowering *l, const Ast *ast, bool is_number) {
  Span span = ast->span;
  if (ast->kind == AST_CALL)
    lower_error(l, QDOT_UNDEFINED, span, "%s has no value here", ast->function->name);
  else if (!is_number)
    lower_error(l, QDOT_UNDEFINED, span, "a negative number has integer powers only");
  else
    lower_error(l, QDOT_UNDEFINED, span, "this number is too large");
}

Value lower_value(Lowering *l, const Ast *ast) {
  Value v = lower_plain(l, ast);
  if (!has_value(v)) is_explained(l, ast->span);
  for (uint32_t i = 0; i < v.n; i++) {
    if (expr_is_defined(l->cx, v.at[i])) continue;
    report_undefined(l, ast, v.n == 1 && !isnan(v.number));
    return value_none();
  }
  return v;
}

Value lower_ruled(Lowering *l, const Ast *ast, const Rules *rules) {
  const Rules *outer = l->rules;
  l->rules = rules;
  Value v = lower_value(l, ast);
  l->rules = outer;
  return v;
}

Value lower_scalar(Lowering *l, const Ast *ast, const Rules *rules) {
  Value v = lower_ruled(l, ast, rules);
  return need_scalar(l, ast, v) ? v : value_none();
}

bool lower_whole(Lowering *l, const Ast *ast, const char *what, int64_t *out) {
  Value v = lower_value(l, ast);
  if (!has_value(v)) return false;
  Number number = v.n == 1 ? expr_number_value(l->cx, v.at[0]) : NUMBER_NONE;
  if (number != NUMBER_NONE && number_to_int(l->cx, number, out)) return true;
  bool unit = l->in_index && ast->kind == AST_NAME && ast->n == 0 &&
              unit_is_known(l->cx, symbol_text(l->cx, ast->name));
  if (lower_error(l, QDOT_BAD_VALUE, ast->span, "%s is a whole number", what) && unit)
    diag_label(l->cx, "a unit can only follow a number");
  return false;
}

bool lower_integer(Lowering *l, const Ast *ast, const char *what, int64_t *out) {
  if (!lower_whole(l, ast, what, out)) return false;
  if (*out <= 1000000000 && *out >= -1000000000) return true;
  lower_error(l, QDOT_BAD_VALUE, ast->span, "%s is at most 10^9", what);
  return false;
}
