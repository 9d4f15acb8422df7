// The statements that say what a system is: parameters, coordinates, definitions, signals.
#include <math.h>
#include <string.h>

#include "base/words/phrase.h"
#include "expr/build.h"
#include "expr/define.h"
#include "expr/diff.h"
#include "lang/lower/lower.h"
#include "model/momentum.h"

#define EVERYTHING ((1u << SYMBOL_KINDS) - 1)
#define ONLY(kinds) (EVERYTHING & ~(kinds))

static const Rules parameter_rules = {ONLY(KIND_BIT(SYMBOL_PARAMETER)) | PLACE_APART,
                                      "the value of a parameter"};
static const Rules count_rules = {EVERYTHING, "a count"};
static const Rules initial_rules = {ONLY(KIND_BIT(SYMBOL_PARAMETER)) | PLACE_APART,
                                    "an initial value"};
static const Rules input_rules = {ONLY(KIND_BIT(SYMBOL_PARAMETER) | KIND_BIT(SYMBOL_TIME)) |
                                      PLACE_APART,
                                  "the value of an input"};
static const Rules free_rules = {PLACE_OF_MOMENTA, "a definition"};
static const Rules output_rules = {PLACE_OF_RESULTS, "an output"};

bool lower_title(Lowering *l, const Statement *s) {
  if (l->model->title_span.end) {
    if (lower_error(l, QDOT_DUPLICATE_NAME, s->word, "the model already has a title"))
      diag_second(l->cx, l->model->title_span, "it is given here");
    return false;
  }
  l->model->title = s->text;
  l->model->title_span = s->span;
  return true;
}

// ---- Values given from outside

static const char *unit_text_of(Lowering *l, Form form) {
  const char *text = form_text(l, form);
  return text;
}

bool override_value(Lowering *l, const Override *override, Form form, const Rules *rules,
                    Value *out) {
  const Item *item = &override->item;
  Value v = lower_scalar(l, item->value, rules);
  if (!has_value(v)) return false;
  if (!form_equate(&l->inference, form, v.form[0])) {
    if (lower_error(l, QDOT_BAD_UNIT, item->value->span, "'%s' is not of this dimension",
                    symbol_text(l->cx, override->name)))
      diag_label(l->cx, "%s instead of %s", unit_text_of(l, v.form[0]), unit_text_of(l, form));
    return false;
  }
  *out = v;
  out->form[0] = form;
  return true;
}

// ---- Parameters and counts

static bool no_primes(Lowering *l, const Item *item, const char *what) {
  if (item->primes == 0) return true;
  lower_error(l, QDOT_BAD_VALUE, item->span, "%s is defined without a prime", what);
  return false;
}

static bool lower_one_parameter(Lowering *l, const Item *item) {
  Context *cx = l->cx;
  Model *model = l->model;
  Symbol name = item_symbol(l, item);
  Value v = lower_scalar(l, item->value, &parameter_rules);
  const Override *override = override_find(l->overrides, name, 0);
  bool good = no_primes(l, item, "a parameter") && has_value(v);
  if (good) v.form[0] = form_of_name(l, v.form[0], name);
  if (good && override) good = override_value(l, override, v.form[0], &parameter_rules, &v);
  if (!good || !define_name(l, name, item, NAME_PARAMETER, model->parameters.n)) {
    break_name(l, item);
    return false;
  }
  Parameter parameter = {.name = name,
                         .symbol = expr_symbol(cx, SYMBOL_PARAMETER, name),
                         .value = v.at[0],
                         .measure = measure_of(l, v.form[0], item->value),
                         .description = item->text,
                         .span = item->span};
  vec_push(&cx->keep, &model->parameters, parameter);
  vec_push(l->arena, &l->parameter_numbers, v.number);
  return true;
}

// All items of a list, each by the function; false when one was refused.
static bool lower_each(Lowering *l, const Statement *s,
                       bool (*lower_one)(Lowering *l, const Item *item)) {
  bool good = true;
  for (uint32_t i = 0; i < s->items.n; i++) good = lower_one(l, &s->items.at[i]) && good;
  return good;
}

bool lower_param(Lowering *l, const Statement *s) { return lower_each(l, s, lower_one_parameter); }

