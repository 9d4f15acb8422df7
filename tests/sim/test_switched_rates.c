// Rates of states with switches in them, on states of any size, against an integrator of our own.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/motion.h"

enum { STATES = 3, ALL = 2 + STATES, MOST_TERMS = 2, KNOTS = 4 };

// ---- A random system: terms F(g) of what switches, with all values measured by their sizes

typedef enum Shape { SHAPE_IF, SHAPE_ABS, SHAPE_MIN, SHAPE_MAX, SHAPE_SIGN, SHAPE_TABLE } Shape;

typedef struct Term {
  Shape shape;
  int of; // x, x', s_0 ..., or ALL for a sine of time
  double factor, at;
} Term;

typedef struct Rate {
  double decay, constant;
  int terms;
  Term term[MOST_TERMS];
} Rate;

typedef struct RandomSystem {
  double size[STATES], start[STATES], omega, stiffness;
  Rate rate[STATES], force; // the force has no decay
} RandomSystem;

static const double knot_x[KNOTS] = {-1, 0.1, 0.3, 1}, knot_y[KNOTS] = {0, 0, 1, 0.5};

static double looked_up(double x) {
  if (x <= knot_x[0]) return knot_y[0];
  for (int k = 1; k < KNOTS; k++)
    if (x <= knot_x[k])
      return knot_y[k - 1] +
             (knot_y[k] - knot_y[k - 1]) * (x - knot_x[k - 1]) / (knot_x[k] - knot_x[k - 1]);
  return knot_y[KNOTS - 1];
}

// A rate that jumps down where its own state grows would hold it there: that is another test's.
static Term random_term(Random *random, int own) {
  Term term = {.shape = (Shape)random_below(random, 6), .of = random_below(random, ALL + 1)};
  term.factor = random_real(random, -2, 2), term.at = random_real(random, -0.3, 0.5);
  bool jumps = term.shape == SHAPE_IF || term.shape == SHAPE_SIGN;
  if (own < 0 && term.of < 2) term.of = 2; // no friction
  if (jumps && term.of == own) term.factor = fabs(term.factor);
  return term;
}

static Rate random_rate(Random *random, int own) {
  Rate rate = {.decay = own < 0 ? 0 : random_real(random, 0.5, 20),
               .terms = 1 + random_below(random, MOST_TERMS)};
  // some rest until something switches
  rate.constant = random_below(random, 2) ? random_real(random, -3, 3) : 0;
  for (int i = 0; i < rate.terms; i++) rate.term[i] = random_term(random, own);
  return rate;
}

static RandomSystem random_system(Random *random) {
  RandomSystem s = {.omega = random_real(random, 3, 12), .stiffness = random_real(random, 20, 60)};
  s.force = random_rate(random, -1);
  for (int i = 0; i < STATES; i++) {
    s.size[i] = pow(10, random_below(random, 25) - 14);
    s.start[i] = random_below(random, 3) ? 0 : random_real(random, -1, 1);
    s.rate[i] = random_rate(random, 2 + i);
  }
  return s;
}

// ---- As text

static void write_value(Text *text, const RandomSystem *s, int of) {
  if (of == 0) text_add(text, "x/(1 [m])");
  if (of == 1) text_add(text, "x'/(1 [m/s])");
  if (of >= 2 && of < ALL) text_addf(text, "s_%d/(%.17g [C])", of - 2, s->size[of - 2]);
  if (of == ALL) text_addf(text, "sin(%.17g [1/s]*t)", s->omega);
}

static void write_term(Text *text, const RandomSystem *s, const Term *term) {
  static const char *const begin[] = {"if(", "abs(", "min(", "max(", "sign(", "table("};
  text_addf(text, " + %.17g*%s", term->factor, begin[term->shape]);
  write_value(text, s, term->of);
  switch (term->shape) {
  case SHAPE_IF: text_addf(text, " > %.17g, 1, 0)", term->at); break;
  case SHAPE_ABS:
  case SHAPE_SIGN: text_addf(text, " - (%.17g))", term->at); break;
  case SHAPE_MIN:
  case SHAPE_MAX: text_addf(text, ", %.17g)", term->at); break;
  case SHAPE_TABLE:
    for (int k = 0; k < KNOTS; k++) text_addf(text, ", (%.17g, %.17g)", knot_x[k], knot_y[k]);
    text_add(text, ")");
  }
}

static void write_terms(Text *text, const RandomSystem *s, const Rate *rate) {
  text_addf(text, "(%.17g", rate->constant);
  for (int i = 0; i < rate->terms; i++) write_term(text, s, &rate->term[i]);
  text_add(text, ")");
}

static const char *text_of(Context *cx, const RandomSystem *s, const char *method) {
  Text text = text_new(&cx->keep);
  for (int i = 0; i < STATES; i++)
    text_addf(&text, "state s_%d = %.17g [C]\n", i, s->start[i] * s->size[i]);
  text_addf(&text,
            "coord x = 0.3 [m]\nkinetic = 1/2*1 [kg]*x'^2\npotential = 1/2*%.17g [N/m]*x^2\n"
            "force x = 1 [N]*",
            s->stiffness);
  write_terms(&text, s, &s->force);
  for (int i = 0; i < STATES; i++) {
    text_addf(&text, "\nrate s_%d = %.17g [C/s]*", i, s->size[i]);
    write_terms(&text, s, &s->rate[i]);
    text_addf(&text, " - %.17g [1/s]*s_%d", s->rate[i].decay, i);
  }
  text_addf(&text, "\nsimulate to 1 [s] every 0.1 [s] using %s\n", method);
  return text.at;
}

// ---- Our own route: classical Runge-Kutta steps, halved until two halves agree with the whole

