// The story of a derivation in every medium and language: complete, well-formed, compiling.
#include "report/story.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "derive/formulate.h"
#include "lang/read.h"
#include "support/cases.h"
#include "support/check.h"

static bool has_program(const char *name) {
  char command[200];
  snprintf(command, sizeof command, "command -v %s >/dev/null 2>&1", name);
  return system(command) == 0;
}

typedef struct Telling {
  const Medium *medium;
  const char *language;
  Detail detail;
  uint32_t most_entries; // 0: shows everything
} Telling;

static Text told_of(Context *cx, const char *file, const char *text, size_t length,
                    Telling telling) {
  Model *model;
  System system;
  assert_int_equal(model_read(cx, file, text, length, NULL, &model), QDOT_OK);
  assert_int_equal(model_formulate(cx, model, FORMULATION_LAGRANGE, &model), QDOT_OK);
  assert_int_equal(derive_system(cx, model, DERIVE_MATRICES, &system), QDOT_OK);
  Mark mark = arena_mark(&cx->scratch);
  ListingOptions options = {SIMPLIFY_NORMAL, NULL, true};
  Listing listing;
  assert_int_equal(listing_open(&system, &options, &listing), QDOT_OK);
  Text out = text_new(&cx->keep);
  Document document = {.cx = cx,
                       .medium = telling.medium,
                       .language = language_find(telling.language),
                       .out = &out,
                       .width = 90,
                       .most_entries = telling.most_entries};
  Story story;
  story_open(&document, &listing, telling.detail, (ExprList){0}, &story);
  story_tell(&story);
  story_parts(&story);
  document_end(&document);
  story_close(&story);
  arena_release(&cx->scratch, mark);
  return out;
}

static Text told(Context *cx, const char *example, Telling telling) {
  size_t length;
  char file[100];
  snprintf(file, sizeof file, "examples/%s.qdot", example);
  char *text = read_source_file(file, &length);
  Text out = told_of(cx, file, text, length, telling);
  free(text);
  return out;
}

// Runs a command on a file with this content; prints what it says when it fails.
static void check_file(const Text *text, const char *name, const char *command) {
  char folder[] = "/tmp/qdot-test-XXXXXX", line[500];
  assert_non_null(mkdtemp(folder));
  snprintf(line, sizeof line, "%s/%s", folder, name);
  FILE *out = fopen(line, "w");
  assert_non_null(out);
  assert_int_equal(fwrite(text->at, 1, text->n, out), text->n);
  fclose(out);
  snprintf(line, sizeof line, "cd %s && ( %s ) >said 2>&1 || { tail -30 said; exit 1; }", folder,
           command);
  assert_int_equal(system(line), 0);
  snprintf(line, sizeof line, "rm -r %s", folder);
  assert_int_equal(system(line), 0);
}

static const char *const examples[] = {"double_pendulum",  "four_bar", "wall",       "triple_arm",
                                       "chaplygin_sleigh", "kapitza",  "rod_springs"};

TEST(html_is_well_formed) {
  if (!has_program("python3")) return;
  for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
    Text out = told(cx, examples[i],
                    (Telling){&html_medium, language_at((int)(i % 4))->code, DETAIL_EVERY, 0});
    check_file(&out, "story.html",
               "python3 -c 'import xml.dom.minidom as d; d.parse(\"story.html\")'");
  }
}

