// A run as numbers and equations as a fragment of a page, for programs that draw themselves.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "qdot/qdot.h"
#include "support/check.h"

static const char pendulum[] = "model \"Swing \t <b>\"\n"
                               "param g = 9.81 [m/s^2], m = 2 [kg], L = 0.8 [m]\n"
                               "coord theta = 40 [deg]\n"
                               "let r = (L*sin(theta), -L*cos(theta))\n"
                               "kinetic = 1/2*m*dot(r', r')\n"
                               "potential = m*g*r.y\n"
                               "simulate to 2 [s] every 1 [ms]\n"
                               "draw line (0, 0) r\n";

static const char four_bar[] =
    "param L_2 = 0.8 [m], L_3 = 1.8 [m], L_4 = 1.5 [m]\ngravity (0, -9.81 [m/s^2])\n"
    "body crank: rod L_2, mass 1 [kg], at (0, 0.4 [m]), angle 90 [deg]\n"
    "body coupler: rod L_3, mass 2 [kg], at (0.8 [m], 1.1 [m]), angle 22 [deg]\n"
    "body rocker: rod L_4, mass 1.5 [kg], at (1.8 [m], 0.7 [m]), angle 103 [deg]\n"
    "joint A: revolute ground (0, 0), crank (-L_2/2, 0)\n"
    "joint B: revolute crank (L_2/2, 0), coupler (-L_3/2, 0)\n"
    "joint C: revolute coupler (L_3/2, 0), rocker (L_4/2, 0)\n"
    "joint D: revolute ground (2 [m], 0), rocker (-L_4/2, 0)\n"
    "simulate to 4 [s] every 2 [ms]\n";

typedef struct Fixture {
  qdot_context *cx;
  qdot_model *model;
  qdot_result *result;
} Fixture;

static Fixture run_roughly(const char *text, size_t rough) {
  Fixture f = {.cx = qdot_context_open(NULL)};
  assert_int_equal(qdot_model_parse(f.cx, "x.qdot", text, strlen(text), NULL, &f.model), QDOT_OK);
  qdot_run_options options = qdot_run_defaults();
  options.memory = 1 << 26;
  options.rough = rough;
  assert_int_equal(qdot_model_simulate(f.model, &options, &f.result), QDOT_OK);
  return f;
}

static Fixture run(const char *text) { return run_roughly(text, 0); }

// Where a member of the layout begins in a row.
static size_t place(const char *json, const char *member) {
  const char *at = strstr(strstr(json, "\"layout\""), member);
  assert_non_null(at);
  return (size_t)atoi(at + strlen(member) + 1);
}

TEST(numbers_are_those_of_the_motion) {
  Fixture f = run(pendulum);
  qdot_view_options options = qdot_view_defaults();
  options.samples = 100;
  qdot_view *view;
  assert_int_equal(qdot_result_view(f.result, &options, &view), QDOT_OK);
  const char *json = qdot_view_json(view);
  assert_non_null(strstr(json, "\"title\": \"Swing \\u0009 \\u003cb>\""));
  size_t rows, width, q = place(json, "\"q\":"), curves = place(json, "\"curves\":");
  const double *numbers = qdot_view_numbers(view, &rows, &width);
  assert_true(rows >= 50 && rows <= 210 && curves < width);
  for (size_t i = 0; i < rows; i++) {
    const double *row = numbers + i * width;
    // the line's second point behind the time and the first
    CHECK_NEAR(row[4], 0.8 * sin(row[q]), 1e-12);
    CHECK_NEAR(row[5], -0.8 * cos(row[q]), 1e-12);
    assert_true(i == 0 || row[0] >= row[-(long)width]);
  }
  CHECK_NEAR(numbers[0], 0, 0);
  CHECK_NEAR(numbers[(rows - 1) * width], 2, 1e-12);
  qdot_context_close(f.cx);
}

// Steps that are small at a sudden change leave the smooth parts of the motion their samples.
TEST(samples_are_nowhere_far_apart) {
  Fixture f = run("param m = 1 [kg], k = 16 [N/m], w = 3000 [rad/s], T = 0.05 [s], F = 1 [N]\n"
                  "coord x = 0 [m], y = 0 [m], x' = 1 [m/s]\n"
                  "kinetic = 1/2*m*(x'^2 + y'^2)\npotential = 1/2*k*x^2\n"
                  "force y = F*sin(w*t)*exp(-(t/T)^2)\n"
                  "simulate to 6 [s] every 0.5 [s]\n");
  qdot_view_options options = qdot_view_defaults();
  for (options.samples = 50; options.samples <= 800; options.samples *= 4) {
    qdot_view *view;
    assert_int_equal(qdot_result_view(f.result, &options, &view), QDOT_OK);
    size_t rows, width;
    const double *numbers = qdot_view_numbers(view, &rows, &width);
    assert_true(rows <= 3 * options.samples / 2 + 4);
    for (size_t i = 1; i < rows; i++)
      assert_true(numbers[i * width] - numbers[(i - 1) * width] <= 3.0 * 6 / options.samples);
    qdot_view_close(view);
  }
  qdot_context_close(f.cx);
}

