// What is not coupled does not interact: groups of contacts strike by their own law, whatever rubs
// elsewhere in the model.
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "support/motion.h"

// A model of contacts, without its `simulate` line.
typedef const char *MakeModel(Context *cx, Random *random);

// Beads in a row, some of which touch at the start.
static const char *beads(Context *cx, Random *random) {
  Text text = text_new(&cx->keep);
  int n = 2 + random_below(random, 4);
  double at = 0, T[6];
  for (int i = 0; i < n; i++) {
    double v = random_real(random, -1, 1) + (i == 0 ? 3 : 0);
    T[i] = random_real(random, 0.3, 3);
    text_addf(&text, "coord x_%d = %.17g [m], x_%d' = %.17g [m/s]\n", i, at, i, v);
    at += random_below(random, 2) ? random_real(random, 0.1, 0.5) : 0;
  }
  text_add(&text, "kinetic = 0");
  for (int i = 0; i < n; i++) text_addf(&text, " + %.17g [kg]/2*x_%d'^2", T[i], i);
  text_add_char(&text, '\n');
  for (int i = 1; i < n; i++)
    text_addf(&text, "contact c_%d: x_%d <= x_%d, restitution %.17g\n", i, i - 1, i,
              random_below(random, 3) ? random_real(random, 0.2, 1) : 1);
  return text.at;
}

// A point in a smooth corner: two contacts that do not feel each other.
static const char *corner(Context *cx, Random *random) {
  return text_format(&cx->keep,
                     "coord x = %.17g [m], x' = -2 [m/s], y = %.17g [m], y' = -2 [m/s]\n"
                     "kinetic = 1 [kg]/2*(x'^2 + y'^2)\n"
                     "contact left: x >= 0, restitution %.17g\n"
                     "contact low: y >= 0, restitution %.17g\n",
                     random_below(random, 2) ? 0.5 : random_real(random, 0.2, 0.7), 0.5,
                     random_real(random, 0, 1), random_real(random, 0, 1));
}

// A beam that falls onto two or three feet, which one impact couples.
static const char *beam(Context *cx, Random *random) {
  double tilt = random_below(random, 2) ? 0 : random_real(random, -0.1, 0.1);
  double e = random_real(random, 0, 0.9);
  Text text = text_new(&cx->keep);
  text_addf(&text,
            "coord Y = %.17g [m], a = %.17g\n"
            "kinetic = 2 [kg]/2*Y'^2 + %.17g [kg*m^2]/2*a'^2\npotential = 2 [kg]*9.81 [m/s^2]*Y\n",
            random_real(random, 0.3, 0.6), tilt, random_real(random, 0.1, 0.6));
  int feet = 2 + random_below(random, 2);
  for (int i = 0; i < feet; i++)
    text_addf(&text, "contact foot_%d: Y + %.17g [m]*a >= 0, restitution %.17g\n", i,
              1.6 * i / (feet - 1) - 0.8 + random_real(random, -0.15, 0.15), e);
  return text.at;
}

// Beads held by a lever, so that constraints couple them.
static const char *lever(Context *cx, Random *random) {
  return text_format(&cx->keep,
                     "coord x = 0 [m], x' = %.17g [m/s], y ~ 0 [m], y' ~ 0 [m/s], z = 0.3 [m]\n"
                     "kinetic = 1 [kg]/2*x'^2 + %.17g [kg]/2*y'^2 + 2 [kg]/2*z'^2\n"
                     "constraint lever: y = %.17g*x\n"
                     "contact a: x <= 0.2 [m], restitution %.17g\n"
                     "contact b: y <= z, restitution %.17g\n",
                     random_real(random, 0.5, 2), random_real(random, 0.3, 3),
                     random_real(random, 0.5, 2), random_real(random, 0, 1),
                     random_real(random, 0, 1));
}

static MakeModel *const models[] = {beads, corner, beam, lever};
enum { MODELS = sizeof models / sizeof *models };

