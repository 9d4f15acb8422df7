// Tables that stand on more feet than are needed tip over the last of them: when, by the moments
// about it; how, as the table does that has no feet but the outermost.
#include <math.h>

#include "base/text.h"
#include "support/motion.h"

enum { MOST_FEET = 5 };

typedef enum Burden { LOAD_PUSHES, LOAD_WALKS, LOAD_LIFTS, LOADS } Burden;

typedef struct Table {
  int feet;
  double x[MOST_FEET];     // from one side to the other; it tips over the last
  double mass, height, mu; // mu 0: smooth
  double mu_less;          // while it slides
  Burden burden;
  double at, size, rate; // where the load is, and what it is
  double T;              // when it tips
} Table;

static const double GRAVITY = 9.81;

static Table random_table(Random *random, bool is_smooth) {
  Table table = {.feet = 2 + random_below(random, MOST_FEET - 1),
                 .mass = random_real(random, 1, 50),
                 .height = random_real(random, 0.4, 1.5),
                 .mu = is_smooth ? 0 : random_real(random, 0.3, 0.8),
                 .T = random_real(random, 0.5, 4)};
  double side = random_below(random, 2) ? 1 : -1, last = random_real(random, 0.2, 1);
  double first = -random_real(random, 0.2, 1), weight = table.mass * GRAVITY;
  // apart from each other, or two are as good as one
  for (int i = 0; i < table.feet; i++) {
    double place = i + (i == 0 || i == table.feet - 1 ? 0 : random_real(random, -0.4, 0.4));
    table.x[i] = side * (first + (last - first) * place / (table.feet - 1));
  }
  table.burden = is_smooth ? LOAD_WALKS + random_below(random, 2) : random_below(random, LOADS);
  if (table.burden == LOAD_PUSHES) {
    table.at = random_real(random, 0, 0.3);
    table.rate = side * weight * last / ((table.height + table.at) * table.T);
    table.mu = random_real(random, 1.5, 2) * last / (table.height + table.at); // it does not slip
  } else if (table.burden == LOAD_WALKS) {
    table.size = random_real(random, 0.5, 3) * weight;
    table.rate = side * (last + weight * last / table.size) / table.T;
  } else {
    table.at = side * random_real(random, -1.5, 0);
    table.rate = weight * last / ((last - side * table.at) * table.T);
  }
  table.mu_less = random_below(random, 2) ? table.mu : 0.8 * table.mu;
  return table;
}

// On all of its feet, or on the two outermost.
static Motion tip(Context *cx, const Table *table, bool on_all) {
  Text text = text_new(&cx->keep);
  text_addf(&text,
            "gravity (0, -%g [m/s^2])\nbody b: mass %.17g [kg], inertia %.17g [kg*m^2], at = "
            "(0, %.17g [m]), angle = 0, velocity = (0, 0), spin = 0\noutput angle = b.theta\n",
            GRAVITY, table->mass, 0.4 * table->mass, table->height);
  for (int i = 0; i < table->feet; i += on_all ? 1 : table->feet - 1) {
    text_addf(&text, "contact c_%d: b (%.17g [m], -%.17g [m]), line (0, 0)", i, table->x[i],
              table->height);
    if (table->mu > 0) text_addf(&text, ", friction %.17g, %.17g", table->mu, table->mu_less);
    text_addf(&text, "\noutput N_%d = c_%d.N\n", i, i);
  }
  if (table->burden == LOAD_PUSHES)
    text_addf(&text, "force b (0, %.17g [m]) = (%.17g [N/s]*t, 0)\n", table->at, table->rate);
  else if (table->burden == LOAD_WALKS)
    text_addf(&text, "force b (%.17g [m/s]*t, 0) = (0, -%.17g [N])\n", table->rate, table->size);
  else
    text_addf(&text, "force b (%.17g [m], 0) = (0, %.17g [N/s]*t)\n", table->at, table->rate);
  text_addf(&text, "simulate to %.17g [s] every %.17g [s] using rk853(rtol = 1e-10)\n",
            1.08 * table->T, 0.02 * table->T);
  return motion_to_end(cx, text.at);
}

static void tips_in_time(Context *cx, const Table *table) {
  Motion many = tip(cx, table, true), two = tip(cx, table, false);
  int let_go = 0;
  for (uint32_t i = 0; i < many.summary.events.n; i++) {
    const SimEvent *event = &many.summary.events.at[i];
    if (event->t > table->T * (1 + 1e-9)) continue;
    CHECK_NEAR(event->t, table->T, 1e-9 * table->T);
    assert_int_equal(event->kind, SIM_RELEASE);
    let_go++;
  }
  assert_int_equal(let_go, table->feet - 1);
  double most = fabs(motion_at(&two, 1.08 * table->T, "angle"));
  assert_true(most > 1e-6);
  for (int k = 0; k <= 54; k++) {
    double t = 0.02 * k * table->T, sum = 0;
    CHECK_NEAR(motion_at(&many, t, "angle"), motion_at(&two, t, "angle"), 1e-6 * most);
    for (int i = 0; i < table->feet; i++) {
      double N = motion_at(&many, t, text_format(&cx->keep, "N_%d", i));
      assert_true(N >= -1e-9 * table->mass * GRAVITY);
      sum += N;
    }
    double last = motion_at(&two, t, text_format(&cx->keep, "N_%d", table->feet - 1));
    CHECK_NEAR(sum, motion_at(&two, t, "N_0") + last, 1e-6 * table->mass * GRAVITY);
  }
}