// Spanish and Portuguese books write sen, and no language mixes the two.
TEST(sines_have_the_name_of_the_language) {
  static const char text[] = "param g = 9.81 [m/s^2], L = 1 [m]\ncoord q = 1 [rad]\n"
                             "kinetic = 1/2*L^2*q'^2*1 [kg]\n"
                             "potential = -g*L*cos(q)*1 [kg] + sinh(q)*1 [J] + asin(q/9)*1 [J]\n";
  const Medium *const media[] = {&html_medium, &latex_medium, &terminal_medium};
  for (int k = 0; language_at(k); k++)
    for (size_t m = 0; m < sizeof media / sizeof *media; m++) {
      const Language *language = language_at(k);
      Telling telling = {media[m], language->code, DETAIL_TEXTBOOK, 45};
      Text out = told_of(cx, "sine.qdot", text, sizeof text - 1, telling);
      bool is_tex = media[m] == &latex_medium;
      const char *sin = is_tex ? "\\sin" : media[m] == &html_medium ? "<mi>sin</mi>" : "sin ";
      const char *sen = is_tex                     ? "\\operatorname{sen}"
                        : media[m] == &html_medium ? "<mi>sen</mi>"
                                                   : "sen ";
      assert_int_equal(strstr(out.at, sen) != NULL, language->sine != NULL);
      assert_int_equal(strstr(out.at, sin) != NULL, language->sine == NULL);
      bool is_flat = media[m] == &terminal_medium;
      if (language->sine && !is_flat) assert_non_null(strstr(out.at, "senh"));
      if (language->sine && !is_flat) assert_non_null(strstr(out.at, "arcsen"));
    }
}

// The same books write sgn.
TEST(signs_have_the_name_of_the_language) {
  static const char text[] = "coord q = 1 [rad]\nkinetic = 1/2*q'^2*1 [kg*m^2]\n"
                             "force q = -sign(q')*1 [N*m]\n";
  const Medium *const media[] = {&html_medium, &latex_medium, &terminal_medium};
  static const char *const sign[] = {"<mi>sign</mi>", "{sign}", "sign("};
  static const char *const sgn[] = {"<mi>sgn</mi>", "{sgn}", "sgn("};
  for (int k = 0; language_at(k); k++)
    for (size_t m = 0; m < sizeof media / sizeof *media; m++) {
      const Language *language = language_at(k);
      Telling telling = {media[m], language->code, DETAIL_TEXTBOOK, 45};
      Text out = told_of(cx, "sign.qdot", text, sizeof text - 1, telling);
      assert_int_equal(strstr(out.at, sgn[m]) != NULL, language->sine != NULL);
      assert_int_equal(strstr(out.at, sign[m]) != NULL, language->sine == NULL);
    }
}

TEST(latex_has_no_errors_and_no_overfull_boxes) {
  if (!has_program("pdflatex")) {
    print_message("skipped: pdflatex is not installed\n");
    return;
  }
  // All examples and languages only where there is time.
  size_t count = getenv("QDOT_SOAK") ? sizeof examples / sizeof *examples : 3;
  int languages = getenv("QDOT_SOAK") ? 4 : 1;
  for (size_t i = 0; i < count; i++) {
    for (int k = 0; k < languages; k++) {
      Text out =
          told(cx, examples[i], (Telling){&latex_medium, language_at(k)->code, DETAIL_TEXTBOOK, 0});
      check_file(&out, "story.tex",
                 "pdflatex -interaction=nonstopmode -halt-on-error story.tex && "
                 "! grep -A3 Overfull story.log");
    }
  }
}

TEST(every_step_is_told_on_a_terminal) {
  Text out = told(cx, "double_pendulum", (Telling){&terminal_medium, "en", DETAIL_EVERY, 0});
  static const char *const lines[] = {
      "  r₁.y' = L₁ sin(θ₁) θ₁'\n",
      "  r₁.x'² + r₁.y'² = L₁² sin²(θ₁) θ₁'² + L₁² cos²(θ₁) θ₁'²\n",
      "  r₂.x'² + r₂.y'² = L₁² θ₁'² + 2 L₁ L₂ cos(θ₁ − θ₂) θ₁' θ₂' + L₂² θ₂'²\n",
      "  T = (m₁ + m₂) L₁² θ₁'²/2 + m₂ L₁ L₂ cos(θ₁ − θ₂) θ₁' θ₂' + m₂ L₂² θ₂'²/2\n",
      "  d/dt (∂T/∂q_i') − ∂T/∂q_i + ∂V/∂q_i = Q_i\n",
      "  ∂T/∂θ₁' = (m₁ + m₂) L₁² θ₁' + m₂ L₁ L₂ cos(θ₁ − θ₂) θ₂'\n",
      "  ∂T/∂θ₁ = −m₂ L₁ L₂ sin(θ₁ − θ₂) θ₁' θ₂'\n",
      "  ∂V/∂θ₂ = m₂ g L₂ sin θ₂\n",
      "  M q'' + h + G = 0\n"};
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
    if (!strstr(out.at, lines[i])) fail_msg("missing: %s", lines[i]);
}

