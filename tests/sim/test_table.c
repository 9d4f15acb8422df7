// Tables in a model against a search of our own.
#include <math.h>
#include <unistd.h>

#include "base/text.h"
#include "support/motion.h"

enum { MOST = 40 };

typedef struct Points {
  int n;
  double x[MOST], y[MOST];
} Points;

static double looked_up(const Points *p, double x) {
  if (x <= p->x[0]) return p->y[0];
  for (int i = 1; i < p->n; i++)
    if (x <= p->x[i])
      return p->y[i - 1] + (p->y[i] - p->y[i - 1]) * (x - p->x[i - 1]) / (p->x[i] - p->x[i - 1]);
  return p->y[p->n - 1];
}

static double area(const Points *p, double until) {
  double sum = 0, before = 0;
  for (int i = 0; i <= p->n; i++) {
    double x = i < p->n ? fmin(fmax(p->x[i], 0), until) : until;
    sum += (x - before) * (looked_up(p, x) + looked_up(p, before)) / 2;
    before = x;
  }
  return sum;
}

// A force over time: its values and its impulse; and a spring with a measured law: its energy.
TEST(against_search) {
  Random random = random_start(__func__);
  for (int round = 0; round < test_rounds(50); round++) {
    Points p = {.n = 2 + random_below(&random, MOST - 1)};
    Text table = text_new(&cx->keep);
    text_add(&table, "table(%s");
    double x = random_real(&random, -0.3, 0.3);
    for (int i = 0; i < p.n; i++) {
      x += random_real(&random, 0.01, 0.2);
      p.x[i] = x, p.y[i] = random_real(&random, -5, 5);
      text_addf(&table, ", (%.17g, %.17g)", p.x[i], p.y[i]);
    }
    text_add(&table, ")");
    const char *of_time = text_format(&cx->keep, table.at, "t/t_0");
    Motion m = motion_of(cx, text_format(&cx->keep,
                                         "param m = 1, F = 1, t_0 = 1\ncoord x = 0\n"
                                         "kinetic = 1/2*m*x'^2\nforce x = F*%s\n"
                                         "output y = %s\nsimulate to 3 every 0.0625\n",
                                         of_time, of_time));
    assert_int_equal(m.status, QDOT_OK);
    for (double t = 0; t <= 3; t += 0.0625)
      CHECK_NEAR(motion_at(&m, t, "y"), looked_up(&p, t), 1e-12);
    CHECK_NEAR(motion_at(&m, 3, "x'"), area(&p, 3), 1e-9);
    m = motion_of(cx, text_format(&cx->keep,
                                  "param m = 1, k = 1, L = 1\ncoord x = 0.1\n"
                                  "kinetic = 1/2*m*x'^2\npotential = 1/2*k*x^2\n"
                                  "force x = k*L*%s\nsimulate to 3 every 0.1\n",
                                  text_format(&cx->keep, table.at, "x/L")));
    assert_int_equal(m.status, QDOT_OK);
    assert_true(m.summary.energy_drift < 1e-7);
  }
}

static const char *random_table(Context *cx, Random *random, const char *x, double from, double to,
                                const char *factor) {
  Text table = text_new(&cx->keep);
  int n = 3 + random_below(random, MOST - 3);
  text_addf(&table, "table(%s", x);
  for (int i = 0; i < n; i++)
    text_addf(&table, ", (%.12g, %s%.12g)",
              from + (to - from) * (i + 0.8 * random_real(random, 0, 1)) / n, factor,
              random_real(random, -1, 1));
  text_add(&table, ")");
  return table.at;
}

