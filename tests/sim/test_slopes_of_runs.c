// Slopes of measures along parameters: exact through constraints, impacts, switches and sticking,
// compared with differences of runs; refused where there are none.
#include <math.h>
#include <string.h>

#include "sim/run_source.h"
#include "support/motion.h"
#include "support/slope_cases.h"

static const SlopeCase cases[] = {
    {"oscillator",
     "param m = 2 [kg], k = 50 [N/m], c = 1 [N*s/m], x_0 = 0.3 [m], v_0 = 1 [m/s]\n"
     "coord x = x_0\ncoord x' = v_0\nkinetic = m*x'^2/2\npotential = k*x^2/2\n"
     "dissipation = c*x'^2/2\n"
     "measure peak = max(x), low = min(x), e = integral(x), r = rms(x'), f = final(x), s = "
     "start(x')\n"
     "measure a = first(t, x < 0), z = last(t, abs(x) > 0.1 [m]), mean_v = mean(abs(x')) from 1 "
     "[s]\n"
     "measure top = max(abs(x'')), both = max(x)^2*k + m*max(x')^2\n"
     "simulate to 3 [s] every 0.1 [s]\n",
     {"m", "k", "c", "x_0", "v_0"}},
    {"computed parameters and end",
     "param L = 0.8 [m], m = 1 [kg], J = m*L^2/3, g = 9.81 [m/s^2], T = 2*sqrt(L/(1 [m]))*(1 [s])\n"
     "coord a = 60 [deg]\nkinetic = J*a'^2/2\npotential = -m*g*L/2*cos(a)\n"
     "measure w = max(abs(a')), f = final(a), i = integral(a), d = mean(a^2), top = max(a*t)\n"
     "simulate to T every 0.1 [s]\n",
     {"L", "m", "g"}},
    {"double pendulum",
     "param m_1 = 1 [kg], m_2 = 0.5 [kg], L_1 = 1 [m], L_2 = 0.7 [m], g = 9.81 [m/s^2]\n"
     "coord a = 40 [deg], b = -20 [deg]\nlet p = (L_1*sin(a), -L_1*cos(a))\n"
     "let r = p + (L_2*sin(b), -L_2*cos(b))\n"
     "kinetic = m_1*dot(p', p')/2 + m_2*dot(r', r')/2\npotential = m_1*g*p.y + m_2*g*r.y\n"
     "measure w = max(abs(b')), f = final(a), q = max(r.x), n = integral(a'^2)\n"
     "simulate to 2 [s] every 0.1 [s]\n",
     {"m_1", "m_2", "L_1", "L_2", "g"}},
    {"slider-crank, driven",
     "param r = 0.3 [m], l = 1 [m], w = 10 [rad/s], m_3 = 3 [kg]\n"
     "body crank: mass 1 [kg], rod r, angle = 60 [deg]\n"
     "body rod: mass 2 [kg], rod l, angle ~ -15 [deg]\nbody ram: mass m_3, point\n"
     "joint A: revolute ground (0, 0), crank (-r/2, 0)\n"
     "joint B: revolute crank (r/2, 0), rod (-l/2, 0)\n"
     "joint C: revolute rod (l/2, 0), ram (0, 0)\n"
     "joint D: prismatic ground (0, 0), ram (0, 0), axis 0\nmotor A: speed w\n"
     "measure stroke = max(ram.x) - min(ram.x), torque = max(abs(A.T)), x = final(ram.x)\n"
     "measure load = rms(A.T)\nsimulate to 1.1 [s] every 0.1 [s]\n",
     {"r", "l", "w", "m_3"}},
    {"slider-crank, driven, a crank without mass",
     "param r = 0.05 [m], l = 0.18 [m], m = 4 [kg], k = 5000 [N/m], w = 12 [rad/s]\n"
     "coord s ~ 0.2 [m], phi ~ 30 [deg]\nkinetic = m*s'^2/2\npotential = k*(s - l)^2/2\n"
     "constraint loop: (s - r*cos(phi))^2 + (r*sin(phi))^2 = l^2\n"
     "constraint drive: phi = 0.5 + w*t\n"
     "measure peak = max(abs(lambda_drive)), stroke = max(s) - min(s), f = final(s)\n"
     "simulate to 1 [s] every 0.1 [s]\n",
     {"r", "l", "m", "k", "w"}},
    {"four-bar, free",
     "param a = 0.4 [m], b = 1.1 [m], c = 0.9 [m], d = 1.2 [m], m = 2 [kg], g = 9.81 [m/s^2]\n"
     "gravity (0, -g)\nbody crank: mass 1 [kg], rod a, angle = 70 [deg], spin = 4 [rad/s]\n"
     "body coupler: mass m, rod b, angle ~ 20 [deg]\nbody rocker: mass 1 [kg], rod c, angle ~ 80 "
     "[deg]\n"
     "joint A: revolute ground (0, 0), crank (-a/2, 0)\n"
     "joint B: revolute crank (a/2, 0), coupler (-b/2, 0)\n"
     "joint C: revolute coupler (b/2, 0), rocker (c/2, 0)\n"
     "joint D: revolute rocker (-c/2, 0), ground (d, 0)\n"
     "measure w = max(abs(rocker.omega)), f = final(rocker.theta), q = max(coupler.y)\n"
     "simulate to 1 [s] every 0.1 [s]\n",
     {"a", "b", "c", "d", "m", "g"}},
    {"impacts",
     "param e = 0.8, m = 1 [kg], g = 9.81 [m/s^2], h = 1 [m], v = 0.3 [m/s]\ncoord y = h\n"
     "coord y' = v\nkinetic = m*y'^2/2\npotential = m*g*y\ncontact floor: y >= 0 restitution e\n"
     "measure f = final(y), u = final(y'), i = integral(y), w = integral(y'^2), t_1 = first(t, y "
     "<= 0)\n"
     "measure high = max(y) from 0.6 [s], fast = max(y') from 0.2 [s]\n"
     "simulate to 1.6 [s] every 0.1 [s]\n",
     {"e", "g", "h", "v", "m"}},
    {"impact that stays, with a moving floor",
     "param m = 1 [kg], g = 9.81 [m/s^2], h = 0.2 [m], A = 5 [mm], w = 9 [rad/s]\ncoord y = h\n"
     "kinetic = m*y'^2/2\npotential = m*g*y\ncontact floor: y >= A*sin(w*t)\n"
     "output N = lambda_floor\nmeasure i = integral(N), f = max(N), p = integral(y)\n"
     "simulate to 1 [s] every 0.1 [s]\n",
     {"m", "g", "h", "A", "w"}},
    {"switches",
     "param m = 1 [kg], k = 40 [N/m], s = 0.05 [m], F = 3 [N], T = 0.4 [s]\ncoord x = 0.2 [m]\n"
     "kinetic = m*x'^2/2\npotential = k*x^2/2 + 10*k*max(x - s, 0 [m])^2/2\n"
     "force x = if(t < T, F, -F)\n"
     "measure f = final(x), a = max(x'), i = integral(x'^2), b = first(t, x < -s)\n"
     "simulate to 1.5 [s] every 0.1 [s]\n",
     {"m", "k", "s", "F", "T"}},
    {"friction that sticks",
     "param mu = 0.3, m = 1 [kg], g = 9.81 [m/s^2], k = 20 [N/m], x_0 = 1 [m]\ncoord x = x_0\n"
     "kinetic = m*x'^2/2\npotential = k*x^2/2\ndissipation = mu*m*g*abs(x')\n"
     "measure a = final(x), b = first(t, x < 0), c = integral(abs(x'))\n"
     "simulate to 4 [s] every 0.1 [s]\n",
     {"mu", "m", "k", "x_0"}},
    {"resets of the model's own",
     "param h = 1 [m], g = 9.81 [m/s^2], e = 0.8, m = 1 [kg]\ncoord y = h\nkinetic = m*y'^2/2\n"
     "potential = m*g*y\nwhen y = 0 falling: y' = -e*y'\n"
     "measure f = final(y), u = final(y'), i = integral(y), p = max(y) from 0.6 [s]\n"
     "simulate to 1.1 [s] every 0.1 [s]\n",
     {"h", "g", "e"}},
    {"a stop",
     "param h = 1 [m], g = 9.81 [m/s^2], m = 1 [kg], c = 0.3 [N*s/m]\ncoord y = h\n"
     "kinetic = m*y'^2/2\npotential = m*g*y\ndissipation = c*y'^2/2\nstop when y <= 0\n"
     "measure f = final(t), i = integral(y), u = final(y'), r = rms(y), a = mean(y'^2)\n"
     "simulate to 3 [s] every 0.1 [s]\n",
     {"h", "g", "c"}},
    {"a state of its own",
     "param R = 2 [ohm], L_m = 0.05 [H], K = 0.4 [N*m/A], J = 0.01 [kg*m^2], U = 12 [V], i_0 = 1 "
     "[A]\n"
     "coord a = 0\nstate i = i_0\nrate i = (U - R*i - K*a')/L_m\nkinetic = J*a'^2/2\n"
     "force a = K*i\nmeasure w = final(a'), p = max(i), q = integral(i^2)\n"
     "simulate to 0.3 [s] every 0.01 [s]\n",
     {"R", "L_m", "K", "J", "U", "i_0"}},
    {"a sampled controller",
     "param m = 1 [kg], k = 20 [N/m], K_1 = 30 [N/m], K_2 = 6 [N*s/m], K_3 = 40 [N/(m*s)]\n"
     "param r = 0.1 [m], T = 20 [ms], u_0 = 0.5 [N], most = 2.5 [N]\ncoord x = 0.02 [m]\n"
     "kinetic = m*x'^2/2\npotential = k*x^2/2\ninput u = u_0\nmemory e = 0 [m*s]\n"
     "force x = u\nlimit u in -most..most\n"
     "sample every T: u = K_1*(r - x) - K_2*x' - K_3*e, e = e + (x - r)*T\n"
     "measure f = final(x), v = final(x'), i = integral(u^2), p = max(x), w = integral(x)\n"
     "measure big = max(u), late = mean(u) from 0.311 [s], s = first(t, x > 0.8*r)\n"
     "simulate to 0.81 [s] every 0.1 [s]\n",
     {"m", "k", "K_1", "K_2", "K_3", "r", "T", "most"}},
    {"samples that come late",
     "param m = 1 [kg], K_1 = 30 [N/m], K_2 = 4 [N*s/m], r = 0.1 [m], T = 30 [ms], D = 70 [ms]\n"
     "coord x = 0 [m]\nkinetic = m*x'^2/2\ninput u = 0 [N]\ninput v = 0 [m/s]\nforce x = u\n"
     "sample every T delay D: u = K_1*(r*cos(2*t/(1 [s])) - x) - K_2*v\n"
     "sample every T: v = x'\n"
     "measure f = final(x), i = integral(u^2), p = max(x), q = integral(v*x')\n"
     "simulate to 0.9 [s] every 0.1 [s]\n",
     {"m", "K_1", "K_2", "r", "D"}},
    {"a latch",
     "param m = 1 [kg], k = 30 [N/m], F = 4 [N], s = 0.05 [m], c = 0.5 [N*s/m]\ncoord x = 0.2 [m]\n"
     "kinetic = m*x'^2/2\npotential = k*x^2/2\ndissipation = c*x'^2/2\nmemory on = 0\n"
     "memory v = 0 [m/s]\nforce x = -F*on - c*v\n"
     "when x > s and x' > 0 [m/s]: on = 1, v = x'\nwhen x < -s: on = 0\n"
     "measure f = final(x), i = integral(x^2), p = min(x), q = integral(on*x'^2)\n"
     "simulate to 3 [s] every 0.1 [s]\n",
     {"m", "k", "F", "s", "c"}},
    {"a sample that sets off an event",
     "param m = 1 [kg], K = 8 [N/m], r = 0.1 [m], b = 0.3 [m/s], T = 50 [ms]\ncoord x = 0 [m]\n"
     "kinetic = m*x'^2/2\ninput u = 0 [N]\nmemory level = 0 [m]\nforce x = u\n"
     "sample every T: u = K*(r - x), level = x\nwhen level > 0.7*r: x' = x'*0.4 - b\n"
     "measure f = final(x), i = integral(x), p = max(x')\nsimulate to 1.7 [s] every 0.1 [s]\n",
     {"m", "K", "b", "r"}},
    {"resets on constraints",
     "param L = 1 [m], m = 1 [kg], g = 9.81 [m/s^2], w = 2 [rad/s], a_0 = 0.5\n"
     "coord x ~ 0.5 [m], y ~ -0.9 [m], a = a_0\nkinetic = m*(x'^2 + y'^2)/2\n"
     "potential = m*g*y\nconstraint A: x = L*sin(a)\nconstraint B: y = -L*cos(a)\n"
     "when a = -0.3 falling: a' = w*a_0 + 0.5*a'\n"
     "measure f = final(x), i = integral(y), p = max(abs(a'))\nsimulate to 2 [s] every 0.1 [s]\n",
     {"L", "g", "w", "a_0"}},
    {"a tree of bodies",
     "param a = 40 [deg], w = 2 [rad/s], b = -30 [deg], L = 0.8 [m], g = 9.81 [m/s^2]\n"
     "gravity (0, -g)\nbody upper: mass 1 [kg], rod L, angle = a, spin = w\n"
     "body lower: mass 2 [kg], rod L/2, angle = b\n"
     "joint A: revolute ground (0, 0), upper (-L/2, 0)\n"
     "joint B: revolute upper (L/2, 0), lower (-L/4, 0)\n"
     "measure f = final(lower.x), p = max(upper.omega), i = integral(lower.y)\n"
     "simulate to 1 [s] every 0.1 [s]\n",
     {"a", "w", "b", "L", "g"}},
    {"measures in loops and sums",
     "param k = 30 [N/m], m = 1 [kg]\nfor i in 1..3\ncoord x[i] = 0.1*i*(1 [m])\n"
     "kinetic = m*x[i]'^2/2\npotential = k*i*x[i]^2/2\nmeasure top[i] = max(x[i]')\nend\n"
     "measure all = sum(i in 1..3: max(x[i]')), e = integral(sum(i in 1..3: m*x[i]'^2))\n"
     "measure p = min(sum(i in 1..3: x[i]))\nsimulate to 1.3 [s] every 0.1 [s]\n",
     {"k", "m"}},
    {"where bodies start",
     "param a = 0.4 [m], b = 1.1 [m], g = 9.81 [m/s^2]\ngravity (0, -g)\n"
     "body crank: mass 1 [kg], rod a, angle = 70 [deg], spin = 0\n"
     "body coupler: mass 2 [kg], rod b, angle ~ 20 [deg]\n"
     "body rocker: mass 1 [kg], rod 0.9 [m], angle ~ 80 [deg]\n"
     "joint A: revolute ground (0, 0), crank (-a/2, 0)\n"
     "joint B: revolute crank (a/2, 0), coupler (-b/2, 0)\n"
     "joint C: revolute coupler (b/2, 0), rocker (0.45 [m], 0)\n"
     "joint D: revolute rocker (-0.45 [m], 0), ground (1.2 [m], 0)\n"
     "measure f = final(rocker.theta), p = final(coupler.y)\n"
     "sensitivity f to crank.theta(0), crank.omega(0)\nsimulate to 0.7 [s] every 0.1 [s]\n",
     {"crank.angle", "crank.spin"}},
    // what lifts off has a gap and a speed of rounding at first: no contact is missed there
    {"one edge of a box lifts, then the other",
     "param m = 2 [kg], b = 0.4 [m], h = 0.6 [m], J = 0.08 [kg*m^2], F = 30 [N/s]\n"
     "coord x = 0 [m], y = h/2, a = 0\nkinetic = 1/2*m*(x'^2 + y'^2) + 1/2*J*a'^2\n"
     "potential = m*(9.81 [m/s^2])*y\nforce x = F*t - (40 [N/m])*x\nforce a = -(4 [N*m/s])*t\n"
     "contact left: y - b/2*sin(a) - h/2*cos(a) >= 0, restitution 0\n"
     "contact right: y + b/2*sin(a) - h/2*cos(a) >= 0, restitution 0\n"
     "measure p = min(a), f = final(y)\nsimulate to 1.4 [s] every 0.1 [s]\n",
     {"m", "b", "h", "J"}},
    // the impact is what counts, not that a contact lets go behind it at the same moment
    {"a ball strikes a box that rubs, and both its edges lift",
     "param m = 2.458 [kg], b = 0.271 [m], h = 0.522 [m], J = 0.0541 [kg*m^2], M = 1.807 [kg]\n"
     "param v = 3.76 [m/s], s = 0.844 [m], e = 0.575\n"
     "coord x = 0 [m], y = h/2, a = 0, z = -0.6 [m], z' = v\n"
     "kinetic = 1/2*m*(x'^2 + y'^2) + 1/2*J*a'^2 + 1/2*M*z'^2\n"
     "potential = m*(9.81 [m/s^2])*y\n"
     "contact left: y - b/2*sin(a) - h/2*cos(a) >= 0, friction 0.32, along x + h/2*sin(a)\n"
     "contact right: y + b/2*sin(a) - h/2*cos(a) >= 0, friction 0.32, along x + h/2*sin(a)\n"
     "contact ball: (x - b/2*cos(a) - (s - h/2)*sin(a)) - z >= 0, restitution e\n"
     "force a = -(2 [N*m/s])*t\nmeasure p = min(a), f = final(y), g = final(x)\n"
     "simulate to 0.4 [s] every 0.1 [s]\n",
     {"m", "b", "h", "J", "M", "v", "s", "e"}},
    {"a bead leaves a dome and meets the floor",
     "param R = 1 [m], v = 0.5 [m/s], g = 9.81 [m/s^2]\ncoord x = 0 [m], x' = v, y = R\n"
     "kinetic = (0.5 [kg])*(x'^2 + y'^2)\npotential = (1 [kg])*g*y\n"
     "contact dome: x^2 + y^2 >= R^2\ncontact floor: y >= -R, restitution 0.5\n"
     "measure f = final(x), p = final(y)\nsimulate to 1.5 [s] every 0.1 [s]\n",
     {"R", "v", "g"}},
    {"a counter beside a bounce",
     "param e = 0.8, m = 1 [kg], g = 9.81 [m/s^2], h = 1 [m]\ncoord y = h\n"
     "kinetic = m*y'^2/2\npotential = m*g*y\ncontact floor: y >= 0 restitution e\nmemory n = 0\n"
     "when y' = 0 [m/s] falling: n = n + y/(1 [m])\nmeasure f = final(y), c = final(n), i = "
     "integral(n*y)\nsimulate to 1.6 [s] every 0.1 [s]\n",
     {"e", "g", "h"}}};

