// The motion between the rows: polynomials, their extremes, and whole runs against finer ones.
#include <math.h>
#include <string.h>

#include "engine/stretch.h"
#include "support/motion.h"

// ---- Polynomials

typedef struct Polynomial {
  double c[8];
  int degree;
} Polynomial;

static double polynomial_at(const Polynomial *p, double t) {
  double value = 0;
  for (int i = p->degree; i >= 0; i--) value = value * t + p->c[i];
  return value;
}

// Two columns: the time and a polynomial of the highest degree that the nodes can hold.
static Stretch stretch_of(const Polynomial *p, uint32_t nodes, double begin, double end,
                          double *cells) {
  for (uint32_t i = 0; i < nodes; i++) {
    double t = begin + stretch_node(nodes, i) * (end - begin);
    cells[2 * i] = t;
    cells[2 * i + 1] = polynomial_at(p, t);
  }
  return (Stretch){.nodes = nodes, .columns = 2, .cells = cells};
}

TEST(polynomials_come_back_with_their_extremes) {
  Random random = random_start("polynomials_come_back_with_their_extremes");
  static const uint32_t sizes[] = {2, 3, 5, 8};
  for (int round = 0; round < test_rounds(400); round++) {
    uint32_t nodes = sizes[round % 4];
    Polynomial p = {.degree = (int)nodes - 1};
    for (int i = 0; i <= p.degree; i++) p.c[i] = random_real(&random, -1, 1);
    double begin = random_real(&random, -1, 1), end = begin + random_real(&random, 0.1, 2),
           cells[16];
    Stretch s = stretch_of(&p, nodes, begin, end, cells);
    Extremes found[2] = {extremes_none(), extremes_none()};
    extremes_widen(found, &s, NULL);
    double least = INFINITY, most = -INFINITY, size = 1;
    for (int i = 0; i <= 20000; i++) {
      double t = begin + (end - begin) * i / 20000, value = polynomial_at(&p, t);
      least = fmin(least, value), most = fmax(most, value), size = fmax(size, fabs(value));
      if (i % 97 == 0) CHECK_NEAR(stretch_value(&s, 1, t) / size, value / size, 1e-12);
    }
    // the search on the grid is the coarser one
    assert_true(found[1].least <= least + 1e-12 * size && found[1].least > least - 1e-6 * size);
    assert_true(found[1].most >= most - 1e-12 * size && found[1].most < most + 1e-6 * size);
    CHECK_NEAR(polynomial_at(&p, found[1].t_most) / size, found[1].most / size, 1e-12);
    CHECK_NEAR(polynomial_at(&p, found[1].t_least) / size, found[1].least / size, 1e-12);
    CHECK_NEAR(found[0].most, end, 0);
  }
}

TEST(what_is_not_a_number_has_no_extremes) {
  double cells[] = {0, NAN, 1, NAN, 0.5, NAN};
  Stretch s = {.nodes = 3, .columns = 2, .cells = cells};
  Extremes found[2] = {extremes_none(), extremes_none()};
  extremes_widen(found, &s, NULL);
  assert_true(isnan(found[1].least) && isnan(found[1].most));
}

// ---- Runs

static Motion whole_motion(Context *cx, const char *text, double rtol, double every) {
  Motion m = motion_load(cx, text, NULL);
  m.options.method.rtol = rtol;
  m.options.every = every;
  m.keeps_stretches = true;
  motion_run(&m);
  if (m.status != QDOT_OK) motion_explain(&m);
  assert_int_equal(m.status, QDOT_OK);
  return m;
}

static const char *const models[] = {
    // rows that would hide most of the motion
    "coord x = 0 [m]\ncoord x' = 10 [m/s]\nparam m = 1 [kg], k = 100 [N/m]\n"
    "kinetic = 1/2*m*x'^2\npotential = 1/2*k*x^2\nsimulate to 5 [s] every 0.25 [s]\n",
    "param g = 9.81 [m/s^2], m = 1 [kg], L = 1 [m]\ncoord a = 90 [deg], b = 30 [deg]\n"
    "let p = (L*sin(a), -L*cos(a))\nlet q = p + (L*sin(b), -L*cos(b))\n"
    "kinetic = 1/2*m*(dot(p', p') + dot(q', q'))\npotential = m*g*(p.y + q.y)\n"
    "output pull = q.y''*m\nsimulate to 3 [s] every 0.5 [s]\n",
    // a loop, with the forces of its rods
    "param g = 9.81 [m/s^2], m = 1 [kg], L = 1 [m]\ncoord x ~ 0.6 [m], y ~ -0.7 [m]\n"
    "coord x' ~ 1 [m/s]\nkinetic = 1/2*m*(x'^2 + y'^2)\npotential = m*g*y\n"
    "constraint rod: x^2 + y^2 = L^2\nsimulate to 3 [s] every 0.5 [s]\n",
    // blows and a force that switches
    "param g = 9.81 [m/s^2], m = 1 [kg], k = 50 [N/m]\ncoord y = 1 [m], z = 0.2 [m]\n"
    "kinetic = 1/2*m*(y'^2 + z'^2)\npotential = m*g*y + 1/2*k*z^2\n"
    "force z = if(t < 0.7 [s], 3 [N], -2 [N])\n"
    "contact floor: y >= 0 restitution 0.7\nsimulate to 2 [s] every 0.5 [s]\n"};

