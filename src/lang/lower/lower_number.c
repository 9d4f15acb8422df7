// Numbers of a part of a mechanism as parameters of its own: rod.mass, s.stiffness, wrist.x_1.
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "expr/build.h"
#include "expr/number.h"
#include "expr/subst.h"
#include "expr/value/eval.h"
#include "lang/lower/lower_number.h"

static const Rules number_rules = {((1u << SYMBOL_KINDS) - 1) & ~KIND_BIT(SYMBOL_PARAMETER),
                                   "the value of a parameter"};

static bool is_constant(const Context *cx, Expr e) {
  return !expr_has_kind(cx, e, (1u << SYMBOL_KINDS) - 1);
}

static Symbol part_symbol(Lowering *l, Symbol owner, const char *word) {
  return symbol_from_text(l->cx, text_format(l->arena, "%s.%s", symbol_text(l->cx, owner), word));
}

static Expr add_parameter(Lowering *l, Symbol name, const Ast *ast, Value v) {
  Context *cx = l->cx;
  Parameter parameter = {.name = name,
                         .symbol = expr_symbol(cx, SYMBOL_PARAMETER, name),
                         .value = v.at[0],
                         .measure = measure_of(l, v.form[0], ast),
                         .span = ast->span,
                         .is_number = true};
  parameter.measure.is_given = true; // by the property
  model_add_name(l->model, name, NAME_PARAMETER, l->model->parameters.n, ast->span);
  model_find(l->model, name)->is_used = true;
  vec_push(&cx->keep, &l->model->parameters, parameter);
  vec_push(l->arena, &l->parameter_numbers, v.number);
  return parameter.symbol;
}

// ---- Quantities

static Expr find_quantity(const Lowering *l, const Ast *ast, Expr value) {
  const Model *m = l->model;
  for (uint32_t i = 0; i < m->parameters.n; i++) {
    const Parameter *p = &m->parameters.at[i];
    if (p->is_quantity && p->value == value &&
        dimension_is_equal(p->measure.dimension, ast->unit->dimension))
      return p->symbol;
  }
  return 0;
}

Expr name_quantity(Lowering *l, const Ast *ast, Expr value) {
  // where coordinates may stand, or time in what is measured; elsewhere the number itself has a
  // name
  uint32_t needed = KIND_BIT(SYMBOL_PARAMETER) | PLACE_APART,
           forbidden = l->rules ? l->rules->forbidden : 0;
  bool may_move =
      !(forbidden & KIND_BIT(SYMBOL_COORDINATE)) ||
      (!(forbidden & KIND_BIT(SYMBOL_TIME)) && !dimension_is_pure(ast->unit->dimension));
  if (!l->rules || (forbidden & needed) || !may_move || l->in_table || expr_is_zero(l->cx, value))
    return value;
  l->has_quantities = true;
  if (!l->keeps_units) return value;
  Expr same = find_quantity(l, ast, value);
  if (same) return same;
  Text text = text_new(l->arena);
  if (!number_print_decimal(l->cx, ast->number, &text)) number_print(l->cx, ast->number, &text);
  text_addf(&text, " [%s]", ast->unit->text);
  Form form = form_known(ast->unit->dimension);
  Symbol name = symbol_from_text(l->cx, text.at);
  Expr symbol = add_parameter(l, name, ast, value_scalar(value, form, NAN));
  Parameter *parameter = &l->model->parameters.at[l->model->parameters.n - 1];
  parameter->is_number = false, parameter->is_quantity = true;
  return symbol;
}

// The number that it is where it consists of quantities alone.
static Expr without_quantities(Lowering *l, Expr e) {
  if (!l->keeps_units || is_constant(l->cx, e)) return e;
  const Model *m = l->model;
  Substitution *list = arena_array(l->arena, Substitution, m->parameters.n + 1);
  uint32_t n = 0;
  for (uint32_t i = 0; i < m->parameters.n; i++)
    if (m->parameters.at[i].is_quantity)
      list[n++] = (Substitution){m->parameters.at[i].symbol, m->parameters.at[i].value};
  Expr number = expr_subst(l->cx, e, list, n);
  return is_constant(l->cx, number) ? number : e;
}

// ---- Families

// Does it say the same in every round of a loop?
static bool is_plain(const Ast *ast) {
  bool plain = ast->kind == AST_NUMBER || ast->kind == AST_NEGATE || ast->kind == AST_PRODUCT ||
               ast->kind == AST_SUM || ast->kind == AST_POWER;
  for (uint32_t i = 0; plain && i < ast->n; i++) plain = is_plain(ast->args[i]);
  return plain;
}

// Another name for a parameter.
static void add_alias(Lowering *l, Symbol name, Expr symbol, Span span) {
  if (op_of(l->cx, symbol) != OP_SYMBOL || model_find(l->model, name)) return;
  uint32_t number = model_find(l->model, symbol_name(l->cx, symbol))->number;
  model_add_name(l->model, name, NAME_PARAMETER, number, span);
  model_find(l->model, name)->is_used = true;
}

