// What changes values at moments: memory, sample, limit, when, stop.
#include <math.h>
#include <string.h>

#include "expr/build.h"
#include "lang/lower/lower.h"

#define PARAMETERS_ONLY(what)                                                                      \
  { ((1u << SYMBOL_KINDS) - 1) & ~KIND_BIT(SYMBOL_PARAMETER), what }

static const Rules time_rules = PARAMETERS_ONLY("the time of a sample");
static const Rules bound_rules = PARAMETERS_ONLY("a limit");
static const Rules memory_rules = PARAMETERS_ONLY("the value of a memory");
static const Rules target_rules = {0, "an assignment"};
static const Rules value_rules = {KIND_BIT(SYMBOL_ACCELERATION) |
                                      KIND_BIT(SYMBOL_POSE_ACCELERATION) |
                                      KIND_BIT(SYMBOL_MULTIPLIER) | KIND_BIT(SYMBOL_REDUCTION),
                                  "an assignment"};
static const Rules moment_rules = {KIND_BIT(SYMBOL_ACCELERATION) |
                                       KIND_BIT(SYMBOL_POSE_ACCELERATION) |
                                       KIND_BIT(SYMBOL_MULTIPLIER) | KIND_BIT(SYMBOL_REDUCTION),
                                   "the condition of an event"};

// ---- Memory and limits

static bool lower_one_memory(Lowering *l, const Item *item) {
  Symbol name = item_symbol(l, item);
  Value v = lower_scalar(l, item->value, &memory_rules);
  const Override *override = override_find(l->overrides, name, 0);
  bool good = has_value(v);
  if (item->primes) {
    lower_error(l, QDOT_BAD_VALUE, item->span, "a memory is defined without a prime");
    good = false;
  }
  if (good) v.form[0] = form_of_name(l, v.form[0], name);
  if (good && override) good = override_value(l, override, v.form[0], &memory_rules, &v);
  if (!good || !define_name(l, name, item, NAME_INPUT, l->model->inputs.n)) {
    break_name(l, item);
    return false;
  }
  Input input = {.name = name,
                 .symbol = expr_symbol(l->cx, SYMBOL_INPUT, name),
                 .value = v.at[0],
                 .is_memory = true,
                 .measure = measure_of(l, v.form[0], item->value),
                 .description = item->text,
                 .span = item->span};
  vec_push(&l->cx->keep, &l->model->inputs, input);
  return true;
}

bool lower_memory(Lowering *l, const Statement *s) {
  bool good = true;
  for (uint32_t i = 0; i < s->items.n; i++) good = lower_one_memory(l, &s->items.at[i]) && good;
  return good;
}

// Assigned values are held back; those of lines before this one, too.
static void limit_value(Lowering *l, const Input *input, Assignment *a) {
  if (!input->low || a->target != input->symbol) return;
  Expr value = expr_function2(l->cx, OP_MAX, a->value, input->low);
  a->value = expr_function2(l->cx, OP_MIN, value, input->high);
}

bool lower_limit(Lowering *l, const Statement *s) {
  const Item *item = &s->items.at[0];
  const NameEntry *entry = need_name(l, item_symbol(l, item), item->base_span, NAME_INPUT);
  Value low = lower_scalar(l, s->left, &bound_rules),
        high = lower_scalar(l, s->right, &bound_rules);
  if (!entry || !has_value(low) || !has_value(high)) return false;
  Input *input = &l->model->inputs.at[entry->number];
  Form form = measure_form(input->measure);
  if (!need_dimension(l, s->left, low.form[0], form, "the lower limit") ||
      !need_dimension(l, s->right, high.form[0], form, "the upper limit"))
    return false;
  if (input->low) {
    lower_error(l, QDOT_DUPLICATE_NAME, item->span, "'%s' has limits already",
                symbol_text(l->cx, input->name));
    return false;
  }
  if (low.number > high.number) {
    lower_error(l, QDOT_BAD_VALUE, s->left->span, "the lower limit is above the upper one");
    return false;
  }
  if (input->course) {
    if (lower_error(l, QDOT_UNSUPPORTED, item->span, "'%s' has a course of its own",
                    symbol_text(l->cx, input->name)))
      diag_label(l->cx, "limit the course: min(max(..., low), high)");
    return false;
  }
  input->low = low.at[0], input->high = high.at[0];
  Expr start = expr_function2(l->cx, OP_MAX, input->value, low.at[0]);
  input->value = expr_function2(l->cx, OP_MIN, start, high.at[0]);
  for (uint32_t i = 0; i < l->model->assignments.n; i++)
    limit_value(l, input, &l->model->assignments.at[i]);
  return true;
}