static const Stretch *stretch_at(const Motion *m, double t) {
  for (uint32_t i = 0; i < m->stretches.n; i++)
    if (t <= stretch_end(&m->stretches.at[i])) return &m->stretches.at[i];
  return &m->stretches.at[m->stretches.n - 1];
}

// Sizes of the columns: what a difference is measured by.
static double size_of(const Motion *m, uint32_t column) {
  const Extremes *e = &m->summary.extremes[column];
  return fmax(fmax(fabs(e->least), fabs(e->most)), 1e-3);
}

// Every column at any time, against a run with many rows at a hundredth of the tolerance.
TEST(between_the_rows_lies_the_motion) {
  for (size_t k = 0; k < sizeof models / sizeof *models; k++) {
    Motion m = whole_motion(cx, models[k], 1e-8, 0.5), fine = motion_load(cx, models[k], NULL);
    fine.options.method.rtol = 1e-10;
    fine.options.every = 0.00137;
    motion_run(&fine);
    double worst = 0;
    for (uint32_t r = 0; r < fine.rows; r++) {
      const double *row = fine.values.at + (size_t)r * fine.columns.n;
      const Stretch *s = stretch_at(&m, row[0]);
      bool at_event = false;
      for (uint32_t i = 0; i < m.summary.events.n; i++)
        at_event |= fabs(m.summary.events.at[i].t - row[0]) < 1e-5;
      if (fabs(row[0] - 0.7) < 1e-9) at_event = true;
      for (uint32_t c = 1; !at_event && c < fine.columns.n; c++)
        worst = fmax(worst, fabs(stretch_value(s, c, row[0]) - row[c]) / size_of(&m, c));
    }
    print_message("model %zu: %u stretches, largest difference %.1e\n", k, m.stretches.n, worst);
    assert_true(worst < 2e-6);
  }
}

TEST(extremes_are_those_of_the_motion) {
  Motion m = whole_motion(cx, models[0], 1e-10, 0.25);
  const Extremes *x = &m.summary.extremes[motion_column(&m, "x")];
  CHECK_NEAR(x->most, 1, 1e-8);
  CHECK_NEAR(x->least, -1, 1e-8);
  CHECK_NEAR(sin(10 * x->t_most), 1, 1e-8);
  for (size_t k = 0; k < sizeof models / sizeof *models; k++) {
    m = whole_motion(cx, models[k], 1e-8, 0.5);
    Motion fine = motion_load(cx, models[k], NULL);
    fine.options.method.rtol = 1e-10;
    fine.options.every = 1e-4;
    fine.options.event_rows = true;
    motion_run(&fine);
    for (uint32_t c = 1; c < m.columns.n; c++) {
      Extremes rows = extremes_none();
      for (uint32_t r = 0; r < fine.rows; r++)
        extremes_widen_by_value(&rows, 0, fine.values.at[(size_t)r * fine.columns.n + c]);
      double size = size_of(&m, c);
      CHECK_NEAR(m.summary.extremes[c].most / size, rows.most / size, 3e-6);
      CHECK_NEAR(m.summary.extremes[c].least / size, rows.least / size, 3e-6);
    }
  }
}

// Squares, sizes and kinetic energies are not negative, and a sine does not exceed 1: not even in
// the last digits, whatever the polynomials between the nodes do.
TEST(extremes_are_values_that_are_reached) {
  Random random = random_start(__func__);
  for (int round = 0; round < test_rounds(20); round++) {
    double w = random_real(&random, 0.5, 20), phase = random_real(&random, 0, 6);
    const char *text =
        text_format(&cx->keep,
                    "param m = 1 [kg], w = %.17g [1/s], p = %.17g [m]\n"
                    "coord x = p\ncoord x' = w*(1 [m])\nkinetic = 1/2*m*x'^2\n"
                    "potential = 1/2*m*w^2*(x - p)^2\noutput square = (x - p)^2, "
                    "size = abs(sin(3*x/(1 [m]))), wave = cos(x/(1 [m]) - p/(1 [m]))\n"
                    "simulate to 5 [s] every 1 [s]\n",
                    w, phase);
    Motion m = whole_motion(cx, text, 1e-8, 1);
    const char *const names[] = {"square", "size", "wave", "E_kin", "E_pot"};
    for (int i = 0; i < 5; i++) {
      const Extremes *e = &m.summary.extremes[motion_column(&m, names[i])];
      assert_true(e->least >= 0);
      if (i == 1 || i == 2) assert_true(e->most <= 1);
    }
    CHECK_NEAR(m.summary.extremes[motion_column(&m, "square")].most, 1, 1e-7);
    CHECK_NEAR(m.summary.extremes[motion_column(&m, "wave")].least, cos(1), 1e-7);
  }
}

