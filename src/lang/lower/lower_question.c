// Questions to many runs.
#include <math.h>
#include <string.h>

#include "lang/lower/lower_number.h"

static const Rules width_rules = {~KIND_BIT(SYMBOL_PARAMETER) & ((1u << SYMBOL_KINDS) - 1),
                                  "a width"};

bool clause_is(const Lowering *l, const Clause *clause, const char *word) {
  return strcmp(symbol_text(l->cx, clause->word), word) == 0;
}

// ---- What is varied

// What of a body starts: the word of its member, where it stands in the pose, and the name that its
// number has as a parameter.
typedef struct BodyStart {
  const char *member;
  int place;
  bool is_rate;
  const char *word;
} BodyStart;

static const BodyStart body_starts[] = {{"theta", 2, false, "angle"}, {"angle", 2, false, "angle"},
                                        {"theta", 2, true, "spin"},   {"angle", 2, true, "spin"},
                                        {"omega", 2, true, "spin"},   {"spin", 2, true, "spin"},
                                        {"x", 0, false, "x_0"},       {"y", 1, false, "y_0"},
                                        {"x", 0, true, "v_x"},        {"y", 1, true, "v_y"}};

static const BodyStart *find_body_start(const char *member, bool is_rate) {
  bool says_rate = strcmp(member, "omega") == 0 || strcmp(member, "spin") == 0;
  for (size_t i = 0; i < sizeof body_starts / sizeof *body_starts; i++)
    if (strcmp(body_starts[i].member, member) == 0 &&
        body_starts[i].is_rate == (is_rate || says_rate))
      return &body_starts[i];
  return NULL;
}

// crank.theta(0), crank.omega(0), ram.x'(0): the number behind the body's own property, which
// thereby becomes a parameter.
static bool lower_body_start(Lowering *l, const Item *item, Varied *out, Measure *measure) {
  Symbol owner = item->member ? item_owner(l, item) : 0;
  const NameEntry *entry = owner ? model_find(l->model, owner) : NULL;
  const BodyStart *start =
      item->member && item->primes < 2
          ? find_body_start(symbol_text(l->cx, item->member), item->primes == 1)
          : NULL;
  if (!entry || entry->kind != NAME_BODY || entry->number == GROUND || !start) {
    if (lower_error(l, QDOT_UNKNOWN_NAME, item->span, "bodies start with their own properties"))
      diag_label(l->cx, "such as crank.theta(0), crank.omega(0), ram.x(0), ram.x'(0)");
    return false;
  }
  Body *body = &l->model->mechanism.bodies.at[entry->number];
  Initial *initial = start->is_rate ? &body->velocity[start->place] : &body->start[start->place];
  if (initial->kind == INITIAL_NONE || !initial->value) {
    if (lower_error(l, QDOT_BAD_VALUE, item->span, "body '%s' does not say where this starts",
                    symbol_text(l->cx, body->name)))
      diag_label(l->cx, "as in body %s: angle = 30 [deg], spin = 2 [rad/s]",
                 symbol_text(l->cx, body->name));
    return false;
  }
  int length = start->place == 2 ? 0 : 1, time = start->is_rate ? -1 : 0;
  Form form = form_known(dimension_base(0, length, time));
  Expr symbol = name_start(l, body->name, start->word, initial->span, form, initial->value);
  if (!symbol) {
    if (lower_error(l, QDOT_BAD_VALUE, item->span, "this starts at a value that is computed"))
      diag_label(l->cx, "vary the parameters that it is computed from");
    return false;
  }
  initial->value = symbol;
  Parameter *parameter =
      &l->model->parameters.at[model_find(l->model, symbol_name(l->cx, symbol))->number];
  parameter->is_varied = true;
  *out = (Varied){.name = parameter->name, .span = item->span};
  *measure = parameter->measure;
  return true;
}

// theta(0), theta'(0), i(0).
static bool lower_start(Lowering *l, const Item *item, Symbol name, Varied *out, Measure *measure) {
  const NameEntry *entry = name ? model_find(l->model, name) : NULL;
  bool is_state = entry && entry->kind == NAME_STATE;
  bool has_bodies = l->model->mechanism.bodies.n > 0;
  if (has_bodies && !is_state && !(entry && entry->kind == NAME_COORDINATE))
    return lower_body_start(l, item, out, measure);
  if (!is_state && !(entry = need_name(l, name, item->span, NAME_COORDINATE))) return false;
  if (item->primes > (is_state ? 0 : 1)) {
    lower_error(l, QDOT_BAD_VALUE, item->span,
                is_state ? "a state starts with a value alone"
                         : "accelerations follow from the start");
    return false;
  }
  if (has_bodies || l->model->space.solids.n > 0) {
    if (lower_error(l, QDOT_UNSUPPORTED, item->span,
                    "beside bodies, the start of a coordinate is varied by a parameter"))
      diag_label(l->cx, "param a = 0.2 [m], then coord x = a");
    return false;
  }
  *measure = is_state ? l->model->states.at[entry->number].measure
                      : l->model->coordinates.at[entry->number].measure;
  out->is_start = true;
  out->primes = item->primes;
  return true;
}

