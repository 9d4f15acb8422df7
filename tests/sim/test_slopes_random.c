// Slopes of measures of random models, with all that happens at moments, against differences of
// runs at four distances.
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "sim/run_source.h"
#include "support/motion.h"

enum { MOST_MEASURES = 16, MOST_PARAMETERS = 40 };

// A row of masses with springs that stiffen, and some of what makes runs jump.
static const char *random_model(Context *cx, Random *random) {
  Text text = text_new(&cx->keep);
  int n = 1 + random_below(random, 3), things = random_below(random, 64);
  text_addf(&text, "param T_s = %.3f [ms], F = %.3f [N], w = %.3f [rad/s]\n",
            random_real(random, 21, 57), random_real(random, 1, 5), random_real(random, 2, 9));
  for (int i = 1; i <= n; i++)
    text_addf(
        &text,
        "param m_%d = %.3f [kg], k_%d = %.3f [N/m], c_%d = %.3f [N*s/m], a_%d = %.3f [m], "
        "b_%d = %.3f [m/s]\ncoord x_%d = a_%d\ncoord x_%d' = b_%d\nkinetic = m_%d*x_%d'^2/2\n",
        i, random_real(random, 0.5, 2), i, random_real(random, 20, 80), i,
        random_real(random, 0.1, 1), i, random_real(random, -0.1, 0.1), i,
        random_real(random, -1, 1), i, i, i, i, i, i);
  for (int i = 1; i <= n; i++) {
    const char *d = i == 1 ? "x_1" : text_format(&cx->keep, "(x_%d - x_%d)", i, i - 1);
    text_addf(&text,
              "potential = k_%d*%s^2/2 + 3*k_%d*%s^4/(1 [m^2])\ndissipation = c_%d*%s'^2/2\n", i, d,
              i, d, i, d);
  }
  text_addf(&text, "force x_%d = F*cos(w*t)\n", n);
  if (things & 1)
    text_addf(&text, "param e = %.3f, g_w = %.3f [m]\ncontact wall: x_%d >= -g_w restitution e\n",
              random_real(random, 0.3, 0.9), random_real(random, 0.11, 0.2), n);
  if (things & 2)
    text_addf(&text, "param mu = %.3f [N]\ndissipation = mu*abs(x_1')\n",
              random_real(random, 0.2, 2));
  if (things & 4)
    text_addf(&text,
              "param K_1 = %.3f [N/m], K_2 = %.3f [N*s/m], u_m = %.3f [N]\ninput u = 0 [N]\n"
              "memory z = 0 [m*s]\nforce x_1 = u\nlimit u in -u_m..u_m\n"
              "sample every T_s%s: u = -K_1*x_1 - K_2*x_1' - 3*K_1*z/(1 [s]), z = z + x_1*T_s\n",
              random_real(random, 5, 30), random_real(random, 1, 4), random_real(random, 0.5, 6),
              random_below(random, 2) ? " delay 0.7*T_s" : "");
  if (things & 8)
    text_addf(&text, "param t_1 = %.3f [s], P = %.3f [N]\nforce x_1 = if(t < t_1, P, -P/3)\n",
              random_real(random, 0.2, 0.8), random_real(random, 1, 4));
  if (things & 16)
    text_addf(
        &text,
        "param R = %.3f [1/s]\nstate y = 0 [m]\nrate y = R*(x_%d - y)\nforce x_1 = -k_1*y/5\n",
        random_real(random, 1, 9), n);
  if (things & 32)
    text_addf(&text,
              "memory latch = 0\nparam H = %.3f [N]\nforce x_1 = latch*H\n"
              "when x_1 > %.3f [m]: latch = 1\nwhen x_1 < %.3f [m]: latch = 0\n",
              random_real(random, -3, 3), random_real(random, 0.02, 0.1),
              random_real(random, -0.1, -0.02));
  bool rubs = random_below(random, 5) == 0;
  if (rubs)
    text_addf(&text,
              "param mu_s = %.3f, mu_k = %.3f, W = %.3f [N], q = %.3f [m/s]\ncoord h = 0 [m]\n"
              "kinetic = (1 [kg])*h'^2/2\nforce h = -W*(1 + cos(w*t)/3)\n"
              "contact belt: h >= 0, friction mu_s, mu_k, along x_%d - q*t\n",
              random_real(random, 0.5, 0.9), random_real(random, 0.1, 0.5),
              random_real(random, 1, 9), random_real(random, -0.5, 0.5), n);
  // half of the runs end at a sample or at an event
  int end = random_below(random, 4);
  if (things & 4) text_add(&text, "measure u_f = final(u), z_f = final(z), u_p = max(u)\n");
  if (end == 1)
    text_addf(&text,
              "param t_s = %.3f [s]\nmemory over = 0\nwhen t > t_s: over = 1 + x_1/(1 [m])%s\nstop "
              "when over > 0.5\n"
              "measure o_f = final(over), o_p = max(over), h_f = first(x_1, over > 0.5), "
              "F_f = final(m_1*x_1'')\n",
              random_real(random, 0.3, 0.65),
              things & 1 || rubs ? "" : ", x_1' = -0.7*x_1' + t_s*(0.1 [m/s^2])");
  text_addf(
      &text,
      "measure f = final(x_1), v = final(x_%d'), p = max(x_%d), low = min(x_1), i = "
      "integral(x_%d^2), r = rms(x_1'), a = mean(abs(x_1)) from 0.1234 [s], t_a = first(t, x_1 < "
      "-0.01 [m])\n"
      "simulate to %.3f%s every 0.1 [s]\n",
      n, n, n, end == 2 ? 20. : random_real(random, 0.7, 1.6), end == 2 ? "*T_s" : " [s]");
  return text.at;
}

