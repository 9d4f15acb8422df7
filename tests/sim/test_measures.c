// Measures: closed forms, random motions against all the rows of a fine run, touches and rests at
// contacts, every method, and runs that go on from a checkpoint.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "print/measure_text.h"
#include "support/motion.h"

static double measure_of(const Motion *m, const char *name) {
  const Requests *requests = &m->system.model->requests;
  for (uint32_t i = 0; i < requests->measurements.n; i++)
    if (strcmp(symbol_text(m->cx, requests->measurements.at[i].name), name) == 0)
      return m->summary.measures[i];
  print_error("there is no measure %s\n", name);
  assert_true(false);
  return NAN;
}

static Motion run_of(Context *cx, const char *text, double rtol) {
  Motion m = motion_load(cx, text, NULL);
  m.options.method.rtol = rtol;
  motion_run(&m);
  if (m.status != QDOT_OK) motion_explain(&m);
  assert_int_equal(m.status, QDOT_OK);
  return m;
}

#define NEAR(name, value, tolerance) CHECK_NEAR(measure_of(&m, name), value, tolerance)

// ---- Closed forms

TEST(an_oscillator_has_the_numbers_of_a_cosine) {
  Motion m =
      run_of(cx,
             "param m = 1 [kg], k = 4 [N/m], T = pi*(1 [s])\ncoord x = 3 [m]\n"
             "kinetic = m*x'^2/2\npotential = k*x^2/2\n"
             "measure high = max(x), low = min(x), speed = max(abs(x')), still = min(abs(x))\n"
             "measure average = mean(x^2), effective = rms(x), area = integral(abs(x))\n"
             "measure behind = integral(x) from pi/4*(1 [s]), begins = start(x) from T/4\n"
             "measure down = first(t, x <= 0), up = last(t, x < 1.5 [m])\n"
             "measure turns = count(x > 0), ends = final(x'), at = first(x', x < 1.5 [m])\n"
             "measure never = first(t, x > 4 [m]), whole = last(t, x < 4 [m])\n"
             "measure both = high - low, ratio = both/high\n"
             "measure band = count(abs(x) < 1 [m] and x' > 0*x')\n"
             "measure side = mean(sign(x)), cut = max(min(x, 2 [m]))\n"
             "measure turned = integral(atan2(-x'/(2 [1/s]), x)) from 0.1 [s]\n"
             "simulate to 2*pi every 1\n",
             1e-11);
  NEAR("high", 3, 1e-9);
  NEAR("low", -3, 1e-9);
  NEAR("speed", 6, 1e-9);
  NEAR("still", 0, 1e-11);
  NEAR("average", 4.5, 1e-9);
  NEAR("effective", 3 / sqrt(2), 1e-9);
  NEAR("area", 12, 1e-8);
  NEAR("behind", -1.5, 1e-8);
  NEAR("begins", 0, 1e-9);
  NEAR("down", M_PI / 4, 1e-9);
  NEAR("up", 2 * M_PI - M_PI / 6, 1e-9);
  NEAR("turns", 2, 0);
  NEAR("ends", 0, 1e-8);
  NEAR("at", -6 * sin(M_PI / 3), 1e-9);
  assert_true(isnan(measure_of(&m, "never")));
  NEAR("whole", 2 * M_PI, 1e-12);
  NEAR("both", 6, 1e-9);
  NEAR("ratio", 2, 1e-9);
  NEAR("band", 2, 0);
  NEAR("side", 0, 1e-9);
  NEAR("cut", 2, 1e-12);
  NEAR("turned", -0.01, 1e-8); // 2 t, less a turn behind pi/2 and two behind 3 pi/2
}