// Of so many rows as it may be, at least half; they are rows of the whole result, whose steps,
// drawing and certificate are the same.
TEST(a_rough_run_is_a_part_of_the_whole) {
  Fixture whole = run(four_bar);
  size_t n, all, few, width, columns = qdot_result_column_count(whole.result);
  const double *times = qdot_result_values(whole.result, 0, &all);
  qdot_view *view;
  Random random = random_start("rough");
  assert_int_equal(qdot_result_view(whole.result, NULL, &view), QDOT_OK);
  for (int round = 0; round < test_rounds(12); round++) {
    size_t rough = (size_t)exp(random_real(&random, 1, log(4000)));
    Fixture f = run_roughly(four_bar, rough);
    const double *t = qdot_result_values(f.result, 0, &few);
    assert_true(few >= (rough < all ? rough / 2 : all) && few <= rough + 2);
    for (size_t i = 0, k = 0; i < few; i++, k++) {
      while (k < all && times[k] != t[i]) k++;
      assert_true(k < all);
      for (size_t c = 1; c < columns; c++)
        CHECK_NEAR(qdot_result_values(f.result, c, &n)[i],
                   qdot_result_values(whole.result, c, &n)[k], 1e-7);
    }
    CHECK_NEAR(t[few - 1], 4, 0);
    assert_int_equal(qdot_result_certificate(f.result)->steps,
                     qdot_result_certificate(whole.result)->steps);
    qdot_view *rough_view;
    assert_int_equal(qdot_result_view(f.result, NULL, &rough_view), QDOT_OK);
    if (rough > 50) assert_string_equal(qdot_view_json(rough_view), qdot_view_json(view));
    qdot_view_numbers(rough_view, &n, &width);
    assert_true(n == few || few > 1200 || rough >= all);
    qdot_context_close(f.cx);
  }
  qdot_context_close(whole.cx);
}

// With few rows the motion between them is there, too: a crank that turns, or locks where the
// forces grow without bound, ends at the same time after the same steps, and takes no more numbers.
TEST(a_rough_run_of_few_rows_is_a_motion) {
  Random random = random_start("rough, locking");
  size_t locked = 0, fewer = 0, sizes[2], counts[2], width;
  int rounds = test_rounds(12);
  for (int round = 0; round < rounds; round++) {
    char text[2048];
    snprintf(text, sizeof text, "%s", four_bar);
    *strstr(text, "simulate") = 0;
    strcat(text, "motor A: speed 4 [rad/s]\nsimulate to 4 [s] every 0.2 [s]\n");
    char length[8];
    snprintf(length, sizeof length, "%.1f", random_real(&random, 0.6, 1.9)); // 1.3 is the longest
    memcpy(strstr(text, "0.8 [m]"), length, 3);
    Fixture f[2] = {run_roughly(text, 0), run_roughly(text, 800)};
    qdot_view *view[2];
    const double *last[2];
    for (int i = 0; i < 2; i++) {
      assert_int_equal(qdot_result_view(f[i].result, NULL, &view[i]), QDOT_OK);
      const double *numbers = qdot_view_numbers(view[i], &counts[i], &width);
      last[i] = numbers + (counts[i] - 1) * width;
      qdot_result_values(f[i].result, 0, &sizes[i]);
    }
    assert_string_equal(qdot_view_json(view[0]), qdot_view_json(view[1]));
    assert_int_equal(sizes[0], sizes[1]);
    assert_int_equal(qdot_result_certificate(f[0].result)->steps,
                     qdot_result_certificate(f[1].result)->steps);
    CHECK_NEAR(last[0][0], last[1][0], 0);
    assert_true(counts[1] > 2 * sizes[1] && counts[1] <= counts[0] + 2);
    locked += last[0][0] < 4, fewer += counts[1] < counts[0];
    for (int i = 0; i < 2; i++) qdot_context_close(f[i].cx);
  }
  print_message("%d cranks, %zu lock, %zu with fewer numbers\n", rounds, locked, fewer);
  if (rounds >= 12) assert_true(locked > 0 && locked < (size_t)rounds && fewer > 0); // both kinds
}