// Arms on a cart, all of which rub, and a floor on which the last one may strike.
static const char *random_arms(Context *cx, Random *random) {
  Text text = text_new(&cx->keep);
  int n = 1 + random_below(random, 2);
  double low = -random_real(random, 0.005, 0.02);
  text_addf(&text,
            "param mu = %.3f, v = %.3f [m/s], nu = %.3f\ngravity (0, -9.81 [m/s^2])\n"
            "body cart: mass 2 [kg], point, at (0, 0), velocity (v, 0)\n"
            "joint rail: prismatic ground (0, 0), cart (0, 0), friction mu\n"
            "spring s: ground (0, 0), cart (0, 0), stiffness %.3f [N/m]\n",
            random_real(random, 0.05, 0.3), random_real(random, -2, 2),
            random_real(random, 0.05, 0.6), random_real(random, 50, 200));
  for (int i = 1; i <= n; i++) {
    double a = random_real(random, -2.5, -0.5), L = random_real(random, 0.3, 0.6);
    low += L * sin(a);
    text_addf(
        &text,
        "param mu_%d = %.3f, nu_%d = %.3f\nlet L_%d = %.17g [m]\n"
        "body arm_%d: mass 1 [kg], rod L_%d, angle = %.17g\n"
        "joint J_%d: revolute %s (%s, 0), arm_%d (-L_%d/2, 0), friction mu_%d + nu_%d, mu_%d, "
        "radius 20 [mm]\n",
        i, random_real(random, 0.1, 0.6), i, random_real(random, 0.01, 0.2), i, L, i, i, a, i,
        i == 1 ? "cart" : "arm_1", i == 1 ? "0" : "L_1/2", i, i, i, i, i);
  }
  if (random_below(random, 2))
    text_addf(&text, "contact floor: arm_%d (L_%d/2, 0), line (0, %.17g [m]), friction nu\n", n, n,
              low);
  text_addf(&text,
            "measure f = final(cart.x), p = max(abs(arm_1.omega)), i = integral(cart.x^2), r = "
            "rms(arm_%d.omega), N = mean(rail.N)\nsimulate to %.3f [s] every 0.1 [s]\n",
            n, random_real(random, 0.3, 0.6));
  return text.at;
}

