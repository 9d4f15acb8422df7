// Simulations in a loop of one's own against whole runs.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "qdot/qdot.h"
#include "support/check.h"

enum { MOST_ROWS = 600, MOST_COLUMNS = 64 };

static qdot_model *parse(qdot_context *cx, const char *text) {
  qdot_model *model = NULL;
  qdot_status status = qdot_model_parse(cx, "text", text, strlen(text), NULL, &model);
  if (status != QDOT_OK) qdot_diagnostics_write(cx, NULL, qdot_sink_stream(stderr));
  assert_int_equal(status, QDOT_OK);
  return model;
}

static qdot_model *load(qdot_context *cx, const char *name) {
  char path[500];
  const char *root = getenv("QDOT_ROOT");
  snprintf(path, sizeof path, "%s/examples/%s.qdot", root ? root : ".", name);
  qdot_model *model;
  assert_int_equal(qdot_model_load(cx, path, NULL, &model), QDOT_OK);
  return model;
}

static qdot_simulation *start(qdot_model *model, const qdot_run_options *options) {
  qdot_simulation *s = NULL;
  assert_int_equal(qdot_simulation_open(model, options, &s), QDOT_OK);
  return s;
}

typedef struct Rows {
  size_t n, columns;
  double at[MOST_ROWS][MOST_COLUMNS];
} Rows;

static int keep_row(void *user, const double *values, size_t n) {
  Rows *rows = user;
  if (rows->n == MOST_ROWS || n > MOST_COLUMNS) return 1;
  memcpy(rows->at[rows->n++], values, n * sizeof *values);
  rows->columns = n;
  return 0;
}

// Every value of every row, also events, as a whole run has them.
static void same_as_run(const char *name, double t_end, double every) {
  static Rows rows;
  rows = (Rows){0};
  qdot_context *cx = qdot_context_open(NULL);
  qdot_model *model = load(cx, name);
  qdot_run_options o = qdot_run_defaults();
  o.t_end = t_end, o.every = every, o.rtol = 1e-10;
  o.row = keep_row, o.row_user = &rows;
  qdot_result *run;
  assert_int_equal(qdot_model_simulate(model, &o, &run), QDOT_OK);
  qdot_simulation *s = start(model, &o);
  assert_int_equal(qdot_simulation_column_count(s), rows.columns);
  for (size_t i = 0; i < rows.columns; i++)
    assert_string_equal(qdot_simulation_column_at(s, i), qdot_result_column_at(run, i));
  double largest[MOST_COLUMNS];
  for (size_t i = 0; i < rows.columns; i++) {
    largest[i] = 1e-3;
    for (size_t k = 0; k < rows.n; k++) largest[i] = fmax(largest[i], fabs(rows.at[k][i]));
  }
  for (size_t k = 0; k < rows.n; k++) {
    assert_int_equal(qdot_simulation_advance(s, rows.at[k][0]), QDOT_OK);
    assert_true(qdot_simulation_time(s) == rows.at[k][0]);
    const double *values = qdot_simulation_values(s);
    assert_non_null(values);
    for (size_t i = 0; i < rows.columns; i++)
      CHECK_NEAR(values[i] / largest[i], rows.at[k][i] / largest[i], 1e-5);
  }
  qdot_simulation_close(s);
  qdot_context_close(cx);
}

static void loops_agree_with_runs(void **state) {
  (void)state;
  same_as_run("double_pendulum", 1.5, 0.01);
  same_as_run("four_bar", 1, 0.01);
  same_as_run("wall", 5, 0.05);
  same_as_run("chaplygin_sleigh", 1, 0.01);
  same_as_run("cart_pole", 1, 0.02);
  same_as_run("stick_slip", 3, 0.01);
}