static bool lower_one_count(Lowering *l, const Item *item) {
  Symbol name = item_symbol(l, item);
  const Override *override = override_find(l->overrides, name, 0);
  const Rules *outer = l->rules;
  l->rules = &count_rules;
  int64_t value;
  bool good = lower_integer(l, item->value, "a count", &value);
  if (override) good = lower_integer(l, override->item.value, "a count", &value) && good;
  l->rules = outer;
  good = no_primes(l, item, "a count") && good;
  if (!good || !define_name(l, name, item, NAME_COUNT, l->model->counts.n)) {
    break_name(l, item);
    return false;
  }
  vec_push(&l->cx->keep, &l->model->counts, ((Count){name, value, item->span}));
  return true;
}

bool lower_count(Lowering *l, const Statement *s) { return lower_each(l, s, lower_one_count); }

// ---- Coordinates

static Initial initial_of(const Item *item, Value v) {
  if (!item->value || !has_value(v)) return (Initial){.kind = INITIAL_NONE};
  return (Initial){.kind = item->relation == TOKEN_TILDE ? INITIAL_GUESS : INITIAL_GIVEN,
                   .value = v.at[0],
                   .span = item->value->span};
}

// A setting moves a start value but does not change whether it is a guess.
static void override_initial(Lowering *l, Symbol name, uint32_t primes, Form form,
                             Initial *initial) {
  const Override *override = override_find(l->overrides, name, primes);
  Value v;
  if (!override || !override_value(l, override, form, &initial_rules, &v)) return;
  initial->value = v.at[0];
  initial->span = override->item.value->span;
  if (initial->kind == INITIAL_NONE) initial->kind = INITIAL_GIVEN;
}

static bool lower_new_coordinate(Lowering *l, const Item *item) {
  Context *cx = l->cx;
  Model *model = l->model;
  Symbol name = item_symbol(l, item);
  Value v = item->value ? lower_scalar(l, item->value, &initial_rules) : value_none();
  bool good = !item->value || has_value(v);
  if (!good || !define_name(l, name, item, NAME_COORDINATE, model->coordinates.n)) {
    break_name(l, item);
    return false;
  }
  Form form = form_of_name(l, has_value(v) ? v.form[0] : form_bare(), name);
  Coordinate c = {.name = name,
                  .q = expr_symbol(cx, SYMBOL_COORDINATE, name),
                  .position = initial_of(item, v),
                  .measure = measure_of(l, form, item->value),
                  .description = item->text,
                  .span = item->span};
  c.qd = expr_time_derivative(cx, c.q);
  c.qdd = expr_time_derivative(cx, c.qd);
  override_initial(l, name, 0, form, &c.position);
  Form rate = form_mul(&l->inference, form, form_known(dimension_base(0, 0, -1)));
  override_initial(l, name, 1, rate, &c.velocity);
  vec_push(&cx->keep, &model->coordinates, c);
  return true;
}

static bool lower_initial_velocity(Lowering *l, const Item *item) {
  Symbol name = item_symbol(l, item);
  NameEntry *entry = need_name(l, name, item->base_span, NAME_COORDINATE);
  if (!entry) return false;
  if (item->primes > 1) {
    lower_error(l, QDOT_BAD_VALUE, item->span, "an acceleration has no initial value");
    return false;
  }
  if (!item->value) {
    lower_error(l, QDOT_SYNTAX, item->span, "expected '=' or '~' and an initial velocity");
    return false;
  }
  Coordinate *c = &l->model->coordinates.at[entry->number];
  Value v = lower_scalar(l, item->value, &initial_rules);
  if (!has_value(v)) return false;
  Form rate =
      form_mul(&l->inference, measure_form(c->measure), form_known(dimension_base(0, 0, -1)));
  if (!need_dimension(l, item->value, v.form[0], rate, "this velocity")) return false;
  if (c->velocity.kind != INITIAL_NONE && !override_find(l->overrides, name, 1)) {
    if (lower_error(l, QDOT_DUPLICATE_NAME, item->span,
                    "this velocity already has an initial value"))
      diag_second(l->cx, c->velocity.span, "it is given here");
    return false;
  }
  c->velocity = initial_of(item, v);
  override_initial(l, name, 1, rate, &c->velocity);
  return true;
}