// A report says once what `for` made many times, and which numbers it is said of.
TEST(copies_are_told_once) {
  static const char text[] = "count N = 12\nparam g = 9.81 [m/s^2]\nlet x[0] = 0, y[0] = 0\n"
                             "for i in 1..N\n"
                             "  param m[i] = 1 [kg], L[i] = 1 [m]\n  coord theta[i] = 0.1 [rad]\n"
                             "  let x[i] = x[i-1] + L[i]*sin(theta[i])\n"
                             "  let y[i] = y[i-1] - L[i]*cos(theta[i])\n"
                             "  kinetic = 1/2*m[i]*(x[i]'^2 + y[i]'^2)\n"
                             "  potential = m[i]*g*y[i]\nend\n";
  Text out = told_of(cx, "chain.qdot", text, sizeof text - 1,
                     (Telling){&latex_medium, "en", DETAIL_TEXTBOOK, 45});
  static const char *const lines[] = {
      "x_{1} = L_{1} \\sin \\theta_{1}",
      "x_{i} = x_{i-1} + L_{i} \\sin \\theta_{i}\\qquad i = 2, \\dots, 12", "T = \\sum_{i=1}^{12} ",
      "V = \\sum_{i=1}^{12} m_{i} \\, g \\, y_{i}", "$m_{i}\\qquad i = 1, \\dots, 12$ & $1$"};
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
    if (!strstr(out.at, lines[i])) fail_msg("missing: %s", lines[i]);
  assert_null(strstr(out.at, "x_{7} = x_{6}"));
}

// What is said of a class of models must hold for each of them: dry friction is not linear, a
// rolling disc that is stated by velocities could be stated by positions.
TEST(nothing_is_claimed_that_some_models_lack) {
  static const char friction[] = "param m = 1 [kg], k = 9 [N/m], F = 1 [N]\n"
                                 "coord x = 1 [m], y = 0 [m]\n"
                                 "kinetic = 1/2*m*(x'^2 + y'^2)\npotential = 1/2*k*x^2\n"
                                 "force x = -F*sign(x')\n";
  static const char rolling[] = "param m = 1 [kg], r = 1 [m]\ncoord x = 0 [m], phi = 0\n"
                                "kinetic = 1/2*m*x'^2 + 1/4*m*r^2*phi'^2\n"
                                "constraint roll: x' = r*phi'\n";
  Telling telling = {&terminal_medium, "en", DETAIL_TEXTBOOK, 0};
  Text text = told_of(cx, "friction.qdot", friction, strlen(friction), telling);
  assert_non_null(strstr(text.at, "The left side is linear"));
  assert_null(strstr(text.at, "equations are linear"));
  text = told_of(cx, "rolling.qdot", rolling, strlen(rolling), telling);
  assert_non_null(strstr(text.at, "integrated over time"));
  assert_null(strstr(text.at, "nonholonomic"));
  assert_null(strstr(text.at, "cannot be traced"));
}

