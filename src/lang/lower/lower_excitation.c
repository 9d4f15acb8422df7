// Excitations in the frequency domain.
#include <math.h>
#include <string.h>

#include "expr/build.h"
#include "lang/lower/lower.h"

static const Rules value_rules = {((1u << SYMBOL_KINDS) - 1) & ~KIND_BIT(SYMBOL_PARAMETER) &
                                      ~KIND_BIT(SYMBOL_TIME),
                                  "a spectral density"};
static const Rules acceleration_rules = {KIND_BIT(SYMBOL_REDUCTION) | KIND_BIT(SYMBOL_TIME),
                                         "an acceleration"};

static Form hertz(void) { return form_known(dimension_base(0, 0, -1)); }

// ---- random

static RandomLine *line_of_input(Lowering *l, Symbol input) {
  for (uint32_t i = 0; i < l->model->requests.randoms.n; i++)
    if (l->model->requests.randoms.at[i].input == input) return &l->model->requests.randoms.at[i];
  return NULL;
}

// speed v, delay T, from f_1, to f_2; false after a message.
static bool lower_clause(Lowering *l, const Clause *clause, RandomLine *line) {
  const struct {
    const char *word;
    Expr *value;
    Dimension dimension;
  } all[] = {{"speed", &line->speed, dimension_base(0, 1, -1)},
             {"delay", &line->delay, dimension_base(0, 0, 1)},
             {"from", &line->lowest, dimension_base(0, 0, -1)},
             {"to", &line->upper, dimension_base(0, 0, -1)}};
  size_t k = 0;
  while (!clause_is(l, clause, all[k].word)) k++;
  if (*all[k].value) {
    lower_error(l, QDOT_SYNTAX, clause->span, "'%s' is given twice", all[k].word);
    return false;
  }
  double number;
  const char *what = text_format(l->arena, "the value after '%s'", all[k].word);
  if (!lower_range_end(l, clause->value, form_known(all[k].dimension), what, all[k].value, &number))
    return false;
  bool may_be_zero = all[k].value == &line->delay || all[k].value == &line->lowest;
  if (number > 0 || (may_be_zero && number == 0)) return true;
  if (lower_error(l, QDOT_BAD_VALUE, clause->value->span, "%s must be positive", what))
    diag_label(l->cx, "this is %g", number);
  return false;
}

static bool lower_road(Lowering *l, const Statement *s, const Input *input, RandomLine *line) {
  const char *class = symbol_text(l->cx, s->kind);
  if (class[0] < 'A' || class[0] > 'H' || class[1]) {
    if (lower_error(l, QDOT_BAD_VALUE, s->kind_span, "a road has a class from A to H"))
      diag_label(l->cx, "those of ISO 8608: A is a smooth motorway, E a poor track");
    return false;
  }
  line->road = class[0];
  Dimension found;
  Form form = measure_form(input->measure);
  line->is_rate = form_is_known(&l->inference, form, &found) &&
                  dimension_is_equal(found, dimension_base(0, 1, -1));
  Ast name = {.kind = AST_NAME, .span = s->items.at[0].span};
  if (!line->is_rate &&
      !need_dimension(l, &name, form, form_known(dimension_base(0, 1, 0)), "the height of a road"))
    return false;
  if (line->speed) return true;
  if (lower_error(l, QDOT_BAD_VALUE, s->kind_span, "a road needs the speed of the vehicle"))
    diag_label(l->cx, "road %c, speed 20 [m/s]", line->road);
  return false;
}

