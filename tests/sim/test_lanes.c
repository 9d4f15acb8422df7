// Runs in lanes against the same runs one after the other: rows, measures and reasons, bit for bit.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "engine/lanes/lanes.h"
#include "sim/run_source.h"
#include "support/examples.h"
#include "support/motion.h"

// Not a multiple of the lanes: some are refilled more often than others.
enum { CASES = 11, MOST_MEASURES = 32 };

typedef struct Outcome {
  Status status;
  char why[200];
  uint64_t rows; // of all their bits
  double measures[MOST_MEASURES];
} Outcome;

typedef struct Cases {
  uint32_t place;
  double values[CASES];
  uint32_t measures, next;
  Outcome out[CASES];
} Cases;

static Status take_row(void *user, const double *values, uint32_t n) {
  uint64_t *sum = user;
  for (uint32_t i = 0; i < n; i++) {
    uint64_t bits;
    memcpy(&bits, &values[i], sizeof bits);
    if (isnan(values[i])) bits = 1; // whatever its sign
    *sum = (*sum ^ bits) * 0x100000001B3u + 1;
  }
  return QDOT_OK;
}

static void make_case(Cases *c, Rerun *rerun, uint32_t i) {
  Outcome *o = &c->out[i];
  *o = (Outcome){0};
  o->status = rerun_measures(rerun, &c->place, &c->values[i], 1, o->measures);
  if (o->status != QDOT_OK) memcpy(o->why, rerun->why, sizeof o->why);
  RowSink sink = {.user = &o->rows, .row = take_row};
  Diagnostics before = rerun->simulation.run.cx->diagnostics;
  rerun_rows(rerun, &c->place, &c->values[i], 1, &sink);
  rerun->simulation.run.cx->diagnostics = before;
}

static void make_cases(void *user, Rerun *rerun) {
  Cases *c = user;
  while (c->next < CASES) make_case(c, rerun, c->next++);
}

static void compare(const Cases *alone, const Cases *together, uint32_t width, const char *name) {
  for (int i = 0; i < CASES; i++) {
    const Outcome *a = &alone->out[i], *b = &together->out[i];
    bool same = a->status == b->status && a->rows == b->rows && strcmp(a->why, b->why) == 0;
    for (uint32_t k = 0; k < alone->measures; k++)
      same &= (isnan(a->measures[k]) && isnan(b->measures[k])) ||
              memcmp(&a->measures[k], &b->measures[k], sizeof(double)) == 0;
    if (same) continue;
    print_error("%s, %u lanes, case %d: %d %s, alone %d %s\n", name, width, i, (int)b->status,
                b->why, (int)a->status, a->why);
    fail();
  }
}

static void check_model(Context *cx, Random *random, Motion *m, double spread, const char *name) {
  Rerun rerun;
  if (rerun_open(&rerun, &m->system, &m->options) != QDOT_OK) return;
  Cases *alone = arena_new(&cx->keep, Cases), *together = arena_new(&cx->keep, Cases);
  alone->measures = m->system.model->requests.measurements.n;
  assert_true(alone->measures <= MOST_MEASURES && rerun.simulation.settings.parameters > 0);
  alone->place = (uint32_t)random_below(random, (int)rerun.simulation.settings.parameters);
  for (int i = 0; i < CASES; i++)
    alone->values[i] = rerun.given[alone->place] * random_real(random, 1 - spread, 1 + spread);
  *together = *alone;
  rerun.simulation.run.machine.node_lanes = 1; // nor nodes of a step together
  make_cases(alone, &rerun);
  for (uint32_t width = 4; width <= packed_most_lanes(); width *= 2) {
    Lanes *lanes = lanes_open(&rerun, width);
    if (!lanes) continue;
    assert_int_equal(lanes->width, width);
    together->next = 0;
    lanes_run(lanes, make_cases, together);
    compare(alone, together, width, name);
    lanes_close(lanes);
  }
  *together = *alone;
  together->next = CASES - 2; // and alone again
  make_cases(together, &rerun);
  compare(alone, together, 1, name);
  rerun_close(&rerun);
}

static Random shared_random;

static void check_example(Context *cx, const char *path) {
  Motion m = motion_load_file(cx, path, NULL);
  m.options.t_end = fmin(m.options.t_end, 0.3);
  m.options.every = fmin(m.options.every, m.options.t_end);
  check_model(cx, &shared_random, &m, 0.1, path);
}

static void every_example(void **state) {
  (void)state;
  shared_random = random_start("every_example");
  with_every_example(check_example);
}

// ---- Measures along smooth motions

// One of all that measures can ask for, of coordinate i.
static void add_measure(Text *text, Random *random, int i) {
  static const char *const values[] = {"x_%d",         "x_%d'*T",        "abs(x_%d)",
                                       "abs(x_%d'*T)", "x_%d*x_%d",      "sin(3*x_%d)",
                                       "x_%d''*T^2",   "min(x_%d, 0.3)", "max(x_%d'*T, x_%d)"};
  static const char *const reductions[] = {"max(%s)",
                                           "min(%s)",
                                           "max(%s)",
                                           "min(%s)",
                                           "mean(%s)",
                                           "rms(%s)",
                                           "final(%s)",
                                           "integral(%s)",
                                           "start(%s)",
                                           "count(%s > 0.2)",
                                           "first(t, %s > 0.5)",
                                           "last(t, %s > 0.4)"};
  char value[40];
  snprintf(value, sizeof value, values[random_below(random, 9)], i, i);
  text_addf(text, reductions[random_below(random, 12)], value);
  if (random_below(random, 4) == 0) text_addf(text, " from %.3g [s]", random_real(random, 0.1, 2));
}

