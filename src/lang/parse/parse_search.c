// The statements that ask what parameters do, and which values serve.
#include "lang/parse/parse.h"

// "sensitivity" name {"," name} "to" varied {"," varied}
void parse_sensitivity(Parser *p, Statement *s) {
  do {
    if (!parse_measure_name(p, s)) return;
  } while (accept_token(p, TOKEN_COMMA));
  if (!accept_word(p, "to")) {
    fail_expected(p, "'to' and the parameters");
    return;
  }
  do {
    Item item;
    if (!parse_varied(p, "a parameter, or a start value such as theta(0)", &item)) return;
    vec_push(p->arena, &s->items, item);
  } while (accept_token(p, TOKEN_COMMA));
}