// ---- Assignments

static const Ast *primed(Lowering *l, const Ast *name, uint32_t primes) {
  if (primes == 0) return name;
  Ast *ast = arena_new(l->arena, Ast);
  *ast = (Ast){.kind = AST_PRIME, .span = name->span, .n = 1, .count = primes};
  ast->args = arena_array(l->arena, Ast *, 1);
  ast->args[0] = (Ast *)name;
  return ast;
}

static const Ast *item_ast(Lowering *l, const Item *item, uint32_t primes) {
  Ast *name = arena_new(l->arena, Ast);
  *name = (Ast){.kind = AST_NAME,
                .span = item->span,
                .name = item->name,
                .n = item->index_count,
                .args = item->indices};
  if (!item->member) return primed(l, name, primes);
  Ast *member = arena_new(l->arena, Ast);
  *member = (Ast){.kind = AST_COMPONENT, .span = item->span, .n = 1, .name = item->member};
  member->args = arena_array(l->arena, Ast *, 1);
  member->args[0] = name;
  return primed(l, member, primes);
}

static bool is_kind(Lowering *l, Expr e, uint32_t kinds) {
  return op_of(l->cx, e) == OP_SYMBOL && (KIND_BIT(symbol_kind(l->cx, e)) & kinds);
}

#define POSITIONS (KIND_BIT(SYMBOL_COORDINATE) | KIND_BIT(SYMBOL_POSE))
#define VELOCITIES (KIND_BIT(SYMBOL_VELOCITY) | KIND_BIT(SYMBOL_POSE_VELOCITY))

static Input *input_of(Lowering *l, Expr symbol) {
  for (uint32_t i = 0; i < l->model->inputs.n; i++)
    if (l->model->inputs.at[i].symbol == symbol) return &l->model->inputs.at[i];
  return NULL;
}

// samples: only inputs and memories.
static bool may_change(Lowering *l, const Item *item, Expr target, bool samples) {
  uint32_t state = POSITIONS | VELOCITIES | KIND_BIT(SYMBOL_STATE);
  Input *input = is_kind(l, target, KIND_BIT(SYMBOL_INPUT)) ? input_of(l, target) : NULL;
  if (input) input->is_assigned = true;
  if (input || (!samples && is_kind(l, target, state))) return true;
  if (samples && is_kind(l, target, state)) {
    if (lower_error(l, QDOT_BAD_VALUE, item->span, "a sample changes inputs and memories only"))
      diag_label(l->cx, "what moves is reset by 'when'");
    return false;
  }
  if (lower_error(l, QDOT_BAD_VALUE, item->span, "this cannot be given a new value"))
    diag_label(l->cx, samples ? "an 'input' or a 'memory' can"
                              : "an 'input', a 'memory', a coordinate, its velocity or a 'state' "
                                "can");
  return false;
}

static bool add_assignment(Lowering *l, const Item *item, const Ast *target_ast,
                           const Ast *value_ast, uint32_t first, bool samples) {
  Model *model = l->model;
  Value target = lower_scalar(l, target_ast, &target_rules);
  Value v = lower_scalar(l, value_ast, &value_rules);
  if (!has_value(target) || !has_value(v) || !may_change(l, item, target.at[0], samples))
    return false;
  if (!need_dimension(l, value_ast, v.form[0], target.form[0], "the new value")) return false;
  for (uint32_t i = first; i < model->assignments.n; i++) {
    if (model->assignments.at[i].target != target.at[0]) continue;
    if (lower_error(l, QDOT_DUPLICATE_NAME, item->span, "this is given a value twice"))
      diag_second(l->cx, model->assignments.at[i].span, "here, too");
    return false;
  }
  Assignment a = {.target = target.at[0], .value = v.at[0], .span = item->span};
  const Input *input = input_of(l, target.at[0]);
  if (input) limit_value(l, input, &a);
  vec_push(&l->cx->keep, &model->assignments, a);
  return true;
}

