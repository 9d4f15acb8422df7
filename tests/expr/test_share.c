// Shared parts: text with names is linear in the graph and stands for the same expression.
#include "expr/share.h"

#include <string.h>

#include "expr/build.h"
#include "expr/define.h"
#include "expr/print.h"
#include "support/expressions.h"

typedef struct Names {
  const ExprMemo *number; // of a named part
  Expr except;            // the part whose own text is written
  char buffer[32];
} Names;

static const char *name_of_part(const Context *cx, Expr e, void *argument) {
  (void)cx;
  Names *names = argument;
  uint32_t number = memo_get(names->number, e);
  if (!number || e == names->except) return NULL;
  snprintf(names->buffer, sizeof names->buffer, "s_%u", number);
  return names->buffer;
}

static size_t text_size(Context *cx, Expr e, Names *names) {
  Text out = text_new(&cx->scratch);
  PartNames by = {name_of_part, names};
  names->except = e;
  expr_print(cx, e, &by, &out);
  return out.n;
}

// The bytes of everything with its shared parts named.
static size_t shared_size(Context *cx, const Expr *roots, size_t n, uint32_t *parts) {
  Mark mark = arena_mark(&cx->scratch);
  ExprMemo *number = memo_take(cx);
  ExprList list = expr_shared_parts(cx, roots, n, share_defaults());
  Names names = {.number = number};
  size_t size = 0;
  for (uint32_t i = 0; i < list.n; i++) {
    // only earlier parts have names yet
    size += text_size(cx, list.at[i], &names);
    memo_set(cx, number, list.at[i], i + 1);
  }
  for (size_t i = 0; i < n; i++) size += text_size(cx, roots[i], &names);
  *parts = list.n;
  memo_give(cx, number);
  arena_release(&cx->scratch, mark);
  return size;
}

TEST(a_tower_of_squares_stays_linear) {
  Expr x = expr_symbol(cx, SYMBOL_COORDINATE, symbol_from_text(cx, "x")), e = x;
  for (int i = 0; i < 60; i++)
    e = expr_add(cx, expr_sin(cx, e), expr_mul(cx, x, expr_function1(cx, OP_EXP, e)));
  uint32_t parts;
  size_t size = shared_size(cx, &e, 1, &parts);
  assert_in_range(parts, 20, 61);
  assert_in_range(size, 60 * 10, 60 * 40);
}

TEST(small_expressions_have_no_names) {
  Random random = random_start("small_expressions_have_no_names");
  Samples s = samples_open(cx, &random);
  Expr a = expr_sin(cx, expr_add(cx, s.symbol[2], s.symbol[3]));
  Expr e = expr_add(cx, expr_square(cx, a), expr_mul(cx, a, s.symbol[0]));
  uint32_t parts;
  shared_size(cx, &e, 1, &parts);
  assert_int_equal(parts, 0);
  Expr w = expr_define(cx, symbol_from_text(cx, "w"), e), twice = expr_mul(cx, w, s.symbol[1]);
  shared_size(cx, &twice, 1, &parts);
  assert_int_equal(parts, 1);
}

TEST(names_never_make_text_longer_by_much) {
  Random random = random_start("names_never_make_text_longer_by_much");
  Samples s = samples_open(cx, &random);
  for (int i = 0; i < test_rounds(2000); i++) {
    Mark mark = arena_mark(&cx->scratch);
    Expr roots[3];
    for (int k = 0; k < 3; k++) roots[k] = random_expr(&s, 6, false);
    Names none = {.number = memo_take(cx)};
    size_t plain = 0;
    for (int k = 0; k < 3; k++) plain += text_size(cx, roots[k], &none);
    memo_give(cx, (ExprMemo *)none.number);
    uint32_t parts;
    assert_true(shared_size(cx, roots, 3, &parts) <= plain + plain / 2 + 20);
    arena_release(&cx->scratch, mark);
  }
}

RUN_TESTS(cmocka_unit_test(a_tower_of_squares_stays_linear),
          cmocka_unit_test(small_expressions_have_no_names),
          cmocka_unit_test(names_never_make_text_longer_by_much))
