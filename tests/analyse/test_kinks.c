// Where the forces jump there is no linearization and none is shown; where a function switches and
// they stay smooth there is one.
#include <math.h>
#include <string.h>

#include "analyse/vibration/valley.h"
#include "base/text.h"
#include "support/analysis.h"

// V = sign * shape + k/2 (x - a)^2 at x = a, with random numbers.
static const char *model_with(Context *cx, Random *random, const char *shape, int sign) {
  return text_format(&cx->keep,
                     "param F = %g [N], k = %g [N/m], a = %g [m], m = 2 [kg], L = 1 [m]\n"
                     "coord x = a\nkinetic = 1/2*m*x'^2\n"
                     "potential b = %sF*%s\npotential = 1/2*k*(x - a)^2\nlinearize at x = a\n",
                     random_real(random, 0.5, 5), random_real(random, 5, 50),
                     random_real(random, -2, 2), sign < 0 ? "-" : "", shape);
}

static void check_says(const char *text, const char *part) {
  if (!strstr(text, part)) fail_msg("'%s' is not said: %s", part, text);
}

TEST(jumps_are_refused_and_judged_by_energy) {
  static const char *const shapes[] = {"abs(x - a)",
                                       "max(x - a, a - x)",
                                       "if(x > a, x - a, a - x)",
                                       "if(x <= a, a - x, 2*(x - a))",
                                       "(abs(x - a) + (x - a)^2/L)",
                                       "-min(x - a, 2*(a - x))"};
  Random random = random_start("kinks");
  for (int round = 0; round < 3; round++)
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
      for (int sign = -1; sign <= 1; sign += 2) {
        Analysed a = analysed(cx, model_with(cx, &random, shapes[i], sign));
        const char *said = linearize_error(&a);
        check_says(said, "the equations have no slope here: the forces jump where");
        check_says(said, sign > 0 ? "a strict minimum here: stable" : "not stable");
        cx->diagnostics = (Diagnostics){0};
      }
}

TEST(smooth_switches_are_linearized) {
  static const char *const shapes[] = {"abs(x - a)^5/L^4", "(x - a)^4*abs(x - a)/L^4",
                                       "max(x - a, 0)^5/L^4",
                                       "if(x > a, (x - a)^6/L^5, (x - a)^5/L^4)"};
  Random random = random_start("smooth switches");
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
    for (int sign = -1; sign <= 1; sign += 2) {
      Analysed a = analysed(cx, model_with(cx, &random, shapes[i], sign));
      Linearized l = linearized(&a);
      check_by_differences(&a, &l);
    }
}

static const char *judged(Context *cx, const char *text) {
  Analysed a = analysed(cx, text);
  Linearized l = linearized(&a);
  Modes modes;
  assert_int_equal(modes_find(&l, &cx->keep, &modes), QDOT_OK);
  energy_judge_alone(&l, a.values, &modes);
  return stability_text(&modes);
}

static void check_begins(const char *text, const char *part) {
  if (strncmp(text, part, strlen(part))) fail_msg("'%s' does not begin with: %s", text, part);
}

// Continuous forces with two slopes: what is said holds on both sides, whichever is taken.
TEST(both_sides_of_a_switch_are_judged) {
  Random random = random_start("sides");
  for (int round = 0; round < 40; round++) {
    double k[2], c[2];
    for (int i = 0; i < 2; i++) {
      k[i] = random_real(&random, 10, 90) * (random_real(&random, 0, 1) < 0.3 ? -1 : 1);
      c[i] = random_real(&random, 0.1, 1);
    }
    bool damped = round % 2;
    const char *text = text_format(
        &cx->keep,
        "param m = 2 [kg], a = %g [m], s = 1 [m]\ncoord x = a\nkinetic = 1/2*m*x'^2\n"
        "potential = 1/2*%g [N/m]*max(x - a, 0)^2 + 1/2*%g [N/m]*min(x - a, 0)^2\n%s"
        "linearize at x = a\n",
        random_real(&random, -2, 2), k[0], k[1],
        damped
            ? text_format(&cx->keep, "dissipation = 1/2*if(x > a, %g [N*s/m], %g [N*s/m])*x'^2\n",
                          c[0], c[1])
            : "");
    check_begins(judged(cx, text), k[0] < 0 || k[1] < 0 ? "unstable on one side"
                                   : damped             ? "asymptotically stable, with other slopes"
                                                        : "stable, with other slopes");
  }
}

// Two masses: on each side the energy has a minimum or falls somewhere.
TEST(both_sides_of_coupled_masses_are_judged) {
  Random random = random_start("coupled sides");
  for (int round = 0; round < 40; round++) {
    double k[2], coupling = random_real(&random, 20, 40), other = random_real(&random, 5, 20);
    bool minimum = true;
    for (int i = 0; i < 2; i++) {
      k[i] = random_real(&random, -30, 60);
      double determinant = (k[i] + coupling) * (other + coupling) - coupling * coupling;
      if (fabs(determinant) < 50) k[i] = 50, determinant = 1;
      minimum = minimum && determinant > 0;
    }
    const char *text =
        text_format(&cx->keep,
                    "param m = 2 [kg]\ncoord x = 0 [m], y = 0 [m]\nkinetic = 1/2*m*x'^2 + m*y'^2\n"
                    "potential = 1/2*%g [N/m]*max(x, 0)^2 + 1/2*%g [N/m]*min(x, 0)^2\n"
                    "potential = 1/2*%g [N/m]*(x - y)^2 + 1/2*%g [N/m]*y^2\n"
                    "linearize at x = 0, y = 0\n",
                    k[0], k[1], coupling, other);
    check_begins(judged(cx, text), minimum ? "stable, with other slopes" : "unstable on one side");
  }
}

// On its switch or beside it is a question of the lengths of the problem, not of metres.
TEST(switches_are_met_at_every_size) {
  Random random = random_start("sizes");
  for (int power = -9; power <= 9; power += 3)
    for (int beside = 0; beside < 2; beside++) {
      double a = random_real(&random, 1, 9) * pow(10, power);
      const char *text =
          text_format(&cx->keep,
                      "param k = 20 [N/m], K = 30 [N/m], a = %.17g [m], b = %.17g [m], m = 2 [kg]\n"
                      "coord x = a\nkinetic = 1/2*m*x'^2\n"
                      "potential = 1/2*k*(x - a)^2 + 1/2*K*max(x - b, 0)^2\nlinearize at x = a\n",
                      a, beside ? a * (1 + 1e-7) : a);
      Analysed system = analysed(cx, text);
      Linearized l = linearized(&system);
      assert_int_equal(l.kinks.n, beside ? 0 : 1);
    }
}

RUN_TESTS(cmocka_unit_test(switches_are_met_at_every_size),
          cmocka_unit_test(jumps_are_refused_and_judged_by_energy),
          cmocka_unit_test(both_sides_of_a_switch_are_judged),
          cmocka_unit_test(both_sides_of_coupled_masses_are_judged),
          cmocka_unit_test(smooth_switches_are_linearized))
