// Derivations on a terminal: a textbook's form, aligned and never too wide.
#include <string.h>

#include "base/utf8.h"
#include "derive/formulate.h"
#include "lang/read.h"
#include "print/listing_text.h"
#include "support/check.h"

static Expr reads(Context *cx, Model *model, const char *text) {
  Expr e = 0;
  assert_int_equal(expression_read(cx, model, "test", text, strlen(text), &e), QDOT_OK);
  return e;
}

static System derived(Context *cx, const char *text) {
  Model *model;
  System system;
  assert_int_equal(model_read(cx, "test", text, strlen(text), NULL, &model), QDOT_OK);
  assert_int_equal(model_formulate(cx, model, FORMULATION_LAGRANGE, &model), QDOT_OK);
  assert_int_equal(derive_system(cx, model, DERIVE_MATRICES, &system), QDOT_OK);
  return system;
}

static const TextStyle wide = {true, 100};

static const char *shown(Context *cx, System *system, SimplifyLevel simplify, const char *only,
                         const TextStyle *style) {
  Mark mark = arena_mark(&cx->scratch);
  Text out = text_new(&cx->keep);
  Listing listing;
  ListingOptions options = {simplify, only, true};
  assert_int_equal(listing_open(system, &options, &listing), QDOT_OK);
  listing_text(&listing, style, &out);
  arena_release(&cx->scratch, mark);
  return out.at;
}

static const char double_pendulum[] =
    "model \"Double pendulum\"\n"
    "param g = 9.81 [m/s^2], m_1 = 1 [kg], m_2 = 1 [kg], L_1 = 1 [m], L_2 = 1 [m]\n"
    "coord theta_1 = 90 [deg], theta_2 = 0 [deg]\n"
    "let r_1 = (L_1*sin(theta_1), -L_1*cos(theta_1))\n"
    "let r_2 = r_1 + (L_2*sin(theta_2), -L_2*cos(theta_2))\n"
    "kinetic = 1/2*m_1*dot(r_1', r_1') + 1/2*m_2*dot(r_2', r_2')\n"
    "potential = m_1*g*r_1.y + m_2*g*r_2.y\n";

// The double pendulum as a textbook writes it.
static System textbook(Context *cx) {
  System s = derived(cx, double_pendulum);
  Model *model = (Model *)s.model;
  s.M[0] = reads(cx, model, "L_1^2*(m_1 + m_2)");
  s.M[1] = s.M[2] = reads(cx, model, "L_1*L_2*m_2*cos(theta_1 - theta_2)");
  s.M[3] = reads(cx, model, "L_2^2*m_2");
  s.h[0] = reads(cx, model, "L_1*L_2*m_2*sin(theta_1 - theta_2)*theta_2'^2");
  s.h[1] = reads(cx, model, "-L_1*L_2*m_2*sin(theta_1 - theta_2)*theta_1'^2");
  s.G[0] = reads(cx, model, "g*L_1*(m_1 + m_2)*sin(theta_1)");
  s.G[1] = reads(cx, model, "g*L_2*m_2*sin(theta_2)");
  return s;
}

TEST(double_pendulum_as_in_a_textbook) {
  System s = textbook(cx);
  assert_string_equal(shown(cx, &s, SIMPLIFY_NONE, NULL, &wide),
                      "Double pendulum: 2 coordinates, 2 degrees of freedom\n"
                      "Conserved: energy E = T + V\n"
                      "\n"
                      "M(q) q'' + h(q, q') + G(q) = 0\n"
                      "\n"
                      "M = ⎡ (m₁ + m₂) L₁²             m₂ L₁ L₂ cos(θ₁ − θ₂) ⎤\n"
                      "    ⎣ m₂ L₁ L₂ cos(θ₁ − θ₂)     m₂ L₂²                ⎦\n"
                      "\n"
                      "h = ⎡  m₂ L₁ L₂ sin(θ₁ − θ₂) θ₂'² ⎤      G = ⎡ (m₁ + m₂) g L₁ sin θ₁ ⎤\n"
                      "    ⎣ −m₂ L₁ L₂ sin(θ₁ − θ₂) θ₁'² ⎦          ⎣ m₂ g L₂ sin θ₂        ⎦\n");
}

TEST(plain_ascii) {
  System s = textbook(cx);
  TextStyle plain = {false, 80};
  assert_string_equal(shown(cx, &s, SIMPLIFY_NONE, NULL, &plain),
                      "Double pendulum: 2 coordinates, 2 degrees of freedom\n"
                      "Conserved: energy E = T + V\n"
                      "\n"
                      "M(q) q'' + h(q, q') + G(q) = 0\n"
                      "\n"
                      "M = [ (m_1 + m_2)*L_1^2                     "
                      "m_2*L_1*L_2*cos(theta_1 - theta_2) ]\n"
                      "    [ m_2*L_1*L_2*cos(theta_1 - theta_2)    "
                      "m_2*L_2^2                          ]\n"
                      "\n"
                      "h = [  m_2*L_1*L_2*sin(theta_1 - theta_2)*theta_2'^2 ]\n"
                      "    [ -m_2*L_1*L_2*sin(theta_1 - theta_2)*theta_1'^2 ]\n"
                      "\n"
                      "G = [ (m_1 + m_2)*g*L_1*sin(theta_1) ]\n"
                      "    [ m_2*g*L_2*sin(theta_2)         ]\n");
}