// Neighbours that rub: one that slides to rest, one that is thrown, one with a friction of 0, and
// two that bounce on a rough floor and rub against each other.
static const char *const neighbours[] = {
    "coord u = 0 [m], u' = 3 [m/s], w = 0 [m]\nkinetic = 1 [kg]/2*(u'^2 + w'^2)\n"
    "potential = 1 [kg]*9.81 [m/s^2]*w\ncontact rub: w >= 0, friction 0.5 along u\n",
    "coord u = 0 [m], u' = 3 [m/s], w = 0.2 [m]\nkinetic = 1 [kg]/2*(u'^2 + w'^2)\n"
    "potential = 1 [kg]*9.81 [m/s^2]*w\n"
    "contact rub: w >= 0, restitution 0.6, friction 0.5 along u\n",
    "coord u = 0 [m], u' = 3 [m/s], w = 0.1 [m]\nkinetic = 1 [kg]/2*(u'^2 + w'^2)\n"
    "potential = 1 [kg]*9.81 [m/s^2]*w\ncontact rub: w >= 0, friction 0 along u\n",
    "coord u = 0 [m], u' = 3 [m/s], w = 0.1 [m], p = 0.4 [m]\n"
    "kinetic = 1 [kg]/2*(u'^2 + w'^2 + p'^2)\npotential = 1 [kg]*9.81 [m/s^2]*w\n"
    "contact rub: w >= 0, restitution 0.5, friction 0.3 along u\n"
    "contact side: u <= p, restitution 0.5, friction 0.3 along w\n"};
enum { NEIGHBOURS = sizeof neighbours / sizeof *neighbours };

// The model's text has energies of its own: those of the neighbour are added to them.
static const char *beside(Context *cx, const char *model, const char *neighbour) {
  Text text = text_new(&cx->keep);
  text_addf(&text, "%s%ssimulate to 1 every 0.02\n", model, neighbour);
  return text.at;
}

static uint32_t next_of(const Motion *m, uint32_t from, const char *const *names, size_t count) {
  for (uint32_t i = from; i < m->summary.events.n; i++) {
    const char *name = sim_event_name(&m->system, &m->summary.events.at[i]);
    // bounces that pile up end by rounding
    bool is_other = !(m->summary.events.at[i].before > 1e-3);
    for (size_t k = 0; k < count; k++) is_other |= strcmp(name, names[k]) == 0;
    if (!is_other) return i;
  }
  return m->summary.events.n;
}

// The same rows, and the same impacts but those of the neighbour.
static void check_same(const Motion *alone, const Motion *both, double tolerance) {
  static const char *const others[] = {"rub", "side"};
  for (uint32_t c = 1; c < alone->columns.n; c++) {
    const char *name = alone->columns.at[c].name;
    // loads of three feet can be shared in many ways
    bool is_open = strncmp(name, "lambda_foot", 11) == 0 && alone->system.contact_count > 2;
    if (strncmp(name, "E_", 2) == 0 || is_open) continue;
    uint32_t other = motion_column(both, name);
    double size = 1;
    for (uint32_t r = 0; r < alone->rows; r++)
      size = fmax(size, fabs(alone->values.at[r * alone->columns.n + c]));
    for (uint32_t r = 0; r < alone->rows; r++) {
      double a = alone->values.at[r * alone->columns.n + c];
      double b = both->values.at[r * both->columns.n + other];
      if (!(fabs(a - b) <= tolerance * size))
        fail_msg("%s in row %u: %.17g alone, %.17g beside", name, r, a, b);
    }
  }
  uint32_t i = 0, k = 0;
  for (;; i++, k++) {
    i = next_of(alone, i, NULL, 0), k = next_of(both, k, others, 2);
    if (i == alone->summary.events.n || k == both->summary.events.n) break;
    const SimEvent *a = &alone->summary.events.at[i], *b = &both->summary.events.at[k];
    assert_string_equal(sim_event_name(&alone->system, a), sim_event_name(&both->system, b));
    assert_int_equal(a->kind, b->kind);
    CHECK_NEAR(a->t, b->t, tolerance);
    CHECK_NEAR(a->after, b->after, 1e-5); // whether a small bounce is one is rounding, too
  }
  assert_int_equal(i, alone->summary.events.n);
  assert_int_equal(k, both->summary.events.n);
}

TEST(neighbours_that_rub_change_nothing) {
  Random random = random_start("neighbours_that_rub_change_nothing");
  for (int k = 0; k < test_rounds(60); k++) {
    const char *model = models[k % MODELS](cx, &random);
    const char *neighbour = neighbours[random_below(&random, NEIGHBOURS)];
    Motion alone = motion_to_end(cx, beside(cx, model, ""));
    Motion both = motion_to_end(cx, beside(cx, model, neighbour));
    check_same(&alone, &both, 1e-9);
    assert_int_equal(alone.summary.impacts_at_once, 0);
  }
}

