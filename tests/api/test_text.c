// A text under an editor's cursor.
#include <math.h>
#include <string.h>

#include "qdot/qdot.h"
#include "support/check.h"

static const char text[] = "param g = 9.81 [m/s^2], L = 20 [cm]\n"
                           "param m = 2 [kg], J = m*L^2/12\n"
                           "body rod: mass m, inertia J, at (L/2, 0), angle = 0 [deg]\n"
                           "joint pin: revolute ground (0, 0), rod (-L/2, 0)\n"
                           "gravity (0, -g)\n"
                           "output w = rod.omega + \n"
                           "torque rod = -3 [N]*wrong\n"
                           "simulate to 1 [s] every 1 [ms]\n"
                           "let r = (L, 0)\n"
                           "output e = r.x + rod.the\n"
                           "  for\n";

static size_t place_of(const char *what) { return (size_t)(strstr(text, what) - text); }

static bool offers(qdot_text *t, size_t offset, const char *word, qdot_completion_kind kind) {
  size_t begin, n = qdot_text_completion_count(t, offset, &begin);
  bool found = false;
  for (size_t i = 0; i < n; i++) {
    const qdot_completion *c = qdot_text_completion_at(t, i);
    assert_non_null(c->detail);
    assert_true(begin <= offset && strncmp(c->text, text + begin, offset - begin) == 0);
    found |= strcmp(c->text, word) == 0 && c->kind == kind;
  }
  return found;
}

static void names_and_completions(void **state) {
  (void)state;
  qdot_context *cx = qdot_context_open(NULL);
  qdot_text *t;
  assert_int_equal(qdot_text_open(cx, "draft.qdot", text, strlen(text), &t), QDOT_OK);
  assert_true(qdot_error_count(cx) > 0);
  // what a name is, and where it comes from
  const qdot_name *L = qdot_text_name_at(t, place_of("L^2"));
  assert_string_equal(L->text, "L");
  assert_string_equal(L->kind, "parameter");
  assert_string_equal(L->unit, "m");
  CHECK_NEAR(L->value, 0.2, 1e-15);
  assert_int_equal(L->defined.begin, place_of("L = 20"));
  CHECK_NEAR(qdot_text_name_at(t, place_of("J = "))->value, 2 * 0.04 / 12, 1e-15);
  assert_string_equal(qdot_text_name_at(t, place_of("J = "))->unit, "kg m²");
  assert_null(qdot_text_name_at(t, place_of("wrong"))->kind);
  assert_null(qdot_text_name_at(t, place_of("= 9.81")));
  // all places of a name, for a new one
  assert_int_equal(qdot_text_use_count(t, place_of("L^2")), 5);
  for (size_t i = 0; i < 5; i++) {
    const qdot_span *use = qdot_text_use_at(t, i);
    assert_true(use->end - use->begin == 1 && text[use->begin] == 'L');
  }
  assert_null(qdot_text_use_at(t, 5));
  // what could be written
  assert_true(offers(t, place_of("for\n") + 3, "force", QDOT_COMPLETION_STATEMENT));
  assert_true(offers(t, 0, "param", QDOT_COMPLETION_STATEMENT));
  assert_true(offers(t, place_of("rod.omega") + 4, "theta", QDOT_COMPLETION_MEMBER));
  assert_true(offers(t, place_of("rod.the") + 7, "theta", QDOT_COMPLETION_MEMBER));
  assert_false(offers(t, place_of("rod.the") + 7, "omega", QDOT_COMPLETION_MEMBER));
  assert_true(offers(t, place_of("r.x") + 2, "y", QDOT_COMPLETION_MEMBER));
  assert_true(offers(t, place_of("revolute"), "prismatic", QDOT_COMPLETION_WORD));
  assert_true(offers(t, place_of("kg]"), "kg", QDOT_COMPLETION_UNIT));
  assert_true(offers(t, place_of("J, at"), "L", QDOT_COMPLETION_NAME));
  assert_true(offers(t, place_of("J, at"), "sin", QDOT_COMPLETION_FUNCTION));
  qdot_context_close(cx);
}

// Whatever stands in a text and wherever one asks, there is an answer.
static void every_place_of_every_prefix(void **state) {
  (void)state;
  for (size_t length = 0; length <= strlen(text); length += 7) {
    qdot_context *cx = qdot_context_open(NULL);
    qdot_text *t;
    assert_int_equal(qdot_text_open(cx, "draft.qdot", text, length, &t), QDOT_OK);
    for (size_t at = 0; at <= length + 2; at += 3) {
      size_t begin;
      qdot_text_name_at(t, at);
      qdot_text_use_count(t, at);
      qdot_text_completion_count(t, at, &begin);
      assert_true(begin <= length);
    }
    qdot_context_close(cx);
  }
}

RUN_TESTS(cmocka_unit_test(names_and_completions), cmocka_unit_test(every_place_of_every_prefix))
