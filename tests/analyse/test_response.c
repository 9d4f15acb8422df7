// Frequency responses against closed forms and against the state space; root loci against formulas.
#include "analyse/vibration/response.h"

#include <complex.h>
#include <math.h>

#include "analyse/vibration/locus.h"
#include "base/random.h"
#include "base/text.h"
#include "support/analysis.h"

static Response respond(const Analysed *a, const Linearized *l, const ResponseTask *task) {
  Modes *modes = arena_new(&a->cx->keep, Modes);
  Response r;
  assert_int_equal(modes_find(l, &a->cx->keep, modes), QDOT_OK);
  assert_int_equal(response_compute(l, modes, a->values, task, &a->cx->keep, &r), QDOT_OK);
  return r;
}

static double complex value_of(const Response *r, uint32_t k, uint32_t o, uint32_t i) {
  size_t at = ((size_t)k * r->task.output_count + o) * r->task.input_count + i;
  return r->re[at] + I * r->im[at];
}

static const char oscillator[] = "param m = 2 [kg], c = 3 [N*s/m], k = 50 [N/m]\n"
                                 "coord x = 0 [m]\n"
                                 "input F = 0 [N]\n"
                                 "kinetic = 1/2*m*x'^2\n"
                                 "potential = 1/2*k*x^2\n"
                                 "dissipation = 1/2*c*x'^2\n"
                                 "force x = F\n";

TEST(oscillator_has_the_textbook_response) {
  Analysed a = analysed(cx, oscillator);
  Linearized l = linearized(&a);
  ResponseInput inputs[] = {{"F", false, 0}, {"x", true, 0}};
  ResponseOutput outputs[] = {{"x", expression(&a, "x")},
                              {"x''", expression(&a, "x''")},
                              {"load", expression(&a, "F - c*x'")}};
  Response r = respond(&a, &l, &(ResponseTask){inputs, outputs, 2, 3, 0.1, 10, 50});
  assert_true(r.n > 50);
  for (uint32_t k = 0; k < r.n; k++) {
    double w = 2 * M_PI * r.hz[k];
    double complex G = 1 / (50 - 2 * w * w + I * w * 3);
    for (uint32_t i = 0; i < 2; i++) {
      assert_true(cabs(value_of(&r, k, 0, i) - G) < 1e-12 * cabs(G));
      assert_true(cabs(value_of(&r, k, 1, i) + w * w * G) < 1e-11);
    }
    // a force on the coordinate is not the input itself
    assert_true(cabs(value_of(&r, k, 2, 0) - (1 - I * w * 3 * G)) < 1e-11);
    assert_true(cabs(value_of(&r, k, 2, 1) - (-I * w * 3 * G)) < 1e-11);
  }
  CHECK_NEAR(r.rest[0], 1.0 / 50, 1e-14);
  const Extrema *extrema = response_extrema(&r, 0, 0);
  assert_int_equal(extrema->resonances.n, 1);
  const Extremum *top = &extrema->resonances.at[0];
  double w = 2 * M_PI * top->hz;
  CHECK_NEAR(w, sqrt(25 - 9.0 / 8), 1e-12);
  CHECK_NEAR(top->gain, 1 / (3 * sqrt(25 - 9.0 / 16)), 1e-14);
  CHECK_NEAR(top->phase_deg, -atan2(3 * w, 50 - 2 * w * w) * 180 / M_PI, 1e-10);
  // |H|^2 = peak^2 / 2: w^2 = wr^2 -+ 2 z sqrt(1 - z^2) w0^2 with z = 3/20
  double half = 2 * 0.15 * sqrt(1 - 0.15 * 0.15) * 25;
  CHECK_NEAR(2 * M_PI * top->low, sqrt(w * w - half), 1e-11);
  CHECK_NEAR(2 * M_PI * top->high, sqrt(w * w + half), 1e-11);
}