// Multipliers act along derivatives by positions or by velocities, as the constraints are stated;
// contacts act beside them, friction and what presses alike, each with its restitution.
TEST(rules_name_what_constraints_are_stated_for) {
  static const struct {
    const char *rows;
    bool positions, velocities, contacts;
  } cases[] = {{"", false, false, false},
               {"constraint a: x = y\n", true, false, false},
               {"constraint a: x' = y'\n", false, true, false},
               {"constraint a: x = z\nconstraint b: x' = y'\n", true, true, false},
               {"constraint a: x = z\ncontact c: y >= 0, friction mu, along x\n"
                "contact d: z >= 0, restitution 1/4\n",
                true, false, true}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const char *text =
        text_format(&cx->keep,
                    "param m = 1 [kg], mu = 0.3\ncoord x = 0 [m], y = 0 [m], z = 0 [m]\n"
                    "kinetic = 1/2*m*(x'^2 + y'^2 + z'^2)\n%s",
                    cases[i].rows);
    Telling telling = {&terminal_medium, "en", DETAIL_TEXTBOOK, 0};
    Text out = told_of(cx, "rows.qdot", text, strlen(text), telling);
    bool both = cases[i].positions && cases[i].velocities;
    assert_int_equal(!!strstr(out.at, " λ_k ∂Φ_k/∂q_i\n") || !!strstr(out.at, " λ_k ∂Φ_k/∂q_i − "),
                     cases[i].positions);
    assert_int_equal(!!strstr(out.at, both ? "λ_l ∂Φ_l/∂q_i'" : "λ_k ∂Φ_k/∂q_i'"),
                     cases[i].velocities);
    assert_int_equal(!!strstr(out.at, "λ_j ∂φ_j/∂q_i"), cases[i].contacts);
    assert_int_equal(!!strstr(out.at, "velocity of that"), cases[i].velocities && !both);
    if (!cases[i].contacts) continue;
    assert_non_null(strstr(out.at, "m y'' = λ_c"));
    assert_non_null(strstr(out.at, "where e = 0 is"));
    assert_non_null(strstr(out.at, "restitution e = 1/4;"));
  }
}

// Parameters that act, how they follow from others, and those that do nothing.
TEST(parameters_say_what_they_follow_from) {
  static const char text[] = "param m = 2 [kg], L = 3 [m], b = 0.2 [m], g = 9.81 [m/s^2]\n"
                             "param J = m*L^2/12, I = m*b^2/12, c = 2*b\n"
                             "coord theta = 0.1 [rad]\nkinetic = 1/2*J*theta'^2\n"
                             "potential = -m*g*L/2*cos(theta)\n"
                             "draw line (0, 0) (c, c)\n";
  for (int k = 0; language_at(k); k++) {
    const Language *language = language_at(k);
    Telling telling = {&terminal_medium, language->code, DETAIL_TEXTBOOK, 0};
    Text out = told_of(cx, "rod.qdot", text, sizeof text - 1, telling);
    const char *idle = strstr(out.at, "\n  c "), *formula = strstr(out.at, "  J = m L²/12\n");
    assert_true(formula && idle && formula < idle);
    assert_true(strstr(out.at, "\n  b ") > formula && strstr(out.at, "\n  m ") < formula);
    assert_null(strstr(out.at, "I = m b²/12"));
  }
}

// A Lagrangian may have any terms: none of them is called an energy, and Jacobi's integral is told
// by what it is; energies are called so.
TEST(terms_of_a_lagrangian_are_not_called_energies) {
  static const char coords[] = "param m = 1 [kg], k = 2 [N/m], w = 3 [1/s]\n"
                               "coord x = 1 [m], y = 0 [m]\n";
  static const struct {
    const char *line;
    bool is_given, is_jacobi;
  } rows[] = {
      {"lagrangian = 1/2*m*(x'^2 + y'^2) + m*w*(x*y' - y*x') - 1/2*k*(x^2 + y^2)", true, true},
      {"lagrangian = 1/2*m*(x'^2 + y'^2) - 1/2*k*(x^2 + y^2)", true, false},
      {"kinetic = 1/2*m*((x' - w*y)^2 + (y' + w*x)^2)\npotential = 1/2*k*x^2", false, true}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const char *text = text_format(&cx->keep, "%s%s\n", coords, rows[i].line);
    Telling telling = {&terminal_medium, "en", DETAIL_TEXTBOOK, 0};
    Text out = told_of(cx, "given.qdot", text, strlen(text), telling);
    assert_int_equal(!strstr(out.at, "The kinetic energy, in terms"), rows[i].is_given);
    assert_int_equal(!!strstr(out.at, "Its terms with velocities"), rows[i].is_given);
    assert_int_equal(!!strstr(out.at, "Jacobi's integral"), rows[i].is_jacobi);
    assert_int_equal(!!strstr(out.at, "is not constant here"),
                     rows[i].is_jacobi && !rows[i].is_given);
  }
}