// p = 1 [kg*m/s] behind the coordinate of this momentum.
static bool lower_initial_momentum(Lowering *l, const Item *item, Symbol name, Coordinate *c) {
  if (!item->value) {
    lower_error(l, QDOT_SYNTAX, item->span, "expected '=' or '~' and an initial momentum");
    return false;
  }
  Value v = lower_scalar(l, item->value, &initial_rules);
  if (!has_value(v)) return false;
  Form action = form_known(dimension_base(1, 2, -1));
  Form form = form_div(&l->inference, action, measure_form(c->measure));
  if (!need_dimension(l, item->value, v.form[0], form, "this momentum")) return false;
  if (c->momentum_start.kind != INITIAL_NONE) {
    if (lower_error(l, QDOT_DUPLICATE_NAME, item->span,
                    "this momentum already has an initial value"))
      diag_second(l->cx, c->momentum_start.span, "it is given here");
    return false;
  }
  c->momentum_start = initial_of(item, v);
  override_initial(l, name, 0, form, &c->momentum_start);
  return true;
}

static bool lower_one_coordinate(Lowering *l, const Item *item) {
  if (item->primes) return lower_initial_velocity(l, item);
  Symbol name = item_symbol(l, item);
  int of = name && !model_find(l->model, name) ? momentum_coordinate(l->model, name) : -1;
  if (of < 0) return lower_new_coordinate(l, item);
  return lower_initial_momentum(l, item, name, &l->model->coordinates.at[of]);
}

bool lower_coord(Lowering *l, const Statement *s) { return lower_each(l, s, lower_one_coordinate); }

// ---- States

static bool lower_one_state(Lowering *l, const Item *item) {
  Context *cx = l->cx;
  Symbol name = item_symbol(l, item);
  Value v = lower_scalar(l, item->value, &initial_rules);
  const Override *override = override_find(l->overrides, name, 0);
  bool good = no_primes(l, item, "a state") && has_value(v);
  if (good) v.form[0] = form_of_name(l, v.form[0], name);
  if (good && override) good = override_value(l, override, v.form[0], &initial_rules, &v);
  if (!good || !define_name(l, name, item, NAME_STATE, l->model->states.n)) {
    break_name(l, item);
    return false;
  }
  ModelState state = {.name = name,
                      .s = expr_symbol(cx, SYMBOL_STATE, name),
                      .value = v.at[0],
                      .measure = measure_of(l, v.form[0], item->value),
                      .description = item->text,
                      .span = item->span};
  state.sd = expr_time_derivative(cx, state.s);
  vec_push(&cx->keep, &l->model->states, state);
  return true;
}

bool lower_state(Lowering *l, const Statement *s) { return lower_each(l, s, lower_one_state); }

static bool lower_one_rate(Lowering *l, const Item *item) {
  static const Rules rules = {KIND_BIT(SYMBOL_ACCELERATION) | KIND_BIT(SYMBOL_POSE_ACCELERATION) |
                                  KIND_BIT(SYMBOL_MULTIPLIER) | KIND_BIT(SYMBOL_STATE_RATE) |
                                  PLACE_OF_MOMENTA,
                              "the rate of a state"};
  Symbol name = item_symbol(l, item);
  const NameEntry *entry = need_name(l, name, item->base_span, NAME_STATE);
  if (!entry || !no_primes(l, item, "a rate")) return false;
  ModelState *state = &l->model->states.at[entry->number];
  if (state->rate) {
    if (lower_error(l, QDOT_DUPLICATE_NAME, item->span, "state '%s' has a rate already",
                    symbol_text(l->cx, name)))
      diag_second(l->cx, state->rate_span, "it is given here");
    return false;
  }
  state->rate_span = item->span;
  state->rate = expr_int(l->cx, 0); // after a mistake, too, it has been said
  Value v = lower_scalar(l, item->value, &rules);
  if (!has_value(v)) return false;
  Form form =
      form_mul(&l->inference, measure_form(state->measure), form_known(dimension_base(0, 0, -1)));
  if (!need_dimension(l, item->value, v.form[0], form,
                      text_format(l->arena, "the rate of '%s'", symbol_text(l->cx, name))))
    return false;
  l->model->states.at[entry->number].rate = v.at[0];
  return true;
}

