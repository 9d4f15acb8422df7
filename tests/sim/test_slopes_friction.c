// Slopes of motions with friction: by its coefficients, through sticking, slipping and impacts.
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "sim/run_source.h"
#include "support/motion.h"
#include "support/slope_cases.h"

static const SlopeCase cases[] = {
    {"a block is thrown against a spring and comes to rest",
     "param mu_s = 0.7, mu_k = 0.3, m = 2 [kg], g = 9.81 [m/s^2], v = 3 [m/s], k = 40 [N/m]\n"
     "coord x = 0 [m], y = 0 [m]\ncoord x' = v\nkinetic = m*(x'^2 + y'^2)/2\n"
     "potential = m*g*y + k*x^2/2\ncontact floor: y >= 0, friction mu_s, mu_k, along x\n"
     "measure d = final(x), top = max(x), i = integral(abs(x')), u = max(abs(floor.R)) from 1 [s]\n"
     "measure turn = first(t, x' < 0 [m/s])\nsimulate to 3 [s] every 0.1 [s]\n",
     {"mu_s", "mu_k", "m", "g", "v", "k"}},
    {"a block on an incline that is raised until it slips",
     "param mu_s = 0.6, mu_k = 0.4, m = 2 [kg], g = 9.81 [m/s^2], w = 0.4 [rad/s]\n"
     "coord x = 0 [m], y = 0 [m]\nkinetic = m*(x'^2 + y'^2)/2\n"
     "force x = m*g*sin(w*t)\nforce y = -m*g*cos(w*t)\n"
     "contact slope: y >= 0, friction mu_s, mu_k, along x\n"
     "measure d = final(x), v = final(x'), slip = first(t, x > 1 [mm]), N = final(slope.N)\n"
     "simulate to 2.5 [s] every 0.1 [s]\n",
     {"mu_s", "mu_k", "m", "g", "w"}},
    {"a ball goes from sliding to rolling, against a resistance",
     "param mu = 0.2, f = 4 [mm], R = 0.11 [m], m = 6 [kg], g = 9.81 [m/s^2], v = 7 [m/s]\n"
     "gravity (0, -g)\nbody ball: mass m, inertia 2/5*m*R^2, at (0, R), velocity (v, 0)\n"
     "contact lane: ball (0, 0), radius R, line (0, 0), friction mu, rolling f\n"
     "measure x = final(ball.x), u = final(ball.x'), w = max(abs(ball.omega))\n"
     "simulate to 3 [s] every 0.1 [s]\n",
     {"mu", "f", "R", "m", "g", "v"}},
    {"a disc is thrown at a floor with spin: it slides in the blow, or not",
     "param mu = 0.04, e = 0.7, R = 0.1 [m], g = 9.81 [m/s^2], v = 2 [m/s], s = -30 [rad/s]\n"
     "gravity (0, -g)\nbody d: mass 1 [kg], disc R, at (0, 0.5 [m]), velocity (v, 0), spin = s\n"
     "contact floor: d (0, 0), radius R, line (0, 0), restitution e, friction mu\n"
     "measure x = final(d.x), w = final(d.omega), i = integral(d.y), u = final(d.x')\n"
     "simulate to 1.25 [s] every 0.1 [s]\n",
     {"mu", "e", "R", "g", "v", "s"}},
    {"a rod falls on its end and slides away",
     "param mu = 0.3, e = 0.4, L = 1 [m], g = 9.81 [m/s^2], h = 0.8 [m], a = 60 [deg]\n"
     "gravity (0, -g)\nbody rod: mass 2 [kg], rod L, at (0, h), angle = a, spin = 1 [rad/s]\n"
     "contact low: rod (-L/2, 0), line (0, 0), restitution e, friction mu\n"
     "measure x = final(rod.x), w = final(rod.omega), y = final(rod.y), i = integral(rod.theta)\n"
     "simulate to 0.45 [s] every 0.05 [s]\n",
     {"mu", "e", "L", "g", "h", "a"}},
    {"a ladder slides down a wall",
     "param mu_1 = 0.2, mu_2 = 0.1, L = 2 [m], g = 9.81 [m/s^2], a = 40 [deg]\n"
     "gravity (0, -g)\nbody b: mass 3 [kg], rod L, at (-L/2*cos(a), L/2*sin(a)), angle = a\n"
     "contact floor: b (-L/2, 0), line (-9 [m], 0), friction mu_1\n"
     "contact wall: b (L/2, 0), line (0, 0), axis 90 [deg], friction mu_2\n"
     "measure x = final(b.x), w = final(b.omega), N = max(floor.N)\n"
     "simulate to 0.3 [s] every 0.05 [s]\n",
     {"mu_1", "mu_2", "L", "g", "a"}},
    {"a rope on a post, and a band that brakes",
     "param mu = 0.2, m_1 = 2 [kg], m_2 = 5 [kg], g = 9.81 [m/s^2], F = 40 [N], beta = 200 [deg]\n"
     "coord a = 0 [m], b = 0 [m]\nkinetic = m_1*a'^2/2 + m_2*b'^2/2\n"
     "potential = -m_1*g*a - m_2*g*b\n"
     "contact rope: a + b <= 0, friction mu, wrap beta, along (b - a)/2\n"
     "measure x = final(b), v = final(b'), N = final(rope.N)\nsimulate to 0.7 [s] every 0.1 [s]\n",
     {"mu", "m_1", "m_2", "g", "beta"}},
    {"a slide with a long guide, pushed off its middle",
     "param mu = 0.25, l = 0.2 [m], b = 0.15 [m], m = 2 [kg], F = 20 [N], g = 9.81 [m/s^2]\n"
     "gravity (0, -g)\nbody s: mass m, point, at (0, 0), velocity (1 [m/s], 0)\n"
     "joint guide: prismatic ground (0, 0), s (0, 0), length l, friction mu\n"
     "force s (0, b) = (F*cos(5*t/(1 [s])), 0)\n"
     "measure x = final(s.x), v = final(s.x'), N = max(guide.N), i = integral(abs(guide.R))\n"
     "simulate to 1.3 [s] every 0.1 [s]\n",
     {"mu", "l", "b", "m", "F", "g"}},
    {"an arm runs down in its bearing",
     "param mu_s = 0.5, mu_k = 0.4, r = 30 [mm], L = 0.6 [m], m = 2 [kg], g = 9.81 [m/s^2], w = 6 "
     "[rad/s]\n"
     "gravity (0, -g)\nbody arm: mass m, rod L, angle = -80 [deg], spin = w\n"
     "joint A: revolute ground (0, 0), arm (-L/2, 0), friction mu_s, mu_k, radius r\n"
     "measure a = final(arm.theta), top = max(arm.theta), N = max(A.N), T = first(t, arm.omega < "
     "0)\n"
     "simulate to 2.5 [s] every 0.1 [s]\n",
     {"mu_s", "mu_k", "r", "L", "m", "g", "w"}},
    {"a slider-crank that rubs in all joints",
     "param mu = 0.2, nu = 0.1, r = 0.3 [m], l = 1 [m], w = 10 [rad/s], g = 9.81 [m/s^2]\n"
     "gravity (0, -g)\nbody crank: mass 1 [kg], rod r, angle = 60 [deg], spin = w\n"
     "body rod: mass 2 [kg], rod l, angle ~ -15 [deg]\nbody ram: mass 3 [kg], point\n"
     "joint A: revolute ground (0, 0), crank (-r/2, 0), friction nu, radius 20 [mm]\n"
     "joint B: revolute crank (r/2, 0), rod (-l/2, 0), friction nu, radius 10 [mm]\n"
     "joint C: revolute rod (l/2, 0), ram (0, 0), friction nu, radius 10 [mm]\n"
     "joint D: prismatic ground (0, 0), ram (0, 0), axis 0, friction mu\n"
     "measure x = final(ram.x), v = final(crank.omega), i = integral(ram.x'^2)\n"
     "simulate to 1.2 [s] every 0.1 [s]\n",
     {"mu", "nu", "r", "l", "w", "g"}},
    {"a belt that slips, a wheel with a limit of grip",
     "param mu = 0.1, F = 50 [N], beta = 3, T = 6 [N*m], J = 0.05 [kg*m^2], nu = 0.2\n"
     "gravity (0, -9.81 [m/s^2])\n"
     "body a: mass 1 [kg], inertia J\nbody b: mass 1 [kg], inertia 2*J\n"
     "body w: mass 2 [kg], disc 0.2 [m], at (3 [m], 0.2 [m])\n"
     "joint A: revolute ground (0, 0), a (0, 0)\njoint B: revolute ground (1 [m], 0), b (0, 0)\n"
     "joint C: rolling ground (3 [m], 0), w (0, 0), radius 0.2 [m], friction nu, rolling 2 [mm]\n"
     "belt k: a, b, radius 0.1 [m], ratio 1, tension F, friction mu, wrap beta\n"
     "motor A: torque T\ntorque w = -T\n"
     "measure p = final(a.theta), q = final(b.theta), x = final(w.x)\n"
     "simulate to 1 [s] every 0.1 [s]\n",
     {"mu", "F", "beta", "T", "J", "nu"}},
    {"a drive that jumps",
     "param r = 0.3 [m], l = 1 [m], w = 3 [rad/s], T = 0.35 [s], k = 100 [N/m], m = 2 [kg]\n"
     "body crank: mass 1 [kg], rod r, angle = 0\nbody p: mass m, point, at (1 [m], 0)\n"
     "joint A: revolute ground (0, 0), crank (-r/2, 0)\n"
     "spring s: crank (r/2, 0), p (0, 0), stiffness k, length 0.6 [m]\n"
     "motor A: speed if(t < T, w, -2*w)\nmeasure x = final(p.x), y = final(p.y), i = "
     "integral(crank.omega^2)\nsimulate to 1 [s] every 0.1 [s]\n",
     {"r", "w", "T", "k", "m"}}};

