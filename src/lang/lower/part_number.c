// Numbers of the parts of a mechanism.
#include "lang/lower/part_number.h"

#include <math.h>
#include <string.h>

#include "lang/lower/lower_number.h"
#include "lang/lower/property.h"

#define BIT(kind) KIND_BIT(SYMBOL_##kind)
#define EVERYTHING ((1u << SYMBOL_KINDS) - 1)

const Rules part_rules = {EVERYTHING & ~BIT(PARAMETER), "the description of a body"};
const Rules part_ground_rules = {EVERYTHING & ~(BIT(PARAMETER) | BIT(TIME)),
                                 "a place on the ground"};
const Rules part_acting_rules = {EVERYTHING & ~(BIT(PARAMETER) | BIT(TIME)),
                                 "the point of a force on a body"};
const Rules part_law_rules = {
    BIT(ACCELERATION) | BIT(POSE_ACCELERATION) | BIT(MULTIPLIER) | BIT(STATE_RATE), "a force"};

Form part_form(PartQuantity quantity) {
  static const int8_t exponents[][3] = {
      [QUANTITY_PURE] = {0, 0, 0},
      [QUANTITY_LENGTH] = {0, 1, 0},
      [QUANTITY_MASS] = {1, 0, 0},
      [QUANTITY_INERTIA] = {1, 2, 0},
      [QUANTITY_SPEED] = {0, 1, -1},
      [QUANTITY_RATE] = {0, 0, -1},
      [QUANTITY_FORCE] = {1, 1, -2},
      [QUANTITY_TORQUE] = {1, 2, -2},
      [QUANTITY_ACCELERATION] = {0, 1, -2},
      [QUANTITY_STIFFNESS] = {1, 0, -2},
      [QUANTITY_DAMPING] = {1, 0, -1},
      [QUANTITY_TORSION] = {1, 2, -2},
      [QUANTITY_TORSION_DAMPING] = {1, 2, -1},
  };
  const int8_t *e = exponents[quantity];
  return form_known(dimension_base(e[0], e[1], e[2]));
}

Expr part_quantity(Lowering *l, const Ast *ast, PartQuantity quantity, const Rules *rules,
                   const char *what, double *number) {
  Value v = lower_scalar(l, ast, rules);
  if (!has_value(v) || !need_dimension(l, ast, v.form[0], part_form(quantity), what)) return 0;
  if (number) *number = v.number;
  return v.at[0];
}

bool part_vector(Lowering *l, const Ast *ast, PartQuantity quantity, const Rules *rules,
                 const char *what, Expr out[2]) {
  Value v = lower_ruled(l, ast, rules);
  if (!has_value(v)) return false;
  if (v.n != 2) {
    if (lower_error(l, QDOT_BAD_VALUE, ast->span, "%s has two components", what))
      diag_label(l->cx, "write (x, y)");
    return false;
  }
  for (int i = 0; i < 2; i++)
    if (!need_dimension(l, ast, v.form[i], part_form(quantity), what)) return false;
  memcpy(out, v.at, 2 * sizeof *out);
  return true;
}

bool need_size(Lowering *l, const Ast *ast, const char *what, double number,
               PartQuantity quantity) {
  if (!(number < 0)) return true;
  if (lower_error(l, QDOT_BAD_VALUE, ast->span, "%s cannot be negative", what)) {
    Text unit = text_new(l->arena);
    dimension_print(part_form(quantity).known, &unit);
    diag_label(l->cx, "this is %g %s", number, unit.at);
  }
  return false;
}

// number: also told what it is; NULL where nobody asks.
static Expr lower_named(Lowering *l, const Statement *s, const char *word, PartQuantity quantity,
                        Symbol owner, const char *named, double *number) {
  const Clause *clause = property_find(l, s, word);
  if (!clause) return 0;
  bool is_start = strcmp(s->row->word, "body") == 0; // asked about once the model is whole
  bool is_number = clause->value->kind == AST_NUMBER || clause->value->kind == AST_NEGATE;
  if (quantity == QUANTITY_PURE && strcmp(word, "ratio") != 0 && !(is_start && is_number))
    warn_degrees(l, clause->value);
  if (quantity == QUANTITY_RATE) warn_hertz(l, clause->value);
  Expr value = part_quantity(l, clause->value, quantity, &part_rules,
                             text_format(l->arena, "'%s'", word), number);
  if (!value || !named) return value;
  return name_number(l, owner, named, clause->value, part_form(quantity), value, number);
}

Expr part_named(Lowering *l, const Statement *s, const char *word, PartQuantity quantity,
                Symbol owner, const char *named) {
  return lower_named(l, s, word, quantity, owner, named, NULL);
}

Expr part_extent(Lowering *l, const Statement *s, const char *word, PartQuantity quantity,
                 Symbol owner, const char *named) {
  double number = NAN;
  Expr value = lower_named(l, s, word, quantity, owner, named, &number);
  const char *what = text_format(l->arena, "'%s'", word);
  return value && need_size(l, property_find(l, s, word)->value, what, number, quantity) ? value
                                                                                         : 0;
}

Expr part_value(Lowering *l, const Statement *s, const char *word, PartQuantity quantity) {
  return part_named(l, s, word, quantity, 0, NULL);
}
