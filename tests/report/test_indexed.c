// Lines that `for` made, written with an index: said only where it holds for every number.
#include "report/indexed_matrix.h"

#include <stdlib.h>
#include <string.h>

#include "derive/system.h"
#include "expr/build.h"
#include "expr/define.h"
#include "expr/value/eval.h"
#include "lang/read.h"
#include "print/typeset.h"
#include "support/check.h"

TEST(names_are_taken_apart) {
  Mark mark = arena_mark(&cx->scratch);
  IndexedName name;
  assert_true(name_is_indexed("link[12].theta", &name));
  assert_int_equal(name.index, 12);
  assert_string_equal(name.tail, ".theta");
  assert_string_equal(indexed_name(cx, "link[12].theta", "i", 13), "link[i-1].theta");
  assert_string_equal(indexed_name(cx, "x[3]", "i", 3), "x[i]");
  assert_string_equal(indexed_name(cx, "x[3]", "j", 1), "x[j+2]");
  const char *const plain[] = {"x", "x_3", "x[1,2]", "x[i]", "x[]", "x[1][2]"};
  for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
    assert_false(name_is_indexed(plain[i], &name));
  arena_release(&cx->scratch, mark);
}

static Expr symbol(Context *cx, const char *stem, long i) {
  return expr_symbol(cx, SYMBOL_PARAMETER,
                     symbol_from_text(cx, text_format(&cx->keep, "%s[%ld]", stem, i)));
}

// theta of the i-th body as of the first.
TEST(parts_with_an_index_are_written_as_those_with_a_number) {
  symbol_from_text(cx, "rod[1].theta");
  Text one = text_new(&cx->keep), general = text_new(&cx->keep), before = text_new(&cx->keep);
  typeset_name(cx, "rod[1].theta", 0, &latex_face, &one);
  typeset_name(cx, "rod[i].theta", 0, &latex_face, &general);
  typeset_name(cx, "rod[i-1].theta", 0, &latex_face, &before);
  assert_string_equal(one.at, "\\theta_{\\mathrm{rod},1}");
  assert_string_equal(general.at, "\\theta_{\\mathrm{rod},i}");
  assert_string_equal(before.at, "\\theta_{\\mathrm{rod},i-1}");
}

// x[i-1] + L[i]*a, in which a number may be spoiled.
static Expr copy(Context *cx, long i, long spoiled) {
  Expr factor = i == spoiled ? expr_int(cx, 2) : symbol(cx, "L", i);
  Expr product = expr_mul(cx, factor, symbol(cx, "a", i));
  return expr_add(cx, symbol(cx, "x", i - 1), product);
}

TEST(copies_are_alike_down_to_the_one_that_differs) {
  Mark mark = arena_mark(&cx->scratch);
  enum { N = 9 };
  for (long spoiled = 0; spoiled <= N; spoiled++) {
    Expr values[N], general;
    for (long i = 1; i <= N; i++) values[i - 1] = copy(cx, i, spoiled);
    uint32_t alike = equal_copies(cx, values, N, "i", 1, &general);
    assert_int_equal(alike, spoiled == N ? 1 : N - spoiled);
    if (spoiled < N - 1) assert_int_equal(general, indexed_expr(cx, copy(cx, 4, 0), "i", 4));
  }
  assert_int_equal(largest_index(cx, copy(cx, 7, 0)), 7);
  assert_int_equal(largest_index(cx, expr_int(cx, 7)), -1);
  arena_release(&cx->scratch, mark);
}

// Definitions and their rates keep their places: x' of number i - 1 is another than x.
TEST(rates_of_definitions_stay_apart) {
  Mark mark = arena_mark(&cx->scratch);
  Expr body = expr_add(cx, symbol(cx, "b", 4), symbol(cx, "c", 4));
  Symbol name = symbol_from_text(cx, "x[4]");
  Expr x = expr_define(cx, name, body), v = definition_new(cx, name, 1, x, body);
  Expr sum = expr_add(cx, expr_square(cx, v), x), general = indexed_expr(cx, sum, "i", 5);
  Symbol other = symbol_from_text(cx, "x[i-1]");
  Expr expected = expr_add(cx, expr_square(cx, expr_symbol(cx, SYMBOL_VELOCITY, other)),
                           expr_symbol(cx, SYMBOL_COORDINATE, other));
  assert_int_equal(general, expected);
  arena_release(&cx->scratch, mark);
}

// ---- Matrices

