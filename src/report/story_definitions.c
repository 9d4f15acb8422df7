// The definitions of a model, each once; those that `for` made once for all numbers.
#include "expr/define.h"
#include "expr/walk.h"
#include "report/indexed.h"
#include "report/story.h"

static Document *doc(const Story *story) { return story->document; }

enum { MOST_DEFINITIONS = 24 };

static void show_definition(Story *s, const Definition *it) {
  Document *d = doc(s);
  document_equation(d, symbol_text(d->cx, it->name), definition_body(d->cx, it->value));
  vec_push(&d->cx->scratch, &s->told, it->value);
}

// The definitions that one line made for numbers that follow each other, from `first` on.
static uint32_t kin_of_definition(const Story *s, uint32_t first, const Definition **out) {
  const Model *model = s->listing->system->model;
  const Definition *it = &model->definitions.at[first];
  IndexedName name, other;
  uint32_t n = 0;
  if (!name_is_indexed(symbol_text(doc(s)->cx, it->name), &name)) return 0;
  for (uint32_t i = first; i < model->definitions.n; i++) {
    const Definition *one = &model->definitions.at[i];
    if (op_of(doc(s)->cx, one->value) != OP_DEFINITION || one->span.begin != it->span.begin ||
        one->span.source != it->span.source ||
        !name_is_indexed(symbol_text(doc(s)->cx, one->name), &other) ||
        !names_are_kin(&name, &other) || other.index != name.index + (long)n)
      continue;
    out[n++] = one;
  }
  return n;
}

// x_i = ... once for all of them, after those that differ; false where they have nothing in common.
static bool show_copies(Story *s, const Definition **copies, uint32_t n) {
  Context *cx = doc(s)->cx;
  if (n < LEAST_COPIES) return false;
  IndexedName first;
  name_is_indexed(symbol_text(cx, copies[0]->name), &first);
  Expr *bodies = arena_array(&cx->scratch, Expr, n), general = 0;
  for (uint32_t i = 0; i < n; i++) bodies[i] = definition_body(cx, copies[i]->value);
  const char *letter = index_letter(s->listing->system->model);
  uint32_t equal = equal_copies(cx, bodies, n, letter, first.index, &general), alone = n - equal;
  if (equal < LEAST_COPIES - 1 || alone > MOST_ALONE) return false;
  for (uint32_t i = 0; i < alone; i++) show_definition(s, copies[i]);
  Copies range = {letter, first.index + alone, first.index + n - 1};
  Formula f = formula_open(doc(s));
  formula_name(&f, indexed_name(cx, symbol_text(cx, copies[0]->name), letter, first.index));
  formula_equals(&f);
  formula_expr(&f, general);
  formula_range(&f, &range);
  document_display(doc(s), &f, true);
  for (uint32_t i = alone; i < n; i++) vec_push(&cx->scratch, &s->told, copies[i]->value);
  return true;
}

// ---- What the equations use; the rest is for pictures

typedef struct Uses {
  bool *by_name; // of Symbol
  Symbol count;
} Uses;

static Visit note_use(const Context *cx, Expr e, void *argument) {
  Uses *uses = argument;
  Symbol name = expr_is_definition(cx, e) ? definition_name(cx, e) : 0;
  if (name && name < uses->count) uses->by_name[name] = true;
  return VISIT_ENTER;
}

ExprList story_roots(const Story *s) {
  const System *system = s->listing->system;
  const Model *model = system->model;
  Context *cx = doc(s)->cx;
  ExprList roots = {0};
  for (uint32_t i = 0; i < model->energies.n; i++)
    vec_push(&cx->scratch, &roots, model->energies.at[i].value);
  for (uint32_t i = 0; i < system->n; i++) vec_push(&cx->scratch, &roots, system->Q[i]);
  for (uint32_t i = 0; i < model->constraints.n; i++)
    vec_push(&cx->scratch, &roots, model->constraints.at[i].phi);
  for (uint32_t i = 0; i < model->contacts.n; i++)
    vec_push(&cx->scratch, &roots, model->contacts.at[i].phi);
  for (uint32_t i = 0; i < model->outputs.n; i++)
    vec_push(&cx->scratch, &roots, model->outputs.at[i].value);
  const Listed *rates = &s->listing->at[LISTED_RATES];
  for (uint32_t i = 0; i < rates->rows; i++) vec_push(&cx->scratch, &roots, rates->values[i]);
  story_action_values(s, &roots);
  return roots;
}

static Uses uses_of(const Story *s) {
  const Model *model = s->listing->system->model;
  Context *cx = doc(s)->cx;
  ExprList roots = story_roots(s);
  Uses uses = {0};
  for (uint32_t i = 0; i < model->definitions.n; i++)
    if (model->definitions.at[i].name >= uses.count) uses.count = model->definitions.at[i].name + 1;
  uses.by_name = arena_array(&cx->scratch, bool, uses.count + 1);
  for (Symbol i = 0; i < uses.count; i++) uses.by_name[i] = false;
  expr_walk(cx, roots.at, roots.n, note_use, &uses);
  return uses;
}

void story_definitions(Story *s) {
  const Model *model = s->listing->system->model;
  Document *d = doc(s);
  uint32_t shown = 0;
  Uses uses = uses_of(s);
  const Definition **kin =
      arena_array(&d->cx->scratch, const Definition *, model->definitions.n + 1);
  for (uint32_t i = 0; i < model->definitions.n && shown < MOST_DEFINITIONS; i++) {
    const Definition *it = &model->definitions.at[i];
    if (op_of(d->cx, it->value) != OP_DEFINITION || story_was_told(s, it->value)) continue;
    if (!uses.by_name[it->name]) continue;
    if (shown++ == 0) document_paragraph(d, SAY_DEFINITIONS, NULL);
    uint32_t n = d->most_entries ? kin_of_definition(s, i, kin) : 0;
    if (!show_copies(s, kin, n)) show_definition(s, it);
  }
}