// The coordinates of space are components: the page says of what.
TEST(points_and_unit_vectors_are_told) {
  static const char body[] =
      "param m = 1 [kg], a = 0.3 [m]\npoint G ~ (0, 0, 0)\n"
      "vector u ~ (1, 0, 0), v ~ (0, 1, 0), w ~ (0, 0, 1)\n"
      "solid body: G (0, 0, 0), u (1, 0, 0), v (0, 1, 0), w (0, 0, 1), mass m, "
      "block (a, 2*a, 3*a)\n";
  Text out = told_of(cx, "body.qdot", body, strlen(body),
                     (Telling){&latex_medium, "en", DETAIL_TEXTBOOK, 0});
  assert_non_null(strstr(out.at, "Points, each by its components along x, y and z: $G$."));
  assert_non_null(
      strstr(out.at, "Unit vectors, each by its components along x, y and z: $u$, $v$, $w$."));
  Text plain = told_of(cx, "body.qdot", "coord x = 0\nkinetic = 1/2*x'^2\n", 31,
                       (Telling){&latex_medium, "en", DETAIL_TEXTBOOK, 0});
  assert_null(strstr(plain.at, "Unit vectors"));
}

// Free, sliding to either side, sticking: each with its condition and its equations.
TEST(friction_is_told_by_cases) {
  static const char block[] = "param m = 1 [kg], g = 10 [m/s^2], mu = 0.3, mu_0 = 0.4\n"
                              "coord x = 0 [m], y = 0 [m]\nkinetic = 1/2*m*(x'^2 + y'^2)\n"
                              "potential = m*g*y\n"
                              "contact floor: y >= 0, friction mu_0, mu, along x\n";
  Text out = told_of(cx, "block.qdot", block, strlen(block),
                     (Telling){&latex_medium, "en", DETAIL_TEXTBOOK, 0});
  static const char *const lines[] = {
      "v = \\dot{x}\n",
      "the contact is closed, $\\ddot{\\phi} = 0$ holds",
      "free & $\\phi < 0$ & $\\lambda_{\\mathrm{floor}} = 0, \\qquad R_{\\mathrm{floor}} = 0$",
      "sliding & $0 < v$ & $R_{\\mathrm{floor}} = -\\mu",
      "sliding & $v < 0$ & $R_{\\mathrm{floor}} = \\mu",
      "sticking & $v = 0$ & $\\dot{v} = 0, \\qquad ",
      "\\le \\mu_{0}",
      "An impact follows the same law with impulses"};
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
    if (!strstr(out.at, lines[i])) fail_msg("missing: %s in %s", lines[i], out.at);
}

// A force with the sign of a velocity holds where that is zero, in each of its forms; that of a
// place or a time does not.
TEST(dry_friction_is_told_where_a_velocity_switches_it) {
  static const struct {
    const char *force;
    bool is_dry;
  } rows[] = {{"-F*sign(x')", true},
              {"-F*sign(x' - v)", true},
              {"if(x' < 0, F, -2*F)", true},
              {"if(x' >= v, -F, 2*F)", true},
              {"if(x < 0.1 [m], F, -F)", false},
              {"-F*sign(u)", true},
              {"F*exp(-abs(u)/v)*sign(-u)", true},
              {"F*sign(z)", true},
              {"if(z < 0, F, -2*F)", true},
              {"G", true},
              {"if(u < 0, F, -2*F)", true},
              {"c*u*abs(u)*sign(u)/v", false},
              {"G*u^2/v^2", false},
              {"-F*sign(x)", false},
              {"-F*sign(sin(w*t))", false},
              {"-c*x'", false}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const char *text =
        text_format(&cx->keep,
                    "param m = 1 [kg], F = 2 [N], v = 1 [m/s], w = 1 [rad/s], c = 1 [N*s/m]\n"
                    "coord x = 0 [m]\nlet u = x' - v, z = -u, G = -F*(1 + exp(-abs(u)/v))*sign(u)\n"
                    "kinetic = 1/2*m*x'^2\nforce x = %s\n",
                    rows[i].force);
    Telling telling = {.medium = &terminal_medium, .language = "en", .detail = DETAIL_TEXTBOOK};
    Text out = told_of(cx, "dry.qdot", text, strlen(text), telling);
    if (!strstr(out.at, "Forces that jump") == rows[i].is_dry) fail_msg("%s: %s", text, out.at);
  }
}

