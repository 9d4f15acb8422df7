// Parameters: which of them act on the motion, and how they follow from others.
#include "expr/walk.h"
#include "report/indexed.h"
#include "report/story.h"

static Document *doc(const Story *story) { return story->document; }

static const Model *model_of(const Story *story) { return story->listing->system->model; }

// ---- Which act

typedef struct Found {
  bool *names; // by Symbol
  Symbol count;
} Found;

static Visit note_symbol(const Context *cx, Expr e, void *argument) {
  Found *found = argument;
  if (op_of(cx, e) == OP_SYMBOL && symbol_name(cx, e) < found->count)
    found->names[symbol_name(cx, e)] = true;
  return VISIT_ENTER;
}

static void push(const Story *s, ExprList *list, Expr e) {
  if (e) vec_push(&doc(s)->cx->scratch, list, e);
}

// All that decides on the motion. T, V and R as they were derived stand for the energies, which are
// the first of what the model says: what vanished on the way is idle.
static ExprList roots_of(const Story *s) {
  const System *system = s->listing->system;
  const Model *model = system->model;
  ExprList roots = {0}, told = story_roots(s);
  for (uint32_t i = model->energies.n; i < told.n; i++) push(s, &roots, told.at[i]);
  push(s, &roots, system->T);
  push(s, &roots, system->V);
  push(s, &roots, system->R);
  for (uint32_t i = 0; i < system->row_count; i++) push(s, &roots, system->rows[i].phi);
  for (uint32_t i = 0; i < model->contacts.n; i++) {
    const Contact *c = &model->contacts.at[i];
    const Expr values[] = {c->phi, c->restitution, c->slip, c->mu_rest, c->mu, c->spin, c->rolling};
    for (size_t k = 0; k < sizeof values / sizeof *values; k++) push(s, &roots, values[k]);
  }
  for (uint32_t i = 0; i < model->presses.n; i++) {
    push(s, &roots, model->presses.at[i].value);
    push(s, &roots, model->presses.at[i].force);
    push(s, &roots, model->presses.at[i].hold);
  }
  for (uint32_t i = 0; i < model->coordinates.n; i++) {
    push(s, &roots, model->coordinates.at[i].position.value);
    push(s, &roots, model->coordinates.at[i].velocity.value);
  }
  for (uint32_t i = 0; i < model->states.n; i++) push(s, &roots, model->states.at[i].value);
  for (uint32_t i = 0; i < model->inputs.n; i++) {
    push(s, &roots, model->inputs.at[i].value);
    push(s, &roots, model->inputs.at[i].course);
  }
  return roots;
}

bool *story_acting_parameters(const Story *s) {
  Context *cx = doc(s)->cx;
  const Model *model = model_of(s);
  Found found = {.count = 0};
  for (uint32_t i = 0; i < model->parameters.n; i++)
    if (model->parameters.at[i].name >= found.count) found.count = model->parameters.at[i].name + 1;
  found.names = arena_array(&cx->scratch, bool, found.count + 1);
  for (Symbol i = 0; i < found.count; i++) found.names[i] = false;
  ExprList roots = roots_of(s);
  expr_walk(cx, roots.at, roots.n, note_symbol, &found);
  bool *acting = arena_array(&cx->scratch, bool, model->parameters.n + 1);
  // later ones follow from earlier ones
  for (uint32_t i = model->parameters.n; i-- > 0;) {
    acting[i] = found.names[model->parameters.at[i].name];
    if (acting[i]) expr_walk(cx, &model->parameters.at[i].value, 1, note_symbol, &found);
  }
  return acting;
}

// ---- What they follow from

static Visit find_parameter(const Context *cx, Expr e, void *argument) {
  const char *name = op_of(cx, e) == OP_SYMBOL ? symbol_text(cx, symbol_name(cx, e)) : NULL;
  if (name && !name_is_quantity(name)) *(bool *)argument = true;
  return VISIT_ENTER;
}

static bool is_computed(const Story *s, const Parameter *p) {
  bool found = false;
  if (p->is_quantity) return false;
  expr_walk(doc(s)->cx, &p->value, 1, find_parameter, &found);
  return found;
}

// How many from `first` on, number by number, are the same formula: J[i] = m[i] L[i]^2/12.
static uint32_t count_copies(const Story *s, uint32_t first, Copies *range, Expr *general) {
  Context *cx = doc(s)->cx;
  const Model *model = model_of(s);
  IndexedName name, other;
  const char *text = symbol_text(cx, model->parameters.at[first].name);
  if (!doc(s)->most_entries || !name_is_indexed(text, &name)) return 0;
  ExprList values = {0};
  for (uint32_t i = first; i < model->parameters.n; i++) {
    const Parameter *p = &model->parameters.at[i];
    if (name_is_indexed(symbol_text(cx, p->name), &other) && names_are_kin(&name, &other) &&
        other.index == name.index + (long)values.n)
      vec_push(&cx->scratch, &values, p->value);
  }
  const char *letter = index_letter(model);
  if (values.n < LEAST_COPIES ||
      equal_copies(cx, values.at, values.n, letter, name.index, general) < values.n)
    return 0;
  *range = (Copies){letter, name.index, name.index + (long)values.n - 1};
  return values.n;
}

static bool is_later_copy(const Story *s, uint32_t i) {
  IndexedName name, other;
  const Model *model = model_of(s);
  Context *cx = doc(s)->cx;
  if (!name_is_indexed(symbol_text(cx, model->parameters.at[i].name), &name)) return false;
  for (uint32_t k = 0; k < i; k++) {
    Copies range;
    Expr general;
    if (name_is_indexed(symbol_text(cx, model->parameters.at[k].name), &other) &&
        names_are_kin(&name, &other))
      return count_copies(s, k, &range, &general) > 0; // k is the first of them
  }
  return false;
}

enum { MOST_COMPUTED = 24 };

void story_computed_parameters(const Story *s, const bool *acting) {
  Document *d = doc(s);
  const Model *model = model_of(s);
  uint32_t shown = 0;
  for (uint32_t i = 0; i < model->parameters.n && shown < MOST_COMPUTED; i++) {
    const Parameter *p = &model->parameters.at[i];
    if (!acting[i] || !is_computed(s, p) || is_later_copy(s, i)) continue;
    if (shown++ == 0) document_paragraph(d, SAY_PARAMETERS_COMPUTED, NULL);
    Copies range;
    Expr general = p->value;
    const char *name = symbol_text(d->cx, p->name);
    uint32_t copies = count_copies(s, i, &range, &general);
    if (copies) name = indexed_name(d->cx, name, range.letter, range.from);
    Formula f = formula_open(d);
    formula_name(&f, name);
    formula_equals(&f);
    formula_expr(&f, copies ? general : p->value);
    if (copies) formula_range(&f, &range);
    document_display(d, &f, true);
  }
}