// Two routes: pieces of a table of numbers, and conditions where a parameter stands among them.
TEST(against_conditions) {
  static const char *const methods[] = {"rk853", "rk45", "bdf", "rk4", "alpha"};
  for (int round = 0; round < test_rounds(10); round++) {
    Motion m[2];
    const char *method = methods[round % 5];
    bool fixed = round % 5 > 2;
    for (int route = 0; route < 2; route++) {
      Random random = random_start(__func__);
      for (int i = 0; i < round; i++) random_real(&random, 0, 1);
      const char *factor = route ? "s*" : "";
      const char *text = text_format(
          &cx->keep,
          "param m = 1 [kg], k = 30 [N/m], c = 1 [N*s/m], F = 1 [N], s = 1, T = 1 [s], L = 1 [m]\n"
          "coord x = 0.1 [m], y = 0 [m]\ncoord y' = 1 [m/s]\n"
          "let r = L*%s\n"
          "kinetic = 1/2*m*(x'^2 + y'^2)\n"
          "potential = 1/2*k*(x - L*%s)^2 + 1/2*k*(y - x)^2\n"
          "dissipation = 1/2*c*(x' - r')^2\n"
          "force y = F*%s + 0.3*F*%s\n"
          "output z = %s\nsimulate to 2 every 0.125 using %s\n",
          random_table(cx, &random, "1 - t/T", -0.5, 2, factor),
          random_table(cx, &random, "3*t/T - 1", -0.5, 4, factor),
          random_table(cx, &random, "y/L + 0.1*sin(3*t/T)", -0.6, 0.6, factor),
          random_table(cx, &random, "y'*T/L", -2, 2, factor),
          random_table(cx, &random, "x'*T/L", -1, 1, factor), method);
      m[route] = motion_load(cx, text, NULL);
      m[route].options.method.step = 1e-3;
      motion_run(&m[route]);
      if (m[route].status != QDOT_OK) motion_explain(&m[route]);
      assert_int_equal(m[route].status, QDOT_OK);
      assert_false(m[route].summary.stopped);
    }
    double tolerance = round % 5 == 4 ? 3e-3 : fixed ? 1e-5 : 1e-6; // alpha is of order 2
    assert_int_equal(m[0].rows, m[1].rows);
    for (double t = 0; t <= 2; t += 0.125) {
      CHECK_NEAR(motion_at(&m[0], t, "x"), motion_at(&m[1], t, "x"), tolerance);
      CHECK_NEAR(motion_at(&m[0], t, "y'"), motion_at(&m[1], t, "y'"), tolerance);
      CHECK_NEAR(motion_at(&m[0], t, "z"), motion_at(&m[1], t, "z"), 1e3 * tolerance);
    }
  }
}

// A potential with a sharp bottom: the force is a slope, and jumps at every knot.
TEST(slopes_that_jump) {
  Motion m[2];
  for (int route = 0; route < 2; route++) {
    const char *s = route ? "s*" : "";
    m[route] = motion_of(
        cx, text_format(&cx->keep,
                        "param m = 1, V = 5, s = 1, c = 3\ncoord x = 0.3\nkinetic = 1/2*m*x'^2\n"
                        "potential = V*(s - 1) + V*table(x, (-1, %s1), (-0.5, %s0.4), (0, 0), "
                        "(0.5, %s0.4), (1, %s1))\ndissipation = 1/2*c*x'^2\n"
                        "simulate to 4 every 0.1\n",
                        s, s, s, s));
    assert_int_equal(m[route].status, QDOT_OK);
    assert_false(m[route].summary.stopped);
  }
  for (double t = 0; t <= 4; t += 0.1)
    CHECK_NEAR(motion_at(&m[0], t, "x"), motion_at(&m[1], t, "x"), 1e-9);
}

// A drive by a table of time: the speed jumps at its knots, and the rest follows by impulses.
TEST(drives_by_tables) {
  Motion m[2];
  for (int route = 0; route < 2; route++) {
    const char *s = route ? "s*" : "";
    m[route] = motion_load(
        cx,
        text_format(&cx->keep,
                    "param m = 1 [kg], k = 50 [N/m], s = 1, L = 1 [m]\n"
                    "coord x ~ 0 [m], y = 0 [m]\nkinetic = 1/2*m*(x'^2 + y'^2 + x'*y')\n"
                    "potential = 1/2*k*(y - x)^2\n"
                    "constraint d: x = L*table(t, (0 [s], 0), (0.31 [s], %s0.2), (0.7 [s], %s0.1), "
                    "(1.1 [s], %s0.3))\nsimulate to 2 every 0.125\n",
                    s, s, s),
        NULL);
    motion_run(&m[route]);
    if (m[route].status != QDOT_OK) motion_explain(&m[route]);
    assert_int_equal(m[route].status, QDOT_OK);
    assert_false(m[route].summary.stopped);
  }
  for (double t = 0; t <= 2; t += 0.125) {
    CHECK_NEAR(motion_at(&m[0], t, "x"), motion_at(&m[1], t, "x"), 1e-9);
    CHECK_NEAR(motion_at(&m[0], t, "y'"), motion_at(&m[1], t, "y'"), 1e-7);
  }
}

static const char *long_road(Context *cx, int n, double end) {
  Text table = text_new(&cx->keep);
  for (int i = 0; i < n; i++)
    text_addf(&table, ", (%.12g, %.12g)", end * i / (n - 1), 0.1 * sin(7 * end * i / (n - 1)));
  return table.at;
}