static bool assigns_rate(const Statement *s, const Item *of) {
  for (uint32_t i = 0; i < s->items.n; i++) {
    const Item *item = &s->items.at[i];
    if (item->primes == 1 && item->name == of->name && item->member == of->member) return true;
  }
  return false;
}

// What is swapped exchanges its velocities as well, where no line gives them.
static bool lower_swapped(Lowering *l, const Statement *s, uint32_t i, uint32_t first) {
  const Item *item = &s->items.at[i], *partner = item;
  // the two halves of a swap stand side by side
  partner = i > 0 && s->items.at[i - 1].value_span.begin == item->span.begin ? &s->items.at[i - 1]
                                                                             : &s->items.at[i + 1];
  const Ast *other = item_ast(l, partner, 0);
  if (!add_assignment(l, item, item_ast(l, item, 0), other, first, false)) return false;
  Expr target = l->model->assignments.at[l->model->assignments.n - 1].target;
  if (!is_kind(l, target, POSITIONS) || assigns_rate(s, item)) return true;
  return add_assignment(l, item, item_ast(l, item, 1), item_ast(l, partner, 1), first, false);
}

static bool lower_assignments(Lowering *l, const Statement *s, bool samples, uint32_t *first,
                              uint32_t *count) {
  bool good = true;
  *first = l->model->assignments.n;
  for (uint32_t i = 0; i < s->items.n; i++) {
    const Item *item = &s->items.at[i];
    if (item->word && samples) {
      lower_error(l, QDOT_BAD_VALUE, item->span, "a sample does not swap");
      good = false;
    } else if (item->word) {
      good = lower_swapped(l, s, i, *first) && good;
    } else {
      good =
          add_assignment(l, item, item_ast(l, item, item->primes), item->value, *first, samples) &&
          good;
    }
  }
  *count = l->model->assignments.n - *first;
  return good;
}

// ---- Samples

static bool lower_time(Lowering *l, const Ast *ast, const char *what, bool may_be_zero, Expr *out) {
  Value v = lower_scalar(l, ast, &time_rules);
  if (!has_value(v)) return false;
  if (!need_dimension(l, ast, v.form[0], form_known(dimension_base(0, 0, 1)), what)) return false;
  if (!(v.number > 0) && !(may_be_zero && v.number == 0)) {
    if (lower_error(l, QDOT_BAD_VALUE, ast->span, "%s is positive", what))
      diag_label(l->cx, "this is %g s", v.number);
    return false;
  }
  *out = v.at[0];
  return true;
}

bool lower_sample(Lowering *l, const Statement *s) {
  Sampling sampling = {.span = s->span};
  bool good = lower_time(l, s->left, "the time between samples", false, &sampling.period);
  if (s->right)
    good = lower_time(l, s->right, "the delay of a sample", true, &sampling.delay) && good;
  good = lower_assignments(l, s, true, &sampling.first, &sampling.count) && good;
  if (good) vec_push(&l->cx->keep, &l->model->samplings, sampling);
  return good;
}

// ---- Events

static bool lower_sides(Lowering *l, const Ast *ast, Expr *difference) {
  Value a = lower_scalar(l, ast->args[0], &moment_rules);
  Value b = lower_scalar(l, ast->args[1], &moment_rules);
  if (!has_value(a) || !has_value(b)) return false;
  if (!equate_values(l, ast->args[0], a.form[0], ast->args[1], b.form[0],
                     "these two cannot be compared"))
    return false;
  *difference = expr_sub(l->cx, a.at[0], b.at[0]);
  return true;
}

// A continuous function that is positive where the condition holds.
static bool truth_function(Lowering *l, const Ast *ast, Expr *out) {
  switch (ast->kind) {
  case AST_COMPARE:
    if (ast->relation == TOKEN_EQ || ast->relation == TOKEN_NE) {
      if (lower_error(l, QDOT_BAD_VALUE, ast->span, "'=' and '!=' have no moment here"))
        diag_label(l->cx, "one '=' may stand at the beginning or behind an 'and'");
      return false;
    }
    if (!lower_sides(l, ast, out)) return false;
    if (ast->relation == TOKEN_LT || ast->relation == TOKEN_LE) *out = expr_neg(l->cx, *out);
    return true;
  case AST_AND:
  case AST_OR:
    for (uint32_t i = 0; i < ast->n; i++) {
      Expr part;
      if (!truth_function(l, ast->args[i], &part)) return false;
      Op op = ast->kind == AST_AND ? OP_MIN : OP_MAX;
      *out = i ? expr_function2(l->cx, op, *out, part) : part;
    }
    return true;
  case AST_NOT:
    if (!truth_function(l, ast->args[0], out)) return false;
    *out = expr_neg(l->cx, *out);
    return true;
  case AST_BROKEN: return false;
  default: lower_error(l, QDOT_BAD_VALUE, ast->span, "an event needs a comparison"); return false;
  }
}