// Boxes on feet, from rest or thrown: what does not move has the size of rounding only.
static const char *random_box(Context *cx, Random *random) {
  Text text = text_new(&cx->keep);
  double a = random_real(random, 5, 40);
  bool on_wedge = random_below(random, 2), thrown = random_below(random, 2);
  int feet = 2 + random_below(random, 2);
  text_addf(&text,
            "param a = %.3f [deg], b = %.3f [m], h = %.3f [m], m = %.3f [kg], M = %.3f [kg], "
            "mu = %.3f, nu = %.3f, v = %.3f [m/s], F = %.3f [N]\ngravity (0, -9.81 [m/s^2])\n"
            "body box: plate (2*b, 2*h), mass m, at = (-h*sin(a), h*cos(a)), angle = a, velocity = "
            "(%s*cos(a), %s*sin(a)), spin = 0\n",
            a, random_real(random, 0.2, 0.4), random_real(random, 0.02, 0.1),
            random_real(random, 1, 4), random_real(random, 3, 8), random_real(random, 0.1, 0.5),
            random_real(random, 0.01, 0.1), random_real(random, -2, -0.5),
            random_real(random, -6, 6), thrown ? "v" : "0", thrown ? "v" : "0");
  if (on_wedge)
    text_add(&text, "body wedge: mass M, inertia 1 [kg*m^2], at = (0, 0), angle = 0, velocity = "
                    "(0, 0), spin = 0\n"
                    "contact l: wedge (-2 [m], 0), line (0, 0), friction nu\n"
                    "contact r: wedge (2 [m], 0), line (0, 0), friction nu\n");
  for (int i = 0; i < feet; i++)
    text_addf(&text, "contact foot_%d: box (%d*b/%d, -h), line %s(0, 0), axis a, friction mu\n", i,
              2 * i - feet + 1, feet - 1, on_wedge ? "wedge " : "");
  text_addf(&text,
            "force box (0, 0) = (F*sin(7*t/(1 [s])), 0)\n"
            "measure f = final(box.x), i = integral(box.y), p = max(abs(box.x'))\n"
            "%ssimulate to %.3f [s] every 0.05 [s]\n",
            on_wedge ? "measure w = final(wedge.x)\n" : "", random_real(random, 0.2, 0.9));
  return text.at;
}

// Blocks on one another that a ramp pulls apart.
static const char *random_stack(Context *cx, Random *random) {
  Text text = text_new(&cx->keep);
  int n = 1 + random_below(random, 3), pulled = 1 + random_below(random, n);
  for (int i = 1; i <= n; i++)
    text_addf(&text,
              "param m_%d = %.3f [kg], mu_%d = %.3f, nu_%d = %.3f\n"
              "coord x_%d = 0 [m], y_%d = 0 [m]\nkinetic = m_%d*(x_%d'^2 + y_%d'^2)/2\n"
              "potential = m_%d*(9.81 [m/s^2])*y_%d\n",
              i, random_real(random, 1, 4), i, random_real(random, 0.1, 0.5), i,
              random_real(random, 0.01, 0.2), i, i, i, i, i, i, i);
  text_add(&text, "contact c_1: y_1 >= 0, friction mu_1 + nu_1, mu_1, along x_1\n");
  for (int i = 2; i <= n; i++)
    text_addf(&text,
              "contact c_%d: y_%d >= y_%d, friction mu_%d + nu_%d, mu_%d, along x_%d - x_%d\n", i,
              i, i - 1, i, i, i, i, i - 1);
  text_addf(&text,
            "param r = %.3f [N/s]\nforce x_%d = r*t\n"
            "measure f = final(x_1), v = final(x_%d'), i = integral(x_%d^2)\n"
            "simulate to %.3f [s] every 0.1 [s]\n",
            random_real(random, 5, 40), pulled, pulled, n, random_real(random, 1, 3));
  return text.at;
}

