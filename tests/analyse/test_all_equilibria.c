// All equilibria where the balance is a polynomial of coordinates, or of sines and cosines.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analyse/vibration/stability.h"
#include "support/analysis.h"

static Equilibria equilibria_of(Context *cx, const char *text) {
  Analysed a = analysed(cx, text);
  Equilibria e;
  assert_int_equal(equilibria_find(a.cx, a.system, a.values, NULL, 32, &e), QDOT_OK);
  return e;
}

// Forces c (x - r_1) ... (x - r_k) (x^2 + p x + q), of any scale, from a start beside one root.
TEST(roots_of_polynomials_are_all_found) {
  Random random = random_start("roots_of_polynomials_are_all_found");
  for (int round = 0; round < test_rounds(40); round++) {
    int count = 1 + (int)random_below(&random, 5);
    double size = pow(10, random_real(&random, -3, 3)), root[5], at = random_real(&random, -3, 0);
    Text text = text_new(&cx->keep);
    text_addf(&text, "param s = %.17g [m]\ncoord x = %.17g*s\nkinetic = (1 [kg])*x'^2/2\n", size,
              random_real(&random, -3, 3));
    text_addf(&text, "force x = -(%.6g [N])*(x^2/s^2 + 0.3*x/s + %.6g)",
              random_real(&random, 0.5, 5), random_real(&random, 0.5, 5));
    for (int i = 0; i < count; i++) {
      root[i] = at;
      text_addf(&text, "*(x/s - (%.17g))", at);
      at += random_real(&random, 0.05, 2);
    }
    text_add(&text, "\n");
    Equilibria e = equilibria_of(cx, text.at);
    if (!e.is_complete) fail_msg("%u of %d: %s", e.n, count, text.at);
    assert_int_equal(e.n, count);
    for (int i = 0; i < count; i++) {
      double nearest = INFINITY;
      for (uint32_t k = 0; k < e.n; k++)
        nearest = fmin(nearest, fabs(e.at[k].state->q[0] / size - root[i]));
      assert_true(nearest < 1e-9);
    }
  }
}

// ---- Two coordinates, against Newton's iteration of our own from a fine grid

typedef struct Plane {
  double c[8];
  bool turns;
} Plane;

static void gradient(const Plane *p, const double *x, double *g) {
  const double *c = p->c;
  if (p->turns) {
    g[0] = c[0] * sin(x[0]) + c[2] * sin(x[0] - x[1]) + c[3] * sin(2 * x[0] + 0.4);
    g[1] = c[1] * sin(x[1]) - c[2] * sin(x[0] - x[1]);
    return;
  }
  g[0] = c[0] * x[0] + c[1] * x[1] + c[2] * x[0] * x[0] + 2 * c[3] * x[0] * x[1] +
         c[4] * x[1] * x[1] + c[6] * x[0] * x[0] * x[0];
  g[1] = c[1] * x[0] + c[5] * x[1] + c[3] * x[0] * x[0] + 2 * c[4] * x[0] * x[1] +
         c[7] * x[1] * x[1] * x[1];
}

static const char *text_of(Context *cx, const Plane *p) {
  const double *c = p->c;
  if (p->turns)
    return text_format(&cx->keep,
                       "coord x = 0.3, y = 0.2\nkinetic = (1 [kg*m^2])*(x'^2 + y'^2)/2\n"
                       "potential = -(1 [J])*(%.17g*cos(x) + %.17g*cos(y) + %.17g*cos(x - y) + "
                       "%.17g/2*cos(2*x + 0.4))\n",
                       c[0], c[1], c[2], c[3]);
  return text_format(
      &cx->keep,
      "param s = 1 [m]\ncoord x = 0.3 [m], y = 0.2 [m]\nkinetic = (1 [kg])*(x'^2 + y'^2)/2\n"
      "potential = (1 [J])*(%.17g*(x/s)^2/2 + %.17g*x*y/s^2 + %.17g*(x/s)^3/3 + "
      "%.17g*(x/s)^2*(y/s) + %.17g*(x/s)*(y/s)^2 + %.17g*(y/s)^2/2 + %.17g*(x/s)^4/4 + "
      "%.17g*(y/s)^4/4)\n",
      c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7]);
}

