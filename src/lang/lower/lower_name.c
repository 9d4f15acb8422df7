// Names: looking up, defining, indices, and the messages about unknown ones.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/words/phrase.h"
#include "base/words/suggest.h"
#include "expr/build.h"
#include "lang/lower/lower.h"
#include "lang/parse/cure.h"
#include "model/momentum.h"

#define MOST_CANDIDATES 20000 // names that are compared with a misspelt one

// ---- Messages

// Has something at least as severe been said about this very place?
static bool is_reported(const Context *cx, Span span, Severity severity) {
  for (uint32_t i = 0; i < cx->diagnostics.list.n; i++) {
    const Diagnostic *d = &cx->diagnostics.list.at[i];
    if (d->has_span && d->severity <= severity && d->span.source == span.source &&
        d->span.begin == span.begin && d->span.end == span.end)
      return true;
  }
  return false;
}

static void note_loops(Lowering *l) {
  if (l->loops.n == 0) return;
  Text note = text_new(&l->cx->keep);
  for (uint32_t i = 0; i < l->loops.n; i++)
    text_addf(&note, "%s%s = %lld", i ? ", " : "with ", symbol_text(l->cx, l->loops.at[i].name),
              (long long)l->loops.at[i].value);
  diag_note(l->cx, "%s", note.at);
}

bool lower_error(Lowering *l, Status status, Span span, const char *format, ...) {
  if (is_reported(l->cx, span, SEVERITY_ERROR)) return false;
  if (l->cx->diagnostics.errors >= MOST_DIAGNOSTICS) { // enough is said; it only counts
    diag_error(l->cx, status, span, "%s", "");
    return false;
  }
  va_list arguments;
  va_start(arguments, format);
  Text message = text_new(&l->cx->keep);
  text_addv(&message, format, arguments);
  va_end(arguments);
  diag_error(l->cx, status, span, "%s", message.at);
  note_loops(l);
  return true;
}

bool lower_warning(Lowering *l, Span span, const char *format, ...) {
  if (is_reported(l->cx, span, SEVERITY_WARNING)) return false;
  va_list arguments;
  va_start(arguments, format);
  Text message = text_new(&l->cx->keep);
  text_addv(&message, format, arguments);
  va_end(arguments);
  diag_warning(l->cx, span, "%s", message.at);
  return true;
}

bool is_explained(Lowering *l, Span span) {
  if (l->cx->diagnostics.errors == l->errors) diag_own_mistake(l->cx, span);
  return false;
}

// ---- What the rules of a statement allow

static const char *kind_text(SymbolKind kind) {
  static const char *const texts[SYMBOL_KINDS] = {
      [SYMBOL_PARAMETER] = "a parameter",
      [SYMBOL_TIME] = "time",
      [SYMBOL_COORDINATE] = "a coordinate",
      [SYMBOL_VELOCITY] = "a velocity",
      [SYMBOL_ACCELERATION] = "an acceleration",
      [SYMBOL_MULTIPLIER] = "a constraint force",
      [SYMBOL_INPUT] = "an input",
      [SYMBOL_POSE] = "a body's position",
      [SYMBOL_POSE_VELOCITY] = "a body's velocity",
      [SYMBOL_POSE_ACCELERATION] = "a body's acceleration",
      [SYMBOL_REDUCTION] = "a number of the whole run",
      [SYMBOL_STATE] = "a state",
      [SYMBOL_STATE_RATE] = "the rate of a state",
  };
  return texts[kind];
}