TEST(slopes_with_friction_agree_with_differences_of_runs) {
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) check_slopes(cx, &cases[i]);
}

// ---- Closed forms

// Slopes of the first measure by the parameters, NULL behind the last.
static void find_slopes(Context *cx, const char *text, const char *const *names, double *out) {
  Motion m = motion_load_as(cx, text, NULL, FORMULATION_LAGRANGE);
  m.options.method.rtol = 1e-10;
  uint32_t numbers[4], count = 0;
  for (; names[count]; count++)
    for (uint32_t i = 0; i < m.system.model->parameters.n; i++)
      if (strcmp(symbol_text(cx, m.system.model->parameters.at[i].name), names[count]) == 0)
        numbers[count] = i;
  Directions directions = {count, numbers};
  m.options.directions = &directions;
  Rerun rerun;
  double values[4];
  assert_int_equal(rerun_open(&rerun, &m.system, &m.options), QDOT_OK);
  assert_int_equal(rerun_measures(&rerun, NULL, NULL, 0, values), QDOT_OK);
  if (rerun.undefined[0]) fail_msg("%s\n%s", text, rerun.undefined[0]);
  for (uint32_t j = 0; j < count; j++) out[j] = rerun.slopes[j];
  rerun_close(&rerun);
}

static void check_slope(Context *cx, const char *text, const char *parameter, double expected) {
  const char *names[] = {parameter, NULL};
  double slope;
  find_slopes(cx, text, names, &slope);
  if (!(fabs(slope - expected) <= 1e-8 * fabs(expected)))
    fail_msg("%s\nby %s: %.12g, not %.12g", text, parameter, slope, expected);
}

