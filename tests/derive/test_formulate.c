// A mechanism in different coordinates moves in the same way.
#include "derive/formulate.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "derive/system.h"
#include "expr/algebra/expand.h"
#include "expr/build.h"
#include "expr/define.h"
#include "expr/subst.h"
#include "expr/value/eval.h"
#include "support/mechanisms.h"

static Expr pose_symbol(Context *cx, const char *body, const char *part) {
  return expr_symbol(cx, SYMBOL_POSE,
                     symbol_from_text(cx, text_format(&cx->keep, "%s.%s", body, part)));
}

static uint32_t add_body(Model *model, const char *name, Expr mass, Expr inertia) {
  Context *cx = model->cx;
  Body b = {.name = symbol_from_text(cx, name), .mass = mass, .inertia = inertia};
  static const char *const parts[] = {"x", "y", "theta"};
  for (int i = 0; i < 3; i++) b.pose[i] = pose_symbol(cx, name, parts[i]);
  vec_push(&cx->keep, &model->mechanism.bodies, b);
  return model->mechanism.bodies.n - 1;
}

static void add_pin(Model *model, const char *name, uint32_t a, Expr ax, uint32_t b, Expr bx) {
  Context *cx = model->cx;
  Expr zero = expr_int(cx, 0);
  Joint j = {.name = symbol_from_text(cx, name), .kind = JOINT_REVOLUTE, .carrier = GROUND};
  j.first = (Anchor){.body = a, .at = {ax, zero}};
  j.second = (Anchor){.body = b, .at = {bx, zero}};
  vec_push(&cx->keep, &model->mechanism.joints, j);
}

// N links pinned end to end, gravity along x, so that angles are measured from it.
static Model *chain_of_bodies(Context *cx, int links) {
  Model *model = model_new(cx);
  Expr g = mechanism_parameter(model, "g"), zero = expr_int(cx, 0), end = zero;
  model->mechanism.gravity[0] = g, model->mechanism.gravity[1] = zero;
  uint32_t last = GROUND;
  for (int i = 1; i <= links; i++) {
    Expr m = mechanism_parameter(model, mechanism_indexed(cx, "m", i));
    Expr L = mechanism_parameter(model, mechanism_indexed(cx, "L", i));
    Expr d = mechanism_parameter(model, mechanism_indexed(cx, "d", i));
    Expr I = mechanism_parameter(model, mechanism_indexed(cx, "I", i));
    uint32_t body = add_body(model, mechanism_indexed(cx, "link", i), m, I);
    add_pin(model, mechanism_indexed(cx, "A", i), last, end, body, expr_neg(cx, d));
    last = body, end = expr_sub(cx, L, d);
  }
  return model;
}

static System formulated(Context *cx, const Model *model, Formulation formulation) {
  Model *plain;
  System s;
  assert_int_equal(model_formulate(cx, model, formulation, &plain), QDOT_OK);
  assert_int_equal(derive_system(cx, plain, DERIVE_MATRICES, &s), QDOT_OK);
  return s;
}

// The tree's equations are those of the N-link pendulum written by hand.
TEST(a_chain_of_pins_is_the_textbook_pendulum) {
  System bodies = formulated(cx, chain_of_bodies(cx, 3), FORMULATION_LAGRANGE);
  System book;
  derive_system(cx, mechanism_pendulum(cx, 3), DERIVE_MATRICES, &book);
  assert_int_equal(bodies.n, 3);
  assert_int_equal(bodies.row_count, 0);
  Substitution rename[9];
  for (uint32_t i = 0; i < 3; i++) {
    rename[3 * i] = (Substitution){bodies.q[i], book.q[i]};
    rename[3 * i + 1] = (Substitution){bodies.qd[i], book.qd[i]};
    rename[3 * i + 2] = (Substitution){bodies.qdd[i], book.qdd[i]};
  }
  for (uint32_t i = 0; i < 3; i++) {
    Expr pairs[3][2] = {{bodies.h[i], book.h[i]}, {bodies.G[i], book.G[i]}, {0}};
    for (uint32_t j = 0; j < 3; j++) {
      pairs[2][0] = bodies.M[3 * i + j], pairs[2][1] = book.M[3 * i + j];
      for (int k = 0; k < 3; k++) {
        Expr mine = expr_open(cx, expr_subst(cx, expr_open(cx, pairs[k][0]), rename, 9));
        assert_int_equal(expr_zero_test(cx, expr_sub(cx, mine, pairs[k][1]), 1000000), ZERO_YES);
      }
    }
  }
}