bool is_allowed(Lowering *l, Span span, Expr e, const char *name) {
  if (!l->rules || !expr_has_kind(l->cx, e, l->rules->forbidden)) return true;
  // The strangest kind first: an acceleration says more than the coordinate inside.
  int kind = SYMBOL_KINDS - 1;
  while (!(l->rules->forbidden & KIND_BIT(kind)) || !expr_has_kind(l->cx, e, KIND_BIT(kind)))
    kind--;
  bool inside = name && op_of(l->cx, e) != OP_SYMBOL, said;
  if (inside)
    said = lower_error(l, QDOT_BAD_VALUE, span, "'%s' contains %s, which cannot be used in %s",
                       name, kind_text(kind), l->rules->place);
  else
    said = lower_error(l, QDOT_BAD_VALUE, span, "%s cannot be used in %s", kind_text(kind),
                       l->rules->place);
  if (said && l->whole && l->energy == ENERGY_POTENTIAL && kind == SYMBOL_VELOCITY)
    diag_label(l->cx, "'lagrangian = ...' may depend on velocities");
  else if (said && kind == SYMBOL_MULTIPLIER && name)
    diag_label(l->cx, "'%s' is known only when the motion is; for outputs and plots", name);
  return false;
}

// ---- Symbols of indexed names

Symbol indexed_symbol(Lowering *l, Symbol base, uint32_t n, Ast **indices) {
  if (n == 0) return base;
  Context *cx = l->cx;
  Mark mark = arena_mark(&cx->scratch);
  Text text = text_new(&cx->scratch);
  text_add(&text, symbol_text(cx, base));
  bool good = true, outer = l->in_index;
  l->in_index = true;
  for (uint32_t i = 0; i < n; i++) {
    int64_t value = 0;
    good = lower_integer(l, indices[i], "an index", &value) && good;
    char number[24];
    int length = snprintf(number, sizeof number, "%c%lld", i ? ',' : '[', (long long)value);
    text_add_bytes(&text, number, (size_t)length);
  }
  l->in_index = outer;
  text_add_char(&text, ']');
  Symbol symbol = good ? intern_bytes(&cx->names, text.at, text.n) : 0;
  arena_release(&cx->scratch, mark);
  return symbol;
}

Symbol item_owner(Lowering *l, const Item *item) {
  return indexed_symbol(l, item->name, item->index_count, item->indices);
}

Symbol item_symbol(Lowering *l, const Item *item) {
  Symbol owner = item_owner(l, item);
  if (!owner || !item->member) return owner;
  return symbol_from_text(l->cx, text_format(l->arena, "%s.%s", symbol_text(l->cx, owner),
                                             symbol_text(l->cx, item->member)));
}

Symbol ast_symbol(Lowering *l, const Ast *name) {
  return indexed_symbol(l, name->name, name->n, name->args);
}

// ---- Unknown names

// Statements that define names; and that give new values to some.
static const char *const definitions[] = {"param", "count",  "coord",  "let",   "input",
                                          "point", "vector", "memory", "state", NULL};
static const char *const assignments[] = {"sample", "when", NULL};

// The item of a base name in statements of these words, or NULL.
static const Item *find_item(Statement *const *statements, uint32_t n, const char *const *words,
                             Symbol base, uint32_t depth) {
  for (uint32_t i = 0; i < n; i++) {
    const Statement *s = statements[i];
    bool loop = s->body.n > 0, is_one = false;
    for (size_t k = 0; words[k]; k++) is_one = is_one || strcmp(s->row->word, words[k]) == 0;
    for (uint32_t k = 0; is_one && k < s->items.n; k++)
      if (s->items.at[k].name == base && s->items.at[k].primes == 0) return &s->items.at[k];
    if (loop && depth < 100) {
      const Item *item = find_item(s->body.at, s->body.n, words, base, depth + 1);
      if (item) return item;
    }
  }
  return NULL;
}

static const Item *find_in_text(const Lowering *l, const char *const *words, Symbol base) {
  return l->text ? find_item(l->text->statements.at, l->text->statements.n, words, base, 0) : NULL;
}

static bool has_elements(const Lowering *l, Symbol base) {
  const char *text = symbol_text(l->cx, base);
  size_t n = strlen(text);
  for (uint32_t i = 0; i < l->model->names.n; i++) {
    const char *name = symbol_text(l->cx, l->model->names.at[i].name);
    if (strncmp(name, text, n) == 0 && name[n] == '[') return true;
  }
  return false;
}