TEST(slopes_agree_with_differences_of_runs) {
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) check_slopes(cx, &cases[i]);
}

// Where there is no slope, the reason is said; what does not depend on it has one.
typedef struct Refusal {
  const char *text, *parameter, *why;
} Refusal;

static const Refusal refusals[] = {
    // falls exactly as far as the floor
    {"param h = 1 [m], m = 1 [kg], k = 100 [N/m]\ncoord y = h\nkinetic = m*y'^2/2\n"
     "potential = k*y^2/2\ncontact floor: y >= -1 [m] + 1e-9 [m]\n"
     "measure a = final(y)\nsimulate to 0.5 [s] every 0.1 [s]\n",
     "h", "grazing"},
    // and not quite
    {"param h = 1 [m], m = 1 [kg], k = 100 [N/m]\ncoord y = h\nkinetic = m*y'^2/2\n"
     "potential = k*y^2/2\ncontact floor: y >= -1 [m] - 1e-9 [m]\n"
     "measure a = final(y)\nsimulate to 0.5 [s] every 0.1 [s]\n",
     "h", "missed"},
    // two peaks of one height, of which one grows with a and the other with b
    {"param a = 1 [m], b = 1 [m]\ncoord x = 0 [m]\nkinetic = (1 [kg])*x'^2/2\n"
     "measure p = max(a*exp(-((t - 1 [s])/(0.1 [s]))^2) + b*exp(-((t - 2 [s])/(0.1 [s]))^2))\n"
     "simulate to 3 [s] every 0.1 [s]\n",
     "a", "two peaks"},
    // a parallelogram through its dead position, one of whose lengths changes
    {"param L = 0.5 [m]\nbody crank: mass 1 [kg], rod 0.5 [m], angle = 60 [deg], spin = 5 [rad/s]\n"
     "body coupler: mass 1 [kg], rod 1 [m], angle ~ 0\nbody rocker: mass 1 [kg], rod L, angle ~ 60 "
     "[deg]\n"
     "joint A: revolute ground (0, 0), crank (-0.25 [m], 0)\n"
     "joint B: revolute crank (0.25 [m], 0), coupler (-0.5 [m], 0)\n"
     "joint C: revolute coupler (0.5 [m], 0), rocker (L/2, 0)\n"
     "joint D: revolute rocker (-L/2, 0), ground (1 [m], 0)\n"
     "measure f = final(rocker.theta)\nsimulate to 1 [s] every 0.1 [s]\n",
     "L", "dead position"},
    // a double pendulum in its chaos: the motion stays within bounds, its derivatives do not
    {"param a = 3, g = 9.81 [m/s^2]\ncoord p = a, q = a\n"
     "kinetic = (0.5 [kg*m^2])*(2*p'^2 + q'^2 + 2*p'*q'*cos(p - q))\n"
     "potential = -(1 [kg*m])*g*(2*cos(p) + cos(q))\nmeasure f = final(p)\n"
     "simulate to 300 [s] every 1 [s]\n",
     "a", "chaotic"},
    // a mean begins where a sample falls, which comes later with a longer period
    {"param T = 0.1 [s], m = 1 [kg]\ncoord x = 0 [m]\ncoord x' = 1 [m/s]\nkinetic = m*x'^2/2\n"
     "input u = 0 [m]\nsample every T: u = x\nmeasure a = mean(u) from 0.3 [s]\n"
     "simulate to 0.55 [s] every 0.1 [s]\n",
     "T", "from which it counts"},
    // two periods that meet at 0.3 s
    {"param T = 0.1 [s], m = 1 [kg]\ncoord x = 0 [m]\ncoord x' = 1 [m/s]\nkinetic = m*x'^2/2\n"
     "input u = 0 [m], v = 0 [m]\nsample every T: u = x\nsample every 0.15 [s]: v = u\n"
     "measure a = integral(u + v)\nsimulate to 0.55 [s] every 0.1 [s]\n",
     "T", "two samples"}};

TEST(what_has_no_slope_says_why) {
  for (size_t k = 0; k < sizeof refusals / sizeof *refusals; k++) {
    Motion m = motion_load_as(cx, refusals[k].text, NULL, FORMULATION_LAGRANGE);
    uint32_t number = 0;
    for (uint32_t i = 0; i < m.system.model->parameters.n; i++)
      if (strcmp(symbol_text(cx, m.system.model->parameters.at[i].name), refusals[k].parameter) ==
          0)
        number = i;
    Directions directions = {1, &number};
    m.options.directions = &directions;
    Rerun rerun;
    double value;
    assert_int_equal(rerun_open(&rerun, &m.system, &m.options), QDOT_OK);
    assert_int_equal(rerun_measures(&rerun, NULL, NULL, 0, &value), QDOT_OK);
    assert_non_null(rerun.undefined[0]);
    if (!strstr(rerun.undefined[0], refusals[k].why)) fail_msg("%s", rerun.undefined[0]);
    assert_true(isnan(rerun.slopes[0]) && !isnan(value));
    rerun_close(&rerun);
  }
}

RUN_TESTS(cmocka_unit_test(what_has_no_slope_says_why),
          cmocka_unit_test(slopes_agree_with_differences_of_runs))