// From r' to the energy in the coordinates: Pythagoras, the addition theorem, and T without r'.
TEST(energies_are_told_in_the_coordinates) {
  static const char text[] = "param M = 5 [kg], m = 1 [kg], a = 1 [m], b = 2 [m]\n"
                             "coord x = 0 [m], p = 0 [rad], q = 0 [rad]\n"
                             "let r = (x + a*sin(p) + b*sin(q), -a*cos(p) - b*cos(q))\n"
                             "kinetic = 1/2*M*x'^2 + 1/2*m*dot(r', r')\n";
  Telling telling = {.medium = &latex_medium, .language = "en", .detail = DETAIL_TEXTBOOK};
  Text out = told_of(cx, "cart.qdot", text, sizeof text - 1, telling);
  const char *energy = strstr(out.at, "The kinetic energy, in terms"),
             *square = strstr(out.at, "\\cos(p - q)");
  assert_non_null(energy);
  assert_true(square && square < energy); // where the velocity is squared
  const char *theorem = strstr(energy, "m \\, a \\, b \\cos(p - q) \\, \\dot{p} \\, \\dot{q}");
  assert_true(theorem && theorem < strstr(energy, "\\section"));
}

// Constraints that one line made are one formula, and so are their derivatives; the first link,
// which hangs on a fixed point, has its own.
TEST(constraints_of_a_chain_are_told_once) {
  static const char text[] = "count N = 6\nparam m = 1 [kg], g = 9.81 [m/s^2], l = 1 [m]\n"
                             "let x[0] = 0 [m], y[0] = 0 [m]\nfor i in 1..N\n"
                             "  coord x[i] = i*l, y[i] = 0 [m]\nend\nfor i in 1..N\n"
                             "  kinetic = 1/2*m*(x[i]'^2 + y[i]'^2)\n  potential = m*g*y[i]\n"
                             "  constraint rod[i]: (x[i] - x[i-1])^2 + (y[i] - y[i-1])^2 = l^2\n"
                             "end\n";
  Telling telling = {&latex_medium, "en", DETAIL_TEXTBOOK, 45};
  Text out = told_of(cx, "rods.qdot", text, sizeof text - 1, telling);
  static const char *const wanted[] = {
      "\\Phi_{\\mathrm{rod},1} = ",
      "\\Phi_{\\mathrm{rod},i} = ",
      "i = 2, \\dots, 6",
      "\\frac{\\partial \\Phi_{\\mathrm{rod},i}}{\\partial x_{i-1}} = 2 \\, x_{i-1} - 2 \\, x_{i}",
      "\\frac{\\partial \\Phi_{\\mathrm{rod},i}}{\\partial y_{i}} = 2 \\, y_{i} - 2 \\, y_{i-1}",
      "\\gamma_{\\mathrm{rod},i} = "};
  for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
    if (!strstr(out.at, wanted[i])) fail_msg("%s is not in %s", wanted[i], out.at);
  assert_null(strstr(out.at, "\\Phi_{\\mathrm{rod},3}"));
}