static void events_are_reported(void **state) {
  (void)state;
  qdot_context *cx = qdot_context_open(NULL);
  qdot_simulation *s = start(load(cx, "bouncing_ball"), NULL);
  double g = 9.81, fall = sqrt(2 / g), speed = sqrt(2 * g);
  assert_int_equal(qdot_simulation_advance(s, 0.9 * fall), QDOT_OK);
  assert_int_equal(qdot_simulation_event_count(s), 0);
  assert_int_equal(qdot_simulation_advance(s, 2 * fall), QDOT_OK);
  assert_int_equal(qdot_simulation_event_count(s), 1);
  const qdot_event *event = qdot_simulation_event_at(s, 0);
  CHECK_NEAR(event->t, fall, 1e-9);
  CHECK_NEAR(event->before, speed, 1e-9);
  CHECK_NEAR(event->after, -0.8 * speed, 1e-9);
  assert_string_equal(event->name, "floor");
  assert_int_equal(event->kind, QDOT_EVENT_IMPACT);
  assert_string_equal(qdot_event_text(event->kind), "impact");
  // a restitution changed between two impacts counts for the second
  assert_int_equal(qdot_simulation_set(s, "e", 0.5), QDOT_OK);
  assert_int_equal(qdot_simulation_set(s, "e", 1.5), QDOT_BAD_VALUE);
  assert_int_equal(qdot_simulation_set(s, "e", 0.5), QDOT_OK);
  assert_int_equal(qdot_simulation_advance(s, 2.7 * fall), QDOT_OK);
  assert_int_equal(qdot_simulation_event_count(s), 2);
  CHECK_NEAR(qdot_simulation_event_at(s, 1)->after, -0.4 * speed, 1e-9);
  qdot_context_close(cx); // closes the simulation too
}

// A force switched by the caller is the same as one that the model switches.
static void inputs_act_from_now_on(void **state) {
  (void)state;
  static const char body[] = "param m = 2 [kg], k = 3 [N/m]\ncoord x = 1 [m]\n"
                             "kinetic = 1/2*m*x'^2\npotential = 1/2*k*x^2\n";
  char text[400];
  qdot_context *cx = qdot_context_open(NULL);
  snprintf(text, sizeof text, "%sforce x = if(t < 0.5 [s], 0, if(t < 1 [s], 4, -2))\n", body);
  qdot_simulation *whole = start(parse(cx, text), NULL);
  snprintf(text, sizeof text, "%sinput F = 0 [N]\nforce x = F\n", body);
  qdot_simulation *loop = start(parse(cx, text), NULL); // both open in one context
  assert_int_equal(qdot_simulation_set(loop, "f", 4), QDOT_UNKNOWN_NAME);
  assert_int_equal(qdot_simulation_advance(loop, 0.5), QDOT_OK);
  assert_int_equal(qdot_simulation_advance(whole, 2), QDOT_OK);
  assert_int_equal(qdot_simulation_set(loop, "F", 4), QDOT_OK);
  assert_int_equal(qdot_simulation_advance(loop, 1), QDOT_OK);
  assert_int_equal(qdot_simulation_set(loop, "F", -2), QDOT_OK);
  assert_int_equal(qdot_simulation_advance(loop, 2), QDOT_OK);
  size_t x = qdot_simulation_column_find(loop, "x"), v = qdot_simulation_column_find(loop, "x'");
  assert_true(qdot_simulation_column_find(loop, "y") == (size_t)-1);
  CHECK_NEAR(qdot_simulation_values(loop)[x], qdot_simulation_values(whole)[x], 1e-8);
  CHECK_NEAR(qdot_simulation_values(loop)[v], qdot_simulation_values(whole)[v], 1e-8);
  qdot_simulation_close(whole);
  assert_int_equal(qdot_simulation_advance(loop, 2.5), QDOT_OK);
  qdot_simulation_close(loop);
  qdot_simulation_close(NULL);
  qdot_context_close(cx);
}

static void restarts_repeat(void **state) {
  (void)state;
  qdot_context *cx = qdot_context_open(NULL);
  qdot_simulation *s = start(load(cx, "wall"), NULL);
  size_t columns = qdot_simulation_column_count(s);
  double first[MOST_COLUMNS];
  assert_int_equal(qdot_simulation_advance(s, 4), QDOT_OK);
  size_t events = qdot_simulation_event_count(s);
  memcpy(first, qdot_simulation_values(s), columns * sizeof *first);
  for (int i = 0; i < 3; i++) {
    assert_int_equal(qdot_simulation_restart(s), QDOT_OK);
    assert_true(qdot_simulation_time(s) == 0);
    assert_int_equal(qdot_simulation_advance(s, 4), QDOT_OK);
    assert_int_equal(qdot_simulation_event_count(s), events);
    assert_memory_equal(first, qdot_simulation_values(s), columns * sizeof *first);
  }
  qdot_context_close(cx);
}

