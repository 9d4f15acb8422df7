// Flattened expressions against the reference evaluation, and what they cost.
#include "code/flatten.h"

#include <math.h>

#include "expr/define.h"
#include "expr/diff.h"
#include "expr/value/eval.h"
#include "native/compiled.h"
#include "support/expressions.h"

// Inputs 0 .. SAMPLE_SYMBOLS-1 are the samples' symbols; the first two are parameters.
static void open_for_samples(Samples *s, ProgramBuilder *b, Flattener *f) {
  program_open(b, s->cx, SAMPLE_SYMBOLS);
  program_fix_input(b, 0);
  program_fix_input(b, 1);
  flatten_open(f, b);
  for (uint32_t i = 0; i < SAMPLE_SYMBOLS; i++) flatten_bind(f, s->symbol[i], program_input(b, i));
}

static void close_both(ProgramBuilder *b, Flattener *f) {
  flatten_close(f);
  program_close(b);
}

static void run_program(Context *cx, const Program *p, Backend backend, Arena *arena,
                        const double *in, double *out) {
  Compiled compiled = compile_program(cx, p, backend, arena);
  double *work = arena_array(arena, double, compiled.work_size + 1);
  compiled_prepare(&compiled, in, work);
  compiled_run(&compiled, in, out, work);
  compiled_close(&compiled);
}

// Where rounding decides, two ways to write a sum may differ much; such samples say nothing.
static bool is_sensitive(Context *cx, Samples *s, Expr e, const double *values) {
  double here = expr_eval(cx, e, values);
  Mark mark = arena_mark(&cx->scratch);
  double *near = arena_array(&cx->scratch, double, cx->exprs->symbols.n);
  double worst = 0;
  for (int k = 0; k < 4; k++) {
    for (uint32_t i = 0; i < cx->exprs->symbols.n; i++)
      near[i] = values[i] * (1 + 1e-12 * random_real(s->random, -1, 1));
    worst = fmax(worst, fabs(expr_eval(cx, e, near) - here));
  }
  arena_release(&cx->scratch, mark);
  return !(worst <= 1e-7 * (1 + fabs(here)));
}

TEST(agrees_with_the_reference) {
  Random random = random_start("flatten");
  Samples s = samples_open(cx, &random);
  int compared = 0;
  for (int round = 0; round < test_rounds(3000); round++) {
    Mark mark = arena_mark(&cx->scratch);
    Arena arena;
    arena_open(&arena, &cx->memory, &cx->guard);
    Expr roots[4];
    for (int k = 0; k < 3; k++) roots[k] = random_expr(&s, 5, round % 2);
    Expr let = expr_define(cx, symbol_from_text(cx, "w"), roots[0]);
    roots[3] = expr_diff(cx, expr_mul(cx, let, expr_sin(cx, roots[1])), s.symbol[2]);
    ProgramBuilder b;
    Flattener f;
    open_for_samples(&s, &b, &f);
    Slot slots[4];
    flatten_many(&f, roots, 4, slots);
    for (int k = 0; k < 4; k++) program_output(&b, slots[k]);
    const Program *p = program_finish(&b, &arena);
    double *values = random_values(&s, 0.2, 1.8), in[SAMPLE_SYMBOLS], out[4];
    for (int i = 0; i < SAMPLE_SYMBOLS; i++) in[i] = values[symbol_variable(cx, s.symbol[i])];
    run_program(cx, p, round % 3 ? BACKEND_JIT : BACKEND_INTERP, &arena, in, out);
    for (int k = 0; k < 4; k++) {
      double exact = expr_eval(cx, roots[k], values);
      if (!isfinite(exact) || is_sensitive(cx, &s, roots[k], values)) continue;
      if (!is_well_conditioned(&s, roots[k], values)) continue;
      CHECK_NEAR(out[k], exact, 1e-7);
      compared++;
    }
    close_both(&b, &f);
    arena_close(&arena);
    arena_release(&cx->scratch, mark);
  }
  assert_true(compared > test_rounds(3000));
}

static ProgramCost cost_of(Context *cx, Samples *s, Expr e, uint32_t *prologue) {
  ProgramBuilder b;
  Flattener f;
  open_for_samples(s, &b, &f);
  program_output(&b, flatten_expr(&f, e));
  const Program *p = program_finish(&b, &cx->keep);
  close_both(&b, &f);
  if (prologue) *prologue = p->prologue_count;
  return program_cost(p, &cx->scratch);
}

