// The table of names.
#include "base/intern.h"

#include <string.h>

#include "base/hash.h"

void interner_open(Interner *interner, Arena *arena) {
  *interner = (Interner){.arena = arena, .slot_count = 64};
  interner->slots = arena_array(arena, Symbol, interner->slot_count);
  vec_push(arena, &interner->names, ((Interned){.text = ""}));
}

// The slot that holds the text, or the empty one where it belongs.
static Symbol *slot_of(const Interner *interner, const char *text, size_t length, uint32_t hash) {
  uint32_t mask = interner->slot_count - 1;
  for (uint32_t i = hash & mask;; i = (i + 1) & mask) {
    Symbol symbol = interner->slots[i];
    const Interned *name = &interner->names.at[symbol];
    if (!symbol ||
        (name->hash == hash && name->length == length && memcmp(name->text, text, length) == 0))
      return &interner->slots[i];
  }
}

static void enlarge(Interner *interner) {
  interner->slot_count *= 2;
  interner->slots = arena_array(interner->arena, Symbol, interner->slot_count);
  for (Symbol s = 1; s < interner->names.n; s++) {
    const Interned *name = &interner->names.at[s];
    *slot_of(interner, name->text, name->length, name->hash) = s;
  }
}

Symbol intern_find(const Interner *interner, const char *text, size_t length) {
  return *slot_of(interner, text, length, hash_bytes(text, length));
}

Symbol intern_bytes(Interner *interner, const char *text, size_t length) {
  if (length > UINT32_MAX / 2) guard_escape(interner->arena->guard, QDOT_TOO_LARGE);
  uint32_t hash = hash_bytes(text, length);
  Symbol *slot = slot_of(interner, text, length, hash);
  if (*slot) return *slot;
  if (2 * interner->names.n >= interner->slot_count) {
    enlarge(interner);
    slot = slot_of(interner, text, length, hash);
  }
  Symbol symbol = interner->names.n;
  Interned name = {arena_copy(interner->arena, text, length), (uint32_t)length, hash};
  vec_push(interner->arena, &interner->names, name);
  *slot = symbol;
  return symbol;
}
