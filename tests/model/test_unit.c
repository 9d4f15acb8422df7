// Units and dimensions: factors against known values, exactness, printing and mistakes.
#include <math.h>
#include <string.h>

#include "expr/build.h"
#include "expr/value/eval.h"
#include "model/unit.h"
#include "support/check.h"

static Status parse(Context *cx, const char *text, Unit *out) {
  uint32_t source = source_add(&cx->keep, &cx->sources, "unit", text, strlen(text));
  return unit_parse(cx, text, strlen(text), (Span){source, 0, (uint32_t)strlen(text)}, out);
}

typedef struct UnitCase {
  const char *text;
  double factor;
  const char *dimension;
} UnitCase;

static void values(Context *cx) {
  const UnitCase cases[] = {
      {"m", 1, "m"},
      {"mm", 1e-3, "m"},
      {"kg", 1, "kg"},
      {"g", 1e-3, "kg"},
      {"t", 1000, "kg"},
      {"deg", 0.017453292519943295, "1"},
      {"rad/s", 1, "1/s"},
      {"rpm", 0.10471975511965977, "1/s"},
      {"rev/min", 0.10471975511965977, "1/s"},
      {"Hz", 1, "1/s"},
      {"N*m*s", 1, "kg m²/s"},
      {"N m s", 1, "kg m²/s"},
      {"N·m", 1, "kg m²/s²"},
      {"kg m²/s²", 1, "kg m²/s²"},
      {"kNm", 1000, "kg m²/s²"},
      {"kg*m/s^2", 1, "kg m/s²"},
      {"m/s/s", 1, "m/s²"},
      {"mm^1.5", pow(1e-3, 1.5), "m^(3/2)"},
      {"N/m^(3/2)", 1, "kg/m^(1/2)/s²"},
      {"N/m^1.5", 1, "kg/m^(1/2)/s²"},
      {"s^-0.5", 1, "1/s^(1/2)"},
      {"m/s*s", 1, "m"},
      {"N/(m*s)", 1, "kg/s³"},
      {"m^(1/2)", 1, "m^(1/2)"},
      {"m^-1", 1, "1/m"},
      {"m⁻¹", 1, "1/m"},
      {"1/min", 1.0 / 60, "1/s"},
      {"km/h", 1 / 3.6, "m/s"},
      {"min", 60, "s"},
      {"h", 3600, "s"},
      {"ms", 1e-3, "s"},
      {"µs", 1e-6, "s"},
      {"in", 0.0254, "m"},
      {"ft", 0.3048, "m"},
      {"lb", 0.45359237, "kg"},
      {"lbf", 4.4482216152605, "kg m/s²"},
      {"lbf*ft", 1.3558179483314004, "kg m²/s²"},
      {"psi", 6894.757293168361, "kg/m/s²"},
      {"slug", 14.593902937206364, "kg"},
      {"bar", 1e5, "kg/m/s²"},
      {"MPa", 1e6, "kg/m/s²"},
      {"GPa", 1e9, "kg/m/s²"},
      {"kW", 1e3, "kg m²/s³"},
      {"hp", 745.69987158227022, "kg m²/s³"},
      {"kWh", 3.6e6, "kg m²/s²"},
      {"mm^2", 1e-6, "m²"},
      {"cm^4", 1e-8, "m^4"},
      {"%", 0.01, "1"},
      {"1", 1, "1"},
      {"V", 1, "kg m²/s³/A"},
      {"N*m/A", 1, "kg m²/s²/A"},
      {" kg  m ", 1, "kg m"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    Unit unit;
    assert_int_equal(parse(cx, cases[i].text, &unit), QDOT_OK);
    CHECK_NEAR(expr_eval(cx, unit.factor, NULL) / cases[i].factor, 1, 1e-15);
    Text text = text_new(&cx->keep);
    dimension_print(unit.dimension, &text);
    assert_string_equal(text.at, cases[i].dimension);
  }
}

static void exactness(Context *cx) {
  Unit deg, mm, psi;
  parse(cx, "deg", &deg), parse(cx, "mm", &mm), parse(cx, "psi", &psi);
  // 60 degrees are exactly pi/3
  assert_int_equal(expr_mul(cx, expr_int(cx, 60), deg.factor),
                   expr_div(cx, expr_pi(cx), expr_int(cx, 3)));
  assert_int_equal(mm.factor, expr_ratio(cx, 1, 1000));
  assert_int_equal(psi.factor, expr_ratio(cx, 8896443230521, 1290320000));
}

typedef struct Mistake {
  const char *text, *message;
  uint32_t begin, end;
  const char *label;
} Mistake;

static void mistakes(Context *cx) {
  static const Mistake cases[] = {
      {"kgg", "unknown unit 'kgg'", 0, 3, "did you mean 'kg'?"},
      {"m/rads", "unknown unit 'rads'", 2, 6, "did you mean 'rad'?"},
      {"m2", "unknown unit 'm2'", 0, 2, "did you mean 'm^2'?"},
      {"", "expected a unit", 0, 1, NULL},
      {"m/", "expected a unit", 2, 3, NULL},
      {"m^", "expected a number as the exponent of a unit, such as 2, 1.5 or (3/2)", 2, 3, NULL},
      {"m^(1/0)", "expected a number as the exponent of a unit, such as 2, 1.5 or (3/2)", 2, 6,
       NULL},
      {"(m", "this bracket is never closed", 0, 1, NULL},
      {"m)", "this bracket was never opened", 1, 2, NULL},
      {"10 m", "a unit contains no number other than 1; put it before the bracket", 0, 2, NULL},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    Unit unit;
    uint32_t before = cx->diagnostics.list.n;
    assert_int_equal(parse(cx, cases[i].text, &unit), QDOT_BAD_UNIT);
    assert_int_equal(cx->diagnostics.list.n, before + 1);
    const Diagnostic *d = &cx->diagnostics.list.at[before];
    assert_string_equal(d->message, cases[i].message);
    assert_int_equal(d->span.begin, cases[i].begin);
    assert_int_equal(d->span.end, cases[i].end);
    if (cases[i].label) assert_string_equal(d->label, cases[i].label);
  }
}

static void factors_are_right(void **state) { (void)state, with_context(values); }
static void factors_are_exact(void **state) { (void)state, with_context(exactness); }
static void mistakes_are_found(void **state) { (void)state, with_context(mistakes); }

TEST(units_of_angles_are_told) {
  static const char *const angles[] = {"rad",  "mrad/s", "deg",     "°/s",   "rev",
                                       "turn", "rpm",    "N*m/rad", "1/gon", "arcmin*s"};
  static const char *const others[] = {"m",    "bar",    "1/s", "Hz", "kg*m^2",
                                       "grad", "radian", "%",   ""};
  for (size_t i = 0; i < sizeof angles / sizeof *angles; i++)
    assert_true(unit_names_angle(angles[i]));
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    assert_false(unit_names_angle(others[i]));
}

RUN_TESTS(cmocka_unit_test(factors_are_right), cmocka_unit_test(factors_are_exact),
          cmocka_unit_test(units_of_angles_are_told), cmocka_unit_test(mistakes_are_found))