static bool lower_density(Lowering *l, const Item *item, const Input *input, RandomLine *line) {
  Symbol time = symbol_from_text(l->cx, "t");
  if (item->word == time) {
    lower_error(l, QDOT_BAD_VALUE, item->span, "t is the time; a density has a frequency, F(f)");
    return false;
  }
  l->frequency = item->word;
  Value v = lower_scalar(l, item->value, &value_rules);
  l->frequency = 0;
  if (!has_value(v)) return false;
  if (expr_depends(l->cx, v.at[0], expr_symbol(l->cx, SYMBOL_TIME, time))) {
    if (lower_error(l, QDOT_BAD_VALUE, item->value_span,
                    "a spectral density does not change with t"))
      diag_label(l->cx, "its variable is the frequency, as in random %s(f) = ...",
                 symbol_text(l->cx, input->name));
    return false;
  }
  Form form = measure_form(input->measure), square = form_mul(&l->inference, form, form);
  Form wanted = form_mul(&l->inference, square, form_known(dimension_base(0, 0, 1)));
  if (v.number < 0) {
    lower_error(l, QDOT_BAD_VALUE, item->value_span, "a spectral density is not negative");
    return false;
  }
  line->density = v.at[0];
  line->frequency = item->word ? expr_symbol(l->cx, SYMBOL_TIME, item->word) : 0;
  return need_dimension(
      l, item->value, v.form[0], wanted,
      text_format(l->arena, "the spectral density of '%s'", symbol_text(l->cx, input->name)));
}

// random z_2 = z, delay T: the process of an earlier line, later. False where it is no such thing.
static bool is_copy(Lowering *l, const Item *item, uint32_t *source) {
  if (!item->value || item->value->kind != AST_NAME || item->word) return false;
  const RandomLine *line = line_of_input(l, ast_symbol(l, item->value));
  if (line) *source = (uint32_t)(line - l->model->requests.randoms.at);
  return line != NULL;
}

static bool is_delayed_only(Lowering *l, const Statement *s) {
  for (uint32_t i = 0; i < s->clauses.n; i++) {
    if (clause_is(l, &s->clauses.at[i], "delay")) continue;
    if (lower_error(l, QDOT_BAD_VALUE, s->clauses.at[i].span,
                    "'%s' belongs to the line that this one follows",
                    symbol_text(l->cx, s->clauses.at[i].word)))
      diag_label(l->cx, "here only 'delay' can stand");
    return false;
  }
  return true;
}

// A road has a speed, and nothing else has; only what follows another line has a delay.
static bool has_its_clauses(Lowering *l, const Statement *s) {
  for (uint32_t i = 0; i < s->clauses.n; i++) {
    const Clause *clause = &s->clauses.at[i];
    bool delay = clause_is(l, clause, "delay");
    if (!delay && (s->kind || !clause_is(l, clause, "speed"))) continue;
    if (lower_error(l, QDOT_BAD_VALUE, clause->span, "nothing here has a %s",
                    delay ? "delay" : "speed"))
      diag_label(l->cx, delay ? "what follows another random input has one: random z_2 = z_1, "
                                "delay T"
                              : "roads have one: random z = road C, speed v");
    return false;
  }
  return true;
}

bool lower_random(Lowering *l, const Statement *s) {
  const Item *item = &s->items.at[0];
  const NameEntry *entry = need_name(l, item_symbol(l, item), item->span, NAME_INPUT);
  if (!entry) return false;
  const Input *input = &l->model->inputs.at[entry->number];
  if (input->is_memory) {
    lower_error(l, QDOT_BAD_VALUE, item->span, "a memory is changed by samples and events alone");
    return false;
  }
  const RandomLine *before = line_of_input(l, input->name);
  if (before) {
    if (lower_error(l, QDOT_DUPLICATE_NAME, item->span, "'%s' is random already",
                    symbol_text(l->cx, input->name)))
      diag_second(l->cx, before->span, "by this line");
    return false;
  }
  RandomLine line = {
      .input = input->name, .source = l->model->requests.randoms.n, .span = item->span};
  bool good = true;
  for (uint32_t i = 0; i < s->clauses.n; i++)
    good = lower_clause(l, &s->clauses.at[i], &line) && good;
  if (!good) return false;
  if (is_copy(l, item, &line.source)) {
    const RandomLine *first = &l->model->requests.randoms.at[line.source];
    Ast name = {.kind = AST_NAME, .span = item->span};
    const NameEntry *other = model_find(l->model, first->input);
    good = is_delayed_only(l, s) &&
           equate_values(l, &name, measure_form(input->measure), item->value,
                         measure_form(l->model->inputs.at[other->number].measure),
                         "what follows a random input has its dimension");
    // along a chain of followers the delays add up
    if (first->delay)
      line.delay = line.delay ? expr_add(l->cx, line.delay, first->delay) : first->delay;
    line.source = first->source;
  } else {
    good = has_its_clauses(l, s) &&
           (s->kind ? lower_road(l, s, input, &line) : lower_density(l, item, input, &line));
  }
  if (good) vec_push(&l->cx->keep, &l->model->requests.randoms, line);
  return good;
}

