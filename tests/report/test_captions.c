// Words, numbers and units in documents.
#include "report/captions.h"

#include <string.h>

#include "lang/read.h"
#include "print/units.h"
#include "report/document/document.h"
#include "support/check.h"

TEST(units_for_print) {
  static const struct {
    const char *written, *pretty, *latex;
  } rows[] = {{"N*m*s", "N m s", "\\mathrm{N\\,m\\,s}"},
              {"m/s^2", "m/s²", "\\mathrm{m/s^{2}}"},
              {"kg m²/s²", "kg m²/s²", "\\mathrm{kg\\,m^{2}/s^{2}}"},
              {"deg", "°", "\\mathrm{{}^{\\circ}}"},
              {"deg/s", "°/s", "\\mathrm{{}^{\\circ}/s}"},
              {"degC", "degC", "\\mathrm{degC}"},
              {"s^-1", "s⁻¹", "\\mathrm{s^{-1}}"},
              {"µm", "µm", "\\mathrm{\\mu m}"},
              {"um", "µm", "\\mathrm{\\mu m}"},
              {"N/um^2", "N/µm²", "\\mathrm{N/\\mu m^{2}}"},
              {"", "", "\\mathrm{}"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    Text pretty = text_new(&cx->keep), latex = text_new(&cx->keep);
    unit_add_pretty(&pretty, rows[i].written);
    unit_add_latex(&latex, rows[i].written);
    assert_string_equal(pretty.at, rows[i].pretty);
    assert_string_equal(latex.at, rows[i].latex);
  }
  assert_true(unit_is_joined("deg") && unit_is_joined("°") && !unit_is_joined("deg/s"));
}

TEST(numbers_in_a_language) {
  Mark mark = arena_mark(&cx->scratch);
  Document d = {.cx = cx, .medium = &latex_medium, .language = language_find("de")};
  assert_string_equal(document_number(&d, 0.25), "0{,}25");
  assert_string_equal(document_number(&d, 1e-8), "10^{-8}");
  assert_string_equal(document_number(&d, -2.5e-8), "-2{,}5 \\cdot 10^{-8}");
  assert_string_equal(document_number(&d, 0.0 / 0.0), "\\text{undefined}");
  assert_string_equal(document_number(&d, -0.0), "0");
  assert_string_equal(document_rounded(&d, 0.00672, 1), "0{,}007");
  assert_string_equal(document_quantity(&d, 1.5, "N*m"), "1{,}5\\,\\mathrm{N\\,m}");
  d.medium = &terminal_medium, d.language = language_find("en");
  assert_string_equal(document_quantity(&d, 90, "deg"), "90°");
  arena_release(&cx->scratch, mark);
}

TEST(captions_set_names_as_formulas) {
  static const struct {
    const char *language;
    ChartKind kind;
    const char *names, *caption;
  } rows[] = {
      {"en", CHART_TIME, "theta_2, p_1 + d", "{=theta_2}, {=p_1} + {=d} over time."},
      {"en", CHART_TIME, "theta[1,2]', r.x", "{=theta[1,2]'}, {=r.x} over time."},
      {"en", CHART_TIME, "sin(x), x_1, ... x_9", "sin({=x}), {=x_1}, ... {=x_9} over time."},
      {"en", CHART_TIME, "2*x", "2·{=x} over time."},
      {"es", CHART_TIME, "a", "{=a} en función del tiempo."},
      {"es", CHART_TIME, "sin(a)*cos(a)", "sen({=a})·cos({=a}) en función del tiempo."},
      {"pt", CHART_PHASE, "q", "Retrato de fase de {=q}: velocidade em função da posição."},
      {"en", CHART_ENERGY, "", "Kinetic, potential and total energy over time."}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    Picture picture = {.kind = rows[i].kind, .names = rows[i].names};
    assert_string_equal(picture_caption(language_find(rows[i].language), &picture, &cx->keep),
                        rows[i].caption);
  }
}

// Ours step aside where the model has such a name; the model's own do not.
TEST(names_of_the_model_stay) {
  static const char text[] = "coord phi = 1 [m]\nparam m = 1 [kg]\nkinetic = 1/2*m*phi'^2\n";
  Model *model;
  assert_int_equal(model_read(cx, "test", text, strlen(text), NULL, &model), QDOT_OK);
  Text out = text_new(&cx->keep);
  Mark mark = arena_mark(&cx->scratch);
  Document d = {.cx = cx, .medium = &latex_medium, .language = language_find("en"), .out = &out};
  document_words(&d, "{=phi} and {phi}", NULL);
  arena_release(&cx->scratch, mark);
  assert_string_equal(out.at, "$\\phi$ and $\\eta$");
}

RUN_TESTS(cmocka_unit_test(units_for_print), cmocka_unit_test(numbers_in_a_language),
          cmocka_unit_test(captions_set_names_as_formulas),
          cmocka_unit_test(names_of_the_model_stay))
