// A Poisson bracket as text and JSON.
#include "print/bracket_text.h"

#include "expr/print.h"
#include "expr/subst.h"
#include "result/json.h"

void bracket_text(Context *cx, const Bracket *b, const char *f, const char *g,
                  const TextStyle *style, Text *out) {
  TerminalPage page = terminal_open(cx, style, NULL, out);
  terminal_equation(&page, text_format(&cx->scratch, "{%s, %s}", f, g),
                    terminal_set(&page, b->value));
}

void bracket_json(Context *cx, const Bracket *b, Text *out) {
  Json json;
  json_open(cx, &json);
  const Expr values[] = {b->f, b->g, b->value};
  static const char *const keys[] = {"f", "g", "bracket"};
  for (int i = 0; i < 3; i++)
    json_add_text(&json, json.root, keys[i], expr_text(cx, &cx->scratch, expr_open(cx, values[i])));
  json_print(&json, out);
  json_close(&json);
}
