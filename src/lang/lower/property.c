// Nothing that somebody wrote about a part is left out in silence.
#include "lang/lower/property.h"

#include <string.h>

const Clause *property_find(const Lowering *l, const Statement *s, const char *word) {
  for (uint32_t i = 0; i < s->clauses.n; i++)
    if (strcmp(symbol_text(l->cx, s->clauses.at[i].word), word) == 0) return &s->clauses.at[i];
  return NULL;
}

// The next word of a list, and its length; NULL behind the last one.
static const char *next_word(const char *at, size_t *length) {
  at += strspn(at, " ");
  *length = strcspn(at, " ");
  return *length ? at : NULL;
}

static bool is_listed(const char *list, const char *word) {
  size_t n = 0;
  for (const char *at = list; (at = next_word(at, &n)) != NULL; at += n)
    if (strlen(word) == n && memcmp(at, word, n) == 0) return true;
  return false;
}

// "it takes 'axis', 'length' and 'friction'"
static const char *what_it_takes(Lowering *l, const char *list) {
  Text out = text_new(l->arena);
  size_t n = 0, following = 0;
  const char *at = next_word(list, &n);
  if (!at) return "it takes no properties";
  text_addf(&out, "it takes '%.*s'", (int)n, at);
  for (at += n; (at = next_word(at, &n)) != NULL; at += n)
    text_addf(&out, "%s '%.*s'", next_word(at + n, &following) ? "," : " and", (int)n, at);
  return out.at;
}

bool properties_fit(Lowering *l, const Statement *s, const char *what, const char *takes) {
  bool good = true;
  for (uint32_t i = 0; i < s->clauses.n; i++) {
    const Clause *clause = &s->clauses.at[i];
    const char *word = symbol_text(l->cx, clause->word);
    const Clause *first = property_find(l, s, word);
    if (takes && !is_listed(takes, word)) {
      if (lower_error(l, QDOT_BAD_MODEL, clause->span, "%s takes no '%s'", what, word))
        diag_label(l->cx, "%s", what_it_takes(l, takes));
    } else if (first != clause) {
      if (lower_error(l, QDOT_DUPLICATE_NAME, clause->span, "'%s' is given twice", word))
        diag_second(l->cx, first->span, "it is given here");
    } else {
      continue;
    }
    good = false;
  }
  return good;
}

void warn_place(Lowering *l, const Item *item, const char *what) {
  if (item->value &&
      lower_warning(l, item->value->span, "%s does not act at a point of a body", what))
    diag_label(l->cx, "it acts between angles: this place is ignored");
}
