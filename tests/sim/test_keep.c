// Kept states: a run goes on from one behind impacts as if nothing had happened, and refuses one
// that cannot be.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "solve/checkpoint.h"
#include "support/motion.h"

// The first impact comes before the first checkpoint, which is always put on disk.
static const char *const ball =
    "param m = 1 [kg], g = 9.81 [m/s^2], h = 0.0005 [m]\ncoord y = h, x = 0 [m]\n"
    "coord x' = 1 [m/s]\nkinetic = 1/2*m*(x'^2 + y'^2)\npotential = m*g*y\n"
    "force x = -0.1*m*g*sign(y - h/2)\n"
    "contact floor: y >= 0 restitution 0.99\ncontact wall: x <= 0.04 [m] restitution 1\n"
    "simulate to 2 [s] every 10 [ms]\n";

static char folder[] = "/tmp/qdot-keep-XXXXXX";

static const char *path(Context *cx) { return text_format(&cx->keep, "%s/state", folder); }

typedef struct Stopper {
  double t;
  volatile int stop;
} Stopper;

static void stop_behind(void *user, double t, double t_end, long steps) {
  (void)t_end, (void)steps;
  Stopper *stopper = user;
  if (t >= stopper->t) stopper->stop = 1;
}

// Pucks that slide, creep and rest, and a block that sticks.
static const char *const pucks =
    "param m = 1 [kg], k = 75 [N/m]\n"
    "coord x = 0 [m], y = 0 [m], z = 0 [m], w = 0 [m], u = 0 [m], v = 0 [m], s = 0 [m]\n"
    "kinetic = m*(x'^2 + y'^2) + 1/2*m*(z'^2 + w'^2 + u'^2 + v'^2 + s'^2)\n"
    "potential = 1/2*k*(x^2 + y^2 + (z - x)^2 + (w - y)^2 + (u - z)^2 + (v - w)^2 + (s - x)^2)\n"
    "dissipation = 2.7 [N]*norm((x', y')) + 1.6 [N]*norm((z', w')) + 4.6 [N]*norm((u', v'))\n"
    "dissipation = 2 [N]*abs(s')\n"
    "force x = 8 [N]*sin(2.8 [rad/s]*t)\nforce y = 8.5 [N]*sin(5.1 [rad/s]*t)\n"
    "force w = 3.3 [N]*sin(3.5 [rad/s]*t)\nforce v = 2.1 [N]*sin(5.5 [rad/s]*t)\n"
    "simulate to 2 [s] every 10 [ms]\n";

// A box that bounces, slides and rests on its corners, on a floor that shakes.
static const char *const box =
    "param m = 2 [kg], g = 9.81 [m/s^2], mu = 0.3, w = 9 [rad/s]\ngravity (0, -g)\n"
    "body box: plate (0.4 [m], 0.2 [m]), mass m, at = (0, 0.25 [m]), angle = 0.2, "
    "velocity = (1 [m/s], 0), spin = 1 [rad/s]\nlet s = 0.06 [m]*sin(w*t)\n"
    "contact left: box (-0.2 [m], -0.1 [m]), line (s, 0), restitution 0.4, friction mu\n"
    "contact right: box (0.2 [m], -0.1 [m]), line (s, 0), restitution 0.4, friction mu\n"
    "simulate to 2 [s] every 10 [ms]\n";

// A row too many, guesses to be moved, and a step that cannot resolve the vibration of x.
static const char *const doubted =
    "param m = 1 [kg], k = 4000000 [N/m], L = 1 [m], g = 9.81 [m/s^2]\n"
    "coord u ~ 0.8 [m], v ~ -0.5 [m], x = 0.001 [m]\n"
    "kinetic = 1/2*m*(u'^2 + v'^2 + x'^2)\npotential = m*g*v + 1/2*k*x^2\n"
    "constraint rod: u^2 + v^2 = L^2\nconstraint twin: 2*u^2 + 2*v^2 = 2*L^2 + 0*u\n"
    "simulate to 2 [s] every 10 [ms] using rk4(step = 1 [ms])\n";

// A controlled weight that bounces: states beside impacts and a switch.
static const char *const controlled =
    "param m = 1 [kg], g = 9.81 [m/s^2], T = 30 [ms], k = 40 [N/m]\n"
    "coord y = 0.5 [mm], x = 0.1 [m]\nstate F = 0 [N], e = 0 [m*s]\n"
    "rate F = (-k*x - (2 [N*s/m])*x' - (10 [N/(m*s)])*e - F)/T\nrate e = x\n"
    "kinetic = 1/2*m*(x'^2 + y'^2)\npotential = m*g*y\nforce x = F - 0.1*m*g*sign(F)\n"
    "contact floor: y >= 0 restitution 0.99\n"
    "simulate to 2 [s] every 10 [ms]\n";