static const char chain[] =
    "count N = %d\nparam g = 9.81 [m/s^2]\nlet x[0] = 0 [m]\nlet y[0] = 0 [m]\n"
    "for i in 1..N\n"
    "  param m[i] = 1 [kg], L[i] = 1 [m], J[i] = 1 [kg*m^2]\n"
    "  coord theta[i] = 0 [rad]\n"
    "  let x[i] = x[i-1] + L[i]*sin(theta[i])\n"
    "  let y[i] = y[i-1] - L[i]*cos(theta[i])\n"
    "  kinetic = 1/2*m[i]*(x[i]'^2 + y[i]'^2) + 1/2*J[i]*theta[i]'^2\n"
    "end\n";

typedef struct Numbers {
  Context *cx;
  double *values;
} Numbers;

static double *value_at(const Numbers *n, const char *stem, const char *index) {
  SymbolKind kind = strcmp(stem, "theta") == 0 ? SYMBOL_COORDINATE : SYMBOL_PARAMETER;
  Symbol name = symbol_from_text(n->cx, text_format(&n->cx->keep, "%s[%s]", stem, index));
  return &n->values[symbol_variable(n->cx, expr_symbol(n->cx, kind, name))];
}

static const char *const stems[] = {"m", "L", "J", "theta"};

// The letter stands for this number.
static void set_letter(const Numbers *n, const char *letter, long number) {
  for (size_t i = 0; i < sizeof stems / sizeof *stems; i++)
    *value_at(n, stems[i], letter) =
        *value_at(n, stems[i], text_format(&n->cx->keep, "%ld", number));
}

static double entry_of(const Numbers *n, const IndexedMatrix *m, long row, long column) {
  const IndexedEntry *entry = row == column ? &m->on : &m->beside;
  set_letter(n, m->letters[0], row);
  set_letter(n, m->letters[1], column);
  double sum = expr_eval(n->cx, entry->own, n->values);
  for (long k = column + 1; k <= m->last; k++) {
    set_letter(n, m->letters[2], k);
    sum += expr_eval(n->cx, entry->added, n->values);
  }
  return sum;
}

// The formulas with letters give every entry of the matrix, for chains of any length.
TEST(matrices_of_chains_are_two_formulas) {
  Random random = random_start("matrices");
  for (int round = 0; round < 4; round++) {
    int n = 4 + random_below(&random, 6);
    const char *text = text_format(&cx->keep, chain, n);
    Model *model;
    System system;
    assert_int_equal(model_read(cx, "chain", text, strlen(text), NULL, &model), QDOT_OK);
    assert_int_equal(derive_system(cx, model, DERIVE_MATRICES, &system), QDOT_OK);
    Mark mark = arena_mark(&cx->scratch);
    IndexedMatrix m = {.letters = {"a", "b", "c"}};
    Expr *values = arena_array(&cx->keep, Expr, (size_t)n * n);
    memcpy(values, system.M, (size_t)n * n * sizeof *values);
    assert_true(indexed_matrix(cx, values, (uint32_t)n, 1, &m));
    for (int i = 0; i < 3; i++)
      for (size_t k = 0; k < sizeof stems / sizeof *stems; k++) {
        SymbolKind kind = k == 3 ? SYMBOL_COORDINATE : SYMBOL_PARAMETER;
        const char *name = text_format(&cx->keep, "%s[%s]", stems[k], m.letters[i]);
        expr_symbol(cx, kind, symbol_from_text(cx, name));
      }
    Numbers numbers = {cx, arena_array(&cx->keep, double, cx->exprs->symbols.n)};
    for (long i = 1; i <= n; i++)
      for (size_t k = 0; k < sizeof stems / sizeof *stems; k++)
        *value_at(&numbers, stems[k], text_format(&cx->keep, "%ld", i)) =
            random_real(&random, 0.5, 2);
    for (long i = 1; i <= n; i++)
      for (long j = i; j <= n; j++)
        CHECK_NEAR(entry_of(&numbers, &m, i, j),
                   expr_eval(cx, values[(i - 1) * n + j - 1], numbers.values), 1e-9);
    // one entry that is different ends it, wherever it is
    int row = random_below(&random, n), column = row + random_below(&random, n - row);
    Expr *spoiled = &values[row * n + column];
    *spoiled = expr_add(cx, *spoiled, expr_symbol(cx, SYMBOL_PARAMETER, symbol_from_text(cx, "g")));
    assert_false(indexed_matrix(cx, values, (uint32_t)n, 1, &m));
    arena_release(&cx->scratch, mark);
  }
}

RUN_TESTS(cmocka_unit_test(matrices_of_chains_are_two_formulas),
          cmocka_unit_test(parts_with_an_index_are_written_as_those_with_a_number),
          cmocka_unit_test(names_are_taken_apart),
          cmocka_unit_test(copies_are_alike_down_to_the_one_that_differs),
          cmocka_unit_test(rates_of_definitions_stay_apart))
