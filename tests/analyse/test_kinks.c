// Where the forces jump there is no linearization and none is shown; where a function switches and
// they stay smooth there is one.
#include <string.h>

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

RUN_TESTS(cmocka_unit_test(jumps_are_refused_and_judged_by_energy),
          cmocka_unit_test(smooth_switches_are_linearized))