TEST(block_slides_to_rest) { // v^2/(2 mu g)
  static const char text[] =
      "param mu = 0.3, g = 9.81 [m/s^2], v = 3 [m/s]\ncoord x = 0 [m], y = 0 [m]\ncoord x' = v\n"
      "kinetic = (2 [kg])*(x'^2 + y'^2)/2\npotential = (2 [kg])*g*y\n"
      "contact floor: y >= 0, friction mu, along x\nmeasure d = final(x)\n"
      "simulate to 2 [s] every 0.1 [s]\n";
  double mu = 0.3, g = 9.81, v = 3;
  check_slope(cx, text, "mu", -v * v / (2 * mu * mu * g));
  check_slope(cx, text, "v", v / (mu * g));
  check_slope(cx, text, "g", -v * v / (2 * mu * g * g));
}

TEST(block_slides_down) { // g (sin a - mu cos a) t^2/2
  static const char text[] =
      "param mu = 0.3, a = 30 [deg]\ngravity (0, -9.81 [m/s^2])\nbody b: mass 2 [kg], point\n"
      "joint s: prismatic ground (0, 0), b (0, 0), axis -a, friction mu\n"
      "measure d = final(s.s)\nsimulate to 1 [s] every 0.1 [s]\n";
  double mu = 0.3, g = 9.81, a = M_PI / 6;
  check_slope(cx, text, "mu", -g * cos(a) / 2);
  check_slope(cx, text, "a", g * (cos(a) + mu * sin(a)) / 2);
}