bool lower_rate(Lowering *l, const Statement *s) { return lower_each(l, s, lower_one_rate); }

// ---- Definitions

static void add_definition(Lowering *l, Symbol name, Expr body, Form form, double number,
                           Span span) {
  Context *cx = l->cx;
  // 0 fits every dimension; another bare number has one that its uses tell.
  if (!expr_is_zero(cx, body)) form = form_of_name(l, form, name);
  Definition definition = {.name = name,
                           .value = expr_define(cx, name, body),
                           .measure = measure_of(l, form, NULL),
                           .span = span};
  vec_push(&cx->keep, &l->model->definitions, definition);
  vec_push(l->arena, &l->definition_numbers, number);
}

static void add_vector(Lowering *l, Symbol name, Value v, Span span) {
  Context *cx = l->cx;
  Model *model = l->model;
  Vector vector = {.name = name, .n = v.n, .first = model->definitions.n, .span = span};
  for (uint32_t i = 0; i < v.n; i++) {
    Symbol component =
        symbol_from_text(cx, text_format(l->arena, "%s.%c", symbol_text(cx, name), "xyz"[i]));
    if (!model_find(model, component))
      model_add_name(model, component, NAME_DEFINITION, model->definitions.n, span);
    add_definition(l, component, v.at[i], v.form[i], NAN, span);
    vector.at[i] = model->definitions.at[vector.first + i].value;
  }
  vec_push(&cx->keep, &model->vectors, vector);
}

static bool lower_one_definition(Lowering *l, const Item *item) {
  Symbol name = item_symbol(l, item);
  Value v = lower_ruled(l, item->value, &free_rules);
  bool vector = v.n > 1;
  bool good = no_primes(l, item, "a name") && has_value(v);
  if (!good || !define_name(l, name, item, vector ? NAME_VECTOR : NAME_DEFINITION,
                            vector ? l->model->vectors.n : l->model->definitions.n)) {
    break_name(l, item);
    return false;
  }
  if (vector)
    add_vector(l, name, v, item->span);
  else
    add_definition(l, name, v.at[0], v.form[0], v.number, item->span);
  return true;
}

bool lower_let(Lowering *l, const Statement *s) { return lower_each(l, s, lower_one_definition); }

// A definition that the roads to the equations ask for by its role.
static bool lower_role(Lowering *l, const Item *item, DefinitionRole role, const char *what) {
  uint32_t place = l->model->definitions.n;
  if (!lower_one_definition(l, item)) return false;
  if (l->model->definitions.n == place + 1) {
    Definition *definition = &l->model->definitions.at[place];
    definition->role = role;
    model_find(l->model, definition->name)->is_used = true;
    return true;
  }
  lower_error(l, QDOT_BAD_VALUE, item->span, "%s is one number, not a vector", what);
  return false;
}

static bool lower_one_integral(Lowering *l, const Item *item) {
  return lower_role(l, item, DEFINITION_INTEGRAL, "a first integral");
}

bool lower_integral(Lowering *l, const Statement *s) {
  return lower_each(l, s, lower_one_integral);
}

static bool lower_one_speed(Lowering *l, const Item *item) {
  return lower_role(l, item, DEFINITION_SPEED, "a quasi-velocity");
}

bool lower_speed(Lowering *l, const Statement *s) { return lower_each(l, s, lower_one_speed); }

// ---- Inputs and outputs

