// The table of quantities: each depends on what its row says, on every example.
#include "derive/quantities.h"
#include "expr/build.h"
#include "expr/subst.h"

#include <stdlib.h>
#include <string.h>

#include "support/examples.h"
#include "support/motion.h"

static unsigned takes(const Context *cx, Expr e) {
  return (expr_has_kind(cx, e, KIND_BIT(SYMBOL_VELOCITY)) ? TAKES_QD : 0) |
         (expr_has_kind(cx, e, KIND_BIT(SYMBOL_INPUT)) ? TAKES_U : 0) |
         (expr_has_kind(cx, e, KIND_BIT(SYMBOL_ACCELERATION)) ? TAKES_QDD : 0) |
         (expr_has_kind(cx, e, KIND_BIT(SYMBOL_MULTIPLIER)) ? TAKES_LAMBDA : 0);
}

// What a contact rubs with and what presses a joint that rubs act like inputs of their own.
static Expr without_friction(Context *cx, const System *s, Expr e) {
  for (uint32_t i = 0; i < s->contact_count; i++)
    if (s->slips[i].phi)
      e = expr_subst(cx, e, &(Substitution){s->slips[i].multiplier, expr_int(cx, 0)}, 1);
  for (uint32_t i = 0; i < s->model->presses.n; i++)
    e = expr_subst(cx, e, &(Substitution){s->model->presses.at[i].symbol, expr_int(cx, 0)}, 1);
  return e;
}

static void check_example(Context *cx, const char *path) {
  Motion motion = motion_load_file(cx, path, NULL);
  const System *s = &motion.system;
  derive_matrices(cx, &motion.system);
  for (QuantityKey key = 0; key < QUANTITY_COUNT; key++) {
    const QuantityType *type = quantity_type(key);
    if (type->shown == QUANTITY_ASKED) continue;
    size_t n = quantity_size(quantity_shape(s, key));
    Mark mark = arena_mark(&cx->scratch);
    Expr *values = arena_array(&cx->scratch, Expr, n);
    quantity_values(s, key, values);
    for (size_t i = 0; i < n; i++) {
      if ((takes(cx, without_friction(cx, s, values[i])) & ~type->takes) == 0) continue;
      print_error("%s: %s takes more than its row says\n", path, type->name);
      fail();
    }
    arena_release(&cx->scratch, mark);
  }
}

static void every_example(void **state) {
  (void)state;
  with_every_example(check_example);
}

static void names_are_different(void **state) {
  (void)state;
  for (QuantityKey a = 0; a < QUANTITY_COUNT; a++)
    for (QuantityKey b = 0; b < a; b++) {
      const QuantityType *one = quantity_type(a), *other = quantity_type(b);
      bool hidden = one->shown == QUANTITY_HIDDEN || other->shown == QUANTITY_HIDDEN;
      assert_true(hidden || strcmp(one->name, other->name) != 0);
      assert_true(!one->code || !other->code || strcmp(one->code, other->code) != 0);
    }
}

RUN_TESTS(cmocka_unit_test(every_example), cmocka_unit_test(names_are_different))