TEST(ball_begins_to_roll) { // after 2 v/(7 mu g), and 12 v^2/(49 mu g), with 5/7 v
  static const char text[] =
      "param mu = 0.2, v = 7 [m/s]\ngravity (0, -9.81 [m/s^2])\n"
      "body b: mass 6 [kg], inertia 2/5*(6 [kg])*(0.11 [m])^2, at (0, 0.11 [m]), velocity (v, 0)\n"
      "contact lane: b (0, 0), radius 0.11 [m], line (0, 0), friction mu\n"
      "measure d = final(b.x)\nsimulate to 2 [s] every 0.1 [s]\n";
  double mu = 0.2, g = 9.81, v = 7, T = 2;
  check_slope(cx, text, "mu", -2 * v * v / (49 * mu * mu * g));
  check_slope(cx, text, "v", 4 * v / (49 * mu * g) + 5. / 7 * T);
}

TEST(rope_on_a_post) { // a = g (m_2 - m_1 E)/(m_2 + m_1 E), E = exp(mu beta)
  static const char text[] =
      "param mu = 0.2, beta = 180 [deg], m_1 = 2 [kg], m_2 = 5 [kg]\ncoord a = 0 [m], b = 0 [m]\n"
      "kinetic = m_1*a'^2/2 + m_2*b'^2/2\npotential = -(9.81 [m/s^2])*(m_1*a + m_2*b)\n"
      "contact rope: a + b <= 0, friction mu, wrap beta, along (b - a)/2\n"
      "measure d = final(b)\nsimulate to 1 [s] every 0.1 [s]\n";
  double E = exp(0.2 * M_PI), slope = -9.81 * 2 * 2 * 5 / pow(5 + 2 * E, 2) * E / 2;
  check_slope(cx, text, "mu", M_PI * slope);
  check_slope(cx, text, "beta", 0.2 * slope);
}

TEST(drum_in_a_band) { // J w^2/(2 M), M = F r (exp(mu beta) - 1)
  static const char text[] =
      "param mu = 0.25, beta = 250 [deg], r = 0.2 [m], F = 30 [N]\n"
      "coord theta = 0, b = 0 [m]\ncoord theta' = 40 [rad/s]\n"
      "kinetic = (0.5 [kg*m^2])*theta'^2/2 + (1e-3 [kg])*b'^2/2\nforce b = F\n"
      "contact band: b <= 0, friction mu, wrap beta, along b/2 - r*theta\n"
      "measure d = final(theta)\nsimulate to 20 [s] every 0.5 [s]\n";
  double beta = 250 * M_PI / 180, E = exp(0.25 * beta), d = 0.5 * 1600 / 2 / (30 * 0.2 * (E - 1));
  check_slope(cx, text, "F", -d / 30);
  check_slope(cx, text, "mu", -d / (E - 1) * E * beta);
  check_slope(cx, text, "beta", -d / (E - 1) * E * 0.25);
}

TEST(slide_that_tilts) { // a = F (1 - 2 mu d/l)/m
  static const char text[] =
      "param mu = 0.3, l = 0.2 [m], d = 0.1 [m]\n"
      "body b: mass 2 [kg], point\n"
      "joint s: prismatic ground (0, 0), b (0, 0), length l, friction mu\n"
      "force b (0, d) = (10 [N], 0)\nmeasure x = final(b.x)\nsimulate to 1 [s] every 0.1 [s]\n";
  double a = 10. / 2 / 2;
  check_slope(cx, text, "mu", -a * 2 * 0.1 / 0.2);
  check_slope(cx, text, "l", a * 2 * 0.3 * 0.1 / 0.04);
  check_slope(cx, text, "d", -a * 2 * 0.3 / 0.2);
}

TEST(wheel_runs_down) { // J w^2/(2 mu r m g)
  static const char text[] =
      "param mu = 0.2, r = 20 [mm], w = 9 [rad/s]\ngravity (0, -9.81 [m/s^2])\n"
      "body b: mass 3 [kg], inertia 0.02 [kg*m^2], spin = w\n"
      "joint A: revolute ground (0, 0), b (0, 0), friction mu, radius r\n"
      "measure d = final(b.theta)\nsimulate to 3 [s] every 0.1 [s]\n";
  double M = 0.2 * 0.02 * 3 * 9.81, d = 0.02 * 81 / 2 / M;
  check_slope(cx, text, "mu", -d / 0.2);
  check_slope(cx, text, "r", -d / 0.02);
  check_slope(cx, text, "w", 2 * d / 9);
}