TEST(tables_tip_over_the_last_of_many_rough_feet) {
  Random random = random_start("tables_tip_over_the_last_of_many_rough_feet");
  for (int round = 0; round < 40; round++) {
    Table table = random_table(&random, false);
    tips_in_time(cx, &table);
  }
}

TEST(tables_tip_over_the_last_of_many_smooth_feet) {
  Random random = random_start("tables_tip_over_the_last_of_many_smooth_feet");
  for (int round = 0; round < 40; round++) {
    Table table = random_table(&random, true);
    tips_in_time(cx, &table);
  }
}

// What a crane lifts slips when the part of its weight that is left gives too little friction.
TEST(what_is_next_to_unloaded_slips) {
  Random random = random_start("what_is_next_to_unloaded_slips");
  for (int round = 0; round < 40; round++) {
    double part = pow(10, -random_real(&random, 0.3, 5)), T = random_real(&random, 0.2, 2);
    double mass = random_real(&random, 0.1, 100), N = part * mass * GRAVITY;
    double s = T * part / (1 - part) / 2; // until half of the part is lifted, too
    double mu = random_real(&random, 0.1, 1), mu_less = round % 2 ? mu : 0.7 * mu;
    const char *text = text_format(
        &cx->keep,
        "gravity (0, -%g [m/s^2])\nbody b: mass %.17g [kg], inertia %.17g [kg*m^2], at = (0, 0.3 "
        "[m]), angle = 0, velocity = (0, 0), spin = 0\n"
        "contact c_0: b (-0.5 [m], -0.3 [m]), line (0, 0), friction %.17g, %.17g\n"
        "contact c_1: b (0.4 [m], -0.3 [m]), line (0, 0), friction %.17g, %.17g\n"
        "force b (0, 0) = (0, %.17g [N/s]*t)\nforce b (0, -0.3 [m]) = (%.17g [N], 0)\n"
        "output x = b.x\nsimulate to %.17g [s] every %.17g [s] using rk853(rtol = 1e-10)\n",
        GRAVITY, mass, 0.2 * mass, mu, mu_less, mu, mu_less, (mass * GRAVITY - N) / T, mu * N,
        T + s, T + s);
    Motion m = motion_to_end(cx, text);
    assert_int_equal(m.summary.events.n, 2);
    for (uint32_t i = 0; i < 2; i++)
      CHECK_NEAR(motion_event(&m, i, SIM_SLIP)->t, T, 1e-4 * part * T);
    // mass x'' = mu N - mu_less N (1 - t/(2 s)) from T on, if t counts from there
    double x = N / mass * s * s * ((mu - mu_less) / 2 + mu_less / 12);
    CHECK_NEAR(motion_at(&m, T + s, "x"), x, 1e-3 * x + 1e-14); // of metres: rounding
  }
}

// A drawer whose weight goes over from two corners across to both below: a1 lets go, b1 takes its
// part, and the corner a2 above, which touches, takes none. By two equations of motion, by hand.
TEST(loads_go_over_to_others_that_touch) {
  Motion m = motion_to_end(
      cx, "gravity (0, -9.81 [m/s^2])\nparam w = 0.6 [m], l = 0.3 [m]\n"
          "body d: plate (l, w), mass 3 [kg], at = (0, 0), angle = 0, velocity = (0.5 [m/s], 0), "
          "spin = 0\n"
          "contact a1: d (-l/2, w/2), line (0, w/2), axis 180 [deg], friction 0.3\n"
          "contact a2: d (l/2, w/2), line (0, w/2), axis 180 [deg], friction 0.3\n"
          "contact b1: d (-l/2, -w/2), line (0, -w/2), friction 0.3\n"
          "contact b2: d (l/2, -w/2), line (0, -w/2), friction 0.3\n"
          "force d (l/2, 0.25 [m]) = (30 [N] - 60 [N/s]*t, 0)\noutput x = d.x, v = d.x'\n"
          "simulate to 0.65 [s] every 10 [ms] using rk853(rtol = 1e-10)\n");
  assert_int_equal(m.summary.events.n, 2);
  double t_1 = m.summary.events.at[0].t, W = 3 * GRAVITY, mu = 0.3;
  // b2 alone carries: moments about the centre, 0.15 W = 0.25 F + 0.3 mu W
  CHECK_NEAR(t_1, 0.5 - (0.15 * W - 0.3 * mu * W) / (0.25 * 60), 1e-9);
  // below alone, friction is mu W: v' = (30 - 60 t - mu W)/3 from there on
  double dt = 0.2, a = (30 - 60 * t_1 - mu * W) / 3;
  double v = (motion_at(&m, 0.6, "v") - motion_at(&m, 0.4, "v"));
  CHECK_NEAR(v, dt * (30 - 60 * 0.5 - mu * W) / 3, 1e-7 * fabs(a));
}

RUN_TESTS(cmocka_unit_test(tables_tip_over_the_last_of_many_rough_feet),
          cmocka_unit_test(tables_tip_over_the_last_of_many_smooth_feet),
          cmocka_unit_test(what_is_next_to_unloaded_slips),
          cmocka_unit_test(loads_go_over_to_others_that_touch))
