// Reading and finding values given from outside.
#include "lang/parse/override.h"

#include <string.h>

#include "lang/parse/parse.h"

// m[3] or rod.mass as a symbol: indices on the command line are plain numbers.
static Symbol literal_symbol(Context *cx, const Item *item) {
  if (item->index_count == 0 && !item->member) return item->name;
  Text text = text_new(&cx->keep);
  text_add(&text, symbol_text(cx, item->name));
  for (uint32_t i = 0; i < item->index_count; i++) {
    const Ast *index = item->indices[i];
    bool minus = index->kind == AST_NEGATE;
    if (minus) index = index->args[0];
    int64_t value;
    if (index->kind != AST_NUMBER || !number_to_int(cx, index->number, &value)) {
      diag_error(cx, QDOT_BAD_VALUE, index->span, "an index is a whole number");
      return 0;
    }
    text_addf(&text, "%c%s%lld", i ? ',' : '[', minus ? "-" : "", (long long)value);
  }
  if (item->index_count) text_add_char(&text, ']');
  if (item->member) text_addf(&text, ".%s", symbol_text(cx, item->member));
  return intern_bytes(&cx->names, text.at, text.n);
}

Status overrides_read(Context *cx, Arena *arena, const char *name, const char *const *texts,
                      size_t n, Overrides *out) {
  *out = (Overrides){0};
  Status status = QDOT_OK;
  for (size_t i = 0; i < n; i++) {
    uint32_t source =
        source_add(&cx->keep, &cx->sources, name ? name : "setting", texts[i], strlen(texts[i]));
    Override override = {0};
    bool good = parse_assignment(cx, source, arena, &override.item);
    if (good) override.name = literal_symbol(cx, &override.item);
    if (override.name)
      vec_push(arena, out, override);
    else
      status = QDOT_SYNTAX;
  }
  return status;
}

const Override *override_find(const Overrides *overrides, Symbol name, uint32_t primes) {
  const Override *found = NULL;
  for (uint32_t i = 0; overrides && i < overrides->n; i++) {
    Override *override = &overrides->at[i];
    if (override->name != name || override->item.primes != primes) continue;
    override->is_used = true;
    found = override;
  }
  return found;
}