// H = (c s + k) / (m_1 m_2 s^4 + (m_1 + m_2) s^2 (c s + k)) of a force on the first of two masses
// that a spring joins, scaled to a gain about 1: where it crosses, and what it is there.
TEST(crossings_are_roots) {
  Random random = random_start("crossings");
  int gains = 0, phases = 0;
  for (int round = 0; round < test_rounds(30); round++) {
    double m[2] = {random_real(&random, 0.5, 3), random_real(&random, 0.5, 3)};
    double k = random_real(&random, 50, 500), c = random_real(&random, 0.2, 3);
    double b = random_real(&random, 0.5, 5), scale = random_real(&random, 1, 30);
    Analysed a = analysed(
        cx,
        text_format(&cx->keep,
                    "param m_1 = %.17g [kg], m_2 = %.17g [kg], k = %.17g [N/m], c = %.17g [N*s/m]\n"
                    "param b = %.17g [N*s/m], a = %.17g [1/m], F = 1 [N]\n"
                    "coord x = 0 [m], y = 0 [m]\ninput u = 0\nforce x = F*u\n"
                    "kinetic = 1/2*m_1*x'^2 + 1/2*m_2*y'^2\npotential = 1/2*k*(x - y)^2\n"
                    "dissipation = 1/2*c*(x' - y')^2 + 1/2*b*x'^2\noutput z = a*y\n",
                    m[0], m[1], k, c, b, scale));
    Linearized l = linearized(&a);
    ResponseInput inputs[] = {{"u", false, 0}};
    ResponseOutput outputs[] = {{"z", expression(&a, "a*y")}};
    Response r = respond(&a, &l, &(ResponseTask){inputs, outputs, 1, 1, 1e-3, 100, 50});
    const Extrema *e = response_extrema(&r, 0, 0);
    for (int kind = 0; kind < 2; kind++) {
      const CrossingList *list = kind ? &e->phase_crossings : &e->gain_crossings;
      for (uint32_t i = 0; i < list->n; i++) {
        const Crossing *at = &list->at[i];
        double complex s = I * 2 * M_PI * at->hz, joint = c * s + k;
        double complex H =
            scale * joint /
            ((m[0] * s * s + b * s + joint) * (m[1] * s * s + joint) - joint * joint);
        CHECK_NEAR(cabs(H), at->gain, 1e-9 * at->gain);
        if (kind) {
          assert_true(creal(H) < 0);
          CHECK_NEAR(cimag(H) / cabs(H), 0, 1e-8);
          CHECK_NEAR(crossing_gain_margin(at) * cabs(H), 1, 1e-9);
        } else {
          CHECK_NEAR(cabs(H), 1, 1e-9);
          double margin = carg(-H) * 180 / M_PI;
          CHECK_NEAR(crossing_phase_margin(at), margin, 1e-6);
        }
      }
    }
    // a free body: the gain falls from infinity to 0, the phase from -90 to -270 or so
    assert_true(e->gain_crossings.n % 2 == 1);
    assert_true(e->phase_crossings.n == 1);
    gains += (int)e->gain_crossings.n, phases += (int)e->phase_crossings.n;
  }
  print_message("%d gain and %d phase crossings\n", gains, phases);
}

// ---- Random systems, by elimination of their own

enum { MOST_N = 5 };

typedef struct Line {
  uint32_t n;
  double m[MOST_N], k[MOST_N + 1], c[MOST_N + 1]; // a line of masses; the last spring to a wall
} Line;