// A pendulum's mode swings about the lowest point, and ends where it began.
TEST(a_mode_is_a_view) {
  Fixture f = run(pendulum);
  qdot_system *system;
  qdot_linear *linear;
  qdot_view *view;
  assert_int_equal(qdot_system_derive(f.model, &system), QDOT_OK);
  assert_int_equal(qdot_system_linearize(system, 0, &linear), QDOT_OK);
  assert_int_equal(qdot_mode_view(linear, 0, NULL, &view), QDOT_OK);
  size_t rows, width, q = place(qdot_view_json(view), "\"q\":");
  const double *numbers = qdot_view_numbers(view, &rows, &width);
  double low = 0, high = 0;
  for (size_t i = 0; i < rows; i++) {
    low = fmin(low, numbers[i * width + q]), high = fmax(high, numbers[i * width + q]);
    CHECK_NEAR(numbers[i * width + 4], 0.8 * sin(numbers[i * width + q]), 1e-12);
  }
  CHECK_NEAR(low, -high, 1e-9);
  assert_true(high > 0.05 && high < 1);
  CHECK_NEAR(numbers[q], numbers[(rows - 1) * width + q], 1e-9);
  assert_int_equal(qdot_mode_view(linear, 7, NULL, &view), QDOT_BAD_ARGUMENT);
  assert_null(view);
  qdot_context_close(f.cx);
}

TEST(a_view_has_a_known_language) {
  Fixture f = run(pendulum);
  qdot_view_options options = qdot_view_defaults();
  options.language = "xx";
  qdot_view *view;
  assert_int_equal(qdot_result_view(f.result, &options, &view), QDOT_BAD_ARGUMENT);
  assert_null(view);
  qdot_context_close(f.cx);
}

static int collect(void *user, const char *bytes, size_t n) {
  strncat(user, bytes, n);
  return 0;
}

TEST(equations_as_a_fragment) {
  static char out[200000];
  Fixture f = run(pendulum);
  qdot_system *system;
  assert_int_equal(qdot_system_derive(f.model, &system), QDOT_OK);
  qdot_system_write_options options = qdot_system_write_defaults();
  options.format = QDOT_FORMAT_HTML;
  for (options.steps = 0; options.steps < 2; options.steps++) {
    out[0] = 0;
    assert_int_equal(qdot_system_write(system, &options, (qdot_sink){collect, out}), QDOT_OK);
    assert_non_null(strstr(out, "<math"));
    assert_non_null(strstr(out, "data-s=\"theta\""));
    assert_null(strstr(out, "<body"));
    assert_null(strstr(out, "<b>"));
  }
  qdot_write_options plain = qdot_write_defaults();
  plain.format = QDOT_FORMAT_HTML;
  assert_int_equal(qdot_model_write(f.model, &plain, (qdot_sink){collect, out}), QDOT_UNSUPPORTED);
  qdot_context_close(f.cx);
}

// Its drawing, its curves and its end follow values that are set, as if the model had said them.
static void check_drawn_as_set(const char *text, const char *name, double value, size_t rough) {
  qdot_context *one = qdot_context_open(NULL), *two = qdot_context_open(NULL);
  qdot_model *plain, *said;
  qdot_simulation *simulation;
  qdot_result *again, *fresh;
  qdot_view *views[2];
  char setting[64];
  const char *const settings[] = {setting};
  qdot_model_options options = qdot_model_defaults();
  qdot_run_options run_options = qdot_run_defaults();
  run_options.memory = 1 << 26, run_options.rough = rough;
  snprintf(setting, sizeof setting, "%s=%.17g", name, value);
  options.settings = settings, options.setting_count = 1;
  assert_int_equal(qdot_model_parse(one, "x", text, strlen(text), NULL, &plain), QDOT_OK);
  assert_int_equal(qdot_model_parse(two, "x", text, strlen(text), &options, &said), QDOT_OK);
  assert_int_equal(qdot_simulation_open(plain, NULL, &simulation), QDOT_OK);
  assert_int_equal(qdot_simulation_set(simulation, name, value), QDOT_OK);
  assert_int_equal(qdot_simulation_run(simulation, &run_options, &again), QDOT_OK);
  assert_int_equal(qdot_model_simulate(said, &run_options, &fresh), QDOT_OK);
  assert_int_equal(qdot_result_view(again, NULL, &views[0]), QDOT_OK);
  assert_int_equal(qdot_result_view(fresh, NULL, &views[1]), QDOT_OK);
  assert_string_equal(qdot_view_json(views[0]), qdot_view_json(views[1]));
  size_t rows[2], width[2];
  const double *a = qdot_view_numbers(views[0], &rows[0], &width[0]);
  const double *b = qdot_view_numbers(views[1], &rows[1], &width[1]);
  assert_true(rows[0] == rows[1] && width[0] == width[1]);
  for (size_t i = 0; i < rows[0] * width[0]; i++) CHECK_NEAR(a[i], b[i], 1e-9 * (1 + fabs(b[i])));
  // which a report would not say
  assert_int_equal(qdot_result_report(again, NULL), QDOT_BAD_ARGUMENT);
  assert_non_null(strstr(qdot_diagnostic_at(one, qdot_diagnostic_count(one) - 1)->text, "others"));
  qdot_context_close(one);
  qdot_context_close(two);
}

