// Files that a model uses: their statements, under the prefix of the part.
#include <string.h>

#include "lang/lower/lower.h"
#include "lang/parse/part_file.h"
#include "model/part_name.h"

// What a file says for its own runs stays with it.
static bool stays(const Statement *s) {
  static const char *const words[] = {"model",     "gravity",     "simulate", "derive",
                                      "linearize", "independent", "plot",     "sensitivity",
                                      "fit",       "find",        "orbit",    "tolerance",
                                      "sweep",     "random",      "comfort",  "synchronous"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strcmp(s->row->word, words[i]) == 0) return true;
  return false;
}

static void list_file(Lowering *l, const PartFile *file) {
  ModelData data = {.name = file->name,
                    .path = file->path,
                    .stored = file->stored,
                    .hash = file->hash,
                    .source = file->source,
                    .prefix = file->prefix,
                    .is_part = true};
  vec_push(&l->cx->keep, &l->model->data, data);
}

// Values from outside come last and win.
static void give_values(Lowering *l, const Statement *s) {
  Overrides all = {0};
  for (uint32_t i = 0; i < s->items.n; i++) {
    Override given = {.item = s->items.at[i],
                      .name = item_symbol(l, &s->items.at[i]),
                      .part = s->part->file->name};
    if (given.name) vec_push(l->arena, &all, given);
  }
  for (uint32_t i = 0; i < l->overrides->n; i++) vec_push(l->arena, &all, l->overrides->at[i]);
  *l->overrides = all;
}

static bool define_prefix(Lowering *l, const Statement *s) {
  if (!s->kind) return true;
  Item item = {.name = s->kind, .span = s->kind_span, .base_span = s->kind_span};
  if (symbol_is(l, s->kind, "ground")) {
    lower_error(l, QDOT_DUPLICATE_NAME, item.span, "the name 'ground' is reserved");
    return false;
  }
  return define_name(l, s->kind, &item, NAME_PART, l->model->data.n);
}

static bool lower_lines(Lowering *l, const ModelText *text) {
  bool good = true;
  for (uint32_t i = 0; i < text->statements.n && !l->stopped; i++) {
    const Statement *s = text->statements.at[i];
    if (s->row->lower == lower_gravity && !l->part_gravity.end) l->part_gravity = s->span;
    if (!stays(s) || s->is_broken) good = lower_statement(l, s) && good;
  }
  return good;
}

bool lower_use(Lowering *l, const Statement *s) {
  if (l->loops.n) {
    if (lower_error(l, QDOT_BAD_MODEL, s->span, "a file cannot be used in a loop"))
      diag_label(l->cx, "write one line 'use' for each part");
    return false;
  }
  if (!define_prefix(l, s)) return false;
  if (!s->part) { // what it would have brought is not reported once more
    if (s->kind) model_find(l->model, s->kind)->kind = NAME_BROKEN;
    return false;
  }
  if (s->part->is_again) {
    if (s->part->is_repeated)
      lower_warning(l, s->span, "'%s' is used already; this line brings nothing new", s->text);
    if (!s->items.n) return true;
    lower_error(l, QDOT_BAD_MODEL, s->items.at[0].span, "values go with the first use of a file");
    return false;
  }
  list_file(l, s->part->file);
  give_values(l, s);
  const ModelText *text = l->text;
  Symbol prefix = l->prefix;
  l->text = &s->part->text, l->prefix = s->part->file->prefix;
  bool good = lower_lines(l, l->text);
  l->text = text, l->prefix = prefix;
  return good;
}

void lower_use_finish(Lowering *l) {
  const Model *m = l->model;
  bool has_gravity = m->mechanism.gravity[0] || m->space.gravity[0];
  if (!l->part_gravity.end || has_gravity || !m->mechanism.bodies.n) return;
  if (lower_warning(l, l->part_gravity,
                    "this gravity belongs to the file's own runs, and the model "
                    "that uses it has none"))
    diag_label(l->cx, "write 'gravity' in the model, or 'gravity (0, 0)' where there is none");
}

const char *name_here(const Lowering *l, const char *name) {
  if (!name || !l->prefix) return name;
  const char *prefix = symbol_text(l->cx, l->prefix);
  size_t n = strlen(prefix);
  return strncmp(name, prefix, n) == 0 && name[n] == '.' ? name + n + 1 : name;
}

bool is_of_broken_part(const Lowering *l, Symbol symbol) {
  const char *name = symbol_text(l->cx, symbol), *dot = strchr(name, '.');
  for (; dot; dot = strchr(dot + 1, '.')) {
    Symbol owner = intern_find(&l->cx->names, name, (size_t)(dot - name));
    const NameEntry *entry = owner ? model_find(l->model, owner) : NULL;
    if (entry && entry->kind == NAME_BROKEN) return true;
  }
  return false;
}
