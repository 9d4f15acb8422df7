// Contacts whose gap is a distance: they are felt also where their ends start together and the gap
// has no slope. Against flights in closed form, and what overlaps is an error of the run.
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "support/motion.h"

// Starts at the centre of a ring of radius L with the speed v: where it is, as a distance along its
// first direction, after bounces of restitution e.
static double place_in_ring(double L, double v, double e, double t) {
  double at = L / v, x = L, speed = v;
  if (t < at) return v * t;
  for (int way = -1;; way = -way) {
    speed *= e;
    double flight = 2 * L / speed;
    if (!(speed > 0)) return x;
    if (t < at + flight) return x + way * speed * (t - at);
    at += flight, x = way * L;
  }
}

static const char *const rings[] = {
    "coord x = a, x' = u, y = b, y' = w\nkinetic = 1/2*m*(x'^2 + y'^2)\n"
    "contact ring: sqrt((x - a)^2 + (y - b)^2) <= L restitution e\n",
    "coord x = a, x' = u, y = b, y' = w\nlet r = norm((x - a, y - b))\n"
    "kinetic = 1/2*m*(x'^2 + y'^2)\ncontact ring: r <= L restitution e\n",
    "coord x = a, x' = u, y = b, y' = w, z = 0\nkinetic = 1/2*m*(x'^2 + y'^2 + z'^2)\n"
    "contact ring: norm((x - a, y - b, z)) <= L restitution e\n",
    "body P: mass m, point, at = (a, b), velocity = (u, w)\n"
    "rope R: ground (a, b), P (0, 0), length L, restitution e\noutput x = P.x, y = P.y\n",
    // seen from a carrier ten times as heavy that flies along
    "coord x = a, x' = u, y = b, y' = w, X = 0\nkinetic = 1/2*m*(x'^2 + y'^2) + 5*m*X'^2\n"
    "contact wall: X >= -1\ncontact ring: norm((x - a, y - b)) <= L restitution e\n",
};
enum { RINGS = sizeof rings / sizeof *rings };

TEST(felt_from_the_centre) {
  Random random = random_start("felt_from_the_centre"), *draw = &random;
  for (int i = 0; i < test_rounds(60); i++) {
    double L = exp(random_real(draw, -5, 4)), v = exp(random_real(draw, -2, 3)), T = 5 * L / v;
    double direction = random_real(draw, 0, 6.28), e = random_real(draw, 0.2, 1);
    bool at_origin = random_below(draw, 2);
    double a = at_origin ? 0 : random_real(draw, -3, 3),
           b = at_origin ? 0 : random_real(draw, -3, 3);
    static const char *const using[] = {"rk853", "rk45", "rk853", "moreau(step = %.17g)"};
    int method = (int)random_below(draw, 4);
    Motion m = motion_to_end(
        cx, text_format(&cx->keep,
                        "param m = 2 [kg], L = %.17g [m], e = %.17g, a = %.17g [m], b = %.17g [m]\n"
                        "param u = %.17g [m/s], w = %.17g [m/s]\n%ssimulate to %.17g every %.17g "
                        "using %s\n",
                        L, e, a, b, v * cos(direction), v * sin(direction),
                        rings[random_below(draw, RINGS)], T, T / 50,
                        text_format(&cx->keep, using[method], T / 5000)));
    double good = method == 3 ? 5e-3 * L : 1e-7 * (L + fabs(a) + fabs(b));
    for (int k = 0; k <= 50; k++) {
      double t = k * T / 50, s = place_in_ring(L, v, e, t);
      CHECK_NEAR(motion_at(&m, t, "x"), a + s * cos(direction), good);
      CHECK_NEAR(motion_at(&m, t, "y"), b + s * sin(direction), good);
    }
  }
}