// Into found, n x 2; false where two are too near to each other for this test.
static bool newton_everywhere(const Plane *p, double reach, double (*found)[2], uint32_t *n) {
  enum { GRID = 60 };
  *n = 0;
  for (int start = 0; start < GRID * GRID; start++) {
    double x[2] = {reach * (2. * (start % GRID) / (GRID - 1) - 1),
                   reach * (2. * (int)(start / GRID) / (GRID - 1) - 1)},
           g[2] = {1, 1}, step = 1;
    for (int k = 0; k < 60 && step > 1e-14; k++) {
      double h = 1e-6, ahead[2][2], behind[2][2];
      gradient(p, x, g);
      for (int j = 0; j < 2; j++) {
        double y[2] = {x[0], x[1]};
        y[j] += h;
        gradient(p, y, ahead[j]);
        y[j] -= 2 * h;
        gradient(p, y, behind[j]);
      }
      double a = (ahead[0][0] - behind[0][0]) / (2 * h), b = (ahead[1][0] - behind[1][0]) / (2 * h);
      double c = (ahead[0][1] - behind[0][1]) / (2 * h), d = (ahead[1][1] - behind[1][1]) / (2 * h);
      double det = a * d - b * c, dx = -(d * g[0] - b * g[1]) / det,
             dy = -(a * g[1] - c * g[0]) / det;
      step = hypot(dx, dy);
      double part = fmin(1, 0.5 / step);
      x[0] += part * dx, x[1] += part * dy;
    }
    if (!(hypot(g[0], g[1]) < 1e-9)) continue;
    bool is_new = true;
    for (uint32_t i = 0; i < *n; i++) {
      double u = x[0] - found[i][0], v = x[1] - found[i][1];
      if (p->turns) u = remainder(u, 2 * M_PI), v = remainder(v, 2 * M_PI);
      if (hypot(u, v) < 1e-2 && hypot(u, v) > 1e-5) return false;
      is_new = is_new && hypot(u, v) > 1e-5;
    }
    if (is_new && *n < 20) memcpy(found[(*n)++], x, sizeof x);
  }
  return true;
}

static void compare_with_grid(Context *cx, bool turns, const char *name) {
  Random random = random_start(name);
  int compared = 0, rounds = test_rounds(12);
  for (int round = 0; round < rounds; round++) {
    Plane p = {.turns = turns};
    for (int k = 0; k < 8; k++) p.c[k] = random_real(&random, -3, 3);
    if (!turns) p.c[6] = fabs(p.c[6]) + 0.5, p.c[7] = fabs(p.c[7]) + 0.5;
    double found[20][2];
    uint32_t n;
    if (!newton_everywhere(&p, turns ? M_PI : 8, found, &n)) continue;
    Equilibria e = equilibria_of(cx, text_of(cx, &p));
    if (e.n != n) fail_msg("%u instead of %u: %s", e.n, n, text_of(cx, &p));
    assert_true(e.is_complete);
    compared++;
  }
  assert_true(3 * compared >= 2 * rounds);
}

TEST(potentials_of_two_coordinates_have_all) {
  compare_with_grid(cx, false, "potentials_of_two_coordinates_have_all");
}

TEST(angles_have_all) { compare_with_grid(cx, true, "angles_have_all"); }

// Henon and Heiles's potential, from its middle.
TEST(henon_heiles_has_four) {
  Equilibria e = equilibria_of(cx, "param k = 1 [N/m], l = 1 [N/m^2]\ncoord x = 0 [m], y = 0 [m]\n"
                                   "kinetic = (1 [kg])*(x'^2 + y'^2)/2\n"
                                   "potential = k*(x^2 + y^2)/2 + l*(x^2*y - y^3/3)\n");
  assert_int_equal(e.n, 4);
  assert_true(e.is_complete);
}

// Nothing is claimed of a multiple root, nor of what is no polynomial; mirrored states are tried.
TEST(what_cannot_be_counted_may_have_more) {
  Equilibria e = equilibria_of(cx, "coord x = 1 [m]\nkinetic = (1 [kg])*x'^2/2\n"
                                   "potential = (1 [N/m^3])*x^4\n");
  assert_int_equal(e.n, 1);
  assert_false(e.is_complete);
  e = equilibria_of(cx, "param l = 1 [m]\ncoord x = 0.001 [m]\nkinetic = (1 [kg])*x'^2/2\n"
                        "force x = (3 [N])*tanh(x/l) - (0.01 [N/m])*x\n");
  assert_int_equal(e.n, 3);
  assert_false(e.is_complete);
  CHECK_NEAR(fabs(e.at[1].state->q[0]), 300, 1e-6);
}

RUN_TESTS(cmocka_unit_test(roots_of_polynomials_are_all_found),
          cmocka_unit_test(potentials_of_two_coordinates_have_all),
          cmocka_unit_test(angles_have_all), cmocka_unit_test(henon_heiles_has_four),
          cmocka_unit_test(what_cannot_be_counted_may_have_more))