// The nearest known name; for an indexed one only its base counts.
static const char *nearest_name(const Lowering *l, Symbol base) {
  Nearest nearest = nearest_to(symbol_text(l->cx, base));
  for (uint32_t i = 0; i < l->model->names.n && i < MOST_CANDIDATES; i++) {
    const char *name = symbol_text(l->cx, l->model->names.at[i].name);
    const char *bracket = strchr(name, '[');
    nearest_offer(&nearest,
                  bracket ? text_format(&l->cx->keep, "%.*s", (int)(bracket - name), name) : name);
  }
  for (uint32_t i = 0; i < l->model->contacts.n && i < MOST_CANDIDATES; i++)
    nearest_offer(&nearest, symbol_text(l->cx, l->model->contacts.at[i].name));
  for (uint32_t i = 0; i < l->loops.n; i++)
    nearest_offer(&nearest, symbol_text(l->cx, l->loops.at[i].name));
  nearest_offer(&nearest, "pi");
  return nearest.best;
}

// theta_dot, thetadot and thetap for the primed name that other programs mean by it, or NULL.
static const char *primed_name(Lowering *l, const char *text) {
  static const char *const endings[][2] = {{"_ddot", "''"}, {"ddot", "''"}, {"_dot", "'"},
                                           {"dot", "'"},    {"_p", "'"},    {"p", "'"}};
  size_t n = strlen(text);
  for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
    size_t ending = strlen(endings[i][0]);
    if (n <= ending || strcmp(text + n - ending, endings[i][0]) != 0) continue;
    Symbol base = intern_bytes(&l->cx->names, text, n - ending);
    const NameEntry *entry = model_find(l->model, base);
    if (entry && (entry->kind == NAME_COORDINATE || entry->kind == NAME_DEFINITION))
      return text_format(&l->cx->keep, "%s%s", symbol_text(l->cx, base), endings[i][1]);
  }
  return NULL;
}

static void unknown_name(Lowering *l, const Ast *ast, Symbol symbol) {
  Context *cx = l->cx;
  Symbol base = ast->name;
  const char *text = name_here(l, symbol_text(cx, base));
  if (is_of_broken_part(l, symbol)) return;
  if (!lower_error(l, QDOT_UNKNOWN_NAME, ast->span, "unknown name '%s'",
                   name_here(l, symbol_text(cx, symbol))))
    return;
  const Item *later = find_in_text(l, definitions, base);
  const char *nearest = nearest_name(l, base);
  bool is_unit = ast->n == 0 && text[0] && text[1] && unit_is_known(cx, text);
  if (l->in_index && unit_is_known(cx, text))
    diag_label(cx, "a unit can only follow a number");
  else if (ast->n == 0 && has_elements(l, base))
    diag_label(cx, "it has an index: %s[...]", text);
  else if (ast->n > 0 && model_find(l->model, base))
    diag_label(cx, "'%s' has no index", text);
  else if (later && later->base_span.begin > ast->span.begin)
    diag_label(cx, "it is defined further down; names are defined before use");
  else if (ast->n > 0 && has_elements(l, base))
    diag_label(cx, "'%s' has no such element", text);
  else if (function_find(text))
    diag_label(cx, "a function is followed by its argument: %s", function_find(text)->usage);
  else if (primed_name(l, text))
    diag_label(cx, "a time derivative is written with a prime: %s", primed_name(l, text));
  else if (ast->n == 0 && !nearest && find_in_text(l, assignments, base))
    diag_label(cx, "what samples and events change is declared before: memory %s = 0", text);
  else if (ast->n == 0 && cure_for_constant(text))
    diag_label(cx, "%s", cure_for_constant(text));
  else if (nearest && !(is_unit && strlen(nearest) < strlen(text)))
    diag_suggest(cx, name_here(l, nearest));
  else if (is_unit)
    diag_label(cx, "a unit is written in brackets after a number: 1 [%s]", text);
}