TEST(a_run_with_other_values_is_drawn_with_them) {
  static const char swing[] = "param g = 9.81 [m/s^2], m = 2 [kg], L = 0.8 [m], h = L/2\n"
                              "coord theta = 40 [deg]\nlet r = (L*sin(theta), h - L*cos(theta))\n"
                              "kinetic = 1/2*m*dot(r', r')\npotential = m*g*r.y\n"
                              "simulate to 2 [s]*L/(1 [m]) every 1 [ms]\noutput high = r.y + h\n"
                              "draw ground (0, h)\ndraw line (0, h) r\nplot high\nplot theta\n";
  check_drawn_as_set(swing, "L", 0.75, 0);
  check_drawn_as_set(swing, "h", 1.5, 0);
  check_drawn_as_set(swing, "L", 1.25, 100);
  check_drawn_as_set(four_bar, "L_3", 1.875, 0);
  check_drawn_as_set(four_bar, "L_4", 1.4375, 200);
}

static int take_nothing(void *user, const char *name, const char *bytes, size_t n) {
  (void)name, (void)bytes;
  *(size_t *)user += n;
  return 0;
}

// Rows that did not fit are told, whoever wants to draw them.
TEST(a_run_without_rows_is_not_drawn) {
  Fixture whole = run(pendulum);
  for (size_t memory = 0; memory <= 1 << 16; memory += 1 << 15) {
    Fixture f = {.cx = qdot_context_open(NULL)};
    assert_int_equal(qdot_model_parse(f.cx, "x", pendulum, strlen(pendulum), NULL, &f.model),
                     QDOT_OK);
    qdot_run_options options = qdot_run_defaults();
    options.memory = memory;
    assert_int_equal(qdot_model_simulate(f.model, &options, &f.result), QDOT_OK);
    size_t n, taken = 0;
    qdot_view *view;
    assert_null(qdot_result_values(f.result, 0, &n));
    assert_int_equal(qdot_result_view(f.result, NULL, &view), QDOT_BAD_ARGUMENT);
    assert_null(view);
    qdot_file_sink sink = {take_nothing, &taken};
    qdot_plot_options plot = qdot_plot_defaults();
    qdot_animate_options animate = qdot_animate_defaults();
    qdot_report_options report = qdot_report_defaults();
    plot.files = animate.files = report.files = sink;
    assert_int_equal(qdot_result_plot(f.result, &plot), QDOT_BAD_ARGUMENT);
    assert_int_equal(qdot_result_animate(f.result, &animate), QDOT_BAD_ARGUMENT);
    assert_int_equal(qdot_result_report(f.result, &report), QDOT_BAD_ARGUMENT);
    qdot_result *others[] = {f.result};
    plot.others = others, plot.other_count = 1;
    assert_int_equal(qdot_result_plot(whole.result, &plot), QDOT_BAD_ARGUMENT);
    assert_int_equal(taken, 0);
    assert_non_null(strstr(qdot_diagnostic_at(f.cx, 0)->text, "did not fit"));
    qdot_context_close(f.cx);
  }
  qdot_context_close(whole.cx);
}

RUN_TESTS(cmocka_unit_test(numbers_are_those_of_the_motion),
          cmocka_unit_test(samples_are_nowhere_far_apart),
          cmocka_unit_test(a_run_without_rows_is_not_drawn),
          cmocka_unit_test(a_run_with_other_values_is_drawn_with_them),
          cmocka_unit_test(a_rough_run_is_a_part_of_the_whole),
          cmocka_unit_test(a_rough_run_of_few_rows_is_a_motion), cmocka_unit_test(a_mode_is_a_view),
          cmocka_unit_test(a_view_has_a_known_language), cmocka_unit_test(equations_as_a_fragment))
