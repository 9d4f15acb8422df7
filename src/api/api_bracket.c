// Poisson brackets of a system.
#include <string.h>

#include "api/api_call.h"
#include "api/api_options.h"
#include "api/api_system.h"
#include "api/api_write.h"
#include "lang/read.h"
#include "print/bracket_text.h"

typedef struct Bracketing {
  qdot_system *system;
  const char *f, *g;
  qdot_write_options options;
  qdot_sink sink;
} Bracketing;

// H is Hamilton's function where the model has no such name.
static Status read_function(const System *s, const Hamilton *h, const char *text, Expr *out) {
  if (strcmp(text, "H") == 0 && !model_find_text(s->model, text)) {
    *out = h->H;
    return QDOT_OK;
  }
  return expression_read(s->cx, (Model *)s->model, "bracket", text, strlen(text), out);
}

static Status write_bracket(void *argument) {
  Bracketing *b = argument;
  System *s;
  Status status = api_named_system(b->system, &s);
  if (status != QDOT_OK) return status;
  Context *cx = s->cx;
  Hamilton hamilton;
  Expr f, g;
  Bracket bracket;
  status = hamilton_derive(cx, s, &hamilton);
  if (status == QDOT_OK) hamilton_simplify(cx, s, SIMPLIFY_NORMAL, false, &hamilton);
  if (status == QDOT_OK) status = read_function(s, &hamilton, b->f, &f);
  if (status == QDOT_OK) status = read_function(s, &hamilton, b->g, &g);
  if (status == QDOT_OK) status = bracket_derive(cx, s, &hamilton, f, g, &bracket);
  if (status != QDOT_OK) return status;
  Text out = text_new(&cx->scratch);
  TextStyle style = api_text_style(&b->options);
  switch (b->options.format) {
  case QDOT_FORMAT_JSON: bracket_json(cx, &bracket, &out); break;
  case QDOT_FORMAT_TEXT: bracket_text(cx, &bracket, b->f, b->g, &style, &out); break;
  default: return api_only_text_and_json(cx, "a bracket");
  }
  return b->sink.write(b->sink.user, out.at, out.n) == 0 ? QDOT_OK : QDOT_IO;
}

qdot_status qdot_system_bracket_write(qdot_system *system, const char *f, const char *g,
                                      const qdot_write_options *options, qdot_sink sink) {
  Bracketing b = {.system = system, .f = f, .g = g, .sink = sink};
  if (!f || !g || !api_options(options, &b.options, sizeof b.options)) return QDOT_BAD_ARGUMENT;
  return api_call(system->system->cx, write_bracket, &b);
}