// x_out for a force of amplitude 1 on mass `in`.
static double complex dense_response(const Line *s, double w, uint32_t out, uint32_t in) {
  double complex Z[MOST_N][MOST_N + 1] = {{0}};
  uint32_t n = s->n;
  for (uint32_t i = 0; i < n; i++) {
    Z[i][i] += s->k[i] + s->k[i + 1] + I * w * (s->c[i] + s->c[i + 1]) - w * w * s->m[i];
    if (i > 0) Z[i][i - 1] = Z[i - 1][i] = -s->k[i] - I * w * s->c[i];
  }
  Z[in][n] = 1;
  for (uint32_t c = 0; c < n; c++) {
    uint32_t p = c;
    for (uint32_t i = c + 1; i < n; i++)
      if (cabs(Z[i][c]) > cabs(Z[p][c])) p = i;
    for (uint32_t j = 0; j <= n; j++) {
      double complex swap = Z[c][j];
      Z[c][j] = Z[p][j], Z[p][j] = swap;
    }
    for (uint32_t i = 0; i < n; i++)
      for (uint32_t j = n + 1; i != c && j-- > c;) Z[i][j] -= Z[i][c] / Z[c][c] * Z[c][j];
  }
  return Z[out][n] / Z[out][out];
}

static Line random_system(uint64_t *seed) {
  Line s = {.n = 1 + (uint32_t)(random_mixed_fraction(seed) * MOST_N)};
  double damping = pow(10, -1 - 6 * random_mixed_fraction(seed));
  for (uint32_t i = 0; i <= s.n; i++) {
    if (i < s.n) s.m[i] = 0.5 + random_mixed_fraction(seed);
    s.k[i] = 100 * (0.2 + random_mixed_fraction(seed));
    s.c[i] = damping * 10 * random_mixed_fraction(seed);
  }
  return s;
}

static Analysed random_model(Context *cx, const Line *s) {
  Text text = text_new(&cx->keep);
  text_add(&text, "coord x_0 = 0 [m]");
  for (uint32_t i = 1; i < s->n; i++) text_addf(&text, ", x_%u = 0 [m]", i);
  for (uint32_t i = 0; i <= s->n; i++) {
    const char *right = i < s->n ? text_format(&cx->keep, "x_%u", i) : "0 [m]";
    const char *left = i > 0 ? text_format(&cx->keep, " - x_%u", i - 1) : "";
    const char *right_v = i < s->n ? text_format(&cx->keep, "x_%u'", i) : "0 [m/s]";
    const char *left_v = i > 0 ? text_format(&cx->keep, " - x_%u'", i - 1) : "";
    if (i < s->n) text_addf(&text, "\nkinetic = 1/2*%.17g [kg]*x_%u'^2", s->m[i], i);
    text_addf(&text, "\npotential = 1/2*%.17g [N/m]*(%s%s)^2", s->k[i], right, left);
    text_addf(&text, "\ndissipation = 1/2*%.17g [N*s/m]*(%s%s)^2", s->c[i], right_v, left_v);
  }
  text_add(&text, "\n");
  return analysed(cx, text.at);
}

