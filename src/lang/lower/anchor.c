// The bodies and points that a statement about a part names.
#include "lang/lower/anchor.h"

#include "expr/build.h"
#include "lang/lower/lower_number.h"
#include "lang/lower/part_number.h"

bool lower_body_name(Lowering *l, const Item *item, uint32_t *body) {
  Symbol name = item_symbol(l, item);
  if (!name) return false;
  *body = GROUND;
  if (symbol_is(l, name, "ground")) return true;
  NameEntry *entry = need_name(l, name, item->base_span, NAME_BODY);
  if (!entry) return false;
  entry->is_used = true;
  *body = entry->number;
  return true;
}

bool lower_anchor(Lowering *l, const Item *item, Symbol owner, int which, Anchor *out) {
  out->span = item->span;
  out->at[0] = out->at[1] = expr_int(l->cx, 0);
  if (!lower_body_name(l, item, &out->body)) return false;
  const Rules *rules = out->body == GROUND ? &part_ground_rules : &part_rules;
  if (item->value &&
      !part_vector(l, item->value, QUANTITY_LENGTH, rules, "a point of a body", out->at))
    return false;
  name_place(l, owner, which, out->body, item->value, out->at);
  return true;
}

bool lower_two_anchors(Lowering *l, const Statement *s, Symbol owner, Anchor *first,
                       Anchor *second) {
  bool good = lower_anchor(l, &s->items.at[1], owner, 1, first);
  good = lower_anchor(l, &s->items.at[2], owner, 2, second) && good;
  if (good && first->body == second->body) {
    lower_error(l, QDOT_BAD_MODEL, s->items.at[2].span, "both ends are on the same body");
    return false;
  }
  return good;
}