static double value_of(const RandomSystem *s, const Term *term, double t, const double *y) {
  double g = term->of < ALL ? y[term->of] : sin(s->omega * t);
  switch (term->shape) {
  case SHAPE_IF: return g > term->at ? 1 : 0;
  case SHAPE_ABS: return fabs(g - term->at);
  case SHAPE_MIN: return fmin(g, term->at);
  case SHAPE_MAX: return fmax(g, term->at);
  case SHAPE_SIGN: return g > term->at ? 1 : g < term->at ? -1 : 0;
  case SHAPE_TABLE: return looked_up(g);
  }
  return 0;
}

static double sum_of(const RandomSystem *s, const Rate *rate, double t, const double *y) {
  double sum = rate->constant;
  for (int i = 0; i < rate->terms; i++)
    sum += rate->term[i].factor * value_of(s, &rate->term[i], t, y);
  return sum;
}

static void derivative(const RandomSystem *s, double t, const double *y, double *k) {
  k[0] = y[1];
  k[1] = sum_of(s, &s->force, t, y) - s->stiffness * y[0];
  for (int i = 0; i < STATES; i++)
    k[2 + i] = sum_of(s, &s->rate[i], t, y) - s->rate[i].decay * y[2 + i];
}

static void one_step(const RandomSystem *s, double t, double h, const double *y, double *out) {
  static const double share[4] = {0, 0.5, 0.5, 1}, weight[4] = {1, 2, 2, 1};
  double k[ALL] = {0}, at[ALL], sum[ALL] = {0};
  for (int stage = 0; stage < 4; stage++) {
    for (int i = 0; i < ALL; i++) at[i] = y[i] + share[stage] * h * k[i];
    derivative(s, t + share[stage] * h, at, k);
    for (int i = 0; i < ALL; i++) sum[i] += weight[stage] * k[i];
  }
  for (int i = 0; i < ALL; i++) out[i] = y[i] + h / 6 * sum[i];
}

static void go_on(const RandomSystem *s, double from, double to, double *y) {
  const double shortest = 1e-10, tolerance = 1e-12;
  double t = from, h = 1e-3;
  while (t < to) {
    double step = fmin(h, to - t), whole[ALL], half[ALL], error = 0;
    one_step(s, t, step, y, whole);
    one_step(s, t, step / 2, y, half);
    one_step(s, t + step / 2, step / 2, half, half);
    for (int i = 0; i < ALL; i++) error = fmax(error, fabs(whole[i] - half[i]));
    if (error > tolerance && step > shortest) {
      h = step / 2;
      continue;
    }
    memcpy(y, half, sizeof half);
    t = step == to - t ? to : t + step;
    if (error < tolerance / 64) h = fmin(2 * fmax(h, shortest), 5e-3);
  }
}

static void check_row(const RandomSystem *s, const Motion *m, double t, const double *y,
                      double tolerance) {
  CHECK_NEAR(motion_at(m, t, "x"), y[0], tolerance);
  CHECK_NEAR(motion_at(m, t, "x'"), y[1], tolerance * 10);
  static const char *const names[STATES] = {"s_0", "s_1", "s_2"};
  for (int i = 0; i < STATES; i++)
    CHECK_NEAR(motion_at(m, t, names[i]) / s->size[i], y[2 + i], tolerance);
}

TEST(random_switches_in_rates) {
  static const struct {
    const char *method;
    double tolerance;
  } methods[] = {{"rk853(rtol = 1e-10)", 1e-8},
                 {"rk45(rtol = 1e-10)", 1e-8},
                 {"bdf(rtol = 1e-10)", 3e-7},
                 {"auto(rtol = 1e-10)", 1e-8}};
  Random random = random_start("switched rates");
  for (int round = 0; round < test_rounds(40); round++) {
    RandomSystem s = random_system(&random);
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
      const char *text = text_of(cx, &s, methods[k].method);
      Motion m = motion_of(cx, text);
      if (m.status != QDOT_OK || m.rows < 11) printf("%s\n", text), motion_explain(&m);
      assert_int_equal(m.rows, 11);
      double y[ALL] = {0.3, 0, s.start[0], s.start[1], s.start[2]};
      for (int row = 1; row <= 10; row++) {
        go_on(&s, 0.1 * (row - 1), 0.1 * row, y);
        check_row(&s, &m, 0.1 * row, y, methods[k].tolerance);
      }
    }
  }
}

// ---- States that others hardly move

// z stays zero but for errors of the others, of rounding (b - 3 a) or of the method (a^2 - c).
TEST(what_others_do_not_move_holds_no_run_up) {
  static const char *const rates[] = {"b - 3*a", "a^2 - c"};
  static const char *const methods[] = {"rk853", "rk45", "bdf", "auto"};
  for (size_t k = 0; k < 8; k++) {
    Motion m = motion_to_end(
        cx, text_format(&cx->keep,
                        "coord x = 1 [m]\nkinetic = 1/2*1 [kg]*x'^2\n"
                        "potential = 1/2*40 [N/m]*x^2\nstate z = 0, a = 1, b = 3, c = 1\n"
                        "rate a = -3 [1/s]*a\nrate b = -3 [1/s]*b\nrate c = -6 [1/s]*c\n"
                        "rate z = (%s)*1 [1/s]*cos(x/(1 [m]))\n"
                        "simulate to 3 [s] every 0.5 [s] using %s\n",
                        rates[k / 4], methods[k % 4]));
    CHECK_NEAR(motion_at(&m, 3, "z"), 0, 1e-8);
    CHECK_NEAR(motion_at(&m, 3, "a"), exp(-9), 1e-8);
    assert_true(m.summary.steps < 5000);
  }
}

RUN_TESTS(cmocka_unit_test(random_switches_in_rates),
          cmocka_unit_test(what_others_do_not_move_holds_no_run_up))