// Hung from where it starts, a mass falls freely until its rope catches it: without stretch at
// once, with stiffness where m g (L + s) = k s^2/2; slack, the rope pulls with 0.
static const char *const ropes[] = {
    "body P: mass m, point, at = (0, 0), velocity = (0, 0)\ngravity (0, -g)\n"
    "rope R: ground (0, 0), P (0, 0), length L, stiffness k\noutput y = P.y, F = R.F\n",
    "coord x = 0, y = 0\nkinetic = 1/2*m*(x'^2 + y'^2)\n"
    "potential = m*g*y + 1/2*k*max(0, sqrt(x^2 + y^2) - L)^2\noutput F = k*max(0, -y - L)\n",
    "coord x = 0, y = 0\nlet l = sqrt(x^2 + y^2)\nkinetic = 1/2*m*(x'^2 + y'^2)\n"
    "potential = m*g*y + if(l > L, 1/2*k*(l - L)^2, 0)\noutput F = k*max(0, -y - L)\n",
    "coord x = 0, y = 0\nkinetic = 1/2*m*(x'^2 + y'^2)\nlet l = sqrt(x^2 + y^2)\n"
    "potential = m*g*y\nforce x = if(l > L, -k*(l - L)*x/l, 0)\n"
    "force y = if(l > L, -k*(l - L)*y/l, 0)\noutput F = k*max(0, -y - L)\n",
};
enum { ROPES = sizeof ropes / sizeof *ropes };

TEST(slack_ropes_catch) {
  Random random = random_start("slack_ropes_catch"), *draw = &random;
  for (int i = 0; i < test_rounds(40); i++) {
    double m = exp(random_real(draw, -3, 3)), L = exp(random_real(draw, -2, 3)), g = 9.81;
    double s = random_real(draw, 0.01, 0.3) * L, k = 2 * m * g * (L + s) / (s * s);
    double T = 1.2 * sqrt(2 * L / g) + 3 * sqrt(m / k);
    Motion motion = motion_to_end(
        cx,
        text_format(&cx->keep,
                    "param m = %.17g [kg], L = %.17g [m], g = %.17g [m/s^2], k = %.17g [N/m]\n"
                    "%smeasure lowest = min(y), hardest = max(F)\nsimulate to %.17g every %.17g\n",
                    m, L, g, k, ropes[random_below(draw, ROPES)], T, T / 20));
    CHECK_NEAR(motion_at(&motion, 0, "F"), 0, 0);
    double t = sqrt(2 * L / g) * 0.9, row = round(t / (T / 20)) * T / 20;
    CHECK_NEAR(motion_at(&motion, row, "y"), -g * row * row / 2, 1e-9 * L);
    CHECK_NEAR(motion.summary.measures[0], -L - s, 1e-6 * L);
    CHECK_NEAR(motion.summary.measures[1], k * s, 1e-5 * k * s);
  }
}

static void ends_with(Context *cx, const char *text, const char *why) {
  Motion m = motion_of(cx, text);
  assert_int_equal(m.summary.stopped, STOPPED_LIMIT);
  bool is_told = false;
  for (uint32_t i = 0; i < cx->diagnostics.list.n; i++)
    is_told |= strstr(cx->diagnostics.list.at[i].message, why) != NULL;
  if (!is_told) motion_explain(&m);
  assert_true(is_told);
}

// A gap without a value, and one without a direction where it closes, end the run.
TEST(gaps_without_value_end_the_run) {
  ends_with(cx,
            "coord x = 0 [m], x' = 1 [m/s]\nkinetic = 1/2*(1 [kg])*x'^2\n"
            "contact wall: -sqrt(1 - x/(0.5 [m])) <= 1\nsimulate to 1 [s] every 10 [ms]\n",
            "the gap of contact 'wall' has no value");
  Motion m = motion_load(cx,
                         "coord x = 0 [m], y = 0 [m]\nkinetic = 1/2*(1 [kg])*(x'^2 + y'^2)\n"
                         "contact point: norm((x, y)) <= 0\nsimulate to 2 [s] every 10 [ms]\n",
                         NULL);
  motion_run(&m);
  assert_int_equal(m.status, QDOT_INCONSISTENT);
}

RUN_TESTS(cmocka_unit_test(felt_from_the_centre), cmocka_unit_test(slack_ropes_catch),
          cmocka_unit_test(gaps_without_value_end_the_run))