static bool is_crossing(const Ast *ast) {
  return ast->kind == AST_COMPARE && ast->relation == TOKEN_EQ;
}

// a = b, alone or among what 'and' joins; the rest must hold at that moment.
static bool lower_crossing(Lowering *l, const Ast *ast, const Ast *crossing, Occasion *out) {
  if (!lower_sides(l, crossing, &out->function)) return false;
  const char *word = crossing->name ? symbol_text(l->cx, crossing->name) : "";
  out->direction = strcmp(word, "rising") == 0 ? 1 : strcmp(word, "falling") == 0 ? -1 : 0;
  for (uint32_t i = 0; ast != crossing && i < ast->n; i++) {
    if (ast->args[i] == crossing) continue;
    Value v = is_crossing(ast->args[i]) ? value_none() : lower_condition(l, ast->args[i]);
    if (is_crossing(ast->args[i]))
      lower_error(l, QDOT_BAD_VALUE, ast->args[i]->span, "an event has one '='");
    if (!has_value(v)) return false;
    out->condition =
        out->condition ? expr_function2(l->cx, OP_AND, out->condition, v.at[0]) : v.at[0];
  }
  return true;
}

static bool lower_moment_of(Lowering *l, const Ast *ast, Occasion *out) {
  const Ast *crossing = is_crossing(ast) ? ast : NULL;
  for (uint32_t i = 0; ast->kind == AST_AND && i < ast->n && !crossing; i++)
    if (is_crossing(ast->args[i])) crossing = ast->args[i];
  out->text = source_text(l, ast->span);
  const Rules *outer = l->rules;
  l->rules = &moment_rules;
  out->is_condition = !crossing;
  if (!crossing) out->direction = 1;
  bool good =
      crossing ? lower_crossing(l, ast, crossing, out) : truth_function(l, ast, &out->function);
  Value truth = good && !crossing ? lower_condition(l, ast) : value_none();
  if (has_value(truth)) out->condition = truth.at[0];
  l->rules = outer;
  uint32_t moving = ~(KIND_BIT(SYMBOL_PARAMETER));
  if (!good || expr_has_kind(l->cx, out->function, moving)) return good;
  lower_error(l, QDOT_BAD_VALUE, ast->span, "nothing in this condition ever changes");
  return false;
}

bool lower_when(Lowering *l, const Statement *s) {
  Occasion occasion = {.span = s->left->span};
  bool good = lower_moment_of(l, s->left, &occasion);
  good = lower_assignments(l, s, false, &occasion.first, &occasion.count) && good;
  if (good) vec_push(&l->cx->keep, &l->model->occasions, occasion);
  return good;
}

bool lower_stop(Lowering *l, const Statement *s) {
  Occasion occasion = {.span = s->left->span, .stops = true};
  bool good = lower_moment_of(l, s->left, &occasion);
  occasion.first = l->model->assignments.n;
  if (good) vec_push(&l->cx->keep, &l->model->occasions, occasion);
  return good;
}

// ---- Columns

static bool is_output(const Model *model, Expr symbol) {
  for (uint32_t i = 0; i < model->outputs.n; i++)
    if (model->outputs.at[i].value == symbol) return true;
  return false;
}

void lower_assigned_members(Lowering *l) {
  for (uint32_t i = 0; i < l->model->inputs.n; i++) {
    const Input *input = &l->model->inputs.at[i];
    if (!input->is_assigned || is_output(l->model, input->symbol)) continue;
    Output member = {.name = input->name,
                     .value = input->symbol,
                     .measure = input->measure,
                     .description = input->description,
                     .span = input->span};
    vec_push(&l->cx->keep, &l->model->members, member);
  }
}