// x, y, theta of every body: M is diagonal and constant, the joints are rows.
TEST(maximal_coordinates_have_a_constant_mass_matrix) {
  System s = formulated(cx, chain_of_bodies(cx, 3), FORMULATION_MAXIMAL);
  assert_int_equal(s.n, 9);
  assert_int_equal(s.row_count, 6);
  for (uint32_t i = 0; i < 9; i++) {
    assert_true(expr_is_zero(cx, s.h[i]));
    for (uint32_t j = 0; j < 9; j++) {
      Expr entry = s.M[9 * i + j];
      assert_int_equal(expr_is_zero(cx, entry), i != j);
      assert_false(expr_has_kind(cx, entry, ~KIND_BIT(SYMBOL_PARAMETER)));
    }
  }
}

// ---- No field of a model is lost

typedef enum Fate {
  STAYS,  // byte for byte
  EQUAL,  // a list of its own with the same contents
  REBUILT // by the formulation
} Fate;

static const struct {
  const char *name;
  size_t at, size;
  Fate fate;
} fields[] = {
#define FIELD(name, fate) {#name, offsetof(Model, name), sizeof((Model *)0)->name, fate},
#include "derive/model_fields.def"
#undef FIELD
};
#define FIELD_COUNT (sizeof fields / sizeof fields[0])

// One value for each row above, by place: does not compile when Model has another field.
#pragma GCC diagnostic error "-Wmissing-field-initializers"
static Model by_fields(const Model *model) {
  return (Model){
#define FIELD(name, fate) model->name,
#include "derive/model_fields.def"
#undef FIELD
  };
}

typedef VEC(char) Bytes;

static void assert_survives(const Model *before, const Model *after, size_t i) {
  const char *old = (const char *)before + fields[i].at, *new = (const char *)after + fields[i].at;
  if (fields[i].fate == STAYS && memcmp(old, new, fields[i].size) != 0)
    fail_msg("a formulation loses '%s'", fields[i].name);
  if (fields[i].fate != EQUAL) return;
  const Bytes *from = (const Bytes *)old, *to = (const Bytes *)new;
  if (from->n == 0 || from->n != to->n || from->at == to->at)
    fail_msg("a formulation loses the list '%s'", fields[i].name);
}

#define SAME_CONTENTS(list)                                                                        \
  assert_memory_equal(model->list.at, plain->list.at, model->list.n * sizeof *model->list.at)

TEST(a_formulation_keeps_every_field_that_it_does_not_make) {
  for (int formulation = 0; formulation < FORMULATIONS; formulation++) {
    Model *model = chain_of_bodies(cx, 2), same = by_fields(model);
    assert_int_equal(same.parameters.n, model->parameters.n);
    vec_push(&cx->keep, &model->counts, ((Count){.name = symbol_from_text(cx, "N"), .value = 2}));
    vec_push(&cx->keep, &model->inputs, ((Input){.name = symbol_from_text(cx, "u")}));
    for (size_t i = 1; i < FIELD_COUNT; i++)
      if (fields[i].fate == STAYS) memset((char *)model + fields[i].at, 0x5a, fields[i].size);
    model->system = arena_new(&cx->keep, System);
    Model *plain;
    assert_int_equal(model_formulate(cx, model, (Formulation)formulation, &plain), QDOT_OK);
    for (size_t i = 0; i < FIELD_COUNT; i++) assert_survives(model, plain, i);
    SAME_CONTENTS(parameters);
    SAME_CONTENTS(counts);
    SAME_CONTENTS(inputs);
    assert_null(plain->system);
    assert_ptr_equal(plain->origin, model);
  }
}

RUN_TESTS(cmocka_unit_test(a_chain_of_pins_is_the_textbook_pendulum),
          cmocka_unit_test(maximal_coordinates_have_a_constant_mass_matrix),
          cmocka_unit_test(a_formulation_keeps_every_field_that_it_does_not_make))