NameEntry *need_name(Lowering *l, Symbol symbol, Span span, NameKind kind) {
  NameEntry *entry = symbol ? model_find(l->model, symbol) : NULL;
  if (entry && entry->kind == kind) return entry;
  if (!symbol || (entry && entry->kind == NAME_BROKEN)) return NULL;
  if (!entry && is_of_broken_part(l, symbol)) return NULL;
  if (entry) {
    lower_error(l, QDOT_UNKNOWN_NAME, span, "expected %s, '%s' is %s",
                phrase_one(l->arena, name_kind_text(kind)), symbol_text(l->cx, symbol),
                phrase_one(l->arena, name_kind_text(entry->kind)));
  } else if (lower_error(l, QDOT_UNKNOWN_NAME, span, "unknown %s '%s'", name_kind_text(kind),
                         name_here(l, symbol_text(l->cx, symbol)))) {
    Nearest nearest = nearest_to(symbol_text(l->cx, symbol));
    for (uint32_t i = 0; i < l->model->names.n && i < MOST_CANDIDATES; i++)
      if (l->model->names.at[i].kind == kind)
        nearest_offer(&nearest, symbol_text(l->cx, l->model->names.at[i].name));
    if (kind == NAME_BODY) nearest_offer(&nearest, "ground");
    diag_suggest(l->cx, name_here(l, nearest.best));
  }
  return NULL;
}

// ---- Values of names

static Value value_of_vector(const Lowering *l, const Vector *vector) {
  Value v = {.n = vector->n, .number = NAN};
  for (uint32_t i = 0; i < vector->n; i++) {
    v.at[i] = vector->at[i];
    uint32_t part = vector->first + i;
    v.form[i] = measure_form(vector->moves ? l->model->coordinates.at[part].measure
                                           : l->model->definitions.at[part].measure);
  }
  return v;
}

static Value value_of_entry(Lowering *l, NameEntry *entry) {
  const Model *model = l->model;
  uint32_t i = entry->number;
  entry->is_used = true;
  bool apart = l->rules && l->rules->forbidden & PLACE_APART;
  if (!entry->first_use && !apart) entry->first_use = ++l->uses;
  switch (entry->kind) {
  case NAME_PARAMETER:
    return value_scalar(model->parameters.at[i].symbol,
                        measure_form(model->parameters.at[i].measure), l->parameter_numbers.at[i]);
  case NAME_COUNT: {
    int64_t value = model->counts.at[i].value;
    return value_scalar(expr_int(l->cx, value), form_bare(), (double)value);
  }
  case NAME_COORDINATE:
    return value_scalar(model->coordinates.at[i].q, measure_form(model->coordinates.at[i].measure),
                        NAN);
  case NAME_STATE:
    return value_scalar(model->states.at[i].s, measure_form(model->states.at[i].measure), NAN);
  case NAME_DEFINITION:
    return value_scalar(model->definitions.at[i].value,
                        measure_form(model->definitions.at[i].measure),
                        l->definition_numbers.at[i]);
  case NAME_VECTOR: return value_of_vector(l, &model->vectors.at[i]);
  case NAME_INPUT: {
    const Input *input = &model->inputs.at[i];
    Expr value = input->course ? expr_add(l->cx, input->course, input->symbol) : input->symbol;
    return value_scalar(value, measure_form(input->measure), NAN);
  }
  case NAME_OUTPUT:
    return value_scalar(model->outputs.at[i].value, measure_form(model->outputs.at[i].measure),
                        NAN);
  // Forces of constraints are multipliers of whatever dimension their equation has.
  case NAME_CONSTRAINT_FORCE:
    return value_scalar(model->constraints.at[i].multiplier,
                        multiplier_form(l, model->constraints.at[i].measure), NAN);
  case NAME_CONTACT_FORCE:
    return value_scalar(model->contacts.at[i].multiplier,
                        multiplier_form(l, model->contacts.at[i].measure), NAN);
  case NAME_MOTOR_FORCE: {
    const Motor *motor = &model->mechanism.motors.at[i];
    bool slides = joint_leaves(&model->mechanism.joints.at[motor->joint], LEAVES_SLIDE);
    Form work = form_known(dimension_base(1, 2, -2)), force = form_known(dimension_base(1, 1, -2));
    return value_scalar(expr_symbol(l->cx, SYMBOL_MULTIPLIER, entry->name), slides ? force : work,
                        NAN);
  }
  case NAME_REACTION: {
    l->model->mechanism.joints.at[i / 3].is_measured = true;
    return value_scalar(model->mechanism.joints.at[i / 3].reaction[i % 3],
                        form_known(dimension_base(1, i % 3 == 2 ? 2 : 1, -2)), NAN);
  }
  case NAME_POSE: {
    bool angle = i % 3 == 2;
    return value_scalar(model->mechanism.bodies.at[i / 3].pose[i % 3],
                        angle ? form_pure() : form_known(dimension_base(0, 1, 0)), NAN);
  }
  case NAME_MEASURE:
    return value_scalar(model->requests.measurements.at[i].value,
                        measure_form(model->requests.measurements.at[i].measure), NAN);
  case NAME_NONE:
  case NAME_BODY:
  case NAME_JOINT:
  case NAME_SPRING:
  case NAME_ELEMENT:
  case NAME_SOLID:
  case NAME_PART:
  case NAME_BROKEN: break;
  }
  return value_none();
}