TEST(oblique_impacts) { // of a point: the speed along falls by mu (1 + e) times that across
  static const char text[] = "param mu = 0.1, e = 0.5, h = 1 [m]\ngravity (0, -9.81 [m/s^2])\n"
                             "body b: mass 2 [kg], point, at (0, h), velocity (4 [m/s], 0)\n"
                             "contact floor: b (0, 0), line (0, 0), restitution e, friction mu\n"
                             "measure x = final(b.x)\nsimulate to 0.6 [s] every 0.1 [s]\n";
  double g = 9.81, t = sqrt(2 / g), u = g * t, T = 0.6;
  check_slope(cx, text, "mu", -1.5 * u * (T - t));
  check_slope(cx, text, "e", -0.1 * u * (T - t));
  // u = sqrt(2 g h), t = u/g
  check_slope(cx, text, "h", -0.15 * (g / u * (T - t) - u / u));
}

// ---- Starts on contacts

TEST(impact_at_the_start) { // x = (v - mu u) T - mu g T^2/2
  static const char text[] = "param mu = 0.2, u = 2 [m/s], v = 3 [m/s]\n"
                             "gravity (0, -9.81 [m/s^2])\n"
                             "body b: mass 2 [kg], point, at = (0, 0), velocity = (v, -u)\n"
                             "contact floor: b (0, 0), line (0, 0), friction mu\n"
                             "measure x = final(b.x)\nsimulate to 0.5 [s] every 0.1 [s]\n";
  double T = 0.5, g = 9.81;
  check_slope(cx, text, "mu", -2 * T - g * T * T / 2);
  check_slope(cx, text, "u", -0.2 * T);
  check_slope(cx, text, "v", T);
}

// A push of what rests is braked within no time, whatever holds it.
TEST(forces_that_only_bend_at_the_start_have_slopes) { // x = a + v t
  static const char text[] = "param v = 2 [m/s], a = 0 [m]\ncoord x = a, x' = v\n"
                             "kinetic = (1 [kg])*x'^2/2\nforce x = (1e-9 [N/m])*abs(x)\n"
                             "measure f = final(x)\nsimulate to 0.5 [s] every 0.1 [s]\n";
  check_slope(cx, text, "a", 1);
}

TEST(what_rests_is_pushed_in_vain) {
  static const char *const texts[] = {
      "param v = 0 [m/s]\ncoord x = 0.01 [m], x' = v, y = 0 [m]\n"
      "kinetic = (2 [kg])*(x'^2 + y'^2)/2\n"
      "potential = (2 [kg])*(9.81 [m/s^2])*y + (100 [N/m])*x^2/2\n"
      "contact floor: y >= 0, friction 0.3, along x\n",
      "param v = 0 [m/s]\ncoord x = 0.01 [m], x' = v\nkinetic = (2 [kg])*x'^2/2\n"
      "potential = (100 [N/m])*x^2/2\ndissipation = (5 [N])*abs(x')\n",
      "param v = 0 [m/s]\ngravity (0, -9.81 [m/s^2])\n"
      "body b: plate (1 [m], 0.2 [m]), mass 2 [kg], at = (0, 0.1 [m]), angle = 0, velocity = "
      "(v, 0), spin = 0\nlet x = b.x\n"
      "contact l: b (-0.5 [m], -0.1 [m]), line (0, 0), friction 0.3\n"
      "contact r: b (0.5 [m], -0.1 [m]), line (0, 0), friction 0.3\n",
      "param v = 0 [m/s]\ngravity (0, -9.81 [m/s^2])\n"
      "body b: mass 2 [kg], point, at = (0, 0), velocity = (v, 0)\nlet x = b.x\n"
      "joint rail: prismatic ground (0, 0), b (0, 0), friction 0.3\n"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    const char *names[] = {"v", NULL};
    double slope = NAN;
    find_slopes(cx,
                text_format(&cx->keep, "%smeasure f = final(x)\nsimulate to 1 [s] every 0.1 [s]\n",
                            texts[i]),
                names, &slope);
    if (!(fabs(slope) < 1e-9)) fail_msg("%s\n%g", texts[i], slope);
  }
}

// ---- No slope

typedef struct Refusal {
  const char *text, *parameter, *why;
} Refusal;