// Between the knots of a fine table the closed form: x'' + w^2 (x - 0.1 sin 7t) = 0.
TEST(a_fine_table_against_its_curve) {
  for (int n = 200; n <= 20000; n *= 10) {
    Motion m = motion_of(cx, text_format(&cx->keep,
                                         "param m = 1, k = 9\ncoord x = 0\nkinetic = 1/2*m*x'^2\n"
                                         "potential = 1/2*k*(x - table(t%s))^2\n"
                                         "simulate to 4 every 0.25\n",
                                         long_road(cx, n, 4)));
    assert_int_equal(m.status, QDOT_OK);
    // no step more than two for every knot
    assert_true(m.summary.steps < 2 * n + 200);
    double a = 0.1 * 9 / (9 - 49), h = 4.0 / (n - 1);
    for (double t = 0; t <= 4; t += 0.25)
      CHECK_NEAR(motion_at(&m, t, "x"), a * (sin(7 * t) - 7.0 / 3 * sin(3 * t)), h * h + 1e-8);
  }
}

static void stop_behind(void *user, double t, double t_end, long steps) {
  (void)t_end, (void)steps;
  if (t > 1.03) *(volatile int *)user = 1;
}

// Stopped and taken up again: the same bytes.
TEST(resumes_to_the_same_bytes) {
  const char *text =
      text_format(&cx->keep,
                  "param m = 1, k = 40\ncoord x = 0.2, y = 0\nkinetic = 1/2*m*(x'^2 + y'^2)\n"
                  "potential = 1/2*k*(x - table(t%s))^2 + 1/2*k*(y - x)^2\n"
                  "force y = table(y, (-0.3, 1), (-0.1, -1), (0.05, 2), (0.2, 0))\n"
                  "simulate to 4 every 0.01\n",
                  long_road(cx, 300, 4));
  Motion whole = motion_load(cx, text, NULL), part = motion_load(cx, text, NULL);
  whole.options.checkpoint = part.options.checkpoint =
      text_format(&cx->keep, "/tmp/qdot-table-%ld", (long)getpid());
  motion_run(&whole);
  assert_int_equal(whole.status, QDOT_OK);
  volatile int stop = 0;
  part.options.stop = &stop;
  part.options.progress = stop_behind;
  part.options.progress_user = (void *)&stop;
  motion_run(&part);
  assert_int_equal(part.summary.stopped, STOPPED_USER);
  part.options.stop = NULL;
  part.options.progress = NULL;
  part.options.resume = true;
  motion_run(&part);
  if (part.status != QDOT_OK) motion_explain(&part);
  assert_int_equal(part.status, QDOT_OK);
  assert_true(part.rows > 10 && part.rows < whole.rows);
  size_t first = (size_t)(whole.rows - part.rows) * whole.columns.n;
  assert_memory_equal(part.values.at, whole.values.at + first,
                      (size_t)part.rows * whole.columns.n * sizeof(double));
  sim_forget(&whole.options);
}

// What is only looked at: measures are exact at corners, and leaving the rows is told, whoever
// looks.
TEST(tables_that_only_measures_and_outputs_see) {
  Random random = random_start(__func__);
  for (int round = 0; round < test_rounds(20); round++) {
    Points p = {.n = 3 + random_below(&random, MOST - 3)};
    const char *path = text_format(&cx->keep, "/tmp/qdot-table-%ld.csv", (long)getpid());
    FILE *file = fopen(path, "w");
    double x = 0, most = -INFINITY, v = random_real(&random, 0.3, 3);
    for (int i = 0; i < p.n; i++) {
      p.x[i] = x, p.y[i] = random_real(&random, -5, 5);
      fprintf(file, "%.17g %.17g\n", p.x[i], p.y[i]);
      most = fmax(most, p.y[i]);
      x += random_real(&random, 0.01, 0.2);
    }
    fclose(file);
    double last = p.x[p.n - 1] / v, t_end = last * (round % 2 ? 0.99 : 1.3);
    const char *place = round % 4 < 2 ? "v*t" : "x", *look = "";
    bool is_measured = round % 3 == 0;
    if (is_measured) look = "measure most = max(z)";
    if (round % 3 == 1) look = "output z";
    if (round % 3 == 2) look = "memory seen = 0\nsample every 0.01: seen = z";
    Motion m =
        motion_to_end(cx, text_format(&cx->keep,
                                      "param m = 1, v = %.17g\ncoord x = 0\ncoord x' = v\n"
                                      "kinetic = 1/2*m*x'^2\nlet z = table(%s, \"%s\", 1, 2)\n%s\n"
                                      "simulate to %.17g every %.17g\n",
                                      v, place, path, look, t_end, t_end / 10));
    remove(path);
    if (is_measured && t_end > last) CHECK_NEAR(m.summary.measures[0], most, 1e-12 * fabs(most));
    assert_int_equal(m.summary.hint.id == REMARK_DATA_LEFT, t_end > last);
    if (t_end > last) CHECK_NEAR(m.summary.hint.number[1], last, 1e-7 * last);
  }
}

