// Elimination against Gauss with pivoting on the whole matrix, and its cost on chains.
#include "code/eliminate.h"

#include <math.h>
#include <string.h>

#include "native/compiled.h"
#include "support/check.h"

enum { MOST = 80 };

// A symmetric system in numbers, and the same as an Elimination over inputs.
typedef struct Sample {
  Context *cx;
  Random *random;
  uint32_t n;
  double matrix[MOST][MOST], rhs[2][MOST];
  ProgramBuilder b;
  Elimination *e;
  double in[MOST * MOST];
  uint32_t used;
} Sample;

static void sample_open(Sample *s, Context *cx, Random *random, uint32_t n) {
  memset(s, 0, sizeof *s);
  s->cx = cx, s->random = random, s->n = n;
  program_open(&s->b, cx, MOST * MOST);
  s->e = elimination_new(&s->b, n);
}

static Slot new_input(Sample *s, double value) {
  s->in[s->used] = value;
  return program_input(&s->b, s->used++);
}

static void sample_add(Sample *s, uint32_t i, uint32_t j, double value) {
  s->matrix[i][j] += value;
  if (i != j) s->matrix[j][i] += value;
  // now and then a constant, so that folding takes part
  bool constant = value == floor(value);
  elimination_add(s->e, i, j, constant ? program_constant(&s->b, value) : new_input(s, value));
}

static void sample_define(Sample *s, uint32_t w, uint32_t definition) {
  s->matrix[w][definition] = s->matrix[definition][w] = 1;
  elimination_define(s->e, w, definition);
}

static void gauss(uint32_t n, double a[MOST][MOST], double *b) {
  for (uint32_t k = 0; k < n; k++) {
    uint32_t best = k;
    for (uint32_t i = k; i < n; i++)
      if (fabs(a[i][k]) > fabs(a[best][k])) best = i;
    for (uint32_t j = 0; j < n; j++) {
      double t = a[k][j];
      a[k][j] = a[best][j], a[best][j] = t;
    }
    double t = b[k];
    b[k] = b[best], b[best] = t;
    for (uint32_t i = k + 1; i < n; i++) {
      double f = a[i][k] / a[k][k];
      for (uint32_t j = k; j < n; j++) a[i][j] -= f * a[k][j];
      b[i] -= f * b[k];
    }
  }
  for (uint32_t k = n; k-- > 0;) {
    for (uint32_t j = k + 1; j < n; j++) b[k] -= a[k][j] * b[j];
    b[k] /= a[k][k];
  }
}

// Two right-hand sides, the second with zeros; returns the loss that the run reports. With a
// tolerance of 0 solutions are not compared.
static double sample_check(Sample *s, double tolerance) {
  Slot rhs[2][MOST], x[MOST];
  for (uint32_t i = 0; i < s->n; i++) {
    s->rhs[0][i] = random_real(s->random, -1, 1);
    s->rhs[1][i] = random_below(s->random, 2) ? 0 : random_real(s->random, -1, 1);
    rhs[0][i] = new_input(s, s->rhs[0][i]);
    rhs[1][i] = s->rhs[1][i] == 0 ? NO_SLOT : new_input(s, s->rhs[1][i]);
  }
  assert_true(elimination_solve_first(s->e, rhs[0], x));
  for (uint32_t i = 0; i < s->n; i++) program_output(&s->b, x[i]);
  elimination_solve(s->e, rhs[1], x);
  for (uint32_t i = 0; i < s->n; i++) program_output(&s->b, x[i]);
  program_output(&s->b, elimination_loss(s->e));
  const Program *p = program_finish(&s->b, &s->cx->keep);
  Compiled compiled = compile_program(s->cx, p, BACKEND_BEST, &s->cx->keep);
  double *work = arena_array(&s->cx->keep, double, compiled.work_size + 1);
  double out[2 * MOST + 1];
  compiled_prepare(&compiled, s->in, work);
  compiled_run(&compiled, s->in, out, work);
  compiled_close(&compiled);
  for (int k = 0; k < 2 && tolerance > 0; k++) {
    double a[MOST][MOST];
    memcpy(a, s->matrix, sizeof a);
    gauss(s->n, a, s->rhs[k]);
    for (uint32_t i = 0; i < s->n; i++)
      CHECK_NEAR(out[(uint32_t)k * s->n + i], s->rhs[k][i], tolerance);
  }
  program_close(&s->b);
  return out[2 * s->n];
}

static double sample_loss(Sample *s) { return sample_check(s, 0); }

// Adds v v^T over a few unknowns: positive semidefinite.
static void add_square(Sample *s, const uint32_t *at, uint32_t n) {
  double v[8];
  for (uint32_t k = 0; k < n; k++) v[k] = random_real(s->random, 0.3, 1.5);
  for (uint32_t k = 0; k < n; k++)
    for (uint32_t l = 0; l <= k; l++) sample_add(s, at[k], at[l], v[k] * v[l]);
}

