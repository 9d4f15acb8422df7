// The speed at which a follower leaves its cam, found by one line, against its closed form.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "qdot/qdot.h"
#include "support/check.h"

static int keep_text(void *user, const char *bytes, size_t n) {
  strncat(user, bytes, n);
  return 0;
}

static double number_after(const char *text, const char *key) {
  const char *at = strstr(text, key);
  assert_non_null(at);
  return strtod(strchr(at, ':') + 1, NULL);
}

static void find(const char *text, char *out, size_t size) {
  qdot_context *cx = qdot_context_open(NULL);
  qdot_model *model;
  qdot_answer *answer;
  assert_int_equal(qdot_model_parse(cx, "cam.qdot", text, strlen(text), NULL, &model), QDOT_OK);
  assert_int_equal(qdot_model_ask(model, "find", NULL, &answer), QDOT_OK);
  qdot_write_options json = qdot_write_defaults();
  json.format = QDOT_FORMAT_JSON;
  memset(out, 0, size);
  qdot_sink sink = {keep_text, out};
  assert_int_equal(qdot_answer_write(answer, &json, sink), QDOT_OK);
  qdot_context_close(cx);
}

// y = e (1 - cos w t) is pressed by F + k y + m y'': least at the top, where it is F + 2 k e -
// m e w^2. Beyond lift-off it is 0 and tells no way back.
TEST(the_fastest_cam_is_found) {
  (void)cx;
  Random random = random_start("cams");
  for (int round = 0; round < test_rounds(6); round++) {
    double m = random_real(&random, 0.2, 2), k = random_real(&random, 50, 500);
    double e = random_real(&random, 0.005, 0.04), F = random_real(&random, 1, 20);
    double w = sqrt((F + 2 * k * e) / (m * e));
    char text[1000], out[20000];
    snprintf(text, sizeof text,
             "param m = %.17g [kg], k = %.17g [N/m], F = %.17g [N], e = %.17g [m]\n"
             "param w = %.17g [rad/s]\ncoord y = 0 [m], y' = 0 [m/s]\n"
             "kinetic = 1/2*m*y'^2\npotential = 1/2*k*y^2 + F*y\n"
             "contact cam: y >= e*(1 - cos(w*t))\n"
             "measure least = min(lambda_cam), speed = w\n"
             "find w in %.17g..%.17g [rad/s]: maximize speed, least >= %.17g [N]\n"
             "simulate to %.17g [s] every 0.1 [s]\n",
             m, k, F, e, w * random_real(&random, 0.4, 0.9), 0.3 * w, 3 * w, 1e-6 * F, 15 / w);
    find(text, out, sizeof out);
    assert_non_null(strstr(out, "\"found\": true"));
    double found = number_after(out, "\"w\"");
    if (fabs(found - w) > 1e-5 * w) print_message("%.9g, expected %.9g\n", found, w);
    assert_true(fabs(found - w) <= 1e-5 * w);
  }
}

RUN_TESTS(cmocka_unit_test(the_fastest_cam_is_found))