// No grid of the test's own finds more than these tops, and none is higher beside them.
TEST(resonances_are_the_tops_of_the_exact_curve) {
  uint64_t seed = 20261;
  for (int round = 0; round < 16; round++) {
    uint64_t printed = seed;
    Line s = random_system(&seed);
    Analysed a = random_model(cx, &s);
    Linearized l = linearized(&a);
    uint32_t out = (uint32_t)(random_mixed_fraction(&seed) * s.n);
    uint32_t in = (uint32_t)(random_mixed_fraction(&seed) * s.n);
    ResponseInput input = {"F", true, in};
    ResponseOutput output = {"x", a.system->q[out]};
    // neither the range nor the number of points has a say
    Response r = respond(&a, &l, &(ResponseTask){&input, &output, 1, 1, 0.05, 20, 2});
    Response wide = respond(&a, &l, &(ResponseTask){&input, &output, 1, 1, 0.01, 300, 777});
    const ExtremumList *tops = &response_extrema(&r, 0, 0)->resonances;
    const ExtremumList *same = &response_extrema(&wide, 0, 0)->resonances;
    if (tops->n != same->n) print_message("seed %llu\n", (unsigned long long)printed);
    assert_int_equal(tops->n, same->n);
    for (uint32_t k = 0; k < tops->n; k++) {
      const Extremum *e = &tops->at[k];
      assert_true(e->hz == same->at[k].hz && e->gain == same->at[k].gain);
      double w = 2 * M_PI * e->hz;
      double complex H = dense_response(&s, w, out, in);
      CHECK_NEAR(e->gain / cabs(H), 1, 1e-8);
      CHECK_NEAR(e->phase_deg, carg(H) * 180 / M_PI, 1e-5);
      // a top: lower at a hundredth of its width on both sides, half the power at its edges
      double width = 2 * M_PI * fmin(e->high - e->hz, e->hz - e->low);
      if (isnan(width)) width = 0.01 * w;
      assert_true(cabs(dense_response(&s, w + width / 100, out, in)) < cabs(H));
      assert_true(cabs(dense_response(&s, w - width / 100, out, in)) < cabs(H));
      double edges[] = {e->low, e->high};
      for (int side = 0; side < 2; side++)
        if (!isnan(edges[side])) {
          double complex there = dense_response(&s, 2 * M_PI * edges[side], out, in);
          CHECK_NEAR(cabs(there) / cabs(H), sqrt(0.5), 1e-7);
        }
    }
    const ExtremumList *dips = &response_extrema(&r, 0, 0)->antiresonances;
    for (uint32_t k = 0; k < dips->n; k++) {
      double w = 2 * M_PI * dips->at[k].hz;
      double complex H = dense_response(&s, w, out, in);
      if (dips->at[k].gain > 0) CHECK_NEAR(dips->at[k].gain / cabs(H), 1, 1e-6);
      assert_true(cabs(dense_response(&s, w * 1.0001, out, in)) >= cabs(H));
      assert_true(cabs(dense_response(&s, w * 0.9999, out, in)) >= cabs(H));
    }
    // every top that a dense scan sees is listed
    uint32_t seen = 0;
    double step = 1 + 2e-5, last = 0, here = 0;
    for (double w = 2 * M_PI * 0.05; w < 2 * M_PI * 20; w *= step) {
      double next = cabs(dense_response(&s, w, out, in));
      bool top = here > last && here > next;
      bool listed = false;
      for (uint32_t k = 0; k < tops->n; k++)
        listed = listed || fabs(2 * M_PI * tops->at[k].hz * step - w) < 4e-5 * w;
      if (top && !listed) print_message("seed %llu\n", (unsigned long long)printed);
      assert_true(!top || listed);
      seen += top;
      last = here, here = next;
    }
    assert_true(seen <= tops->n);
  }
}

// A mass on a spring without damper, and an absorber tuned to a zero at 2 rad/s.
TEST(undamped_systems_have_poles_and_zeros_on_the_axis) {
  Analysed a = analysed(cx, "param m = 1 [kg], k = 4 [N/m]\ncoord x = 0 [m], y = 0 [m]\n"
                            "kinetic = 1/2*m*(x'^2 + y'^2)\n"
                            "potential = 1/2*k*(x^2 + (y - x)^2)\n");
  Linearized l = linearized(&a);
  ResponseInput input = {"x", true, 0};
  ResponseOutput output = {"x", expression(&a, "x")};
  Response r = respond(&a, &l, &(ResponseTask){&input, &output, 1, 1, 0.01, 10, 5});
  const Extrema *e = response_extrema(&r, 0, 0);
  assert_int_equal(e->resonances.n, 2);
  for (int k = 0; k < 2; k++) {
    double square = 4 * (3 + (k ? 1 : -1) * sqrt(5)) / 2;
    assert_true(e->resonances.at[k].is_unlimited);
    CHECK_NEAR(2 * M_PI * e->resonances.at[k].hz, sqrt(square), 1e-12);
  }
  assert_int_equal(e->antiresonances.n, 1);
  CHECK_NEAR(2 * M_PI * e->antiresonances.at[0].hz, 2, 1e-12);
  CHECK_NEAR(e->antiresonances.at[0].gain, 0, 0);
}

