// The table of functions.
#include "lang/parse/call.h"

#include <string.h>

#include "base/words/suggest.h"
#include "model/request.h"

static const Function functions[] = {
#define FUNCTION(name, kind, op, axis, least, most, usage)                                         \
  {name, FUNCTION_##kind, OP_##op, axis, least, most, usage},
#include "lang/parse/calls.def"
#undef FUNCTION
};
#define FUNCTIONS (sizeof functions / sizeof *functions)

const Function *function_find(const char *name) {
  for (size_t i = 0; i < FUNCTIONS; i++)
    if (strcmp(functions[i].name, name) == 0) return &functions[i];
  return NULL;
}

const Function *function_find_plain(const char *name) {
  const Function *function = function_find(name);
  return function && function->kind != FUNCTION_REDUCE ? function : NULL;
}

const char *function_nearest(const char *name) {
  Nearest nearest = nearest_to(name);
  for (size_t i = 0; i < FUNCTIONS; i++) nearest_offer(&nearest, functions[i].name);
  nearest_offer(&nearest, "sum");
  return nearest.best;
}