// From a state in the middle of a motion it goes on as that motion did; constraints follow lengths.
static void states_and_lengths(void **state) {
  (void)state;
  qdot_context *cx = qdot_context_open(NULL);
  qdot_simulation *a = start(load(cx, "four_bar"), NULL), *b = start(load(cx, "four_bar"), NULL);
  double q[9], qd[9];
  assert_int_equal(qdot_simulation_advance(a, 0.7), QDOT_OK);
  memcpy(q, qdot_simulation_values(a) + 1, sizeof q);
  memcpy(qd, qdot_simulation_values(a) + 10, sizeof qd);
  assert_int_equal(qdot_simulation_set_state(b, 0.7, q, qd), QDOT_OK);
  assert_int_equal(qdot_simulation_advance(a, 1.2), QDOT_OK);
  assert_int_equal(qdot_simulation_advance(b, 1.2), QDOT_OK);
  for (size_t i = 1; i < 19; i++)
    CHECK_NEAR(qdot_simulation_values(a)[i], qdot_simulation_values(b)[i], 1e-6);
  assert_int_equal(qdot_simulation_set(a, "r_2", 0.79), QDOT_OK);
  const double *x = qdot_simulation_values(a) + 1;
  CHECK_NEAR(x[0], 0.79 / 2 * cos(x[2]), 1e-12);
  CHECK_NEAR(x[1], 0.79 / 2 * sin(x[2]), 1e-12);
  assert_int_equal(qdot_simulation_advance(a, 1.5), QDOT_OK);
  qdot_context_close(cx);
}

// Set into the air, onto the floor and against it: as a ball does that was always there.
static void states_at_contacts(void **state) {
  (void)state;
  qdot_context *cx = qdot_context_open(NULL);
  qdot_simulation *s = start(
      parse(cx, "param m = 1 [kg], g = 10 [m/s^2], e = 0.5\ncoord y = 0 [m]\n"
                "kinetic = 1/2*m*y'^2\npotential = m*g*y\ncontact floor: y >= 0 restitution e\n"),
      NULL);
  size_t y = qdot_simulation_column_find(s, "y"), v = qdot_simulation_column_find(s, "y'"),
         lambda = qdot_simulation_column_find(s, "lambda_floor");
  assert_int_equal(qdot_simulation_advance(s, 1), QDOT_OK);
  CHECK_NEAR(qdot_simulation_values(s)[lambda], 10, 1e-12); // it rests
  double high = 5, still = 0, ground = 0, fast = -8;
  assert_int_equal(qdot_simulation_set_state(s, 2, &high, &still), QDOT_OK);
  CHECK_NEAR(qdot_simulation_values(s)[y], 5, 1e-15);
  assert_int_equal(qdot_simulation_advance(s, 3.2), QDOT_OK);
  CHECK_NEAR(qdot_simulation_values(s)[v], 5 - 10 * 0.2, 1e-9);
  CHECK_NEAR(qdot_simulation_values(s)[y], 5 * 0.2 - 5 * 0.04, 1e-9);
  assert_int_equal(qdot_simulation_set_state(s, 0, &ground, &fast), QDOT_OK);
  CHECK_NEAR(qdot_simulation_values(s)[v], 4, 1e-12); // thrown back at once
  assert_int_equal(qdot_simulation_event_count(s), 1);
  assert_int_equal(qdot_simulation_set_state(s, 0, &ground, &still), QDOT_OK);
  CHECK_NEAR(qdot_simulation_values(s)[lambda], 10, 1e-12);
  double none = NAN;
  assert_int_equal(qdot_simulation_set_state(s, 0, &none, &still), QDOT_BAD_ARGUMENT);
  assert_int_equal(qdot_simulation_set_state(s, NAN, &ground, &still), QDOT_BAD_ARGUMENT);
  assert_int_equal(qdot_simulation_advance(s, NAN), QDOT_BAD_ARGUMENT);
  assert_int_equal(qdot_simulation_set(s, "e", NAN), QDOT_BAD_VALUE);
  assert_null(qdot_simulation_column_at(s, qdot_simulation_column_count(s)));
  double below = -1;
  assert_int_equal(qdot_simulation_set_state(s, 0, &below, &still), QDOT_INCONSISTENT);
  // a restitution that is none is refused until it is one again
  assert_int_equal(qdot_simulation_set(s, "e", 2), QDOT_BAD_VALUE);
  assert_int_equal(qdot_simulation_restart(s), QDOT_BAD_VALUE);
  assert_int_equal(qdot_simulation_set(s, "e", 1), QDOT_OK);
  assert_int_equal(qdot_simulation_restart(s), QDOT_OK);
  qdot_context_close(cx);
}