// Rolling: the response solves the state equations i w x = A x + B u.
TEST(rolling_response_solves_the_state_equations) {
  Analysed a = analysed(cx, "param m = 2 [kg], J = 0.3 [kg*m^2], a = 0.4 [m], v = 1.5 [m/s]\n"
                            "param k = 2 [N*m]\n"
                            "coord x = 0 [m], y = 0 [m], psi = 0 [rad]\n"
                            "let r = (x + a*cos(psi), y + a*sin(psi))\n"
                            "input T = 0 [N*m]\n"
                            "kinetic = 1/2*m*dot(r', r') + 1/2*J*psi'^2\n"
                            "force psi = T - k*psi\n"
                            "constraint edge: y'*cos(psi) - x'*sin(psi) = 0\n"
                            "linearize at motion x' = v\n");
  Linearized l = linearized(&a);
  assert_true(l.p > l.f);
  ResponseInput input = {"T", false, 0};
  ResponseOutput outputs[] = {{"x", expression(&a, "x")},
                              {"y", expression(&a, "y")},
                              {"psi", expression(&a, "psi")},
                              {"x'", expression(&a, "x'")},
                              {"psi'", expression(&a, "psi'")}};
  Response r = respond(&a, &l, &(ResponseTask){&input, outputs, 1, 5, 0.1, 10, 20});
  uint32_t size = l.p + l.f, order[5] = {0};
  // the state in its own order
  for (uint32_t i = 0; i < l.p; i++) order[i] = l.choice.z[i];
  for (uint32_t i = 0; i < l.f; i++) order[l.p + i] = l.choice.z[i] == 0 ? 3 : 4;
  for (uint32_t k = 0; k < r.n; k++) {
    double w = 2 * M_PI * r.hz[k];
    for (uint32_t i = 0; i < size; i++) {
      double complex rest = I * w * value_of(&r, k, order[i], 0) - l.state.B[i];
      for (uint32_t j = 0; j < size; j++)
        rest -= l.state.A[i * size + j] * value_of(&r, k, order[j], 0);
      assert_true(cabs(rest) < 1e-10);
    }
  }
}

// A pendulum on a turning frame is stable up to w^2 = g/L.
// Over a wide range the steps have equal ratios, and the frequency is that of the formula at each.
TEST(wide_loci_go_by_ratios) {
  Analysed a = analysed(cx, "param m = 2 [kg], k = 1 [N/m]\ncoord x = 0 [m]\n"
                            "kinetic = 1/2*m*x'^2\npotential = 1/2*k*x^2\n");
  Locus locus;
  assert_int_equal(locus_of_parameter(cx, a.system, NULL, 1, 1e-3, 1e6, 19, &locus), QDOT_OK);
  assert_true(locus.is_geometric);
  for (uint32_t i = 0; i < locus.n; i++) {
    double k = 1e-3 * pow(10, 0.5 * i);
    CHECK_NEAR(locus.step[i].value / k, 1, 1e-12);
    CHECK_NEAR(locus.step[i].modes.mode[0].omega / sqrt(k / 2), 1, 1e-12);
  }
}

TEST(locus_finds_where_stability_ends) {
  Analysed a = analysed(cx, "param m = 1 [kg], L = 0.5 [m], g = 9.81 [m/s^2], w = 1 [rad/s]\n"
                            "coord theta = 0 [rad]\n"
                            "kinetic = 1/2*m*L^2*(theta'^2 + w^2*sin(theta)^2)\n"
                            "potential = -m*g*L*cos(theta)\n"
                            "linearize at theta = 0\n");
  Locus s;
  const LinearizeRequest *request = &a.model->requests.linearizations.at[0];
  assert_int_equal(locus_of_parameter(cx, a.system, request, 3, 1, 8, 15, &s), QDOT_OK);
  for (uint32_t i = 0; i < s.n; i++) {
    double square = 9.81 / 0.5 - s.step[i].value * s.step[i].value;
    assert_true(s.step[i].is_found);
    assert_int_equal(s.step[i].modes.stability == STABILITY_UNSTABLE, square < 0);
    CHECK_NEAR(s.step[i].modes.mode[0].omega, sqrt(fabs(square)), 1e-10);
  }
  assert_int_equal(s.changes.n, 1);
  assert_true(s.changes.at[0].becomes_unstable);
  CHECK_NEAR(s.changes.at[0].value, sqrt(9.81 / 0.5), 1e-7);
}

