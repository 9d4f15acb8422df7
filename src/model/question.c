// What questions to many runs change.
#include "model/question.h"

#include "base/text.h"

const char *varied_text(Context *cx, const Varied *v) {
  const char *name = symbol_text(cx, v->name);
  if (!v->is_start) return name;
  return text_format(&cx->scratch, "%s%s(0)", name, v->primes ? "'" : "");
}
