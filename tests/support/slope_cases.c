// Slopes of measures along parameters, compared with differences of runs.
#include "support/slope_cases.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sim/run_source.h"
#include "support/motion.h"

enum { MOST_MEASURES = 16 };

// Central differences at two distances, extrapolated.
static void differences(const SlopeCase *c, Rerun *rerun, uint32_t place, double step,
                        uint32_t count, double *out) {
  double at = rerun->given[place], m[4][MOST_MEASURES];
  const double places[4] = {-1, 1, -2, 2};
  for (int k = 0; k < 4; k++) {
    double value = at + places[k] * step;
    if (rerun_measures(rerun, &place, &value, 1, m[k]) != QDOT_OK)
      fail_msg("%s: a run beside, at %.12g, ends early", c->name, value);
  }
  for (uint32_t i = 0; i < count; i++) {
    double near = (m[1][i] - m[0][i]) / (2 * step), far = (m[3][i] - m[2][i]) / (4 * step);
    out[i] = (4 * near - far) / 3;
  }
}

void check_slopes(Context *cx, const SlopeCase *c) {
  Motion m = motion_load_as(cx, c->text, NULL, FORMULATION_LAGRANGE);
  m.options.method.rtol = 1e-11;
  uint32_t numbers[8], count = 0;
  for (; count < 8 && c->parameters[count]; count++)
    for (uint32_t i = 0; i < m.system.model->parameters.n; i++)
      if (strcmp(symbol_text(cx, m.system.model->parameters.at[i].name), c->parameters[count]) == 0)
        numbers[count] = i;
  Directions directions = {count, numbers};
  Rerun plain, sloped;
  assert_int_equal(rerun_open(&plain, &m.system, &m.options), QDOT_OK);
  SimOptions with = m.options;
  with.directions = &directions;
  assert_int_equal(rerun_open(&sloped, &m.system, &with), QDOT_OK);
  uint32_t measures = m.system.model->requests.measurements.n;
  double values[MOST_MEASURES], same[MOST_MEASURES], slopes[MOST_MEASURES];
  if (rerun_measures(&sloped, NULL, NULL, 0, values) != QDOT_OK) fail_msg("%s", c->name);
  assert_int_equal(rerun_measures(&plain, NULL, NULL, 0, same), QDOT_OK);
  if (memcmp(values, same, measures * sizeof *values) != 0)
    fail_msg("%s: the motion is not the same with slopes", c->name);
  for (uint32_t j = 0; j < count; j++) {
    double at = plain.given[numbers[j]], step = 1e-3 * (at != 0 ? fabs(at) : 1);
    differences(c, &plain, numbers[j], step, measures, slopes);
    for (uint32_t i = 0; i < measures; i++) {
      const char *name = symbol_text(cx, m.system.model->requests.measurements.at[i].name);
      double exact = sloped.slopes[i * count + j];
      double size = fabs(slopes[i]) + 1e-3 * fabs(values[i] / (at != 0 ? at : 1));
      double allowed = 2e-6 * size + 1e-9 + 1e-10 * fabs(values[i]) / step;
      if (!(fabs(exact - slopes[i]) <= allowed))
        printf("%s: d %s/d %s = %.12g, differences %.12g (%.1e) %s\n", c->name, name,
               c->parameters[j], exact, slopes[i], fabs(exact - slopes[i]) / size,
               sloped.undefined[i] ? sloped.undefined[i] : "");
      CHECK_NEAR(exact, slopes[i], allowed);
    }
  }
  rerun_close(&sloped);
  rerun_close(&plain);
}