static const LoopIndex *find_loop(const Lowering *l, Symbol name) {
  for (uint32_t i = l->loops.n; i-- > 0;)
    if (l->loops.at[i].name == name) return &l->loops.at[i];
  return NULL;
}

// t, pi, loop indices and the frequency of a density; false for other names.
static bool value_of_reserved(Lowering *l, const Ast *ast, Value *out) {
  const char *text = symbol_text(l->cx, ast->name);
  const LoopIndex *loop = find_loop(l, ast->name);
  if (loop)
    *out = value_scalar(expr_int(l->cx, loop->value), form_bare(), (double)loop->value);
  else if (l->frequency && ast->name == l->frequency)
    *out = value_scalar(expr_symbol(l->cx, SYMBOL_TIME, ast->name),
                        form_known(dimension_base(0, 0, -1)), NAN);
  else if (strcmp(text, "t") == 0)
    *out = value_scalar(expr_symbol(l->cx, SYMBOL_TIME, ast->name),
                        form_known(dimension_base(0, 0, 1)), NAN);
  else if (strcmp(text, "pi") == 0)
    *out = value_scalar(expr_pi(l->cx), form_bare(), M_PI);
  else
    return false;
  return true;
}

static bool all_allowed(Lowering *l, Span span, const Value *v, Symbol name) {
  for (uint32_t i = 0; i < v->n; i++)
    if (!is_allowed(l, span, v->at[i], symbol_text(l->cx, name))) return false;
  return true;
}

bool momenta_may_stand(const Lowering *l) {
  const uint32_t places = PLACE_OF_RESULTS | PLACE_OF_MOMENTA;
  return l->rules ? (l->rules->forbidden & places) != 0 : !l->text;
}

// p_x of a coordinate x where the model has no such name; what it is follows from all energies.
static bool lower_momentum_of(Lowering *l, Symbol symbol, Value *out) {
  bool fits = momenta_may_stand(l) || (!l->rules && l->rates_of_momenta);
  int coordinate = fits ? momentum_coordinate(l->model, symbol) : -1;
  if (coordinate < 0) return false;
  const Measure *measure = &l->model->coordinates.at[coordinate].measure;
  Form action = form_known(dimension_base(1, 2, -1));
  Form form = form_div(&l->inference, action, measure_form(*measure));
  l->model->has_momenta = true;
  *out = value_scalar(momentum_symbol(l->model, (uint32_t)coordinate), form, NAN);
  return true;
}