// Steps of a force-free motion are long: what happens within one is found all the same.
TEST(what_is_short_beside_a_step_is_seen) {
  Motion m = run_of(cx,
                    "param m = 1 [kg]\ncoord x = 0 [m], x' = 1 [m/s]\nkinetic = m*x'^2/2\n"
                    "measure peak = max(exp(-(x - 0.7 [m])^2/(0.02 [m])^2))\n"
                    "measure area = integral(exp(-(x - 0.7 [m])^2/(0.02 [m])^2))\n"
                    "measure hits = count(abs(x - 0.7 [m]) < 0.05 [m])\n"
                    "measure inside = first(t, abs(x - 0.7 [m]) < 0.05 [m])\n"
                    "simulate to 1 every 1 using rk853(rtol = 1e-10)\n",
                    1e-10);
  NEAR("peak", 1, 1e-9);
  NEAR("area", 0.02 * sqrt(M_PI), 1e-9);
  NEAR("hits", 1, 0);
  NEAR("inside", 0.65, 1e-12);
}

// ---- Contacts

static const char *const ball =
    "param m = 1 [kg], g = 10 [m/s^2], e = 0.5\ncoord y = 5 [m]\nkinetic = m*y'^2/2\n"
    "potential = m*g*y\ncontact floor: y >= 0 restitution e\n"
    "measure landed = first(t, y <= 0), touches = count(y <= 0), below = count(y < 0)\n"
    "measure lifted = last(t, y > 0), high = max(y) from 1 [s], press = max(lambda_floor)\n"
    "measure fastest = max(abs(y')), rests = mean(abs(y')) from 3.5 [s]\n"
    "measure half = final(y)\nsimulate to 4 [s] every 0.5 [s]\n";

TEST(a_touch_at_an_impact_counts) {
  Motion m = run_of(cx, ball, 1e-10);
  // 1 s of fall, then flights of 1, 1/2, 1/4 ... s
  NEAR("landed", 1, 1e-9);
  NEAR("lifted", 3, 1e-5);
  NEAR("high", 1.25, 1e-9);
  NEAR("fastest", 10, 1e-8);
  NEAR("rests", 0, 1e-9);
  NEAR("half", 0, 1e-12);
  NEAR("below", 0, 0);
  NEAR("press", 10, 1e-8);
  // those of flights that are no longer lost in rounding
  m = motion_load(cx, ball, NULL);
  m.options.t_end = 2.99;
  motion_run(&m);
  uint32_t impacts = 0;
  for (uint32_t i = 0; i < m.summary.events.n; i++)
    impacts += m.summary.events.at[i].kind == SIM_IMPACT;
  assert_int_equal(impacts, 8);
  NEAR("touches", impacts, 0);
}

TEST(a_start_on_the_floor_holds_from_the_beginning) {
  Motion m = run_of(cx,
                    "param m = 1 [kg], g = 10 [m/s^2]\ncoord y = 0 [m], y' = 5 [m/s]\n"
                    "kinetic = m*y'^2/2\npotential = m*g*y\ncontact floor: y >= 0 restitution 1\n"
                    "measure landed = first(t, y <= 0), touches = count(y <= 0)\n"
                    "measure up = first(t, y > 0), ups = count(y > 0)\n"
                    "simulate to 2.5 [s] every 0.5 [s]\n",
                    1e-10);
  NEAR("landed", 0, 0);
  NEAR("touches", 2, 0); // at 1 s and 2 s
  NEAR("up", 0, 0);
  NEAR("ups", 2, 0);
}

static uint32_t warnings_that_say(const Context *cx, const char *words) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < cx->diagnostics.list.n; i++)
    n += strstr(cx->diagnostics.list.at[i].message, words) != NULL;
  return n;
}

// What has not died down by the end, and what had not begun, is told.
TEST(a_run_that_ends_too_early_is_told) {
  const char *const format = "param m = 1 [kg], c = 1 [N*s/m]\ncoord x = 0 [m], x' = 8 [m/s]\n"
                             "kinetic = m*x'^2/2\nforce x = -c*x'\n"
                             "measure slow = last(t, x' > 1 [m/s]), late = max(x) from 3 [s]\n"
                             "simulate to %g [s] every 1 [s]\n";
  Motion m = run_of(cx, text_format(&cx->keep, format, 2.0), 1e-10);
  NEAR("slow", 2, 0);
  assert_int_equal(warnings_that_say(cx, "this condition still holds at the end of the run, and"),
                   1);
  assert_int_equal(warnings_that_say(cx, "before this begins at 3 s"), 1);
  m = run_of(cx, text_format(&cx->keep, format, 4.0), 1e-10);
  NEAR("slow", log(8), 1e-9);
  assert_int_equal(warnings_that_say(cx, "this condition still holds at the end of the run, and"),
                   1);
  assert_int_equal(warnings_that_say(cx, "before this begins at 3 s"), 1);
}