// Between a floor and a roof that comes down nothing goes on, and the call returns.
static void squeezed_parts_end(void **state) {
  (void)state;
  qdot_context *cx = qdot_context_open(NULL);
  qdot_simulation *s = start(
      parse(cx, "param m = 1 [kg]\ncoord y = 0.4 [m]\ncoord y' = 1 [m/s]\nkinetic = 1/2*m*y'^2\n"
                "contact floor: y >= 0\ncontact roof: y <= 1 [m] - (1 [m/s])*t\n"),
      NULL);
  assert_int_equal(qdot_simulation_advance(s, 2), QDOT_STEP_LIMIT);
  CHECK_NEAR(qdot_simulation_time(s), 1, 1e-6);
  char said[2000] = "";
  FILE *memory = fmemopen(said, sizeof said, "w");
  qdot_diagnostics_write(cx, NULL, qdot_sink_stream(memory));
  fclose(memory);
  assert_non_null(strstr(said, "at t = 1 s: contacts open and close without end"));
  qdot_context_close(cx);
}

static void failures_are_explained(void **state) {
  (void)state;
  qdot_context *cx = qdot_context_open(NULL);
  qdot_simulation *s =
      start(parse(cx, "param m = 1 [kg], k = 1 [N/m^3]\ncoord x = 1 [m]\nkinetic = 1/2*m*x'^2\n"
                      "force x = k*x^3\n"),
            NULL);
  qdot_status status = qdot_simulation_advance(s, 10);
  assert_true(status == QDOT_BLOW_UP || status == QDOT_STEP_LIMIT);
  assert_int_equal(qdot_error_count(cx), 1);
  assert_true(qdot_simulation_time(s) < 3 && qdot_simulation_time(s) > 1);
  assert_int_equal(qdot_simulation_restart(s), QDOT_OK);
  int stop = 1;
  qdot_run_options o = qdot_run_defaults();
  o.stop = &stop;
  qdot_simulation *stopped = start(load(cx, "pendulum"), &o);
  assert_int_equal(qdot_simulation_advance(stopped, 1), QDOT_STOPPED);
  o.method = "rk1";
  assert_int_not_equal(qdot_simulation_open(load(cx, "pendulum"), &o, &s), QDOT_OK);
  assert_null(s);
  qdot_context_close(cx);
}

// Friction holds until a push from outside is stronger, and again when the push ends.
static void push_and_hold(const char *text, double along) {
  qdot_context *cx = qdot_context_open(NULL);
  qdot_simulation *s = start(parse(cx, text), NULL);
  const double pushes[] = {0, 2.9, 4, 0, -2.5, -5}, ways[] = {0, 0, 0.25, 1.0 / 12, 0, -0.5};
  double at = 1;
  for (int i = 0; i < 6; i++) {
    assert_int_equal(qdot_simulation_set(s, "u", pushes[i]), QDOT_OK);
    assert_int_equal(qdot_simulation_advance(s, i + 1), QDOT_OK);
    at += along * ways[i];
    CHECK_NEAR(qdot_simulation_values(s)[1], at, along == 1 ? 1e-9 : 1e-6);
  }
  qdot_context_close(cx);
}

static void friction_holds(void **state) {
  (void)state;
  push_and_hold("param m = 2, F = 3\ninput u = 0\ncoord x = 1\nkinetic = 1/2*m*x'^2\n"
                "force x = u - F*sign(x')\nsimulate to 9 every 0.1\n",
                1);
  push_and_hold("param m = 2, F = 3\ninput u = 0\ncoord x = 1, y = 0\n"
                "kinetic = 1/2*m*(x'^2 + y'^2)\ndissipation = F*norm((x', y'))\n"
                "force x = 0.6*u\nforce y = -0.8*u\nsimulate to 9 every 0.1\n",
                0.6);
}

static double value_of(qdot_simulation *s, const char *name) {
  return qdot_simulation_values(s)[qdot_simulation_column_find(s, name)];
}

