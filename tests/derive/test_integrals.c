// First integrals: known ones by name and number, hidden ones behind changed coordinates, none
// where there are none; each again by its rate along the motion, with accelerations from M and h.
#include <math.h>
#include <string.h>

#include "derive/roads/integral.h"
#include "expr/build.h"
#include "expr/diff.h"
#include "expr/value/eval.h"
#include "lang/read.h"
#include "support/mechanisms.h"

static System derived(Context *cx, const char *text) {
  Model *model;
  System s;
  ReadOptions options = {0};
  assert_int_equal(model_read(cx, "test", text, strlen(text), &options, &model), QDOT_OK);
  assert_int_equal(derive_system(cx, model, DERIVE_MATRICES, &s), QDOT_OK);
  return s;
}

// M a = f, by Gauss with pivots.
static void solve_dense(double *M, double *f, uint32_t n) {
  for (uint32_t k = 0; k < n; k++) {
    uint32_t best = k;
    for (uint32_t i = k; i < n; i++)
      if (fabs(M[i * n + k]) > fabs(M[best * n + k])) best = i;
    for (uint32_t j = 0; j < n; j++) {
      double kept = M[k * n + j];
      M[k * n + j] = M[best * n + j], M[best * n + j] = kept;
    }
    double kept = f[k];
    f[k] = f[best], f[best] = kept;
    for (uint32_t i = k + 1; i < n; i++) {
      double factor = M[i * n + k] / M[k * n + k];
      for (uint32_t j = k; j < n; j++) M[i * n + j] -= factor * M[k * n + j];
      f[i] -= factor * f[k];
    }
  }
  for (uint32_t i = n; i-- > 0;) {
    for (uint32_t j = i + 1; j < n; j++) f[i] -= M[i * n + j] * f[j];
    f[i] /= M[i * n + i];
  }
}

// dI/dt at a random state of a system without constraints, relative to the size of its terms.
static void check_rate(Context *cx, const System *s, Expr value, Random *random) {
  uint32_t n = s->n;
  Expr rate = expr_time_derivative(cx, value);
  double *at = arena_array(&cx->keep, double, cx->exprs->symbols.n + 1), M[100], f[10];
  for (uint32_t i = 0; i < cx->exprs->symbols.n; i++) at[i] = random_real(random, 0.3, 1.7);
  assert_true(n <= 10);
  for (uint32_t i = 0; i < n; i++) {
    f[i] = expr_eval(cx, s->Q[i], at) - expr_eval(cx, s->D[i], at) - expr_eval(cx, s->G[i], at) -
           expr_eval(cx, s->h[i], at);
    for (uint32_t j = 0; j < n; j++) M[i * n + j] = expr_eval(cx, s->M[i * n + j], at);
  }
  solve_dense(M, f, n);
  for (uint32_t i = 0; i < n; i++) at[symbol_variable(cx, s->qdd[i])] = f[i];
  CHECK_NEAR(expr_eval(cx, rate, at), 0, 1e-9);
}

// The names of the independent ones, with blanks.
static const char *found_names(Context *cx, System *s, int degree, Random *random) {
  Integrals found;
  integrals_find(cx, s, degree, &found);
  Text out = text_new(&cx->keep);
  for (uint32_t i = 0; i < found.list.n; i++) {
    const Integral *it = &found.list.at[i];
    if (s->row_count + s->contact_count == 0) check_rate(cx, s, it->value, random);
    if (!it->is_dependent) text_addf(&out, "%s%s", out.n ? " " : "", it->name);
  }
  text_add(&out, "");
  return out.at;
}

typedef struct Known {
  const char *text, *names;
} Known;

#define PLANE "coord x = 1 [m], y = 0.2 [m]\nkinetic = 1/2*m*(x'^2 + y'^2)\n"