static const Refusal refusals[] = {
    // a disc whose rim comes to rest in the blow by just all friction: mu (1 + e) u = v/3
    {"param mu = 0.1\nbody d: mass 1 [kg], disc 0.1 [m], at (0, 1.1 [m]), "
     "velocity (0.45 [m/s], -1 [m/s])\n"
     "contact floor: d (0, 0), radius 0.1 [m], line (0, 0), restitution 0.5, friction mu\n"
     "measure x = final(d.x)\nsimulate to 2 [s] every 0.1 [s]\n",
     "mu", "another case"},
    {"param h = 0 [m]\nbody b: mass 1 [kg], point, at = (0, h), velocity = (1 [m/s], 0)\n"
     "gravity (0, -9.81 [m/s^2])\ncontact floor: b (0, 0), line (0, 0), friction 0.1\n"
     "measure x = final(b.x)\nsimulate to 0.5 [s] every 0.1 [s]\n",
     "h", "just touch at the start"},
    {"param v = 0 [m/s]\ncoord x = 4 [cm], x' = v, y = 0 [m]\n"
     "kinetic = (1 [kg])*(x'^2 + y'^2)/2\n"
     "potential = (1 [kg])*(9.81 [m/s^2])*y + (100 [N/m])*x^2/2\n"
     "contact floor: y >= 0, friction 0.5, 0.3, along x\n"
     "measure f = final(x)\nsimulate to 0.5 [s] every 0.1 [s]\n",
     "v", "slide on"},
    {"param v = 0 [m/s]\ncoord x = 10 [cm], x' = v, y = 0 [m]\n"
     "kinetic = (1 [kg])*(x'^2 + y'^2)/2\n"
     "potential = (1 [kg])*(9.81 [m/s^2])*y + (100 [N/m])*x^2/2\n"
     "contact floor: y >= 0, friction 0.3, along x\n"
     "measure f = final(x)\nsimulate to 0.5 [s] every 0.1 [s]\n",
     "v", "begin the other way"},
    {"param v = 0 [m/s]\ncoord x = 10 [cm], x' = v\nkinetic = (1 [kg])*x'^2/2\n"
     "potential = (100 [N/m])*x^2/2\ndissipation = (3 [N])*abs(x')\n"
     "measure f = final(x)\nsimulate to 0.5 [s] every 0.1 [s]\n",
     "v", "begin the other way"},
    {"param v = 0 [m/s]\ngravity (5 [m/s^2], -9.81 [m/s^2])\n"
     "body b: mass 2 [kg], point, at = (0, 0), velocity = (v, 0)\n"
     "joint rail: prismatic ground (0, 0), b (0, 0), friction 0.3\n"
     "measure f = final(b.x)\nsimulate to 0.5 [s] every 0.1 [s]\n",
     "v", "begin the other way"}};

TEST(what_would_change_the_case_is_refused) {
  for (size_t k = 0; k < sizeof refusals / sizeof *refusals; k++) {
    Motion m = motion_load_as(cx, refusals[k].text, NULL, FORMULATION_LAGRANGE);
    uint32_t number = 0;
    Directions directions = {1, &number};
    m.options.directions = &directions;
    Rerun rerun;
    double value;
    assert_int_equal(rerun_open(&rerun, &m.system, &m.options), QDOT_OK);
    assert_int_equal(rerun_measures(&rerun, NULL, NULL, 0, &value), QDOT_OK);
    assert_non_null(rerun.undefined[0]);
    if (!strstr(rerun.undefined[0], refusals[k].why)) fail_msg("%s", rerun.undefined[0]);
    rerun_close(&rerun);
  }
}

RUN_TESTS(cmocka_unit_test(slopes_with_friction_agree_with_differences_of_runs),
          cmocka_unit_test(block_slides_to_rest), cmocka_unit_test(block_slides_down),
          cmocka_unit_test(ball_begins_to_roll), cmocka_unit_test(rope_on_a_post),
          cmocka_unit_test(drum_in_a_band), cmocka_unit_test(slide_that_tilts),
          cmocka_unit_test(wheel_runs_down), cmocka_unit_test(oblique_impacts),
          cmocka_unit_test(impact_at_the_start), cmocka_unit_test(what_rests_is_pushed_in_vain),
          cmocka_unit_test(forces_that_only_bend_at_the_start_have_slopes),
          cmocka_unit_test(what_would_change_the_case_is_refused))