// A step over a blow goes straight from its beginning to its end: a ball that comes back with a
// part of its speed has no less energy in between.
TEST(steps_over_blows_add_nothing) {
  Random random = random_start(__func__);
  for (int round = 0; round < test_rounds(10); round++) {
    double e = random_real(&random, 0.1, 1), v = random_real(&random, 0.5, 5);
    const char *text =
        text_format(&cx->keep,
                    "coord x = 1 [m]\ncoord x' = -%.17g [m/s]\nparam m = 2 [kg]\n"
                    "kinetic = 1/2*m*x'^2\npotential = 0 [J]\ncontact wall: x >= 0 restitution "
                    "%.17g\nsimulate to 3 [s] every 1 [s] using moreau(step = 7 [ms])\n",
                    v, e);
    Motion m = whole_motion(cx, text, 1e-8, 1);
    const Extremes *E = &m.summary.extremes[motion_column(&m, "E_kin")];
    CHECK_NEAR(E->most, v * v, 1e-12);
    CHECK_NEAR(E->least, e * e * v * v, 1e-12);
  }
}

// ---- Outputs that are sharper than the steps

static double bend_at(double t, double a, double w) {
  (void)w;
  return fabs(cos(t) - a);
}
static double crossing_at(double t, double a, double w) {
  (void)w;
  return fmin(cos(t), a * sin(t));
}
static double jump_at(double t, double a, double w) {
  (void)w;
  return cos(t) > a ? cos(t) : -2;
}
static double peak_at(double t, double a, double w) {
  double x = cos(t) - a;
  return w * w / (x * x + w * w);
}
static double bell_at(double t, double a, double w) {
  double x = (cos(t) - a) / w;
  return exp(-x * x);
}

static double (*const sharp[])(double, double, double) = {bend_at, crossing_at, jump_at, peak_at,
                                                          bell_at};
static const char *const sharp_names[] = {"bend", "crossing", "jump", "peak", "bell"};
enum { SHARP = sizeof sharp / sizeof *sharp };

static Motion sharp_motion(Context *cx, double a, double w, MethodId method) {
  const char *text = text_format(
      &cx->keep,
      "param m = 1 [kg], k = 1 [N/m], a = %.17g [m], b = %.17g, w = %.17g [m]\n"
      "coord x = 1 [m], y = 0 [m]\ncoord y' = 1 [m/s]\nkinetic = 1/2*m*(x'^2 + y'^2)\n"
      "potential = 1/2*k*(x^2 + y^2)\noutput bend = abs(x - a), crossing = min(x, b*y)\n"
      "output jump = if(x > a, x, -2 [m]), peak = w^2/((x - a)^2 + w^2)\n"
      "output bell = exp(-((x - a)/w)^2)\nsimulate to 7 every 1\n",
      a, a, w);
  Motion m = motion_load(cx, text, NULL);
  m.options.method.method = method;
  m.options.method.step = 1e-3;
  m.options.method.rtol = 1e-10;
  m.keeps_stretches = true;
  motion_run(&m);
  if (m.status != QDOT_OK) motion_explain(&m);
  assert_int_equal(m.status, QDOT_OK);
  return m;
}

// The motion is x = cos t, y = sin t: what the outputs reach is known.
static void check_sharp(const Motion *m, double a, double w, double near) {
  for (int k = 0; k < SHARP; k++) {
    uint32_t column = motion_column(m, sharp_names[k]);
    Extremes e = extremes_none(), found = m->summary.extremes[column];
    // where it turns: at multiples of pi, where x = a, where cos t = a sin t; on both sides
    double places[] = {0, acos(-1), acos(a), atan2(1, a)};
    for (int p = 0; p < 4; p++)
      for (int turn = -2; turn <= 2; turn++)
        for (int side = -1; side <= 1; side++)
          for (int sign = -1; sign <= 1; sign += 2) {
            double t = sign * places[p] + turn * acos(-1) + side * 1e-10;
            if (t >= 0 && t <= 7) extremes_widen_by_value(&e, t, sharp[k](t, a, w));
          }
    extremes_widen_by_value(&e, 0, sharp[k](0, a, w));
    extremes_widen_by_value(&e, 7, sharp[k](7, a, w));
    CHECK_NEAR(found.least, e.least, near);
    CHECK_NEAR(found.most, e.most, near);
    for (int i = 0; i < 3000; i++) {
      double t = 7 * (i + 0.5) / 3000;
      if (fabs(cos(t) - a) < 1e-6) continue; // beside the jump
      CHECK_NEAR(stretch_value(stretch_at(m, t), column, t), sharp[k](t, a, w), 10 * near);
    }
  }
}