TEST(pulls_common_factors) {
  Random random = random_start("factors");
  Samples s = samples_open(cx, &random);
  Expr p = s.symbol[0], x = s.symbol[2], y = s.symbol[3], u = s.symbol[4];
  uint32_t prologue;
  // p x y + 3 p^2 x u = (x) (p y + 3 p^2 u): the fixed coefficients are prepared
  Expr pxy = expr_mul(cx, p, expr_mul(cx, x, y));
  Expr ppxu = expr_mul(cx, expr_int(cx, 3), expr_mul3(cx, expr_square(cx, p), x, u));
  assert_int_equal(cost_of(cx, &s, expr_add(cx, pxy, ppxu), &prologue).steps, 4);
  assert_int_equal(prologue, 2);
  // p x y + 2 p y x is one term; x y + x u + y u needs two products
  Expr xy = expr_mul(cx, x, y), xu = expr_mul(cx, x, u), yu = expr_mul(cx, y, u);
  assert_int_equal(cost_of(cx, &s, expr_add(cx, xy, expr_add(cx, xu, yu)), NULL).steps, 4);
  // p y^2 (sin(x)^2 + cos(x)^2)
  Expr squares = expr_add(cx, expr_square(cx, expr_mul(cx, y, expr_sin(cx, x))),
                          expr_square(cx, expr_mul(cx, y, expr_cos(cx, x))));
  assert_int_equal(cost_of(cx, &s, expr_mul(cx, p, squares), NULL).steps, 2);
  // a division by a parameter is a multiplication
  ProgramCost cost = cost_of(cx, &s, expr_div(cx, expr_sin(cx, x), p), &prologue);
  assert_int_equal(cost.divisions, 0);
  assert_int_equal(prologue, 1);
}

TEST(flattens_long_chains) {
  // a chain of definitions far deeper than any stack
  Expr x = expr_symbol(cx, SYMBOL_COORDINATE, symbol_from_text(cx, "x"));
  Expr e = x;
  for (int i = 0; i < test_rounds(100000); i++)
    e = expr_define(cx, symbol_from_text(cx, "r"), expr_add(cx, e, expr_sin(cx, e)));
  ProgramBuilder b;
  Flattener f;
  program_open(&b, cx, 1);
  flatten_open(&f, &b);
  flatten_bind(&f, x, program_input(&b, 0));
  program_output(&b, flatten_expr(&f, e));
  const Program *p = program_finish(&b, &cx->keep);
  double in = 0.5, out[2];
  run_program(cx, p, BACKEND_INTERP, &cx->keep, &in, &out[0]);
  run_program(cx, p, BACKEND_JIT, &cx->keep, &in, &out[1]);
  assert_true(out[0] == out[1]);
  CHECK_NEAR(out[0], 3.14159265358979, 1e-9);
  close_both(&b, &f);
}

TEST(names_follow_definitions) {
  Expr x = expr_symbol(cx, SYMBOL_COORDINATE, symbol_from_text(cx, "x"));
  Expr v = expr_symbol(cx, SYMBOL_VELOCITY, symbol_from_text(cx, "x"));
  Expr let = expr_define(cx, symbol_from_text(cx, "r"), expr_mul(cx, x, expr_sin(cx, x)));
  Expr rate = expr_time_derivative(cx, let);
  ProgramBuilder b;
  Flattener f;
  program_open(&b, cx, 2);
  flatten_open(&f, &b);
  flatten_bind(&f, x, program_input(&b, 0));
  flatten_bind(&f, v, program_input(&b, 1));
  Slot r = flatten_expr(&f, let), rd = flatten_expr(&f, rate);
  assert_string_equal(symbol_text(cx, b.names.at[r]), "r");
  assert_string_equal(symbol_text(cx, b.names.at[rd]), "r'");
  close_both(&b, &f);
}

RUN_TESTS(cmocka_unit_test(agrees_with_the_reference), cmocka_unit_test(pulls_common_factors),
          cmocka_unit_test(flattens_long_chains), cmocka_unit_test(names_follow_definitions))