// ---- Random motions

// What the rows of a fine run say of its outputs u and v.
typedef struct Fine {
  double most, least, square, area, first, last, count;
} Fine;

static Fine fine_of(const Motion *m, double level) {
  uint32_t u = motion_column(m, "u"), v = motion_column(m, "v"), n = m->columns.n;
  Fine f = {-INFINITY, INFINITY, 0, 0, NAN, NAN, 0};
  bool held = false;
  for (uint32_t i = 0; i < m->rows; i++) {
    const double *row = m->values.at + (size_t)i * n;
    f.most = fmax(f.most, fabs(row[u])), f.least = fmin(f.least, row[v]);
    bool holds = row[u] > level;
    if (holds && !held && isnan(f.first)) f.first = row[0];
    if (holds && !held && i > 0) f.count++;
    if (!holds && held) f.last = row[0];
    held = holds;
    if (i == 0) continue;
    const double *before = row - n;
    double h = row[0] - before[0];
    f.area += h * (fabs(row[u]) + fabs(before[u])) / 2;
    f.square += h * (row[v] * row[v] + before[v] * before[v]) / 2;
  }
  if (held) f.last = m->values.at[(size_t)(m->rows - 1) * n];
  return f;
}

TEST(random_motions_agree_with_all_rows_of_a_fine_run) {
  Random random = random_start("random_motions_agree_with_all_rows_of_a_fine_run");
  for (int round = 0; round < test_rounds(24); round++) {
    double level = random_real(&random, -3, 3);
    bool is_loop = round % 3 == 2;
    const char *motion =
        is_loop
            ? "coord x ~ %.17g [m], y ~ -0.7 [m]\ncoord x' ~ %.17g [m/s]\n"
              "kinetic = m*(x'^2 + y'^2)/2\npotential = m*g*y\n"
              "constraint rod: x^2 + y^2 = L^2\nlet u_0 = x/L\nlet v_0 = lambda_rod/(10 [N/m])\n"
            : "coord a = %.17g, b = %.17g\n"
              "let p = (L*sin(a), -L*cos(a))\nlet q = p + (L*sin(b), -L*cos(b))\n"
              "kinetic = m*(dot(p', p') + dot(q', q'))/2\npotential = m*g*(p.y + q.y)\n"
              "dissipation = 0.05 [N*m*s]*(a'^2 + b'^2)\n"
              "let u_0 = a + b\nlet v_0 = a''*L/g\n";
    char first[1024], text[2048];
    snprintf(first, sizeof first, motion, random_real(&random, 0.3, 1),
             random_real(&random, -1, 1));
    // lambda and accelerations stand in outputs and measures only
    char *u = strstr(first, "let u_0 = "), *v = strstr(first, "let v_0 = ");
    char u_text[64] = "", v_text[64] = "";
    sscanf(u, "let u_0 = %63[^\n]", u_text), sscanf(v, "let v_0 = %63[^\n]", v_text);
    *u = '\0';
    snprintf(
        text, sizeof text,
        "param g = 9.81 [m/s^2], m = 1 [kg], L = 1 [m]\n%soutput u = %s\noutput v = %s\n"
        "measure most = max(abs(u)), least = min(v), square = rms(v), area = integral(abs(u))\n"
        "measure met = first(t, u > %.17g), left = last(t, u > %.17g), count_ = count(u > %.17g)\n"
        "simulate to 4 [s] every 0.0002 [s] using rk853(rtol = 1e-11)\n",
        first, u_text, v_text, level / 3, level / 3, level / 3);
    Motion m = run_of(cx, text, 1e-11);
    Fine f = fine_of(&m, level / 3);
    NEAR("most", f.most, 1e-6 * (1 + f.most));
    assert_true(measure_of(&m, "most") >= f.most * (1 - 1e-10));
    assert_true(measure_of(&m, "least") <= f.least + 1e-9 * (1 + fabs(f.least)));
    NEAR("least", f.least, 1e-5 * (1 + fabs(f.least)));
    NEAR("area", f.area, 1e-6 * (1 + f.area));
    NEAR("square", sqrt(f.square / 4), 1e-5 * (1 + sqrt(f.square)));
    NEAR("count_", f.count, 0);
    assert_int_equal(isnan(measure_of(&m, "met")), isnan(f.first));
    if (!isnan(f.first)) NEAR("met", f.first, 2.1e-4);
    if (!isnan(f.last)) NEAR("left", f.last, 2.1e-4);
  }
}

