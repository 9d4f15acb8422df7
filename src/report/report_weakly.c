// One weakly nonlinear coordinate: Lindstedt and Poincare, averaging, the picture of both.
#include "expr/build.h"
#include "report/report.h"

static Expr symbol(Document *d, SymbolKind kind, const char *name) {
  return expr_symbol(d->cx, kind, symbol_from_text(d->cx, own_name(d->cx, name, false)));
}

static Expr letter(Document *d, const char *name) { return symbol(d, SYMBOL_PARAMETER, name); }

// s'' + w_0^2 s + alpha_2 s^2 + alpha_3 s^3 = 0
static void show_equation(Document *d) {
  Context *cx = d->cx;
  Expr s = symbol(d, SYMBOL_COORDINATE, "s"), s_2 = expr_square(cx, s);
  Expr s_3 = expr_mul(cx, s_2, s), square = expr_square(cx, letter(d, "omega_0"));
  Expr terms[] = {symbol(d, SYMBOL_ACCELERATION, "s"), expr_mul(cx, square, s),
                  expr_mul(cx, letter(d, "alpha_2"), s_2), expr_mul(cx, letter(d, "alpha_3"), s_3)};
  Formula f = formula_open(d);
  formula_expr(&f, expr_sum(cx, terms, 4));
  formula_equals(&f);
  formula_expr(&f, expr_int(cx, 0));
  document_display(d, &f, true);
}

// The formula where there is one, and the number.
static void show_value(Document *d, Expr of, Expr exact, double value) {
  Formula f = formula_open(d);
  formula_expr(&f, of);
  formula_equals(&f);
  if (exact && !expr_is_number(d->cx, exact)) {
    formula_expr(&f, exact);
    formula_equals(&f);
  }
  formula_markup(&f, document_of_run(d, document_number(d, value)), 8);
  document_display(d, &f, true);
}

// w = w_0 (1 + kappa a^2)
static void show_frequency(Document *d) {
  Context *cx = d->cx;
  Expr square = expr_square(cx, letter(d, "a"));
  Expr rise = expr_mul(cx, letter(d, "kappa"), square);
  rise = expr_add(cx, expr_int(cx, 1), rise);
  Formula f = formula_open(d);
  formula_expr(&f, letter(d, "omega"));
  formula_equals(&f);
  formula_expr(&f, expr_mul(cx, letter(d, "omega_0"), rise));
  document_display(d, &f, true);
}

static Insert insert_value(Document *d, double value) {
  Formula f = formula_open(d);
  formula_markup(&f, document_rounded(d, value, 4), 6);
  return insert_formula(&f);
}

static void tell_response(Document *d, const Weakly *w) {
  Insert peak[] = {insert_value(d, w->peak), insert_value(d, w->backbone)};
  document_paragraph(d, SAY_WEAKLY_FORCED, peak);
  if (w->jumps < 2) return;
  double low = w->jump[0] < w->jump[1] ? w->jump[0] : w->jump[1];
  Insert jumps[] = {insert_value(d, low), insert_value(d, w->jump[0] + w->jump[1] - low)};
  document_paragraph(d, SAY_WEAKLY_JUMPS, jumps);
}

void report_weakly(Document *d, const ReportContent *content, const ReportLinear *linear) {
  const Weakly *w = linear->weakly;
  if (!w) return;
  document_paragraph(d, SAY_WEAKLY_SERIES, NULL);
  show_equation(d);
  show_value(d, expr_square(d->cx, letter(d, "omega_0")), w->square, w->w_0 * w->w_0);
  show_value(d, letter(d, "alpha_2"), w->alpha_2, w->a_2);
  show_value(d, letter(d, "alpha_3"), w->alpha_3, w->a_3);
  document_paragraph(d, SAY_WEAKLY_FREQUENCY, NULL);
  show_frequency(d);
  show_value(d, letter(d, "kappa"), w->kappa, w->k);
  d->is_of_run = true;
  if (w->is_forced) tell_response(d, w);
  if (linear->backbone)
    report_figure(d, content, linear->backbone,
                  language_say(d->language,
                               w->is_forced ? SAY_CAPTION_BACKBONE_FORCED : SAY_CAPTION_BACKBONE));
  d->is_of_run = false;
}