// The integral over an angle that begins at 0, of a table over one turn from -half to half.
static double wound_area(const Points *p, double until) {
  const double pi = acos(-1);
  double sum = 0, turns = floor((until + pi) / (2 * pi)), rest = until - 2 * pi * turns;
  double knots[MOST + 3] = {-pi};
  int n = 1;
  for (int i = 0; i < p->n; i++)
    if (p->x[i] > -pi && p->x[i] < pi) knots[n++] = p->x[i];
  knots[n++] = pi;
  for (int half = 0; half < 3; half++) { // from 0 to the end of a turn, whole turns, the last one
    double low = half == 0 ? 0 : -pi, high = half == 2 ? rest : pi;
    double factor = half == 1 ? turns - 1 : 1;
    for (int i = 0; i + 1 < n; i++) {
      double a = fmin(fmax(knots[i], low), high), b = fmin(fmax(knots[i + 1], low), high);
      sum += factor * (b - a) * (looked_up(p, a) + looked_up(p, b)) / 2;
    }
  }
  return sum;
}

// Torques over the angle of a shaft that goes on turning: the angle that is looked up jumps by a
// turn at the cut of atan2, over all knots at once, and the torque with it.
TEST(angles_that_wind_around) {
  Random random = random_start(__func__);
  for (int round = 0; round < test_rounds(30); round++) {
    Points p = {.n = 2 + random_below(&random, MOST - 1)};
    Text table = text_new(&cx->keep);
    double x = random_real(&random, -3.5, -3), least = INFINITY, most = -INFINITY;
    for (int i = 0; i < p.n; i++) {
      p.x[i] = x, p.y[i] = random_real(&random, 1, 5);
      text_addf(&table, ", (%.17g, %.17g)", p.x[i], p.y[i]);
      x += random_real(&random, 0.02, 12.0 / p.n);
    }
    for (int i = -2; i < p.n; i++) {
      double pi = acos(-1), y = looked_up(&p, i == -2 ? -pi : i == -1 ? pi : p.x[i]);
      if (i >= 0 && fabs(p.x[i]) > pi) continue;
      least = fmin(least, y), most = fmax(most, y);
    }
    static const char *const angles[] = {"atan2(sin(a), cos(a))", "-atan2(-3*sin(a), 3*cos(a))"};
    const char *text = text_format(&cx->keep,
                                   "param J = 1 [kg*m^2], T = 1 [N*m]\ncoord a = 0 [rad]\n"
                                   "coord a' = 3 [rad/s]\nkinetic = 1/2*J*a'^2\n"
                                   "let x = %s\nforce a = T*table(x%s)\n"
                                   "output F = T*table(x%s)\nsimulate to 4 every 0.1\n",
                                   angles[round % 2], table.at, table.at);
    Motion m = motion_load(cx, text, NULL);
    m.keeps_stretches = true;
    motion_run(&m);
    assert_int_equal(m.status, QDOT_OK);
    double a = motion_at(&m, 4, "a"), v = motion_at(&m, 4, "a'");
    CHECK_NEAR((v * v - 9) / 2 / wound_area(&p, a), 1, 1e-7);
    assert_true(m.summary.energy_drift < 1e-7);
    const Extremes *force = &m.summary.extremes[motion_column(&m, "F")];
    CHECK_NEAR(force->least, least, 1e-6);
    CHECK_NEAR(force->most, most, 1e-6);
    assert_true(m.summary.rejected < 8 * m.summary.steps);
  }
}

RUN_TESTS(cmocka_unit_test(tables_that_only_measures_and_outputs_see),
          cmocka_unit_test(against_search), cmocka_unit_test(against_conditions),
          cmocka_unit_test(slopes_that_jump), cmocka_unit_test(drives_by_tables),
          cmocka_unit_test(a_fine_table_against_its_curve),
          cmocka_unit_test(resumes_to_the_same_bytes), cmocka_unit_test(angles_that_wind_around))