// Each case has its force, and rest the condition that it keeps.
TEST(forces_by_cases_are_told_case_by_case) {
  static const char text[] = "param m = 1 [kg], f = 2 [N], b = 3 [N], v = 1 [m/s]\n"
                             "coord x = 0 [m], y = 0 [m]\nlet F = if(x' - y' < v, b, -f)\n"
                             "kinetic = 1/2*m*(x'^2 + y'^2)\nforce x = F\nforce y = -F\n";
  Telling telling = {.medium = &latex_medium, .language = "en", .detail = DETAIL_TEXTBOOK};
  Text out = told_of(cx, "cases.qdot", text, sizeof text - 1, telling);
  static const char *const wanted[] = {
      "sliding & $\\dot{x} - \\dot{y} < v$ & $Q_{x} = b, \\qquad Q_{y} = -b$",
      "sliding & $v < \\dot{x} - \\dot{y}$ & $Q_{x} = -f, \\qquad Q_{y} = f$",
      "sticking & $\\dot{x} - \\dot{y} = v$ & $\\ddot{x} - \\ddot{y} = 0$"};
  for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
    if (!strstr(out.at, wanted[i])) fail_msg("%s is not in %s", wanted[i], out.at);
}

// Every line that changes values stands in the chapter on the system, with all it says.
TEST(what_changes_at_moments_is_told) {
  static const char model[] =
      "param T_s = 10 [ms], low = -2 [N]\ncoord x = 0.1 [m]\ninput u = 0 [N]\n"
      "memory I = 0 [m*s]\nlet e = 0.2 [m] - x\nkinetic = x'^2*0.5 [kg]\nforce x = u\n"
      "sample every T_s delay 4 [ms]: u = 30 [N/m]*e + 5 [N/(m*s)]*I, I = I + e*T_s\n"
      "sample every 2 [s]: I = 0\nlimit u in low..2 [N]\n"
      "when x > 1 [m]: x' = -x'/2\nwhen x' = 0 falling and x > 0.3 [m]: I = 0\n"
      "when x = 0: x' = 0\nstop when x = 5 [m] rising\n";
  static const char *const lines[] = {
      "  e = 1/5 - x\n",
      "Every T_s, effective 4 ms later:\n\n  u <- 30*e + 5*I\n\nu is kept between low and 2 N.",
      "\n  I <- T_s*e + I\n",
      "Every 2 s:\n\n  I <- 0\n",
      "When 1 < x:\n\n  x' <- -x'/2\n",
      "When x' falls through zero, if 0.3 < x:\n\n  I <- 0\n",
      "When x passes zero:\n\n  x' <- 0\n",
      "When x - 5 rises through zero, the run ends.\n"};
  Telling telling = {&ascii_medium, "en", DETAIL_TEXTBOOK, 0};
  Text text = told_of(cx, "moments", model, sizeof model - 1, telling);
  const char *at = text.at;
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
    const char *found = strstr(at, lines[i]);
    if (!found) fail_msg("not told, or not in order: %s\n%s", lines[i], text.at);
    at = found;
  }
}

// Every abbreviation s_1, s_2 ... that a long report uses is defined in it.
TEST(abbreviations_that_are_used_are_defined) {
  size_t length;
  char *text = read_source_file("examples/n_link_pendulum.qdot", &length);
  const char *count = strstr(text, "count N = 5");
  assert_non_null(count);
  int before = (int)(count - text);
  for (int links = 8; links <= 18; links += 10) { // beyond 60 definitions of its own
    // a force of its own, without which all equations are one
    const char *longer =
        text_format(&cx->keep, "%.*scount N = %d%.*s\nforce theta[3] = tau[1]*cos(theta[7])\n",
                    before, text, links, (int)length - before - 11, count + 11);
    Telling telling = {&latex_medium, "en", DETAIL_TEXTBOOK, 45};
    Text out = told_of(cx, "chain.qdot", longer, strlen(longer), telling);
    int used = 0;
    for (const char *at = out.at; (at = strstr(at, "s_{")); at += 3) {
      char definition[40];
      int number;
      bool whole_name = at == out.at || strchr(" \n{(&", at[-1]);
      if (!whole_name || sscanf(at, "s_{%d}", &number) != 1) continue;
      snprintf(definition, sizeof definition, "\ns_{%d} = ", number);
      char aligned[40];
      snprintf(aligned, sizeof aligned, "\ns_{%d}& = ", number);
      if (!strstr(out.at, definition) && !strstr(out.at, aligned))
        fail_msg("s_%d is not defined", number);
      used++;
    }
    assert_true(links < 18 || used > 0);
  }
  free(text);
}