// A sampled loop with a delay, a relay with hysteresis, and a mass that events throw back.
static const char *const sampled =
    "param m = 1 [kg], K = 30 [N/m], D = 3 [N*s/m], T = 7 [ms]\n"
    "coord x = 0.1 [m], y = 0.5 [mm], z = 0 [m], z' = 0.3 [m/s]\n"
    "memory e = 0 [m*s], s = -1, n = 0\ninput u = 0 [N]\n"
    "kinetic = 1/2*m*(x'^2 + y'^2 + z'^2)\npotential = m*(9.81 [m/s^2])*y\n"
    "force x = u\nforce z = s*(40 [N])\n"
    "sample every T delay 9 [ms]: u = -K*x - D*x' - (5 [N/(m*s)])*e, e = e + T*x\n"
    "sample every 3 [ms]: n = n + 1\n"
    "limit u in -2..2 [N]\nwhen z >= 1 [cm]: s = -1\nwhen z <= -1 [cm]: s = 1\n"
    "when y = 0 falling: y' = -0.99*y'\noutput u, s, n\n"
    "simulate to 2 [s] every 10 [ms]\n";

static Motion load_text(Context *cx, const char *text) {
  Motion m = motion_load(cx, text, NULL);
  m.options.checkpoint = path(cx);
  return m;
}

static Motion load(Context *cx) { return load_text(cx, ball); }

static void run_until(Motion *m, double t) {
  Stopper stopper = {.t = t};
  m->options.stop = &stopper.stop;
  m->options.progress = stop_behind;
  m->options.progress_user = &stopper;
  motion_run(m);
  m->options.stop = NULL;
  m->options.progress = NULL;
}

static size_t size_of(SummaryKind kind) {
  static const size_t sizes[] = {
#define KIND(kind, type) [SUMMARY_##kind] = sizeof(type),
      SUMMARY_KINDS(KIND)
#undef KIND
  };
  return sizes[kind];
}

static void check_field(const SummaryField *field, const SimSummary *a, const SimSummary *b) {
  const void *x = summary_get(a, field), *y = summary_get(b, field);
  bool is_same = memcmp(x, y, size_of(field->kind)) == 0;
  if (field->kind == SUMMARY_TEXT) {
    const char *one = *(const char *const *)x, *other = *(const char *const *)y;
    is_same = one && other ? strcmp(one, other) == 0 : one == other;
  }
  if (field->kind == SUMMARY_WORST) {
    const Worst *one = x, *other = y;
    is_same = one->value == other->value && one->t == other->t && one->row == other->row;
  }
  if (!is_same) print_error("%s is not the same\n", field->name);
  assert_true(is_same);
}

// Rows, events and what the run says of itself.
static void check_same(const Motion *part, const Motion *whole) {
  uint32_t n = whole->columns.n, first = whole->rows - part->rows;
  assert_true(part->rows > 0 &&
              part->rows < whole->rows); // when it is stopped is a matter of the clock
  assert_memory_equal(part->values.at, whole->values.at + (size_t)first * n,
                      (size_t)part->rows * n * sizeof(double));
  const SimSummary *a = &part->summary, *b = &whole->summary;
  assert_int_equal(a->events.n, b->events.n);
  for (uint32_t i = 0; i < a->events.n; i++) {
    const SimEvent *x = &a->events.at[i], *y = &b->events.at[i];
    assert_true(x->t == y->t && x->number == y->number && x->kind == y->kind);
    assert_true(x->before == y->before && x->after == y->after);
  }
  for (int i = 0; i < SUMMARY_FIELDS; i++)
    if (i != FIELD_setup_seconds && i != FIELD_wall_seconds) check_field(&summary_fields[i], a, b);
}

static void go_on(Context *cx, const char *text, uint32_t events, double every) {
  Motion whole = load_text(cx, text), part = load_text(cx, text);
  motion_run(&whole);
  if (whole.summary.stopped) motion_explain(&whole);
  assert_int_equal(whole.status, QDOT_OK);
  assert_int_equal(whole.summary.stopped, STOPPED_NOT);
  assert_true(whole.summary.events.n >= events);
  for (double t = 0.1; t < 1.4; t += every) {
    part.options.resume = false;
    run_until(&part, t);
    assert_int_equal(part.summary.stopped, STOPPED_USER);
    part.options.resume = true;
    motion_run(&part);
    if (part.status != QDOT_OK) motion_explain(&part);
    assert_int_equal(part.status, QDOT_OK);
    check_same(&part, &whole);
  }
  sim_forget(&whole.options);
  assert_int_equal(access(whole.options.checkpoint, F_OK), -1);
}

TEST(a_state_behind_impacts_goes_on) { go_on(cx, ball, 50, 0.6); }

TEST(what_sticks_goes_on) { go_on(cx, pucks, 5, 0.2); }