static bool lower_one_input(Lowering *l, const Item *item) {
  Symbol name = item_symbol(l, item);
  Value v = lower_scalar(l, item->value, &input_rules);
  const Override *override = override_find(l->overrides, name, 0);
  bool good = no_primes(l, item, "an input") && has_value(v);
  if (good) v.form[0] = form_of_name(l, v.form[0], name);
  if (good && override) good = override_value(l, override, v.form[0], &input_rules, &v);
  if (!good || !define_name(l, name, item, NAME_INPUT, l->model->inputs.n)) {
    break_name(l, item);
    return false;
  }
  bool varies = expr_has_kind(l->cx, v.at[0], KIND_BIT(SYMBOL_TIME));
  Input input = {.name = name,
                 .symbol = expr_symbol(l->cx, SYMBOL_INPUT, name),
                 .value = varies ? expr_int(l->cx, 0) : v.at[0],
                 .course = varies ? v.at[0] : 0,
                 .measure = measure_of(l, v.form[0], item->value),
                 .description = item->text,
                 .span = item->span};
  if (varies && !override && !item->text)
    input.description = text_format(&l->cx->keep, "%s + %s", symbol_text(l->cx, name),
                                    source_text(l, item->value->span));
  vec_push(&l->cx->keep, &l->model->inputs, input);
  return true;
}

bool lower_input(Lowering *l, const Statement *s) { return lower_each(l, s, lower_one_input); }

static bool output_exists(const Model *model, Symbol name) {
  for (uint32_t i = 0; i < model->outputs.n; i++)
    if (model->outputs.at[i].name == name) return true;
  return false;
}

// An output may repeat a definition or an input under its own name, else its name must be new.
static bool define_output(Lowering *l, Symbol name, const Item *item, Expr value) {
  Model *model = l->model;
  const NameEntry *entry = name ? model_find(model, name) : NULL;
  bool same = entry && !output_exists(model, name) &&
              (entry->kind == NAME_INPUT || (entry->kind == NAME_DEFINITION &&
                                             model->definitions.at[entry->number].value == value));
  return same || define_name(l, name, item, NAME_OUTPUT, model->outputs.n);
}

static bool add_output(Lowering *l, Symbol name, const Item *item, Expr value, Form form) {
  if (!define_output(l, name, item, value)) return false;
  Output output = {.name = name,
                   .value = value,
                   .measure = measure_of(l, form, NULL),
                   .description = item->text,
                   .span = item->span};
  vec_push(&l->cx->keep, &l->model->outputs, output);
  return true;
}

// 'output x_A' records the definition x_A.
static Value output_value(Lowering *l, const Item *item, Symbol name) {
  if (item->value) return lower_ruled(l, item->value, &output_rules);
  const NameEntry *entry = name ? model_find(l->model, name) : NULL;
  if (entry && entry->kind != NAME_DEFINITION && entry->kind != NAME_VECTOR &&
      entry->kind != NAME_INPUT && entry->kind != NAME_BROKEN && entry->kind != NAME_POSE &&
      entry->kind != NAME_REACTION) {
    bool is_column = entry->kind == NAME_COORDINATE || entry->kind == NAME_STATE;
    if (lower_error(l, QDOT_BAD_VALUE, item->span, "expected '=' and an expression; '%s' is %s",
                    symbol_text(l->cx, name), phrase_one(l->arena, name_kind_text(entry->kind))) &&
        is_column)
      diag_label(l->cx, "it is a column of the results without being asked for");
    return value_none();
  }
  return lower_item_name(l, item, &output_rules);
}

// Has its own name become a column already, since it belongs to a part?
static bool is_member(const Model *model, Symbol name) {
  for (uint32_t i = 0; i < model->members.n; i++)
    if (model->members.at[i].name == name) return true;
  return false;
}

static bool lower_one_output(Lowering *l, const Item *item) {
  Symbol name = item_symbol(l, item);
  l->asks = !item->value;
  Value v = output_value(l, item, name);
  l->asks = false;
  if (!name || !no_primes(l, item, "an output") || !has_value(v)) {
    if (item->value) break_name(l, item);
    return false;
  }
  if (!item->value && is_member(l->model, name)) return true;
  if (v.n == 1) return add_output(l, name, item, v.at[0], v.form[0]);
  bool good = true;
  for (uint32_t k = 0; k < v.n; k++) {
    char *component = text_format(l->arena, "%s.%c", symbol_text(l->cx, name), "xyz"[k]);
    good = add_output(l, symbol_from_text(l->cx, component), item, v.at[k], v.form[k]) && good;
  }
  return good;
}

bool lower_output(Lowering *l, const Statement *s) { return lower_each(l, s, lower_one_output); }