static int inserts_of(const char *sentence) {
  int found = 0;
  for (; *sentence; sentence++)
    if (sentence[0] == '{' && sentence[1] >= '0' && sentence[1] <= '9')
      found |= 1 << (sentence[1] - '0');
  return found;
}

TEST(no_language_lacks_a_sentence) {
  for (int k = 0; language_at(k); k++) {
    for (int i = 0; i < SENTENCE_COUNT; i++) {
      const char *text = language_say(language_at(k), (Sentence)i);
      const char *english = language_say(language_at(0), (Sentence)i);
      if (!text || !*text) fail_msg("%s lacks: %s", language_at(k)->code, english);
      if (inserts_of(text) != inserts_of(english))
        fail_msg("%s inserts something else into: %s", language_at(k)->code, english);
    }
  }
  assert_null(language_find("fr"));
}

// Squares of velocities are multiplied out and put together by cos² + sin² = 1, not led back.
TEST(squares_of_velocities_are_finished) {
  static const struct {
    const char *place, *square;
  } rows[] = {
      {"(x, y) + a*(cos(theta), sin(theta))",
       "x'² − 2 a sin(θ) x' θ' + y'² + 2 a cos(θ) y' θ' + a² θ'²"},
      {"(a*sin(theta), -a*cos(theta))", "a² θ'²"},
      {"(x*cos(theta), x*sin(theta))", "x² θ'² + x'²"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const char *text =
        text_format(&cx->keep,
                    "param m = 2 [kg], a = 0.3 [m], J = 1 [kg*m^2]\n"
                    "coord x = 1 [m], y = 0 [m], theta = 0 [rad]\nlet r = %s\n"
                    "kinetic = 1/2*m*dot(r', r') + 1/2*J*theta'^2 + m*(x'^2 + y'^2)\n",
                    rows[i].place);
    Telling telling = {.medium = &terminal_medium, .language = "en", .detail = DETAIL_TEXTBOOK};
    Text out = told_of(cx, "test", text, strlen(text), telling);
    if (!strstr(out.at, text_format(&cx->keep, "= %s\n", rows[i].square)))
      fail_msg("%s is not in\n%s", rows[i].square, out.at);
  }
}

RUN_TESTS(cmocka_unit_test(what_changes_at_moments_is_told),
          cmocka_unit_test(squares_of_velocities_are_finished),
          cmocka_unit_test(abbreviations_that_are_used_are_defined),
          cmocka_unit_test(html_is_well_formed),
          cmocka_unit_test(sines_have_the_name_of_the_language),
          cmocka_unit_test(signs_have_the_name_of_the_language),
          cmocka_unit_test(constraints_of_a_chain_are_told_once),
          cmocka_unit_test(energies_are_told_in_the_coordinates),
          cmocka_unit_test(forces_by_cases_are_told_case_by_case),
          cmocka_unit_test(latex_has_no_errors_and_no_overfull_boxes),
          cmocka_unit_test(every_step_is_told_on_a_terminal),
          cmocka_unit_test(copies_are_told_once),
          cmocka_unit_test(nothing_is_claimed_that_some_models_lack),
          cmocka_unit_test(rules_name_what_constraints_are_stated_for),
          cmocka_unit_test(parameters_say_what_they_follow_from),
          cmocka_unit_test(terms_of_a_lagrangian_are_not_called_energies),
          cmocka_unit_test(points_and_unit_vectors_are_told),
          cmocka_unit_test(friction_is_told_by_cases),
          cmocka_unit_test(dry_friction_is_told_where_a_velocity_switches_it),
          cmocka_unit_test(no_language_lacks_a_sentence))