// Newton's cradle, whoever rubs elsewhere; and what is behind mu = 0 is no friction.
TEST(cradle_beside_a_rubbing_box) {
  static const char *const laws[] = {"", ", friction 0 along x_0"};
  static const double mu[] = {0, 0.3};
  for (int law = 0; law < 2; law++)
    for (int k = 0; k < 2; k++) {
      Motion m = motion_to_end(
          cx, text_format(&cx->keep,
                          "coord x_0 = 0, x_0' = 1 [m/s], x_1 = 0.5, x_2 = 0.5, u = 0, u' = 3 "
                          "[m/s], w = 0\n"
                          "kinetic = 1 [kg]/2*(x_0'^2 + x_1'^2 + x_2'^2 + u'^2 + w'^2)\n"
                          "potential = 1 [kg]*9.81 [m/s^2]*w\n"
                          "contact a: x_0 <= x_1, restitution 1%s\n"
                          "contact b: x_1 <= x_2, restitution 1%s\n"
                          "contact rub: w >= 0, friction %g along u\nsimulate to 1 every 0.1\n",
                          laws[law], laws[law], mu[k]));
      CHECK_NEAR(motion_at(&m, 1, "x_0'"), 0, 1e-14);
      CHECK_NEAR(motion_at(&m, 1, "x_1'"), 0, 1e-14);
      CHECK_NEAR(motion_at(&m, 1, "x_2'"), 1, 1e-14);
      assert_int_equal(m.summary.impacts_in_turn, 1);
      assert_int_equal(m.summary.impacts_at_once, 0);
    }
}

// Beads that rub against each other strike at once, and the summary says so: with e = 1 and nothing
// that slides, the first bead gives by the momentum of all three.
TEST(coupled_friction_strikes_at_once) {
  Motion m = motion_to_end(
      cx, "coord x_0 = 0, x_0' = 1 [m/s], x_1 = 0.5, x_2 = 0.5, y = 0\n"
          "kinetic = 1 [kg]/2*(x_0'^2 + x_1'^2 + x_2'^2 + y'^2)\n"
          "contact a: x_0 <= x_1, restitution 1\n"
          "contact b: x_1 <= x_2, restitution 1, friction 0.3 along y\nsimulate to 1 every 0.1\n");
  CHECK_NEAR(motion_at(&m, 1, "x_0'"), -1. / 3, 1e-14);
  CHECK_NEAR(motion_at(&m, 1, "x_2'"), 2. / 3, 1e-14);
  assert_int_equal(m.summary.impacts_in_turn, 0);
  assert_int_equal(m.summary.impacts_at_once, 1);
}

// Joints count where they are pressed: the blow on the tip of a level rod changes no speed along
// the slide that its pin stands on, but half of it presses the slide. One beside it is not reached.
TEST(joints_count_where_a_blow_presses_them) {
  const char *format =
      "gravity (0, 0)\nparam L = 0.6 [m]\n"
      "body cart: mass 2, inertia 1, at = (0, 0), angle = 0, velocity = (2, 0), spin = 0\n"
      "body rod: rod L, mass 1, at = (L/2, 0), angle = 0, spin = -5 [rad/s]\n"
      "body other: mass 1, inertia 1, at = (5, 0), angle = 0, velocity = (1, 0), spin = 0\n"
      "joint s: prismatic ground (0, 0), cart (0, 0), friction %g\n"
      "joint p: revolute cart (0, 0), rod (-L/2, 0)\n"
      "joint w: prismatic ground (5, 0), other (0, 0), friction %g\n"
      "contact low: rod (L/2, 0), line (0, 0), restitution 0.5\n"
      "output v = cart.x', v_other = other.x'\nsimulate to 1e-9 every 1e-9\n";
  for (int k = 0; k < 2; k++) {
    double mu = k == 0 ? 0.1 : 0;
    Motion m = motion_to_end(cx, text_format(&cx->keep, format, mu, 0.2));
    double P = 1.5 * 5 * 0.6 / 3; // of a mass of 1/3 at the tip
    CHECK_NEAR(motion_at(&m, 1e-9, "v"), 2 - mu * P / 2 / 3, 1e-7);
    CHECK_NEAR(motion_at(&m, 1e-9, "v_other"), 1, 1e-12);
  }
}

RUN_TESTS(cmocka_unit_test(neighbours_that_rub_change_nothing),
          cmocka_unit_test(cradle_beside_a_rubbing_box),
          cmocka_unit_test(coupled_friction_strikes_at_once),
          cmocka_unit_test(joints_count_where_a_blow_presses_them))