// ---- Methods, and runs that are not disturbed

TEST(every_method_measures) {
  for (int method = 0; method < METHOD_COUNT; method++) {
    Motion m = motion_load(cx,
                           "param m = 1 [kg], k = 4 [N/m]\ncoord x = 3 [m]\nkinetic = m*x'^2/2\n"
                           "potential = k*x^2/2\nmeasure high = max(x), square = rms(x)\n"
                           "measure down = first(t, x < 0)\nsimulate to 2*pi every 0.001\n",
                           NULL);
    m.options.method.method = (MethodId)method;
    if (method_get((MethodId)method)->fixed_step) m.options.method.step = 1e-3;
    motion_run(&m);
    if (m.status != QDOT_OK) motion_explain(&m);
    assert_int_equal(m.status, QDOT_OK);
    NEAR("high", 3, 1e-4);
    NEAR("square", 3 / sqrt(2), 1e-4);
    NEAR("down", M_PI / 4, 1e-4);
  }
}

static const char *const stuck =
    "param m = 1 [kg], k = 75 [N/m]\ncoord x = 0.2 [m], y = 0.1 [m]\nkinetic = m*(x'^2 + y'^2)/2\n"
    "potential = k*((x - y)^2 + y^2)/2\ndissipation = 2 [N]*abs(x')\n"
    "constraint line: x^2 + 4*y^2 = 0.08 [m^2]\ncontact wall: x >= -0.1 [m] restitution 0.7\n";

TEST(a_run_goes_the_same_way_with_measures) {
  static const char *const rest = "simulate to 2 [s] every 0.1 [s]\n";
  Motion plain = run_of(cx, text_format(&cx->keep, "%s%s", stuck, rest), 1e-8);
  Motion m = run_of(cx,
                    text_format(&cx->keep,
                                "%smeasure a = max(abs(lambda_line)), b = rms(x''), "
                                "c = count(y > x)\n%s",
                                stuck, rest),
                    1e-8);
  assert_int_equal(m.summary.steps, plain.summary.steps);
  assert_int_equal(m.summary.evaluations, plain.summary.evaluations);
  assert_int_equal(m.values.n, plain.values.n);
  assert_memory_equal(m.values.at, plain.values.at, m.values.n * sizeof(double));
}

typedef struct Stopper {
  double t;
  volatile int stop;
} Stopper;

static void stop_behind(void *user, double t, double t_end, long steps) {
  (void)t_end, (void)steps;
  Stopper *stopper = user;
  if (t >= stopper->t) stopper->stop = 1;
}