static const Known known[] = {
    {"param m = 1 [kg], k = 1 [N*m^2]\n" PLANE "potential = -k/sqrt(x^2 + y^2)\n",
     "energy angular_momentum"},
    {"param m = 1 [kg], k = 1 [N*m^2]\ncoord r = 1 [m], phi = 0\n"
     "kinetic = 1/2*m*(r'^2 + r^2*phi'^2)\npotential = -k/r\n",
     "energy p_phi"},
    // a centre that is not the origin
    {"param m = 1 [kg], k = 1 [N/m], a = 0.3 [m]\n" PLANE
     "potential = k*((x - a)^2 + y^2)^2/(1 [m^2])\n",
     "energy angular_momentum"},
    // a charge in a uniform magnetic field: shifts with a boundary term
    {"param m = 1 [kg], b = 2 [kg/s]\ncoord x = 1 [m], y = 0 [m]\n"
     "lagrangian = 1/2*m*(x'^2 + y'^2) + 1/2*b*(x*y' - y*x')\n",
     "jacobi momentum_1 momentum_2"},
    {"param m = 1 [kg], g = 9.81 [m/s^2]\n" PLANE "potential = m*g*y\n",
     "energy p_x momentum boost_1"},
    // a screw
    {"param m = 1 [kg], k = 1 [N*m], h = 0.1 [m], J = 1 [kg*m^2]\ncoord z = 0 [m], phi = 0\n"
     "kinetic = 1/2*m*z'^2 + 1/2*J*phi'^2\npotential = k*cos(phi - z/h)\n",
     "energy momentum boost"},
    // a wave that travels
    {"param m = 1 [kg], k = 1 [J], c = 2 [m/s], L = 1 [m]\ncoord x = 0 [m]\n"
     "kinetic = 1/2*m*x'^2\npotential = k*cos((x - c*t)/L)\n",
     "travelling"},
    // masses in inverse square potentials: the scaling of time and place
    {"param m = 1 [kg], k = 1 [N*m^3]\ncoord x = 1 [m]\nkinetic = 1/2*m*x'^2\npotential = k/x^2\n",
     "energy scaling"},
    {"param m = 1 [kg], c = 1 [N*s/m]\n" PLANE "dissipation = 1/2*c*x'^2\n", "p_y boost"},
    {"param m = 1 [kg], k = 1 [N/m]\n" PLANE "potential = 1/2*k*x^2 + k*y^4/(1 [m^2])\n", "energy"},
};

TEST(known_integrals_are_found) {
  Random random = random_start("known_integrals_are_found");
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    System s = derived(cx, known[i].text);
    assert_string_equal(found_names(cx, &s, 1, &random), known[i].names);
  }
}

// Runge and Lenz's vector in any coordinates; Fradkin's tensor; none in others.
static const Known hidden[] = {
    {"param m = 1 [kg], k = 1 [N*m^2]\n" PLANE "potential = -k/sqrt(x^2 + y^2)\n",
     "energy angular_momentum hidden"},
    {"param m = 1 [kg], k = 1 [N*m^2]\ncoord r = 1 [m], phi = 0 [rad]\n"
     "kinetic = 1/2*m*(r'^2 + r^2*phi'^2)\npotential = -k/r\n",
     "energy p_phi hidden"},
    {"param m = 1 [kg], k = 1 [N/m]\n" PLANE "potential = 1/2*k*(x^2 + y^2)\n",
     "energy angular_momentum hidden"},
    {"param m = 1 [kg], k = 1 [N/m], c = 3 [N/m]\n" PLANE "potential = 1/2*k*x^2 + 1/2*c*y^2\n",
     "energy hidden"},
    {"param m = 1 [kg], k = 1 [N*m^2], e = 1 [N]\n" PLANE "potential = -k/sqrt(x^2 + y^2) + e*x\n",
     "energy hidden"}, // Stark's problem separates
    {"param m = 1 [kg], k = 1 [N/m], e = 1 [N/m^2]\n" PLANE
     "potential = 1/2*k*(x^2 + y^2) + e*(x^2*y - y^3/3)\n",
     "energy"}, // Henon and Heiles
};

TEST(hidden_integrals_are_found) {
  Random random = random_start("hidden_integrals_are_found");
  for (size_t i = 0; i < sizeof hidden / sizeof *hidden; i++) {
    System s = derived(cx, hidden[i].text);
    assert_string_equal(found_names(cx, &s, 2, &random), hidden[i].names);
  }
}

// Total momentum, its boost, angular momentum and energy of masses that springs join.
TEST(free_masses_have_six) {
  Random random = random_start("free_masses_have_six");
  for (int n = 2; n <= 5; n++) {
    Text text = text_new(&cx->keep);
    text_add(&text, "param k = 3 [N/m], L = 1 [m]\n");
    for (int i = 0; i < n; i++)
      text_addf(&text,
                "param m_%d = %d [kg]\ncoord x_%d = %d [m], y_%d = %d [m]\n"
                "kinetic = 1/2*m_%d*(x_%d'^2 + y_%d'^2)\n",
                i, 1 + random_below(&random, 3), i, i, i, i * i, i, i, i);
    for (int i = 1; i < n; i++)
      text_addf(&text, "potential = 1/2*k*(sqrt((x_%d - x_%d)^2 + (y_%d - y_%d)^2) - L)^2\n", i,
                i - 1, i, i - 1);
    System s = derived(cx, text.at);
    assert_string_equal(found_names(cx, &s, 1, &random),
                        "energy momentum_1 momentum_2 angular_momentum boost_1 boost_2");
  }
}