// Wheels, and drawers that rub at two corners.
static const char *random_start_from_rest(Context *cx, Random *random) {
  double mu = random_real(random, 0.1, 0.4), l = random_real(random, 0.2, 0.5);
  if (random_below(random, 2))
    return text_format(
        &cx->keep,
        "param R = %.3f [m], m = %.3f [kg], a = %.3f [deg], f = %.3f [mm], mu = %.3f\n"
        "gravity (9.81 [m/s^2]*sin(a), -9.81 [m/s^2]*cos(a))\n"
        "body w: disc R, mass m, at = (0, R), angle = 0, velocity = (0, 0), spin = 0\n"
        "contact road: w (0, 0), radius R, line (0, 0), friction mu, rolling f\n"
        "measure v = final(w.x'), s = final(w.x), i = integral(w.omega^2)\n"
        "simulate to 1 [s] every %.3f [s]\n",
        random_real(random, 0.1, 0.5), random_real(random, 1, 9), random_real(random, 2, 40),
        random_real(random, 1, 5), mu, random_real(random, 0.01, 0.3));
  return text_format(
      &cx->keep,
      "param w = %.3f [m], l = %.3f [m], m = %.3f [kg], mu = %.3f, e = %.3f [m], F = %.3f [N]\n"
      "body d: plate (l, w), mass m, at = (0, 0), angle = 0, velocity = (0, 0), spin = 0\n"
      "contact a: d (-l/2, w/2), line (0, w/2), axis 180 [deg], friction mu\n"
      "contact b: d (l/2, -w/2), line (0, -w/2), friction mu\nforce d (l/2, e) = (F, 0)\n"
      "measure f = final(d.x), v = final(d.x')\nsimulate to 1 [s] every %.3f [s]\n",
      random_real(random, 0.3, 0.8), l, random_real(random, 1, 4), mu,
      random_real(random, 0.2, 0.9) * l / (2 * mu), random_real(random, 5, 30),
      random_real(random, 0.01, 0.3));
}

typedef struct Counts {
  int compared, undefined, rough, ended; // ended: runs that did not come to their end
} Counts;

// Central differences at two distances, extrapolated; *error: how far two such agree.
static bool differences(Rerun *rerun, uint32_t place, double step, uint32_t count, double *out,
                        double *error) {
  double at = rerun->given[place], m[6][MOST_MEASURES];
  const double places[6] = {-1, 1, -2, 2, -4, 4};
  for (int k = 0; k < 6; k++) {
    double value = at + places[k] * step;
    if (rerun_measures(rerun, &place, &value, 1, m[k]) != QDOT_OK) return false;
  }
  for (uint32_t i = 0; i < count; i++) {
    double d[3];
    for (int k = 0; k < 3; k++)
      d[k] = (m[2 * k + 1][i] - m[2 * k][i]) / (2 * places[2 * k + 1] * step);
    out[i] = (4 * d[0] - d[1]) / 3;
    error[i] = fabs(out[i] - (4 * d[1] - d[2]) / 3);
  }
  return true;
}