bool lower_varied(Lowering *l, const Item *item, Varied *out, Measure *measure) {
  Symbol name = item_symbol(l, item);
  *out = (Varied){.name = name, .span = item->span};
  if (item->is_start) return lower_start(l, item, name, out, measure);
  NameEntry *entry = name ? model_find(l->model, name) : NULL;
  if (entry && entry->kind == NAME_INPUT) {
    *measure = l->model->inputs.at[entry->number].measure;
    return true;
  }
  if (entry && (entry->kind == NAME_COORDINATE || entry->kind == NAME_STATE)) {
    if (lower_error(l, QDOT_UNKNOWN_NAME, item->span, "'%s' changes by itself",
                    symbol_text(l->cx, name)))
      diag_label(l->cx, "where it starts can be varied: %s(0)", symbol_text(l->cx, name));
    return false;
  }
  if (!(entry = need_name(l, name, item->span, NAME_PARAMETER))) return false;
  Parameter *parameter = &l->model->parameters.at[entry->number];
  parameter->is_varied = true;
  out->name = parameter->name; // what is alike in all rounds of a loop has one
  *measure = parameter->measure;
  return true;
}

Form varied_form(Lowering *l, const Varied *varied, Measure measure) {
  Form form = measure_form(measure);
  if (varied->primes == 0) return form;
  return form_mul(&l->inference, form, form_known(dimension_base(0, 0, -1)));
}

bool is_new_varied(Lowering *l, const Varied *varied, const Varied *before) {
  if (varied->name != before->name || varied->is_start != before->is_start ||
      varied->primes != before->primes)
    return true;
  if (lower_error(l, QDOT_DUPLICATE_NAME, varied->span, "'%s' is given twice",
                  varied_text(l->cx, varied)))
    diag_second(l->cx, before->span, "it is given here");
  return false;
}

bool lower_measure_name(Lowering *l, const Ast *ast, const uint32_t *listed, uint32_t count,
                        uint32_t *out) {
  const NameEntry *entry = need_name(l, ast_symbol(l, ast), ast->span, NAME_MEASURE);
  if (!entry) return false;
  *out = entry->number;
  for (uint32_t i = 0; i < count; i++) {
    if (listed[i] != entry->number) continue;
    lower_error(l, QDOT_DUPLICATE_NAME, ast->span, "'%s' is listed twice",
                symbol_text(l->cx, entry->name));
    return false;
  }
  return true;
}

bool lower_run_number(Lowering *l, const Clause *clause, int64_t least, int64_t most,
                      uint64_t *out) {
  bool is_runs = clause_is(l, clause, "runs");
  int64_t number = 0;
  if (!lower_whole(l, clause->value, is_runs ? "the number of runs" : "the seed", &number))
    return false;
  if (is_runs && (number < least || number > most)) {
    lower_error(l, QDOT_BAD_VALUE, clause->value->span, "the number of runs is from %lld to %lld",
                (long long)least, (long long)most);
    return false;
  }
  *out = (uint64_t)number;
  return true;
}

// ---- Tolerances

static bool is_percent(const Ast *value) {
  return value->kind == AST_NUMBER && value->unit && strcmp(value->unit->text, "%") == 0;
}

bool lower_width(Lowering *l, const Item *item, Form form, const char *of, const char *what,
                 Width *out) {
  Value v = lower_scalar(l, item->value, &width_rules);
  if (!has_value(v)) return false;
  *out = (Width){.value = v.at[0], .is_relative = is_percent(item->value)};
  if (!out->is_relative && !need_dimension(l, item->value, v.form[0], form, of)) return false;
  if (v.number > 0) return true;
  if (lower_error(l, QDOT_BAD_VALUE, item->value_span, "%s is positive", what))
    diag_label(l->cx, "this is %g", v.number);
  return false;
}

static bool lower_spread(Lowering *l, const Item *item, ToleranceRequest *request) {
  Varied varied;
  Measure measure;
  bool good = lower_varied(l, item, &varied, &measure);
  if (!good) return false;
  const char *what =
      text_format(l->arena, "the tolerance of '%s'", symbol_text(l->cx, item_symbol(l, item)));
  Width width;
  if (!lower_width(l, item, varied_form(l, &varied, measure), what, what, &width)) return false;
  for (uint32_t i = 0; i < request->spreads.n; i++)
    if (!is_new_varied(l, &varied, &request->spreads.at[i].varied)) return false;
  Spread spread = {.varied = varied, .width = width, .is_normal = item->word != 0};
  vec_push(&l->cx->keep, &request->spreads, spread);
  return true;
}

static bool lower_run_option(Lowering *l, const Clause *clause, ToleranceRequest *request) {
  uint64_t number;
  if (!lower_run_number(l, clause, 2, 100000000, &number)) return false;
  if (clause_is(l, clause, "runs"))
    request->runs = (uint32_t)number;
  else
    request->seed = number;
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
  for (uint32_t i = 0; i < s->values.n; i++) {
    uint32_t measure;
    bool is_one =
        lower_measure_name(l, s->values.at[i], request->measures.at, request->measures.n, &measure);
    if (is_one) vec_push(&l->cx->keep, &request->measures, measure);
    good = good && is_one;
  }
  if (s->items.n > 0 || !good) return good;
  lower_error(l, QDOT_BAD_VALUE, s->word, "a tolerance varies at least one parameter");
  return false;
}