Value lower_name(Lowering *l, const Ast *ast) {
  Value v;
  if (ast->n == 0 && value_of_reserved(l, ast, &v))
    return all_allowed(l, ast->span, &v, ast->name) ? v : value_none();
  const NameEntry *base = model_find(l->model, ast->name);
  if (base && base->kind == NAME_BROKEN) return value_none();
  Symbol symbol = ast_symbol(l, ast);
  if (!symbol) return value_none();
  NameEntry *entry = model_find(l->model, symbol);
  if (!entry && l->makes_names)
    return value_scalar(expr_symbol(l->cx, SYMBOL_PARAMETER, symbol), form_wrong(), NAN);
  bool is_row = !entry && (lower_row_force(l, symbol, &v) || lower_momentum_of(l, symbol, &v));
  if (!is_row && lower_owner_alone(l, ast, symbol)) return value_none();
  if (!entry && !is_row) {
    unknown_name(l, ast, symbol);
    return value_none();
  }
  if (entry && entry->kind == NAME_PART) {
    const char *text = symbol_text(l->cx, symbol);
    if (lower_error(l, QDOT_BAD_VALUE, ast->span, "'%s' is a part, not a number", text))
      diag_label(l->cx, "what it has is written %s.NAME", text);
    return value_none();
  }
  if (entry && entry->kind == NAME_MEASURE && !l->in_measure) {
    if (lower_error(l, QDOT_BAD_VALUE, ast->span, "'%s' is a number of the whole run",
                    symbol_text(l->cx, symbol)))
      diag_label(l->cx, "other measures may use it");
    return value_none();
  }
  if (entry) v = value_of_entry(l, entry);
  if (!all_allowed(l, ast->span, &v, symbol)) return value_none();
  if (is_row) lower_ask(l, symbol, &v, ast->span);
  return v;
}

// ---- Components

// r.x by its full name: components of a let, poses and whatever else belongs to a body or joint.
static bool value_of_full_name(Lowering *l, const Ast *ast, Value *out) {
  const Ast *owner = ast->args[0];
  if (owner->kind != AST_NAME || owner->in_brackets) return false;
  Symbol symbol = ast_symbol(l, owner);
  *out = value_none();
  if (!symbol) return true;
  Mark mark = arena_mark(&l->cx->scratch);
  char *full = text_format(&l->cx->scratch, "%s.%s", symbol_text(l->cx, symbol),
                           symbol_text(l->cx, ast->name));
  NameEntry *entry = model_find_text(l->model, full);
  Symbol whole = entry ? entry->name : symbol_from_text(l->cx, full);
  arena_release(&l->cx->scratch, mark);
  NameEntry *vector = model_find(l->model, symbol);
  Value v;
  if (entry)
    v = value_of_entry(l, entry);
  else if (!lower_member(l, ast, symbol, &v))
    return false;
  if (vector) vector->is_used = true;
  if (!all_allowed(l, ast->span, &v, whole)) return true;
  bool of_part = !entry || entry->kind == NAME_POSE || entry->kind == NAME_REACTION;
  if (of_part) lower_ask(l, whole, &v, ast->span);
  *out = v;
  return true;
}

Value lower_component(Lowering *l, const Ast *ast) {
  Value v;
  if (value_of_full_name(l, ast, &v)) return v;
  v = lower_value(l, ast->args[0]);
  if (!has_value(v)) return v;
  const char *text = symbol_text(l->cx, ast->name);
  uint32_t which =
      text[0] && !text[1] && text[0] >= 'x' && text[0] <= 'z' ? (uint32_t)(text[0] - 'x') : 3;
  if (v.n == 1) {
    lower_error(l, QDOT_BAD_VALUE, ast->span, "only a vector has components, this is a number");
  } else if (which >= v.n) {
    lower_error(l, QDOT_UNKNOWN_NAME, ast->span, "a vector of %s has no component '%s'",
                v.n == 2 ? "two" : "three", text);
  } else {
    return value_scalar(v.at[which], v.form[which], NAN);
  }
  return value_none();
}

Value lower_item_name(Lowering *l, const Item *item, const Rules *rules) {
  Ast use = {.kind = AST_NAME,
             .span = item->span,
             .name = item->name,
             .n = item->index_count,
             .args = item->indices};
  Ast member = {.kind = AST_COMPONENT,
                .span = item->span,
                .n = 1,
                .args = (Ast *[]){&use},
                .name = item->member};
  return lower_ruled(l, item->member ? &member : &use, rules);
}

