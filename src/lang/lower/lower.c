// Running the statements of a model: loops, limits, order.
#include "lang/lower/lower.h"

#include <string.h>

static bool too_many_steps(Lowering *l, Span span) {
  l->stopped = true;
  lower_error(l, QDOT_TOO_LARGE, span, "the loops expand to more than %u statements",
              l->cx->limits.statements);
  return false;
}

bool lower_step(Lowering *l, Span span) {
  if (l->stopped) return false;
  uint64_t limit = l->cx->limits.statements;
  if ((++l->steps & 255) == 0) context_poll(l->cx);
  return !limit || l->steps <= limit || too_many_steps(l, span);
}

bool lower_range_fits(Lowering *l, Span span, int64_t from, int64_t to) {
  uint64_t limit = l->cx->limits.statements;
  if (l->stopped || !limit || to < from || l->steps > limit) return !l->stopped;
  return (uint64_t)to - (uint64_t)from < limit - l->steps || too_many_steps(l, span);
}

bool lower_statement(Lowering *l, const Statement *s) {
  if (!lower_step(l, s->word)) return false;
  l->inference.where = s->span;
  if (!s->is_broken) return s->row->lower(l, s) || is_explained(l, s->span);
  // Only the names are of use, so that their uses are not reported as well.
  for (uint32_t i = 0; i < s->items.n; i++) break_name(l, &s->items.at[i]);
  if (s->body.n) s->row->lower(l, s);
  return is_explained(l, s->span);
}

// The index of a loop must be new.
static bool index_is_free(Lowering *l, const Item *index) {
  const char *text = symbol_text(l->cx, index->name);
  bool reserved = strcmp(text, "t") == 0 || strcmp(text, "pi") == 0;
  const NameEntry *entry = model_find(l->model, index->name);
  bool taken = entry && entry->kind != NAME_BROKEN, named = taken;
  for (uint32_t i = 0; i < l->loops.n; i++) taken = taken || l->loops.at[i].name == index->name;
  if (reserved)
    lower_error(l, QDOT_DUPLICATE_NAME, index->span, "the name '%s' is reserved", text);
  else if (taken &&
           lower_error(l, QDOT_DUPLICATE_NAME, index->span,
                       "the index '%s' of this loop is already a name", text) &&
           named)
    show_taken(l, entry);
  return !reserved && !taken;
}

// A loop that cannot run still defines the names in it, as broken ones.
static void break_names_inside(Lowering *l, const Statement *s) {
  for (uint32_t i = 0; i < s->body.n; i++) {
    const Statement *inner = s->body.at[i];
    bool loop = strcmp(inner->row->word, "for") == 0;
    for (uint32_t k = 0; !loop && k < inner->items.n; k++) break_name(l, &inner->items.at[k]);
    break_names_inside(l, inner);
  }
}

bool lower_for(Lowering *l, const Statement *s) {
  int64_t from, to;
  bool good = !s->is_broken && s->items.n == 1;
  if (good) {
    good = lower_integer(l, s->left, "the start of a range", &from);
    good = lower_integer(l, s->right, "the end of a range", &to) && good;
    good = index_is_free(l, &s->items.at[0]) && good;
  }
  if (!good) {
    break_names_inside(l, s);
    return false;
  }
  if (s->body.n && !lower_range_fits(l, s->word, from, to)) return false;
  vec_push(l->arena, &l->loops, ((LoopIndex){s->items.at[0].name, from}));
  for (int64_t i = from; i <= to && !l->stopped; i++) {
    l->loops.at[l->loops.n - 1].value = i;
    for (uint32_t k = 0; k < s->body.n && !l->stopped; k++)
      good = lower_statement(l, s->body.at[k]) && good;
    // An empty body would take a million rounds for nothing.
    if (s->body.n == 0) break;
  }
  l->loops.n--;
  return good;
}

// The loop that it closes has been run.
bool lower_end(Lowering *l, const Statement *s) {
  (void)l, (void)s;
  return true;
}

const char *source_text(const Lowering *l, Span span) {
  return arena_copy(&l->cx->keep, l->cx->sources.at[span.source].text + span.begin,
                    span.end - span.begin);
}
