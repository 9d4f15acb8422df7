// Lines that `for` made, written with an index: said only where it holds for every number.
#include "report/indexed_matrix.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "derive/system.h"
#include "expr/algebra/simplify.h"
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

// ---- Rows and matrices of chains

static const char *const chains[] = {
    // links with masses of their own
    "count N = %d\nparam g = 9.81 [m/s^2]\nlet x[0] = 0 [m]\nlet y[0] = 0 [m]\n"
    "for i in 1..N\n"
    "  param m[i] = 1 [kg], L[i] = 1 [m], J[i] = 1 [kg*m^2], c[i] = 1 [N*m*s], k[i] = 1 [N*m]\n"
    "  coord theta[i] = 0 [rad]\n"
    "  let x[i] = x[i-1] + L[i]*sin(theta[i])\n"
    "  let y[i] = y[i-1] - L[i]*cos(theta[i])\n"
    "  kinetic = 1/2*m[i]*(x[i]'^2 + y[i]'^2) + 1/2*J[i]*theta[i]'^2\n"
    "  potential = m[i]*g*y[i]\n"
    "end\n"
    "let theta[0] = 0\n"
    "for i in 1..N\n"
    "  potential = 1/2*k[i]*(theta[i] - theta[i-1])^2\n"
    "  dissipation = 1/2*c[i]*(theta[i]' - theta[i-1]')^2\n"
    "end\n",
    // all alike: numbers take the place of sums
    "count N = %d\nparam g = 9.81 [m/s^2], m = 1 [kg], l = 1 [m], c = 1 [N*m*s]\n"
    "let x[0] = 0 [m]\nlet y[0] = 0 [m]\nlet theta[0] = 0\n"
    "for i in 1..N\n"
    "  coord theta[i] = 0 [rad]\n"
    "  let x[i] = x[i-1] + l*sin(theta[i])\n"
    "  let y[i] = y[i-1] - l*cos(theta[i])\n"
    "  kinetic = 1/2*m*((x[i]'+x[i-1]')^2 + (y[i]'+y[i-1]')^2)/4 + 1/24*m*l^2*theta[i]'^2\n"
    "  potential = m*g*(y[i] + y[i-1])/2\n"
    "  dissipation = 1/2*c*(theta[i]' - theta[i-1]')^2\n"
    "end\n",
    // masses in a row with stiffening springs, the last one pushed
    "count N = %d\nparam b = 1 [N/m^3], F = 1 [N]\nlet u[0] = 0 [m]\n"
    "for i in 1..N\n"
    "  param m[i] = 1 [kg], k[i] = 1 [N/m]\n"
    "  coord u[i] = 0 [m]\n"
    "  kinetic = 1/2*m[i]*u[i]'^2\n"
    "  potential = 1/2*k[i]*(u[i] - u[i-1])^2 + 1/4*b*(u[i] - u[i-1])^4\n"
    "end\n"
    "force u[N] = F\n"};

// Values of symbols by variable number; those of letters follow numbers.
typedef struct Numbers {
  Context *cx;
  double *values;
  const IndexedSums *sums;
} Numbers;

// A bound or an index, "3", "j", "j+1", where letters have values.
static long bound_value(const Numbers *n, const char *text) {
  if (*text >= '0' && *text <= '9') return strtol(text, NULL, 10);
  size_t length = strcspn(text, "+-");
  Symbol name = symbol_from_text(n->cx, arena_copy(&n->cx->keep, text, length));
  Expr letter = expr_symbol(n->cx, SYMBOL_PARAMETER, name);
  return lround(n->values[symbol_variable(n->cx, letter)]) + strtol(text + length, NULL, 10);
}

// The letter, and every x[letter], x[letter+1] ..., have the values of this number.
static void set_letter(const Numbers *n, const char *letter, long number) {
  Context *cx = n->cx;
  size_t length = strlen(letter);
  uint32_t count = cx->exprs->symbols.n;
  Symbol own = symbol_from_text(cx, letter);
  n->values[symbol_variable(cx, expr_symbol(cx, SYMBOL_PARAMETER, own))] = (double)number;
  for (uint32_t i = 0; i < count; i++) {
    Expr symbol = cx->exprs->symbols.at[i];
    const char *name = symbol_text(cx, symbol_name(cx, symbol)), *open = strchr(name, '[');
    if (!open || strncmp(open + 1, letter, length) != 0 || strchr("]+-", open[1 + length]) == NULL)
      continue;
    const char *other =
        text_format(&cx->keep, "%.*s[%ld%s", (int)(open - name), name,
                    number + strtol(open + 1 + length, NULL, 10), strchr(name, ']'));
    Expr same = expr_symbol(cx, symbol_kind(cx, symbol), symbol_from_text(cx, other));
    n->values[symbol_variable(cx, symbol)] = n->values[symbol_variable(cx, same)];
  }
}

// The sums in it are added up term by term.
static double value_with_sums(const Numbers *n, Expr e) {
  for (uint32_t i = 0; i < n->sums->n; i++) {
    const IndexedSum *sum = &n->sums->at[i];
    if (!expr_depends(n->cx, e, sum->symbol)) continue;
    double total = 0;
    if (!sum->index) total = value_with_sums(n, sum->term);
    for (long k = sum->index ? bound_value(n, sum->from) : 1;
         k <= (sum->index ? bound_value(n, sum->to) : 0); k++) {
      set_letter(n, sum->index, k);
      total += value_with_sums(n, sum->term);
    }
    n->values[symbol_variable(n->cx, sum->symbol)] = total;
  }
  return expr_eval(n->cx, e, n->values);
}