// What samples have assigned is held when something else is set; a state begins with the samples
// at its time; and where the model stops, advancing stops.
static void samples_and_stops_in_a_loop(void **state) {
  (void)state;
  static const char text[] =
      "param m = 1 [kg]\ninput F = 0 [N]\nmemory n = 0, seen = 0 [m]\n"
      "coord x = 0 [m], x' = 1 [m/s]\nkinetic = 1/2*m*x'^2\nforce x = F\n"
      "sample every 0.1 [s]: n = n + 1, seen = x\nwhen x = 0.75 [m] rising: x' = 2*x'\n"
      "stop when x >= 2 [m]\noutput n, seen\nsimulate to 9 [s] every 1 [s]\n";
  qdot_context *cx = qdot_context_open(NULL);
  qdot_simulation *s = start(parse(cx, text), NULL);
  assert_int_equal(qdot_simulation_advance(s, 0.55), QDOT_OK);
  CHECK_NEAR(value_of(s, "n"), 6, 0);
  CHECK_NEAR(value_of(s, "seen"), 0.5, 1e-9);
  assert_int_equal(qdot_simulation_set(s, "F", 0), QDOT_OK);
  CHECK_NEAR(value_of(s, "n"), 6, 0);
  assert_int_equal(qdot_simulation_set(s, "n", 20), QDOT_OK);
  assert_int_equal(qdot_simulation_advance(s, 1), QDOT_OK);
  CHECK_NEAR(value_of(s, "n"), 25, 0);
  CHECK_NEAR(value_of(s, "x"), 0.75 + 2 * 0.25, 1e-9);
  // 2 m at 1.375 s, and no further
  for (int i = 0; i < 2; i++) {
    assert_int_equal(qdot_simulation_advance(s, 5), QDOT_STOPPED);
    CHECK_NEAR(qdot_simulation_time(s), 1.375, 1e-9);
    CHECK_NEAR(value_of(s, "x"), 2, 1e-9);
  }
  double q = 1, qd = 0.5;
  assert_int_equal(qdot_simulation_set_state(s, 5.05, &q, &qd), QDOT_OK);
  CHECK_NEAR(value_of(s, "n"), 0, 0);
  assert_int_equal(qdot_simulation_advance(s, 5.32), QDOT_OK);
  CHECK_NEAR(value_of(s, "n"), 3, 0); // at 5.1, 5.2 and 5.3 s
  CHECK_NEAR(value_of(s, "x"), 1 + 0.5 * 0.27, 1e-9);
  qdot_context_close(cx);
}

// A period that a parameter gives, and a number of a part whose change takes up another program:
// what is held, remembered and on its way stays.
static void samples_when_values_change(void **state) {
  (void)state;
  static const char text[] =
      "param T = 0.1 [s]\nbody b: point, mass 2 [kg], at = (0, 0), velocity = (1 [m/s], 0)\n"
      "memory n = 0, late = 0 [m]\nsample every T: n = n + 1\n"
      "sample every 0.5 [s] delay 0.3 [s]: late = b.x\noutput n, late\n";
  for (int round = 0; round < 2; round++) {
    qdot_context *cx = qdot_context_open(NULL);
    qdot_simulation *s = start(parse(cx, text), NULL);
    assert_int_equal(qdot_simulation_advance(s, 0.55), QDOT_OK);
    CHECK_NEAR(value_of(s, "n"), 6, 0);
    if (round) assert_int_equal(qdot_simulation_set(s, "b.mass", 3), QDOT_OK);
    CHECK_NEAR(value_of(s, "n"), 6, 0);
    CHECK_NEAR(value_of(s, "late"), 0, 0);
    assert_int_equal(qdot_simulation_set(s, "T", 0.02), QDOT_OK); // at 0.56, 0.58 ...
    assert_int_equal(qdot_simulation_advance(s, 0.81), QDOT_OK);
    CHECK_NEAR(value_of(s, "n"), 6 + 13, 0);
    CHECK_NEAR(value_of(s, "late"), 0.5, 1e-9);
    assert_int_equal(qdot_simulation_set(s, "T", 0), QDOT_BAD_VALUE);
    qdot_context_close(cx);
  }
}

RUN_TESTS(cmocka_unit_test(samples_when_values_change),
          cmocka_unit_test(samples_and_stops_in_a_loop), cmocka_unit_test(loops_agree_with_runs),
          cmocka_unit_test(events_are_reported), cmocka_unit_test(inputs_act_from_now_on),
          cmocka_unit_test(restarts_repeat), cmocka_unit_test(states_and_lengths),
          cmocka_unit_test(states_at_contacts), cmocka_unit_test(squeezed_parts_end),
          cmocka_unit_test(friction_holds), cmocka_unit_test(failures_are_explained))