// A row of masses that nothing ties to the ground, pushed at the first: what a steady force does to
// an output is bounded where the output does not take part in the rigid motion.
TEST(at_rest_with_a_rigid_motion) {
  Random random = random_start(__func__);
  for (int round = 0; round < test_rounds(40); round++) {
    int n = 1 + random_below(&random, 5);
    bool brakes = round % 2;
    double m[5], k, sum = 0, beyond, c = random_real(&random, 0.1, 10);
    Text text = text_new(&cx->keep);
    text_addf(&text, "param c = %.17g [N*s/m]\ninput F = 0 [N]\n", brakes ? c : 0);
    for (int i = 0; i < n; i++) {
      m[i] = random_real(&random, 0.2, 5), k = random_real(&random, 10, 1000);
      sum += m[i];
      text_addf(&text, "param m_%d = %.17g [kg], k_%d = %.17g [N/m]\ncoord x_%d = 0 [m]\n", i, m[i],
                i, k, i);
      text_addf(&text, "kinetic = 1/2*m_%d*x_%d'^2\n", i, i);
      if (i > 0) text_addf(&text, "potential = 1/2*k_%d*(x_%d - x_%d)^2\n", i, i, i - 1);
    }
    text_addf(&text, "dissipation = 1/2*c*x_%d'^2\nforce x_0 = F\n", n - 1);
    Analysed a = analysed(cx, text.at);
    Linearized l = linearized(&a);
    int at = random_below(&random, n);
    char name[4][60];
    snprintf(name[0], 60, "x_%d", at);
    snprintf(name[1], 60, "x_%d'", at);
    snprintf(name[2], 60, "x_%d''", at);
    snprintf(name[3], 60, at > 0 ? "k_%d*(x_%d - x_%d)" : "0", at, at - 1, at);
    ResponseInput inputs[] = {{"F", false, 0}};
    ResponseOutput outputs[4];
    for (int i = 0; i < 4; i++) outputs[i] = (ResponseOutput){name[i], expression(&a, name[i])};
    Response r = respond(&a, &l, &(ResponseTask){inputs, outputs, 1, 4, 0.1, 10, 20});
    beyond = 0;
    for (int i = at; i < n; i++) beyond += m[i];
    assert_false(isfinite(r.rest[0]));
    if (brakes) {
      CHECK_NEAR(r.rest[1] * c, 1, 1e-8);
      CHECK_NEAR(r.rest[2] * sum, 0, 1e-8);
    } else {
      assert_false(isfinite(r.rest[1]));
      CHECK_NEAR(r.rest[2] * sum, 1, 1e-8);
    }
    CHECK_NEAR(r.rest[3], at == 0 ? 0 : brakes ? 1 : beyond / sum, 1e-8);
  }
}

RUN_TESTS(cmocka_unit_test(crossings_are_roots),
          cmocka_unit_test(oscillator_has_the_textbook_response),
          cmocka_unit_test(at_rest_with_a_rigid_motion),
          cmocka_unit_test(resonances_are_the_tops_of_the_exact_curve),
          cmocka_unit_test(undamped_systems_have_poles_and_zeros_on_the_axis),
          cmocka_unit_test(rolling_response_solves_the_state_equations),
          cmocka_unit_test(wide_loci_go_by_ratios),
          cmocka_unit_test(locus_finds_where_stability_ends))
