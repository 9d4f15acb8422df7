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

// The body and the point on it, which follows the rules where the body is not the ground.
static bool lower_place(Lowering *l, const Item *item, const Rules *rules, Anchor *out) {
  out->span = item->span;
  out->at[0] = out->at[1] = expr_int(l->cx, 0);
  if (!lower_body_name(l, item, &out->body)) return false;
  if (out->body == GROUND) rules = &part_ground_rules;
  return !item->value ||
         part_vector(l, item->value, QUANTITY_LENGTH, rules, "a point of a body", out->at);
}

bool lower_acting_point(Lowering *l, const Item *item, Anchor *out) {
  return lower_place(l, item, &part_acting_rules, out);
}

bool lower_anchor(Lowering *l, const Item *item, Symbol owner, int which, Anchor *out) {
  if (!lower_place(l, item, &part_rules, out)) return false;
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
