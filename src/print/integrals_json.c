// The JSON of `qdot conserved`.
#include "expr/define.h"
#include "expr/print.h"
#include "expr/subst.h"
#include "print/integrals_text.h"
#include "result/json.h"

static void add_expr(Json *json, JsonValue *parent, const char *key, Expr e) {
  Mark mark = arena_mark(&json->cx->scratch);
  json_add_text(json, parent, key, expr_text(json->cx, &json->cx->scratch, e));
  arena_release(&json->cx->scratch, mark);
}

// How t and the coordinates move.
static void add_generator(Json *json, JsonValue *object, const System *s, const Integral *it) {
  if (!it->tau) {
    json_add_null(json, object, "generator");
    return;
  }
  JsonValue *generator = json_add_object(json, object, "generator");
  add_expr(json, generator, "t", it->tau);
  for (uint32_t i = 0; i < s->n; i++)
    add_expr(json, generator, expr_text(json->cx, &json->cx->scratch, s->q[i]), it->xi[i]);
}

static void add_integral(Json *json, JsonValue *list, const ShownIntegrals *shown, uint32_t i) {
  const Integral *it = &shown->found->list.at[i];
  JsonValue *object = json_add_object(json, list, NULL);
  json_add_text(json, object, "name", it->name);
  add_expr(json, object, "formula", expr_open(json->cx, it->value));
  json_add_text(json, object, "symmetry", integral_symmetry(json->cx, shown->system, it));
  add_generator(json, object, shown->system, it);
  json_add_text(json, object, "proved", it->is_algebraic ? "algebra" : "points");
  json_add_number(json, object, "value", shown->values[i]);
}

static void add_claim(Json *json, JsonValue *list, const Claim *claim) {
  JsonValue *object = json_add_object(json, list, NULL);
  json_add_text(json, object, "name", symbol_text(json->cx, claim->definition->name));
  if (claim->verdict == CLAIM_UNDECIDED)
    json_add_null(json, object, "holds");
  else
    json_add_bool(json, object, "holds", claim->verdict == CLAIM_HOLDS);
  if (claim->rate)
    add_expr(json, object, "rate", expr_open(json->cx, claim->rate));
  else
    json_add_null(json, object, "rate");
}

void integrals_json(const ShownIntegrals *shown, Text *out) {
  Json json;
  json_open(shown->cx, &json);
  const Integrals *found = shown->found;
  static const char *const keys[] = {"integrals", "dependent"};
  for (int dependent = 0; dependent < 2; dependent++) {
    JsonValue *list = json_add_array(&json, json.root, keys[dependent]);
    for (uint32_t i = 0; i < found->list.n; i++)
      if (found->list.at[i].is_dependent == (dependent == 1)) add_integral(&json, list, shown, i);
  }
  JsonValue *claimed = json_add_array(&json, json.root, "claimed");
  for (uint32_t i = 0; i < shown->claims.n; i++) add_claim(&json, claimed, &shown->claims.at[i]);
  json_add_integer(&json, json.root, "undecided", found->undecided);
  json_print(&json, out);
  json_close(&json);
}