// ---- comfort

bool lower_comfort(Lowering *l, const Statement *s) {
  static const char *const weights[] = {"W_k", "W_d", "W_c", "W_e", "W_f", "W_j"};
  const char *weight = symbol_text(l->cx, s->kind);
  size_t k = 0, n = sizeof weights / sizeof *weights;
  while (k < n && strcmp(weights[k], weight) != 0) k++;
  if (k == n) {
    if (lower_error(l, QDOT_BAD_VALUE, s->kind_span, "there is no weighting '%s'", weight))
      diag_label(l->cx, "those of ISO 2631-1 are W_k, W_d, W_c, W_e, W_f, W_j");
    return false;
  }
  bool turns = strcmp(weight, "W_e") == 0, good = true;
  for (uint32_t i = 0; i < s->values.n; i++) {
    const Ast *ast = s->values.at[i];
    Value v = lower_scalar(l, ast, &acceleration_rules);
    good =
        has_value(v) &&
        need_dimension(l, ast, v.form[0], form_known(dimension_base(0, turns ? 0 : 1, -2)),
                       turns ? "an angular acceleration, which W_e weighs," : "an acceleration") &&
        good;
    if (!good) continue;
    ComfortLine line = {
        .weight = s->kind, .value = v.at[0], .label = lower_label(l, ast), .span = ast->span};
    vec_push(&l->cx->keep, &l->model->requests.comforts, line);
  }
  return good;
}

// ---- synchronous

static bool lower_parameter(Lowering *l, const Item *item, Varied *out, Measure *measure) {
  return need_name(l, item_symbol(l, item), item->span, NAME_PARAMETER) &&
         lower_varied(l, item, out, measure);
}

bool lower_synchronous(Lowering *l, const Statement *s) {
  SynchronousRequest *request = &l->model->requests.synchronous;
  if (!is_first(l, s, request->is_given, request->span)) return false;
  *request = (SynchronousRequest){.is_given = true, .span = s->span};
  const Item *item = &s->items.at[0];
  Varied speed;
  Measure measure;
  double slow, fast;
  if (!lower_parameter(l, item, &speed, &measure)) return false;
  request->speed = speed.name;
  bool good =
      lower_range_end(l, item->high, hertz(), "a speed of rotation", &request->fast, &fast) &&
      lower_range_end(l, item->value, hertz(), "a speed of rotation", &request->slow, &slow);
  Ast name = {.kind = AST_NAME, .span = item->span};
  good = good && need_dimension(l, &name, measure_form(measure), hertz(), "a speed of rotation");
  if (good && !(slow >= 0 && slow < fast)) {
    lower_error(l, QDOT_BAD_VALUE, item->value_span, "speeds ascend from 0 or more");
    good = false;
  }
  for (uint32_t i = 1; i < s->items.n; i++) {
    Varied drive;
    bool is_one = lower_parameter(l, &s->items.at[i], &drive, &measure);
    for (uint32_t k = 0; is_one && k < request->drives.n; k++)
      is_one = is_new_varied(l, &drive, &request->drives.at[k]);
    if (is_one && drive.name == request->speed) {
      lower_error(l, QDOT_BAD_VALUE, drive.span, "the speed is not what is out of balance");
      is_one = false;
    }
    if (is_one) vec_push(&l->cx->keep, &request->drives, drive);
    good = good && is_one;
  }
  return good;
}
