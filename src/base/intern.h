// Names as small integers: the same text is the same Symbol, compared with ==.
#ifndef QDOT_BASE_INTERN_H
#define QDOT_BASE_INTERN_H

#include "base/vec.h"

typedef uint32_t Symbol; // 0 is not a name

typedef struct Interned {
  const char *text;
  uint32_t length, hash;
} Interned;

typedef struct Interner {
  Arena *arena;
  VEC(Interned) names; // names.at[0] is the empty "no name"
  Symbol *slots;       // open addressing, a power of two
  uint32_t slot_count;
} Interner;

void interner_open(Interner *interner, Arena *arena);
Symbol intern_bytes(Interner *interner, const char *text, size_t length);
// 0 when the text was never interned.
Symbol intern_find(const Interner *interner, const char *text, size_t length);

#endif