// Oscillators, bent and coupled; some run away.
static const char *random_model(Context *cx, Random *random) {
  Text text = text_new(&cx->keep);
  int n = 1 + random_below(random, 3), measures = 1 + random_below(random, 6);
  text_add(&text, "param p = 1, J = 1 [kg m^2], E = 1 [J], T = 1 [s]\n");
  for (int i = 1; i <= n; i++)
    text_addf(&text, "coord x_%d = %.6g [rad]\ncoord x_%d' = %.6g [rad/s]\n", i,
              random_real(random, -1, 1), i, random_real(random, -3, 3));
  for (int i = 1; i <= n; i++) {
    text_addf(&text, "kinetic = J/2*(%.4g + p + x_%d^2/4)*x_%d'^2\n", random_real(random, 0.1, 2),
              i, i);
    text_addf(&text, "potential = E*(%.4g*x_%d^2 + %.4g*x_%d^4 + p*%.4g*cos(2*x_%d))\n",
              random_real(random, 0, 30), i, random_real(random, -0.02, 1), i,
              random_real(random, -3, 3), i);
    if (i > 1)
      text_addf(&text, "potential = %.4g*E*p*(x_%d - x_%d)^2\n", random_real(random, 0, 20), i,
                i - 1);
  }
  if (random_below(random, 3) == 0)
    text_addf(&text, "force x_1 = %.4g*E*T*x_1'\n", random_real(random, -0.5, 0.5));
  if (random_below(random, 3) == 0)
    text_addf(&text, "state s = %d\nrate s = (%.4g*x_1 - s)/T\n", random_below(random, 2),
              random_real(random, -2, 2));
  for (int k = 0; k < measures; k++) {
    text_addf(&text, "measure m_%d = ", k);
    add_measure(&text, random, 1 + random_below(random, n));
    text_add(&text, "\n");
  }
  text_addf(&text, "simulate to %.4g [s] every 0.1 [s]\n", random_real(random, 1, 6));
  return text.at;
}

static void check_smooth_motion(Context *cx) {
  const char *text = random_model(cx, &shared_random);
  Motion m = motion_load(cx, text, NULL);
  m.options.method.rtol = pow(10, random_real(&shared_random, -11, -3));
  check_model(cx, &shared_random, &m, 0.8, text);
}

static void smooth_motions(void **state) {
  (void)state;
  enum { MODELS = 40 };
  shared_random = random_start("smooth_motions");
  for (int k = 0; k < MODELS; k++) with_context(check_smooth_motion);
}

// ---- Mechanisms: on their constraints, past dead positions, and to where they lock

static const char *random_mechanism(Context *cx, Random *random) {
  static const char *const drives[] = {"motor A: speed 9 [rad/s]", "motor A: torque 5 [N m]",
                                       "gravity (0, -9.81 [m/s^2])"};
  Text text = text_new(&cx->keep);
  bool slides = random_below(random, 2) == 0;
  text_addf(&text, "param p = %.4g [m], l = 1 [m]\n", random_real(random, 0.3, 1));
  text_addf(&text, "body crank: mass 1 [kg], rod p, angle = %.3g [deg]\n",
            random_real(random, 20, 80));
  text_add(&text, "body rod: mass 2 [kg], rod l, angle ~ -15 [deg]\n"
                  "joint A: revolute ground (0, 0), crank (-p/2, 0)\n"
                  "joint B: revolute crank (p/2, 0), rod (-l/2, 0)\n");
  if (slides)
    text_add(&text, "body ram: mass 3 [kg], point\n"
                    "joint C: revolute rod (l/2, 0), ram (0, 0)\n"
                    "joint D: prismatic ground (0, 0), ram (0, 0), axis 0\n");
  else
    text_add(&text, "body ram: mass 3 [kg], rod 0.9 [m], angle ~ 70 [deg]\n"
                    "joint C: revolute rod (l/2, 0), ram (0.45 [m], 0)\n"
                    "joint D: revolute ground (1.1 [m], 0), ram (-0.45 [m], 0)\n");
  text_addf(&text, "%s\n", drives[random_below(random, 3)]);
  text_add(&text, "measure a = max(ram.x) - min(ram.x), b = max(abs(A.F_x)), c = rms(rod.theta'')\n"
                  "measure d = final(crank.theta), e = count(ram.x > 1 [m])\n");
  text_addf(&text, "simulate to %.4g [s] every 0.05 [s]\n", random_real(random, 0.5, 2));
  return text.at;
}

static void check_mechanism(Context *cx) {
  static const Formulation ways[] = {FORMULATION_LAGRANGE, FORMULATION_MAXIMAL};
  const char *text = random_mechanism(cx, &shared_random);
  Motion m = motion_load_as(cx, text, NULL, ways[random_below(&shared_random, 2)]);
  m.options.method.rtol = pow(10, random_real(&shared_random, -10, -5));
  check_model(cx, &shared_random, &m, 0.5, text);
}

static void mechanisms(void **state) {
  (void)state;
  enum { MODELS = 12 };
  shared_random = random_start("mechanisms");
  for (int k = 0; k < MODELS; k++) with_context(check_mechanism);
}

RUN_TESTS(cmocka_unit_test(every_example), cmocka_unit_test(smooth_motions),
          cmocka_unit_test(mechanisms))
