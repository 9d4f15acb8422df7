// Values given from outside, as NAME=VALUE.
#ifndef QDOT_LANG_PARSE_OVERRIDE_H
#define QDOT_LANG_PARSE_OVERRIDE_H

#include "lang/parse/ast.h"

typedef struct Override {
  Item item;
  Symbol name; // with its indices, as in m[3]
  bool is_used;
  const char *part; // the file that it is given to by the model; NULL: from outside
} Override;

typedef VEC(Override) Overrides;

// Reads "L=20 [mm]" and its like. Mistakes are reported against the text as given, under the name.
Status overrides_read(Context *cx, Arena *arena, const char *name, const char *const *texts,
                      size_t n, Overrides *out);
// NULL when there is none; the last one given wins. Marks it as used.
const Override *override_find(const Overrides *overrides, Symbol name, uint32_t primes);

#endif