TEST(first_order_states_go_on) { go_on(cx, controlled, 20, 0.6); }

TEST(samples_and_latches_go_on) { go_on(cx, sampled, 50, 0.4); }

TEST(what_rubs_goes_on) { go_on(cx, box, 12, 0.2); }

// The same box, which also resists rolling about its corners' roundness, and under steps.
TEST(what_rolls_goes_on) {
  go_on(
      cx,
      "param g = 9.81 [m/s^2], R = 0.1 [m], w = 9 [rad/s]\ngravity (0, -g)\n"
      "body d: disc R, mass 2 [kg], at = (0, 0.2 [m]), angle = 0, velocity = (1 [m/s], 0), spin = "
      "9 [rad/s]\nlet s = 0.06 [m]*sin(w*t)\ncontact f: d (0, 0), radius R, line (s, 0), "
      "restitution 0.4, friction 0.3, rolling 5 [mm]\nsimulate to 2 [s] every 10 [ms]\n",
      8, 0.3);
}

TEST(steps_over_contacts_go_on) {
  go_on(cx, text_format(&cx->keep, "%.*s using moreau(step = 1 [ms])\n", (int)strlen(box) - 1, box),
        0, 0.4);
}

TEST(what_is_known_of_the_start_is_not_forgotten) { go_on(cx, doubted, 0, 0.6); }

static const char *last_message(const Motion *m) {
  return m->cx->diagnostics.list.at[m->cx->diagnostics.list.n - 1].message;
}

// The number of events and the last five values are those of the first impact: an index that is
// none, or an end that is missing, is found.
TEST(what_cannot_be_is_refused) {
  Motion m = load(cx);
  run_until(&m, 0.1);
  uint64_t key;
  FILE *file = fopen(m.options.checkpoint, "rb");
  assert_non_null(file);
  assert_int_equal(fseek(file, 8, SEEK_SET), 0);
  assert_int_equal(fread(&key, sizeof key, 1, file), 1);
  fclose(file);
  double *values;
  size_t n;
  assert_int_equal(checkpoint_read(&cx->keep, m.options.checkpoint, key, &values, &n), QDOT_OK);
  assert_true(values[n - 7] == 1); // one event
  static const struct {
    size_t back;
    double value;
  } wrong[] = {{5, 2}, {5, -1}, {5, 0.5e10}, {4, SIM_EVENT_KINDS}, {7, 2}, {7, 0}, {7, 1e18}};
  m.options.resume = true;
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    double *at = &values[n - wrong[i].back], right = *at;
    *at = wrong[i].value;
    checkpoint_write(&cx->scratch, m.options.checkpoint, key, values, n);
    *at = right;
    motion_run(&m);
    assert_int_equal(m.status, QDOT_BAD_FILE);
    assert_string_equal(last_message(&m), text_format(&cx->keep, "the checkpoint '%s' is damaged",
                                                      m.options.checkpoint));
  }
  // whatever stands in its place, it ends
  for (size_t i = 0; i < n; i++)
    for (int k = 0; k < 3; k++) {
      double right = values[i];
      values[i] = (double[]){-1e300, 1e18, NAN}[k];
      checkpoint_write(&cx->scratch, m.options.checkpoint, key, values, n);
      values[i] = right;
      run_until(&m, 0.1);
    }
  checkpoint_write(&cx->scratch, m.options.checkpoint, key, values, n);
  uint32_t errors = cx->diagnostics.errors;
  cx->diagnostics = (Diagnostics){0};
  motion_run(&m);
  assert_int_equal(m.status, QDOT_OK);
  assert_true(errors > 0);
  sim_forget(&m.options);
}

TEST(a_place_that_takes_no_state) {
  Motion m = load(cx);
  m.options.checkpoint = "/nowhere/state";
  motion_run(&m);
  assert_int_equal(m.status, QDOT_IO);
  assert_string_equal(last_message(&m), "cannot keep the state in '/nowhere/state'");
}

static int make_folder(void **state) {
  (void)state;
  return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state) {
  (void)state;
  return rmdir(folder);
}

RUN_TESTS_BETWEEN(make_folder, remove_folder, cmocka_unit_test(a_state_behind_impacts_goes_on),
                  cmocka_unit_test(what_sticks_goes_on), cmocka_unit_test(first_order_states_go_on),
                  cmocka_unit_test(samples_and_latches_go_on), cmocka_unit_test(what_rubs_goes_on),
                  cmocka_unit_test(what_rolls_goes_on), cmocka_unit_test(steps_over_contacts_go_on),
                  cmocka_unit_test(what_is_known_of_the_start_is_not_forgotten),
                  cmocka_unit_test(what_cannot_be_is_refused),
                  cmocka_unit_test(a_place_that_takes_no_state))