// ---- Defining

// The other spelling that looks the same on paper: x[1] of x_1, x_1 of x[1]. NULL for none.
static const char *twin_text(Lowering *l, const char *name) {
  Text twin = text_new(&l->cx->scratch);
  const char *bracket = strchr(name, '[');
  if (bracket) {
    text_add_bytes(&twin, name, (size_t)(bracket - name));
    text_add_char(&twin, '_');
    for (const char *c = bracket + 1; *c && *c != ']'; c++)
      text_add_char(&twin, *c == ',' ? '_' : *c);
    return twin.at;
  }
  const char *under = strrchr(name, '_');
  if (!under || under == name || !under[1] || strspn(under + 1, "0123456789") != strlen(under + 1))
    return NULL;
  text_add_bytes(&twin, name, (size_t)(under - name));
  text_addf(&twin, "[%s]", under + 1);
  return twin.at;
}

static bool has_twin(Lowering *l, Symbol symbol, Span span) {
  Mark mark = arena_mark(&l->cx->scratch);
  const char *twin = twin_text(l, symbol_text(l->cx, symbol));
  const NameEntry *entry = twin ? model_find_text(l->model, twin) : NULL;
  arena_release(&l->cx->scratch, mark);
  if (!entry) return false;
  if (lower_error(l, QDOT_DUPLICATE_NAME, span, "'%s' and '%s' look the same on paper",
                  symbol_text(l->cx, symbol), symbol_text(l->cx, entry->name)))
    diag_second(l->cx, entry->span, "the other is defined here");
  return true;
}

void show_taken(Lowering *l, const NameEntry *entry) {
  const char *kind = phrase_one(&l->cx->keep, name_kind_text(entry->kind));
  diag_second(l->cx, entry->span, text_format(&l->cx->keep, "it is %s here", kind));
}

bool is_free_name(Lowering *l, Symbol symbol, Span span) {
  const char *text = symbol_text(l->cx, symbol);
  if (strcmp(text, "t") == 0 || strcmp(text, "pi") == 0 || strcmp(text, "and") == 0 ||
      strcmp(text, "or") == 0 || strcmp(text, "not") == 0) {
    lower_error(l, QDOT_DUPLICATE_NAME, span, "the name '%s' is reserved", text);
    return false;
  }
  if (find_loop(l, symbol)) {
    lower_error(l, QDOT_DUPLICATE_NAME, span, "'%s' is the index of this loop", text);
    return false;
  }
  for (uint32_t i = 0; i < l->model->coordinates.n; i++) {
    const Coordinate *c = &l->model->coordinates.at[i];
    if (c->momentum != symbol) continue;
    lower_error(l, QDOT_DUPLICATE_NAME, span, "'%s' is the momentum of '%s'", text,
                symbol_text(l->cx, c->name));
    return false;
  }
  NameEntry *entry = model_find(l->model, symbol);
  if (!entry) return !has_twin(l, symbol, span);
  if (entry->kind == NAME_BROKEN) return false;
  if (lower_error(l, QDOT_DUPLICATE_NAME, span, "'%s' is already defined", text))
    show_taken(l, entry);
  entry->kind = NAME_BROKEN; // nobody knows which one later lines mean
  return false;
}

bool define_name(Lowering *l, Symbol symbol, const Item *item, NameKind kind, uint32_t number) {
  if (!symbol || !is_free_name(l, symbol, item->span)) return false;
  model_add_name(l->model, symbol, kind, number, item->span);
  return true;
}

static void break_symbol(Lowering *l, Symbol name, Span span) {
  if (!model_find(l->model, name)) model_add_name(l->model, name, NAME_BROKEN, 0, span);
}

void break_name(Lowering *l, const Item *item) {
  if (!item->name) return;
  break_symbol(l, item->name, item->base_span);
  break_symbol(l, row_multiplier(l->cx, item->name), item->base_span);
}