TEST(outputs_sharper_than_the_steps_are_followed) {
  Random random = random_start("outputs_sharper_than_the_steps_are_followed");
  static const struct {
    MethodId method;
    double near;
  } methods[] = {{METHOD_RK853, 1e-5}, {METHOD_RK45, 5e-5}, {METHOD_RK4, 5e-5}, {METHOD_BDF, 1e-3}};
  for (int round = 0; round < test_rounds(40); round++) {
    double a = random_real(&random, -0.95, 0.95), w = exp(random_real(&random, log(0.05), 0));
    int k = round % 4;
    Motion m = sharp_motion(cx, a, w, methods[k].method);
    check_sharp(&m, a, w, methods[k].near);
  }
}

// Rounding and chance are not followed into the depth: what is looked at stays within bounds.
TEST(noise_costs_a_few_parts_a_step) {
  Motion m = motion_load(cx,
                         "param m = 1, k = 1\ncoord x = 1\nkinetic = 1/2*m*x'^2\n"
                         "potential = 1/2*k*x^2\noutput noise = sin(1e14*x)\n"
                         "simulate to 3000 every 1\n",
                         NULL);
  m.keeps_stretches = true;
  motion_run(&m);
  assert_int_equal(m.status, QDOT_OK);
  assert_true(m.summary.steps > 3000);
  // a part that cannot be followed is given straight, in seven pieces
  assert_true(m.stretches.n < 7 * (9 * (uint32_t)m.summary.steps + 1500));
  const Extremes *noise = &m.summary.extremes[motion_column(&m, "noise")];
  assert_true(noise->least >= -1 && noise->most <= 1);
}

// Every method keeps its own accuracy between the rows.
TEST(every_method_has_stretches) {
  static const struct {
    MethodId method;
    double near;
  } methods[] = {{METHOD_RK853, 1e-7},   {METHOD_RK45, 1e-6},  {METHOD_RK4, 1e-5},
                 {METHOD_NEWMARK, 2e-3}, {METHOD_ALPHA, 2e-3}, {METHOD_VARIATIONAL, 2e-3},
                 {METHOD_BDF, 1e-4},     {METHOD_DAE, 1e-4},   {METHOD_AUTO, 1e-7}};
  for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
    Motion m = motion_load(cx, models[0], NULL);
    m.options.method.method = methods[i].method;
    m.options.method.step = 2e-3;
    m.keeps_stretches = true;
    motion_run(&m);
    assert_int_equal(m.status, QDOT_OK);
    CHECK_NEAR(m.summary.extremes[1].most, 1, methods[i].near);
    CHECK_NEAR(stretch_begin(&m.stretches.at[0]), 0, 0);
    for (uint32_t s = 1; s < m.stretches.n; s++)
      CHECK_NEAR(stretch_begin(&m.stretches.at[s]), stretch_end(&m.stretches.at[s - 1]), 1e-12);
    CHECK_NEAR(stretch_end(&m.stretches.at[m.stretches.n - 1]), 5, 1e-12);
  }
}

// Looking does not change what is looked at.
TEST(rows_are_the_same_without_stretches) {
  for (size_t k = 0; k < sizeof models / sizeof *models; k++) {
    Motion with = whole_motion(cx, models[k], 1e-8, 0.01),
           without = motion_load(cx, models[k], NULL);
    without.options.every = 0.01;
    without.options.method.rtol = 1e-8;
    motion_run(&without);
    assert_int_equal(with.rows, without.rows);
    assert_int_equal(with.summary.evaluations, without.summary.evaluations);
    assert_memory_equal(with.values.at, without.values.at, with.values.n * sizeof(double));
  }
}

RUN_TESTS(cmocka_unit_test(polynomials_come_back_with_their_extremes),
          cmocka_unit_test(what_is_not_a_number_has_no_extremes),
          cmocka_unit_test(between_the_rows_lies_the_motion),
          cmocka_unit_test(extremes_are_those_of_the_motion),
          cmocka_unit_test(extremes_are_values_that_are_reached),
          cmocka_unit_test(steps_over_blows_add_nothing),
          cmocka_unit_test(outputs_sharper_than_the_steps_are_followed),
          cmocka_unit_test(noise_costs_a_few_parts_a_step),
          cmocka_unit_test(every_method_has_stretches),
          cmocka_unit_test(rows_are_the_same_without_stretches))