TEST(dense_positive_systems) {
  Random random = random_start("dense");
  for (int round = 0; round < test_rounds(200); round++) {
    static Sample s;
    uint32_t n = 1 + (uint32_t)random_below(&random, 8), all[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    sample_open(&s, cx, &random, n);
    for (uint32_t i = 0; i < n; i++) {
      add_square(&s, all, n);
      sample_add(&s, i, i, 1);
    }
    assert_true(sample_check(&s, 1e-10) < 1e4);
  }
}

// Coordinates, definitions of some of them and of earlier definitions, masses on all, constraints.
static void random_lifted(Sample *s, Context *cx, Random *random, uint32_t q, uint32_t w,
                          uint32_t c) {
  sample_open(s, cx, random, q + 2 * w + c);
  for (uint32_t i = 0; i < q; i++) sample_add(s, i, i, random_real(random, 0.1, 2));
  for (uint32_t k = 0; k < w; k++) {
    uint32_t at = q + k, row = q + w + k;
    sample_define(s, at, row);
    sample_add(s, at, at, random_below(random, 3) ? random_real(random, 0.1, 2) : 0);
    uint32_t terms = 1 + (uint32_t)random_below(random, 3);
    for (uint32_t t = 0; t < terms; t++) {
      uint32_t of = (uint32_t)random_below(random, (int)(q + k));
      if (s->matrix[row][of] == 0)
        sample_add(s, row, of, random_below(random, 3) ? random_real(random, -1, 1) : -1);
    }
    if (k && random_below(random, 3) == 0) {
      uint32_t both[2] = {at, (uint32_t)random_below(random, (int)(q + k))};
      add_square(s, both, 2);
    }
  }
  for (uint32_t k = 0; k < c; k++) {
    uint32_t row = q + 2 * w + k;
    elimination_constrain(s->e, row);
    // one coordinate of its own keeps the rows independent
    sample_add(s, row, k, random_real(random, 0.8, 1.5));
    sample_add(s, row, q + (uint32_t)random_below(random, (int)w), random_real(random, -0.5, 0.5));
  }
}

TEST(definitions_and_constraints) {
  Random random = random_start("lifted");
  for (int round = 0; round < test_rounds(400); round++) {
    static Sample s;
    uint32_t q = 2 + (uint32_t)random_below(&random, 10),
             w = 1 + (uint32_t)random_below(&random, 20);
    uint32_t c = (uint32_t)random_below(&random, (int)q);
    random_lifted(&s, cx, &random, q, w, c);
    sample_check(&s, 1e-7);
  }
}

TEST(reports_pivots_that_vanish) {
  Random random = random_start("vanish");
  static Sample s;
  double loss[2];
  for (int nearly = 0; nearly < 2; nearly++) {
    // [[1, 1], [1, 1 + 1e-9]] but for the last digits
    sample_open(&s, cx, &random, 2);
    sample_add(&s, 0, 0, 1.5);
    sample_add(&s, 0, 1, 1.5);
    sample_add(&s, 1, 1, nearly ? 1.5 + 1e-9 : 2.5);
    loss[nearly] = sample_check(&s, 1e-5);
  }
  assert_true(loss[0] < 10 && loss[1] > 1e8);
  // a mass that is zero in value only
  sample_open(&s, cx, &random, 2);
  sample_add(&s, 0, 0, 1.5);
  elimination_add(s.e, 1, 1, new_input(&s, 0));
  s.matrix[1][1] = 1e-300;
  assert_false(isfinite(sample_loss(&s)));
  // a coordinate without mass or constraint
  ProgramBuilder b;
  program_open(&b, cx, 1);
  Elimination *e = elimination_new(&b, 2);
  elimination_add(e, 0, 0, program_input(&b, 0));
  Slot rhs[2] = {NO_SLOT, NO_SLOT}, x[2];
  assert_false(elimination_solve_first(e, rhs, x));
  program_close(&b);
}

// Bodies in a row, three unknowns each, two constraints between neighbours: steps per body.
static uint32_t steps_of_chain(Context *cx, uint32_t bodies) {
  ProgramBuilder b;
  uint32_t q = 3 * bodies, n = q + 2 * bodies, input = 0;
  program_open(&b, cx, 40 * bodies);
  Elimination *e = elimination_new(&b, n);
  Slot *rhs = arena_array(&b.arena, Slot, n), *x = arena_array(&b.arena, Slot, n);
  for (uint32_t i = 0; i < q; i++) elimination_add(e, i, i, program_input(&b, input++));
  for (uint32_t k = 0; k < 2 * bodies; k++) {
    uint32_t body = k / 2;
    elimination_constrain(e, q + k);
    elimination_add(e, q + k, 3 * body + k % 2, program_constant(&b, 1));
    elimination_add(e, q + k, 3 * body + 2, program_input(&b, input++));
    if (!body) continue;
    elimination_add(e, q + k, 3 * body - 3 + k % 2, program_constant(&b, -1));
    elimination_add(e, q + k, 3 * body - 1, program_input(&b, input++));
  }
  for (uint32_t i = 0; i < n; i++) rhs[i] = program_input(&b, input++);
  assert_true(elimination_solve_first(e, rhs, x));
  for (uint32_t i = 0; i < n; i++) program_output(&b, x[i]);
  const Program *p = program_finish(&b, &cx->keep);
  program_close(&b);
  return p->main_count;
}

TEST(chains_cost_the_same_for_every_body) {
  uint32_t ten = steps_of_chain(cx, 10), twenty = steps_of_chain(cx, 20);
  uint32_t hundred = steps_of_chain(cx, 100);
  print_message("steps for 10, 20, 100 bodies: %u %u %u\n", ten, twenty, hundred);
  assert_int_equal(hundred - twenty, 8 * (twenty - ten));
}

// Points in a row whose masses are coupled, and the distances between neighbours kept: the rods of
// a chain in natural coordinates.
static void points_in_a_row(Sample *s, Context *cx, Random *random, uint32_t points) {
  uint32_t q = 2 * points;
  sample_open(s, cx, random, q + points);
  for (uint32_t i = 0; i < points; i++) {
    double angle = random_real(random, -3, 3), d[2] = {cos(angle), sin(angle)};
    elimination_constrain(s->e, q + i);
    for (uint32_t k = 0; k < 2; k++) {
      uint32_t at = 2 * i + k;
      sample_add(s, at, at, i + 1 < points ? 2.0 / 3 : 1.0 / 3);
      sample_add(s, q + i, at, d[k]);
      if (!i) continue;
      sample_add(s, at, at - 2, 1.0 / 6);
      sample_add(s, q + i, at - 2, -d[k]);
    }
  }
}

TEST(coupled_masses_with_constraints) {
  Random random = random_start("points");
  for (int round = 0; round < test_rounds(50); round++) {
    static Sample s;
    points_in_a_row(&s, cx, &random, 2 + (uint32_t)random_below(&random, 22));
    assert_true(sample_check(&s, 1e-9) < 1e6);
  }
}

static uint32_t steps_of_points(Context *cx, uint32_t points) {
  Random random = random_start("steps");
  static Sample s;
  points_in_a_row(&s, cx, &random, points);
  Slot rhs[MOST], x[MOST];
  for (uint32_t i = 0; i < s.n; i++) rhs[i] = new_input(&s, 0);
  assert_true(elimination_solve_first(s.e, rhs, x));
  for (uint32_t i = 0; i < s.n; i++) program_output(&s.b, x[i]);
  const Program *p = program_finish(&s.b, &cx->keep);
  program_close(&s.b);
  return p->main_count;
}

TEST(coupled_masses_cost_the_same_for_every_point) {
  uint32_t short_row = steps_of_points(cx, 16), middle = steps_of_points(cx, 20);
  uint32_t long_row = steps_of_points(cx, 24);
  print_message("steps for 16, 20, 24 points: %u %u %u\n", short_row, middle, long_row);
  assert_int_equal(long_row - middle, middle - short_row);
}

// An arm without inertia that turns with the point at its end.
TEST(what_has_no_mass_gets_it_through_a_constraint) {
  Random random = random_start("massless");
  for (int round = 0; round < test_rounds(50); round++) {
    static Sample s;
    double angle = random_real(&random, -3, 3);
    sample_open(&s, cx, &random, 5);
    for (uint32_t k = 0; k < 2; k++) {
      sample_add(&s, k, k, 1.5);
      elimination_constrain(s.e, 3 + k);
      sample_add(&s, 3 + k, k, 1);
      sample_add(&s, 3 + k, 2, k ? cos(angle) : -sin(angle));
    }
    sample_add(&s, 0, 1, 0.25);
    assert_true(sample_check(&s, 1e-9) < 1e6);
  }
}

RUN_TESTS(cmocka_unit_test(dense_positive_systems), cmocka_unit_test(definitions_and_constraints),
          cmocka_unit_test(reports_pivots_that_vanish),
          cmocka_unit_test(chains_cost_the_same_for_every_body),
          cmocka_unit_test(coupled_masses_with_constraints),
          cmocka_unit_test(coupled_masses_cost_the_same_for_every_point),
          cmocka_unit_test(what_has_no_mass_gets_it_through_a_constraint))