// Letters, and all that is made with them, have variables before values are given.
static Numbers random_numbers(Context *cx, Random *random) {
  Numbers n = {.cx = cx, .values = arena_array(&cx->keep, double, cx->exprs->symbols.n + 4000)};
  for (uint32_t i = 0; i < cx->exprs->symbols.n + 4000; i++)
    n.values[i] = random_real(random, 0.5, 2);
  return n;
}

static void check_rows(Context *cx, Random *random, const Expr *values, uint32_t n) {
  IndexedRows rows = {.letters = {"a", "b", "c"}, .first = 1, .last = (long)n};
  assert_true(indexed_rows(cx, values, n, &rows));
  assert_true(rows.to - rows.from + 1 >= (long)n - 2);
  for (long row = 1; row <= (long)n; row++) {
    bool is_given = row >= rows.from && row <= rows.to;
    IndexedSums sums = {0};
    Expr value = indexed_row(cx, &rows, is_given ? NULL : &row, &sums);
    Numbers numbers = random_numbers(cx, random);
    numbers.sums = &sums;
    set_letter(&numbers, "a", row);
    double expected = expr_eval(cx, values[row - 1], numbers.values);
    CHECK_NEAR(value_with_sums(&numbers, value), expected, 1e-9 * (1 + fabs(expected)));
  }
}

static Expr *copied(Context *cx, const Expr *values, size_t n) {
  Expr *copy = arena_array(&cx->keep, Expr, n);
  memcpy(copy, values, n * sizeof *copy);
  return copy;
}

static void read_chain(Context *cx, size_t which, int n, System *system) {
  const char *text = text_format(&cx->keep, chains[which], n);
  Model *model;
  assert_int_equal(model_read(cx, "chain", text, strlen(text), NULL, &model), QDOT_OK);
  assert_int_equal(derive_system(cx, model, DERIVE_MATRICES, system), QDOT_OK);
}

// The row with letters, and those that stand apart, give every row, for chains of any length; a
// row that is different ends it, wherever it is.
TEST(rows_of_chains_are_one_formula) {
  Random random = random_start("rows");
  for (size_t which = 0; which < sizeof chains / sizeof *chains; which++) {
    int n = 5 + random_below(&random, 5);
    System s;
    read_chain(cx, which, n, &s);
    Mark mark = arena_mark(&cx->scratch);
    const Expr *const vectors[] = {s.h, s.D, s.G, s.Q};
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++) {
      Expr *values = copied(cx, vectors[k], (size_t)n);
      expr_simplify_many(cx, values, (size_t)n, SIMPLIFY_NORMAL, values);
      check_rows(cx, &random, values, (uint32_t)n);
      IndexedRows rows = {.letters = {"a", "b", "c"}, .first = 1, .last = n};
      int spoiled = 2 + random_below(&random, n - 4);
      Expr g = expr_symbol(cx, SYMBOL_PARAMETER, symbol_from_text(cx, "g"));
      values[spoiled] = expr_add(cx, values[spoiled], g);
      assert_false(indexed_rows(cx, values, (uint32_t)n, &rows));
    }
    arena_release(&cx->scratch, mark);
  }
}

TEST(matrices_of_chains_are_two_formulas) {
  Random random = random_start("matrices");
  for (size_t which = 0; which < 2; which++) {
    int n = 5 + random_below(&random, 5);
    System s;
    read_chain(cx, which, n, &s);
    Mark mark = arena_mark(&cx->scratch);
    Expr *values = copied(cx, s.M, (size_t)n * n), *diagonal = arena_array(&cx->keep, Expr, n);
    expr_simplify_many(cx, values, (size_t)n * n, SIMPLIFY_NORMAL, values);
    for (int i = 0; i < n; i++) diagonal[i] = values[i * n + i];
    check_rows(cx, &random, diagonal, (uint32_t)n);
    for (int above = 0; above < 2; above++) {
      IndexedRows rows = {.letters = {"a", "b", "c"}, .first = 1, .last = n};
      assert_true(indexed_beside(cx, values, (uint32_t)n, above, &rows));
      IndexedSums sums = {0};
      Expr entry = indexed_entry(cx, &rows, &sums);
      for (int i = 0; i < n; i++)
        for (int j = above ? i + 1 : 0; j < (above ? n : i); j++) {
          Numbers numbers = random_numbers(cx, &random);
          numbers.sums = &sums;
          set_letter(&numbers, "a", i + 1), set_letter(&numbers, "b", j + 1);
          double expected = expr_eval(cx, values[i * n + j], numbers.values);
          CHECK_NEAR(value_with_sums(&numbers, entry), expected, 1e-9 * (1 + fabs(expected)));
        }
    }
    int row = random_below(&random, n - 1), column = row + 1 + random_below(&random, n - row - 1);
    Expr *spoiled = &values[row * n + column];
    *spoiled = expr_add(cx, *spoiled, expr_int(cx, 1));
    IndexedRows rows = {.letters = {"a", "b", "c"}, .first = 1, .last = n};
    assert_false(indexed_beside(cx, values, (uint32_t)n, true, &rows));
    arena_release(&cx->scratch, mark);
  }
}

RUN_TESTS(cmocka_unit_test(matrices_of_chains_are_two_formulas),
          cmocka_unit_test(rows_of_chains_are_one_formula),
          cmocka_unit_test(parts_with_an_index_are_written_as_those_with_a_number),
          cmocka_unit_test(names_are_taken_apart),
          cmocka_unit_test(copies_are_alike_down_to_the_one_that_differs),
          cmocka_unit_test(rates_of_definitions_stay_apart))