// link.mass for link[3].mass; 0 for an owner without an index.
static Symbol family_symbol(Lowering *l, Symbol owner, const char *word) {
  const char *text = symbol_text(l->cx, owner);
  size_t stem = strcspn(text, "[");
  if (!text[stem]) return 0;
  return symbol_from_text(l->cx, text_format(l->arena, "%.*s.%s", (int)stem, text, word));
}

static const NamedFamily *find_family(const Lowering *l, Symbol name) {
  for (uint32_t i = 0; i < l->families.n; i++)
    if (l->families.at[i].name == name) return &l->families.at[i];
  return NULL;
}

// The parameter of a part; of all its family where they are alike and none is set alone.
static Expr name_value(Lowering *l, Symbol owner, const char *word, const Ast *ast, Value v,
                       bool is_alike, double *number) {
  Expr written = v.at[0];
  Symbol own = part_symbol(l, owner, word);
  const Override *override = override_find(l->overrides, own, 0);
  if ((expr_is_zero(l->cx, written) && !override) || model_find(l->model, own)) return written;
  Symbol shared = is_alike && !override ? family_symbol(l, owner, word) : 0;
  const NamedFamily *family = shared ? find_family(l, shared) : NULL;
  if (family && family->value == written) {
    add_alias(l, own, family->symbol, ast->span);
    return family->symbol;
  }
  if (family || (shared && model_find(l->model, shared))) shared = 0;
  if (shared) override = override_find(l->overrides, shared, 0);
  if (override && !override_value(l, override, v.form[0], &number_rules, &v)) return written;
  if (number) *number = v.number;
  Expr symbol = add_parameter(l, shared ? shared : own, ast, v);
  if (shared) {
    add_alias(l, own, symbol, ast->span);
    vec_push(l->arena, &l->families, ((NamedFamily){shared, written, symbol}));
  }
  return symbol;
}

Expr name_number(Lowering *l, Symbol owner, const char *word, const Ast *ast, Form form, Expr value,
                 double *number) {
  if (!owner) return value;
  value = without_quantities(l, value);
  if (!is_constant(l->cx, value)) return value;
  Value v = value_scalar(value, form, expr_eval(l->cx, value, NULL));
  return name_value(l, owner, word, ast, v, is_plain(ast), number);
}

Expr name_computed(Lowering *l, Symbol owner, const char *word, Span span, Form form, Expr value) {
  Ast nowhere = {.span = span};
  return name_value(l, owner, word, &nowhere, value_scalar(value, form, NAN), true, NULL);
}

Expr name_start(Lowering *l, Symbol owner, const char *word, Span span, Form form, Expr value) {
  Symbol name = part_symbol(l, owner, word);
  const NameEntry *entry = model_find(l->model, name);
  if (entry) return expr_symbol(l->cx, SYMBOL_PARAMETER, name);
  if (!is_constant(l->cx, value)) return 0;
  Ast nowhere = {.span = span};
  Value v = value_scalar(value, form, expr_eval(l->cx, value, NULL));
  const Override *override = override_find(l->overrides, name, 0);
  if (override && !override_value(l, override, form, &number_rules, &v)) return 0;
  return add_parameter(l, name, &nowhere, v);
}

// ---- Places

static const NamedPlace *find_place(const Lowering *l, uint32_t body, const Expr at[2]) {
  for (uint32_t i = 0; i < l->places.n; i++) {
    const NamedPlace *place = &l->places.at[i];
    if (place->body == body && place->value[0] == at[0] && place->value[1] == at[1]) return place;
  }
  return NULL;
}

void name_place(Lowering *l, Symbol owner, int which, uint32_t body, const Ast *ast, Expr at[2]) {
  static const char *const words[2][2] = {{"x_1", "y_1"}, {"x_2", "y_2"}};
  if (!owner || !ast) return;
  Context *cx = l->cx;
  Symbol names[2];
  bool is_set = false, is_number = true;
  for (int i = 0; i < 2; i++) {
    names[i] = part_symbol(l, owner, words[which - 1][i]);
    is_set = is_set || override_find(l->overrides, names[i], 0);
    is_number = is_number && is_constant(cx, at[i]);
  }
  const NamedPlace *same = is_number && !is_set ? find_place(l, body, at) : NULL;
  NamedPlace place = {.body = body, .value = {at[0], at[1]}};
  for (int i = 0; i < 2; i++) {
    const Ast *component = ast->kind == AST_VECTOR ? ast->args[i] : ast;
    if (same) {
      at[i] = same->symbol[i];
      add_alias(l, names[i], at[i], component->span);
    } else {
      at[i] = name_number(l, owner, words[which - 1][i], component,
                          form_known(dimension_base(0, 1, 0)), at[i], NULL);
    }
    place.symbol[i] = at[i];
  }
  if (is_number && !same && !is_set) vec_push(l->arena, &l->places, place);
}