// Central forces in coordinates u with x = A u: what is conserved does not ask what they are
// called.
TEST(changed_coordinates_hide_nothing) {
  Random random = random_start("changed_coordinates_hide_nothing");
  for (int round = 0; round < test_rounds(20); round++) {
    int a = 1 + random_below(&random, 4), b = random_below(&random, 5) - 2;
    int c = random_below(&random, 5) - 2, d = 1 + random_below(&random, 4);
    if (a * d == b * c) continue;
    const char *text =
        text_format(&cx->keep,
                    "param m = 2 [kg], k = 3 [N*m^2]\ncoord u = 1 [m], w = 0.3 [m]\n"
                    "let x = (%d)*u + (%d)*w\nlet y = (%d)*u + (%d)*w\n"
                    "kinetic = 1/2*m*(x'^2 + y'^2)\npotential = -k/sqrt(x^2 + y^2)\n",
                    a, b, c, d);
    System s = derived(cx, text);
    Integrals found;
    integrals_find(cx, &s, 1, &found);
    assert_int_equal(found.list.n, 2);
    assert_int_equal(found.undecided, 0);
    for (uint32_t i = 0; i < 2; i++) check_rate(cx, &s, found.list.at[i].value, &random);
  }
}

// Random potentials that depend on time as well; and the same at rest, which have their energy.
TEST(none_is_invented) {
  Random random = random_start("none_is_invented");
  for (int round = 0; round < test_rounds(200); round++) {
    bool moves = random_below(&random, 4) != 0;
    const char *text = text_format(
        &cx->keep,
        "param m = 1, k = %d, e = 0.%d, c = 1, w = 1 [rad/s]\ncoord x = 1, y = 0.2\n"
        "kinetic = 1/2*m*(x'^2 + (%d + x^2)*y'^2)\n"
        "potential = k*x^%d + e*x*y^%d%s + c*cos(%d*x - %d*y)\n",
        1 + random_below(&random, 9), 1 + random_below(&random, 9), 1 + random_below(&random, 9),
        2 + random_below(&random, 3), 1 + random_below(&random, 3), moves ? "*sin(w*t)" : "",
        1 + random_below(&random, 3), 1 + random_below(&random, 3));
    System s = derived(cx, text);
    assert_string_equal(found_names(cx, &s, round % 10 ? 1 : 2, &random), moves ? "" : "energy");
  }
}

TEST(systems_of_every_kind_have_none_by_chance) {
  Random random = random_start("systems_of_every_kind_have_none_by_chance");
  for (int round = 0; round < test_rounds(40); round++) {
    System s;
    assert_int_equal(derive_system(cx, mechanism_random(cx, &random), DERIVE_MATRICES, &s),
                     QDOT_OK);
    Integrals found;
    integrals_find(cx, &s, 1, &found);
    // a coordinate that nothing touches may be among them
    for (uint32_t i = 0; s.row_count + s.contact_count == 0 && i < found.list.n; i++)
      check_rate(cx, &s, found.list.at[i].value, &random);
    for (uint32_t i = 0; i < found.list.n; i++)
      assert_true(found.list.at[i].kind == INTEGRAL_MOMENTUM ||
                  found.list.at[i].kind == INTEGRAL_BOOST);
  }
}

// The antiderivative's derivative is what it was made of.
TEST(antiderivatives_lead_back) {
  Expr x = expr_symbol(cx, SYMBOL_COORDINATE, symbol_from_text(cx, "x"));
  Expr a = expr_symbol(cx, SYMBOL_PARAMETER, symbol_from_text(cx, "a"));
  Expr wave = expr_cos(cx, expr_add(cx, expr_mul(cx, a, x), a));
  Expr sum = expr_add(cx, expr_mul(cx, a, expr_power(cx, x, number_int(cx, 3))),
                      expr_add(cx, wave, expr_add(cx, a, expr_div(cx, a, expr_square(cx, x)))));
  Expr F = antiderivative(cx, sum, x);
  assert_true(F != 0);
  assert_int_equal(expr_diff(cx, F, x), sum);
  assert_int_equal(antiderivative(cx, expr_mul(cx, x, wave), x), 0);
  assert_int_equal(antiderivative(cx, expr_div(cx, a, x), x), 0);
}

RUN_TESTS(cmocka_unit_test(known_integrals_are_found), cmocka_unit_test(hidden_integrals_are_found),
          cmocka_unit_test(free_masses_have_six),
          cmocka_unit_test(changed_coordinates_hide_nothing), cmocka_unit_test(none_is_invented),
          cmocka_unit_test(systems_of_every_kind_have_none_by_chance),
          cmocka_unit_test(antiderivatives_lead_back))