TEST(a_checkpoint_keeps_what_was_measured) {
  char folder[] = "/tmp/qdot-measures-XXXXXX";
  assert_non_null(mkdtemp(folder));
  const char *text = text_format(&cx->keep,
                                 "%smeasure a = max(abs(lambda_line)), b = rms(x''), c = count(y > "
                                 "x), d = last(t, y > x), e = start(x)\nsimulate to 2 [s] every "
                                 "0.01 [s]\n",
                                 stuck);
  Motion whole = motion_load(cx, text, NULL), part = motion_load(cx, text, NULL);
  whole.options.checkpoint = part.options.checkpoint = text_format(&cx->keep, "%s/state", folder);
  motion_run(&whole);
  Stopper stopper = {.t = 0.7};
  part.options.stop = &stopper.stop;
  part.options.progress = stop_behind;
  part.options.progress_user = &stopper;
  motion_run(&part);
  assert_int_equal(part.summary.stopped, STOPPED_USER);
  part.options.stop = NULL, part.options.progress = NULL, part.options.resume = true;
  motion_run(&part);
  assert_int_equal(part.status, QDOT_OK);
  assert_memory_equal(part.summary.measures, whole.summary.measures, 5 * sizeof(double));
  sim_forget(&whole.options);
  rmdir(folder);
}

// The same mechanism in all formulations: names of parts and reactions of joints.
TEST(bodies_measure_the_same_in_every_formulation) {
  static const char *const text =
      "body crank: mass 1 [kg], rod 0.3 [m], angle = 60 [deg]\n"
      "body rod: mass 2 [kg], rod 1 [m], angle ~ -15 [deg]\nbody ram: mass 3 [kg], point\n"
      "gravity (0, -9.81 [m/s^2])\njoint A: revolute ground (0, 0), crank (-0.15 [m], 0)\n"
      "joint B: revolute crank (0.15 [m], 0), rod (-0.5 [m], 0)\n"
      "joint C: revolute rod (0.5 [m], 0), ram (0, 0)\n"
      "joint D: prismatic ground (0, 0), ram (0, 0), axis 0\nmotor A: speed 10 [rad/s]\n"
      "measure stroke = max(ram.x) - min(ram.x), peak = max(abs(A.T)), load = max(norm((B.F_x, "
      "B.F_y)))\n"
      "measure energy = integral(A.T*crank.theta'), turns = count(crank.theta > 90 [deg])\n"
      "simulate to 1.5 [s] every 0.1 [s] using rk853(rtol = 1e-10)\n";
  double first[5];
  for (int formulation = 0; formulation < FORMULATIONS; formulation++) {
    Motion m = motion_load_as(cx, text, NULL, (Formulation)formulation);
    motion_run(&m);
    if (m.status != QDOT_OK) motion_explain(&m);
    assert_int_equal(m.status, QDOT_OK);
    for (int i = 0; i < 5; i++) {
      if (formulation == 0) first[i] = m.summary.measures[i];
      CHECK_NEAR(m.summary.measures[i], first[i], 1e-6 * (1 + fabs(first[i])));
    }
    NEAR("stroke", 0.6, 1e-9);
    NEAR("turns", 1, 0);
  }
}

// i = I (1 - exp(-t/T)): moments of a state, of its rate and of what is made of it.
TEST(moments_of_states_are_found) {
  Motion m = run_of(
      cx,
      "param I = 10 [A], T = 25 [ms]\nstate i = 0 [A]\nrate i = (I - i)/T\ncoord x = 0 [m]\n"
      "kinetic = (1 [kg])*x'^2/2\nforce x = (2 [N/A])*i\n"
      "measure a = first(t, i > 3 [A]), b = first(i, i > 3 [A]), c = first(t, i' < 200 [A/s])\n"
      "measure d = first(t, 2*i >= 10 [A]), e = last(t, i < 9 [A]), f = max(abs(i - 5 [A]))\n"
      "simulate to 0.5 [s] every 10 [ms]\n",
      1e-10);
  NEAR("a", -0.025 * log(0.7), 1e-9);
  NEAR("b", 3, 1e-7);
  NEAR("c", -0.025 * log(0.5), 1e-9);
  NEAR("d", -0.025 * log(0.5), 1e-9);
  NEAR("e", -0.025 * log(0.1), 1e-9);
  NEAR("f", 5, 1e-7);
}

// ---- Units

