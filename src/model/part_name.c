// Prefixes of parts, known to the context by a word that no text can contain.
#include "model/part_name.h"

#include <string.h>

Symbol part_symbol(Context *cx, Symbol prefix, Symbol name) {
  Mark mark = arena_mark(&cx->scratch);
  Symbol symbol = symbol_from_text(
      cx, text_format(&cx->scratch, "%s.%s", symbol_text(cx, prefix), symbol_text(cx, name)));
  arena_release(&cx->scratch, mark);
  return symbol;
}

static const char mark_word[] = "use ";

void part_mark(Context *cx, Symbol prefix) {
  Mark mark = arena_mark(&cx->scratch);
  symbol_from_text(cx, text_format(&cx->scratch, "%s%s", mark_word, symbol_text(cx, prefix)));
  arena_release(&cx->scratch, mark);
}

static bool is_marked(const Context *cx, const char *prefix, size_t length) {
  char word[256];
  size_t before = sizeof mark_word - 1;
  if (before + length >= sizeof word) return false;
  memcpy(word, mark_word, before);
  memcpy(word + before, prefix, length);
  return intern_find(&cx->names, word, before + length) != 0;
}

size_t part_prefix_length(const Context *cx, const char *name) {
  size_t length = 0;
  for (const char *dot = strchr(name, '.'); dot; dot = strchr(dot + 1, '.')) {
    size_t prefix = (size_t)(dot - name);
    if (!is_marked(cx, name, prefix)) break;
    length = prefix + 1;
  }
  return length;
}