TEST(one_coordinate_needs_no_brackets) {
  System s = derived(cx, "model \"Pendulum\"\nparam g = 9.81, m = 1, L = 1\n"
                         "coord theta = 1\nkinetic = 1/2*m*L^2*theta'^2\n"
                         "potential = -m*g*L*cos(theta)\n");
  assert_string_equal(shown(cx, &s, SIMPLIFY_NORMAL, NULL, &wide),
                      "Pendulum: 1 coordinate, 1 degree of freedom\n"
                      "Conserved: energy E = T + V\n"
                      "\n"
                      "M q'' + G(q) = 0\n"
                      "\n"
                      "M = m L²\n"
                      "\n"
                      "G = m g L sin θ\n"
                      "\n"
                      "θ'' + g sin(θ)/L = 0\n");
}

TEST(linear_systems_have_their_matrices) {
  System s = derived(cx, "model \"Springs\"\nparam m = 1, k_1 = 1, k_2 = 1, c = 1\n"
                         "coord x_1 = 1, x_2 = 0\nkinetic = 1/2*m*(x_1'^2 + x_2'^2)\n"
                         "potential = 1/2*k_1*x_1^2 + 1/2*k_2*(x_2 - x_1)^2\n"
                         "dissipation = 1/2*c*x_2'^2\n");
  assert_string_equal(shown(cx, &s, SIMPLIFY_NORMAL, NULL, &wide),
                      "Springs: 2 coordinates, 2 degrees of freedom\n"
                      "\n"
                      "M q'' + C q' + K q = 0\n"
                      "\n"
                      "M = ⎡ m     0 ⎤      C = ⎡ 0     0 ⎤      K = ⎡  k₁ + k₂     −k₂ ⎤\n"
                      "    ⎣ 0     m ⎦          ⎣ 0     c ⎦          ⎣ −k₂           k₂ ⎦\n");
}

TEST(cyclic_coordinates_conserve_momentum) {
  System s = derived(cx, "model \"Orbit\"\nparam m = 1, k = 1\ncoord r = 1, phi = 0\n"
                         "kinetic = 1/2*m*(r'^2 + r^2*phi'^2)\npotential = -k/r\n");
  const char *text = shown(cx, &s, SIMPLIFY_NORMAL, NULL, &wide);
  assert_non_null(strstr(text, "Conserved: energy E = T + V\n"
                               "Conserved: momentum p_φ = m r² φ'\n"));
}

TEST(names_that_appear_are_explained) {
  System s = derived(cx, double_pendulum);
  assert_string_equal(shown(cx, &s, SIMPLIFY_NONE, "T,V", &wide),
                      "T = m₁ (r₁.x'² + r₁.y'²)/2 + m₂ (r₂.x'² + r₂.y'²)/2\n"
                      "V = m₁ g r₁.y + m₂ g r₂.y\n"
                      "\n"
                      "where\n"
                      "\n"
                      "r₁.x = L₁ sin θ₁\n"
                      "r₁.y = −L₁ cos θ₁\n"
                      "r₂.x = r₁.x + L₂ sin θ₂\n"
                      "r₂.y = r₁.y − L₂ cos θ₂\n");
}

// A line may be wider than asked only when it has no blank at which it could be broken.
static void check_widths(const char *text, size_t width) {
  for (const char *at = text; *at;) {
    size_t n = strcspn(at, "\n"), lead = strspn(at, " ");
    if (utf8_width(at, n) > width) {
      const char *equals = strstr(at, " = ");
      size_t skip = equals && equals < at + n ? (size_t)(equals - at) + 3 : lead;
      for (size_t i = skip; i < n; i++)
        if (at[i] == ' ' && at[i + 1] != ' ') fail_msg("too wide for %zu: %.*s", width, (int)n, at);
    }
    at += n + (at[n] == '\n');
  }
}

TEST(widths_are_kept) {
  System s = derived(cx, "model \"Chain\"\ncount N = 11\nparam g = 9.81\nlet x[0] = 0\n"
                         "let y[0] = 0\nfor i in 1..N\n"
                         "  param m[i] = 1, L[i] = 1\n  coord theta[i] = 1\n"
                         "  let x[i] = x[i-1] + L[i]*sin(theta[i])\n"
                         "  let y[i] = y[i-1] - L[i]*cos(theta[i])\n"
                         "  kinetic = 1/2*m[i]*(x[i]'^2 + y[i]'^2)\n"
                         "  potential = m[i]*g*y[i]\nend\n"
                         "constraint tip: x[N] = 3\nconstraint tip_y: y[N]^2 = 2\n");
  for (size_t width = 40; width < 200; width += 37) {
    TextStyle style = {width % 2 == 0, width};
    check_widths(shown(cx, &s, SIMPLIFY_NORMAL, NULL, &style), width);
    check_widths(shown(cx, &s, SIMPLIFY_NONE, NULL, &style), width);
  }
}

RUN_TESTS(cmocka_unit_test(double_pendulum_as_in_a_textbook), cmocka_unit_test(plain_ascii),
          cmocka_unit_test(one_coordinate_needs_no_brackets),
          cmocka_unit_test(linear_systems_have_their_matrices),
          cmocka_unit_test(cyclic_coordinates_conserve_momentum),
          cmocka_unit_test(names_that_appear_are_explained), cmocka_unit_test(widths_are_kept))