// Torques and energies have one dimension.
TEST(integrals_of_power_are_energies) {
  Motion m = motion_load(cx,
                         "param c = 2 [N*s/m]\ncoord x = 0 [m], x' = 1 [m/s]\n"
                         "kinetic = (1 [kg])*x'^2/2\ndissipation = c*x'^2/2\n"
                         "measure W = integral(c*x'^2), T = max(c*x'*(1 [m])), P = W/(2 [s])\n"
                         "simulate to 1 [s] every 10 [ms]\n",
                         NULL);
  const char *const *units = measure_units(cx, m.system.model);
  assert_string_equal(units[0], "J");
  assert_string_equal(units[1], "N m");
  assert_string_equal(units[2], "W");
}

// ---- Conditions that hold for moments

// How often first, first + period ... comes until the end.
static double times_until(double first, double period, double end) {
  return first > end ? 0 : floor((end - first) / period) + 1;
}

// x = A (1 - cos(w t)) just reaches over thresholds near its ends, and sines of time do so many
// times within a step; all measures together, against closed forms.
TEST(counts_of_short_moments) {
  enum { EACH = 5 };
  Random random = random_start("counts_of_short_moments");
  for (int round = 0; round < test_rounds(30); round++) {
    double w = random_real(&random, 2, 9), A = pow(10, random_real(&random, -4, 1));
    double end = random_real(&random, 3, 8), wanted[4 * EACH];
    Text text = text_new(&cx->keep);
    text_addf(&text,
              "coord x = 0 [m]\nkinetic = 1/2*(1 [kg])*x'^2\n"
              "force x = %.17g [N] - %.17g [N/m]*x\n",
              A * w * w, w * w);
    for (int i = 0; i < EACH; i++) {
      double part = pow(10, -random_real(&random, 0.1, 6.5));
      bool is_top = random_below(&random, 2);
      double level = is_top ? 2 - part : part, phi = acos(1 - level), turn = 2 * M_PI;
      double fast = random_real(&random, 1, 30) * w, c = 1 - part, from = asin(c);
      text_addf(&text,
                "measure a_%d = count(x > %.17g [m]), b_%d = count(x < %.17g [m]), "
                "c_%d = count(sin(%.17g [1/s]*t) > %.17g), d_%d = count(x - %.17g [m] >= 0 [m] and "
                "t > 0.5 [s])\n",
                i, A * level, i, A * level, i, fast, c, i, A * level);
      wanted[4 * i] = times_until(phi / w, turn / w, end);
      wanted[4 * i + 1] = times_until((turn - phi) / w, turn / w, end);
      wanted[4 * i + 2] = times_until(from / fast, turn / fast, end);
      double now = fmod(0.5 * w, turn);
      bool holds = now > phi && now < turn - phi;
      wanted[4 * i + 3] = wanted[4 * i] - times_until(phi / w, turn / w, 0.5) + holds;
    }
    text_addf(&text, "simulate to %.17g [s] every 0.5 [s] using rk853(rtol = 1e-11)\n", end);
    Motion m = motion_to_end(cx, text.at);
    for (int i = 0; i < 4 * EACH; i++) {
      if (m.summary.measures[i] != wanted[i])
        printf("%s\n measure %d of round %d\n", text.at, i, round);
      CHECK_NEAR(m.summary.measures[i], wanted[i], 0);
    }
  }
}

RUN_TESTS(cmocka_unit_test(integrals_of_power_are_energies),
          cmocka_unit_test(counts_of_short_moments), cmocka_unit_test(moments_of_states_are_found),
          cmocka_unit_test(an_oscillator_has_the_numbers_of_a_cosine),
          cmocka_unit_test(what_is_short_beside_a_step_is_seen),
          cmocka_unit_test(a_touch_at_an_impact_counts),
          cmocka_unit_test(a_start_on_the_floor_holds_from_the_beginning),
          cmocka_unit_test(a_run_that_ends_too_early_is_told),
          cmocka_unit_test(random_motions_agree_with_all_rows_of_a_fine_run),
          cmocka_unit_test(every_method_measures),
          cmocka_unit_test(a_run_goes_the_same_way_with_measures),
          cmocka_unit_test(a_checkpoint_keeps_what_was_measured),
          cmocka_unit_test(bodies_measure_the_same_in_every_formulation))