static void check_model(Context *cx, const char *text, Counts *counts) {
  Motion m = motion_load_as(cx, text, NULL, FORMULATION_LAGRANGE);
  m.options.method.rtol = 1e-11;
  const Model *model = m.system.model;
  uint32_t count = model->parameters.n, measures = model->requests.measurements.n;
  uint32_t numbers[MOST_PARAMETERS];
  assert_true(count <= MOST_PARAMETERS);
  for (uint32_t i = 0; i < count; i++) numbers[i] = i;
  Directions directions = {count, numbers};
  Rerun plain, sloped;
  SimOptions with = m.options;
  with.directions = &directions;
  assert_int_equal(rerun_open(&plain, &m.system, &m.options), QDOT_OK);
  assert_int_equal(rerun_open(&sloped, &m.system, &with), QDOT_OK);
  double values[MOST_MEASURES], out[MOST_MEASURES], error[MOST_MEASURES];
  bool is_whole = rerun_measures(&sloped, NULL, NULL, 0, values) == QDOT_OK;
  counts->ended += !is_whole;
  if (is_whole)
    for (uint32_t j = 0; j < count; j++) {
      double at = plain.given[j], step = 2e-4 * fabs(at);
      if (!differences(&plain, j, step, measures, out, error)) {
        counts->ended++;
        continue;
      }
      for (uint32_t i = 0; i < measures; i++) {
        double exact = sloped.slopes[i * count + j];
        double size = fabs(out[i]) + 1e-2 * fabs(values[i] / at);
        if (isnan(values[i])) continue;
        counts->undefined += isnan(exact);
        bool is_rough = !(error[i] <= 2e-6 * size); // an event comes or goes within the distance
        counts->rough += !isnan(exact) && is_rough;
        if (isnan(exact) || is_rough) continue;
        counts->compared++;
        if (fabs(exact - out[i]) <= 3e-6 * size + 3 * error[i]) continue;
        // an event may still lie between the points: look closer
        double near[MOST_MEASURES], near_error[MOST_MEASURES];
        if (differences(&plain, j, step / 20, measures, near, near_error) &&
            fabs(exact - near[i]) <= 2e-5 * size)
          continue;
        printf("%s\n", text);
        fail_msg("d %s/d %s = %.12g, differences %.12g +- %.1g",
                 symbol_text(cx, model->requests.measurements.at[i].name),
                 symbol_text(cx, model->parameters.at[j].name), exact, out[i], error[i]);
      }
    }
  rerun_close(&sloped);
  rerun_close(&plain);
}

TEST(slopes_of_random_models) {
  Random random = random_start("slopes_of_random_models");
  Counts counts = {0};
  int rounds = test_rounds(15);
  for (int k = 0; k < rounds; k++) check_model(cx, random_model(cx, &random), &counts);
  print_message("%d compared, %d undefined, %d too rough, %d ended early\n", counts.compared,
                counts.undefined, counts.rough, counts.ended);
  assert_true(counts.compared > 10 * (counts.undefined + counts.rough));
}

TEST(slopes_of_random_arms_that_rub) {
  Random random = random_start("slopes_of_random_arms_that_rub");
  Counts counts = {0};
  int rounds = test_rounds(6);
  for (int k = 0; k < rounds; k++) check_model(cx, random_arms(cx, &random), &counts);
  print_message("%d compared, %d undefined, %d too rough, %d ended early\n", counts.compared,
                counts.undefined, counts.rough, counts.ended);
  assert_int_equal(counts.ended, 0);
  assert_true(counts.compared > 3 * (counts.undefined + counts.rough));
}

TEST(slopes_of_what_starts_from_rest_on_its_feet) {
  Random random = random_start("slopes_of_what_starts_from_rest_on_its_feet");
  Counts counts = {0};
  int rounds = test_rounds(2);
  for (int k = 0; k < rounds; k++) {
    check_model(cx, random_box(cx, &random), &counts);
    check_model(cx, random_stack(cx, &random), &counts);
    check_model(cx, random_start_from_rest(cx, &random), &counts);
  }
  print_message("%d compared, %d undefined, %d too rough, %d ended early\n", counts.compared,
                counts.undefined, counts.rough, counts.ended);
  assert_true(counts.compared > 3 * (counts.undefined + counts.rough));
}

RUN_TESTS(cmocka_unit_test(slopes_of_random_models),
          cmocka_unit_test(slopes_of_what_starts_from_rest_on_its_feet),
          cmocka_unit_test(slopes_of_random_arms_that_rub))
