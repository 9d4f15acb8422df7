// The chapter on small vibrations.
#include <math.h>
#include <string.h>

#include "analyse/linear/sampled.h"
#include "base/degrees.h"
#include "expr/build.h"
#include "expr/print.h"
#include "print/quantity.h"
#include "report/report.h"

enum { MOST_EQUILIBRIA = 16, MOST_SHAPES = 6, MOST_SHAPE_ROWS = 30, LONGEST_FORM = 40 };

static const char *say(const Document *d, Sentence sentence) {
  return language_say(d->language, sentence);
}

// ---- The point

static void add_number(Formula *f, Expr of, double value, UnitScale in) {
  Document *d = f->document;
  if (f->pieces.n) formula_sign(f, d->medium->face->comma);
  formula_expr(f, of);
  formula_sign(f, d->medium->face->equals);
  formula_markup(f, document_quantity(d, value / in.factor, in.unit), 8);
}

// Does a formula behind the point contain this name of a value?
static bool is_used(const ReportLinear *linear, Expr name) {
  const Linearized *l = &linear->linearized;
  Context *cx = l->cx;
  const struct {
    const Expr *at;
    uint32_t n;
  } shown[] = {{l->M, l->f * l->f},
               {l->C, l->f * l->f},
               {l->K, l->f * l->p},
               {l->B, l->f * l->inputs},
               {l->is_balanced ? NULL : l->Q, l->f}};
  for (size_t k = 0; !l->sampled && k < sizeof shown / sizeof *shown; k++)
    for (uint32_t i = 0; shown[k].at && i < shown[k].n; i++)
      if (expr_depends(cx, shown[k].at[i], name)) return true;
  for (uint32_t i = 0; i < linear->forms.n; i++)
    if (expr_depends(cx, linear->forms.at[i].square, name)) return true;
  return false;
}

// The closed form of a value; 0 where it needs names that nothing else does.
static Expr form_of(const ReportLinear *linear, const Expr *forms, uint32_t i) {
  const ClosedForm *form = &linear->linearized.form;
  for (uint32_t k = 0; forms && forms[i] && k < form->names.n; k++)
    if (expr_depends(linear->linearized.cx, forms[i], form->names.at[k].symbol) &&
        !is_used(linear, form->names.at[k].symbol))
      return 0;
  return forms ? forms[i] : 0;
}

// x = its closed form where that is short, or its name; else its value.
static void add_value(Formula *f, Expr of, Expr exact, double value, UnitScale in) {
  Document *d = f->document;
  Formula closed = formula_open(d);
  if (exact) formula_expr(&closed, exact);
  if (!exact || formula_width(&closed) >= LONGEST_FORM) {
    add_number(f, of, value, in);
    return;
  }
  if (f->pieces.n) formula_sign(f, d->medium->face->comma);
  formula_expr(f, of);
  formula_sign(f, d->medium->face->equals);
  formula_expr(f, exact);
}

// A coordinate's as the model has it, a velocity's in SI units.
static UnitScale unit_of(Document *d, const Linearized *l, uint32_t i, bool is_rate) {
  const Model *model = l->system->model;
  Expr of = is_rate ? l->system->qd[i] : l->system->q[i];
  return unit_scale(d->cx, &d->cx->scratch, is_rate ? NULL : &model->coordinates.at[i].measure,
                    quantity_of(d->cx, model, of));
}

// A name in the unit of what it is the value of.
static UnitScale unit_of_name(Document *d, const Linearized *l, Expr name) {
  for (uint32_t i = 0; i < l->n; i++) {
    if (l->form.q && l->form.q[i] == name) return unit_of(d, l, i, false);
    if (l->form.qd && l->form.qd[i] == name) return unit_of(d, l, i, true);
  }
  return (UnitScale){"", 1};
}

// theta_1 = 0, theta_2 = pi, and velocities that are not 0.
static Formula point_of(Document *d, const ReportLinear *linear) {
  const Linearized *l = &linear->linearized;
  Formula f = formula_open(d);
  const ClosedForm *form = &l->form;
  for (uint32_t i = 0; i < l->n; i++)
    add_value(&f, l->system->q[i], form_of(linear, form->q, i), l->point->q[i],
              unit_of(d, l, i, false));
  for (uint32_t i = 0; i < l->n; i++)
    if (l->point->qd[i] != 0)
      add_value(&f, l->system->qd[i], form_of(linear, form->qd, i), l->point->qd[i],
                unit_of(d, l, i, true));
  return f;
}

// The same of another state, with closed forms that need no names of their own.
static const Formula *other_point(Document *d, const Linearized *l, const Equilibrium *e) {
  bool named = e->form.names.n > 0 || !e->form.q;
  Formula *list = arena_new(&d->cx->scratch, Formula);
  *list = formula_open(d);
  for (uint32_t i = 0; i < l->n; i++) {
    Formula f = formula_open(d);
    add_value(&f, l->system->q[i], named ? 0 : e->form.q[i], e->state->q[i],
              unit_of(d, l, i, false));
    formula_markup(list, insert_formula(&f).markup, formula_width(&f));
  }
  return list;
}

static bool moves(const Linearized *l) {
  for (uint32_t i = 0; i < l->n; i++)
    if (l->point->qd[i] != 0) return true;
  return false;
}

static Insert independent_of(Document *d, const Linearized *l) {
  Expr *list = arena_array(&d->cx->scratch, Expr, l->p);
  for (uint32_t i = 0; i < l->p; i++) list[i] = l->system->q[l->choice.z[i]];
  return insert_list(d, list, l->p);
}

static void tell_point(Document *d, const ReportLinear *linear) {
  const Linearized *l = &linear->linearized;
  document_paragraph(d,
                     !l->is_balanced ? SAY_LINEAR_POINT
                     : moves(l)      ? SAY_LINEAR_MOTION
                                     : SAY_LINEAR_EQUILIBRIUM,
                     NULL);
  Formula point = point_of(d, linear);
  d->is_of_run = true;
  document_display(d, &point, true);
  Formula names = formula_open(d);
  for (uint32_t i = 0; i < l->form.names.n; i++)
    if (is_used(linear, l->form.names.at[i].symbol))
      add_number(&names, l->form.names.at[i].symbol, l->form.names.at[i].value,
                 unit_of_name(d, l, l->form.names.at[i].symbol));
  if (names.pieces.n) {
    document_paragraph(d, SAY_LINEAR_NAMES, NULL);
    document_display(d, &names, true);
  }
  d->is_of_run = false;
}

// ---- Matrices

static bool is_zero(const Document *d, const Expr *e, uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    if (!expr_is_zero(d->cx, e[i])) return false;
  return true;
}

static void add_own_product(Formula *f, const char *left, const char *right) {
  Context *cx = f->document->cx;
  formula_product(f, own_name(cx, left, false), own_name(cx, right, false));
}

// The linear system's own letters: M_0 z'' + C_0 z' + K_0 z = B_0 u.
// massive: M_0 is not zero, as it is where there are states alone.
static void show_linear_equation(Document *d, const Linearized *l, bool massive, bool damped,
                                 bool stiff) {
  const Typeface *face = d->medium->face;
  Formula f = formula_open(d);
  bool rolls = l->f < l->p;
  if (massive) add_own_product(&f, "M_0", rolls ? "s'" : "z''");
  if (damped) {
    if (massive) formula_sign(&f, face->plus);
    add_own_product(&f, "C_0", rolls ? "s" : "z'");
  }
  if (stiff) {
    if (massive || damped) formula_sign(&f, face->plus);
    add_own_product(&f, "K_0", "z");
  }
  formula_equals(&f);
  if (!l->is_balanced) formula_own(&f, "Q_0");
  if (!l->is_balanced && l->inputs) formula_sign(&f, face->plus);
  if (l->inputs)
    add_own_product(&f, "B_0", "u");
  else if (l->is_balanced)
    formula_expr(&f, d->cx->exprs->zero);
  document_display(d, &f, true);
}

// Where fewer velocities than positions are independent.
static void tell_velocities(Document *d, const Linearized *l) {
  Expr *list = arena_array(&d->cx->scratch, Expr, l->f);
  for (uint32_t i = 0; i < l->f; i++) list[i] = l->system->qd[l->choice.z[i]];
  Insert inserts[] = {insert_list(d, list, l->f)};
  document_paragraph(d, SAY_LINEAR_VELOCITIES, inserts);
}

// What drives it: the columns of B_0.
static void tell_inputs(Document *d, const Linearized *l) {
  Expr *list = arena_array(&d->cx->scratch, Expr, l->inputs);
  for (uint32_t i = 0; i < l->inputs; i++) list[i] = l->system->model->inputs.at[i].symbol;
  Insert inserts[] = {insert_list(d, list, l->inputs)};
  document_paragraph(d, SAY_LINEAR_INPUTS, inserts);
}

// Is the point one of formulas of the parameters, without names for its values?
static bool is_closed(const Linearized *l) {
  bool closed = l->form.q && l->form.names.n == 0;
  for (uint32_t i = 0; closed && i < l->n; i++) closed = l->form.q[i] != 0;
  return closed;
}

static void tell_matrices(Document *d, const Linearized *l) {
  Insert inserts[] = {independent_of(d, l)};
  document_paragraph(d, SAY_LINEARIZED, inserts);
  bool massive = !l->M || !is_zero(d, l->M, l->f * l->f);
  bool damped = !l->C || !is_zero(d, l->C, l->f * l->f);
  bool stiff = !l->K || !is_zero(d, l->K, l->f * l->p);
  show_linear_equation(d, l, massive, damped, stiff);
  if (l->f < l->p) tell_velocities(d, l);
  if (l->inputs) tell_inputs(d, l);
  if (!l->is_balanced) document_paragraph(d, SAY_LINEAR_UNBALANCED, NULL);
  if (!l->M) return;
  document_paragraph(d, SAY_LINEAR_MATRICES, NULL);
  d->is_of_run = !is_closed(l); // else the entries are formulas of the parameters
  if (massive) document_grid(d, "M_0", l->M, l->f, l->f, true);
  if (damped) document_grid(d, "C_0", l->C, l->f, l->f, false);
  if (stiff) document_grid(d, "K_0", l->K, l->f, l->p, false);
  if (!l->is_balanced) document_grid(d, "Q_0", l->Q, l->f, 1, false);
  if (l->inputs) document_grid(d, "B_0", l->B, l->f, l->inputs, false);
  d->is_of_run = false;
}

static void tell_sampled(Document *d, const Linearized *l) {
  Insert inserts[] = {{.markup = document_quantity(d, l->sampled->period, "s")}};
  document_paragraph(d, SAY_LINEAR_SAMPLED, inserts);
}

// ---- Natural motions

static Sentence word_of(const Modes *modes, const Mode *mode) {
  bool grows = modes->period > 0 ? hypot(mode->re, mode->im) > 1 : mode->re > 0;
  if (mode->kind == MODE_RIGID) return SAY_MODE_RIGID;
  if (mode->kind == MODE_OSCILLATION) return SAY_MODE_OSCILLATION;
  return grows ? SAY_MODE_GROWTH : SAY_MODE_DECAY;
}

// What is lost in rounding is not shown.
static double real_part(const Mode *mode) {
  return fabs(mode->re) < 1e-12 * mode->omega ? 0 : mode->re;
}

static const char *eigenvalue(Document *d, const Modes *modes, const Mode *mode) {
  double real = modes->period > 0 ? mode->re : real_part(mode);
  if (mode->kind == MODE_RIGID) return document_number(d, modes->period > 0 ? 1 : 0);
  if (mode->im == 0) return document_number(d, real);
  Typesetter t = {.cx = d->cx, .face = d->medium->face};
  Text out = text_new(&d->cx->scratch);
  t.out = &out;
  if (real != 0) text_add(&out, document_number(d, real));
  text_add(&out, d->medium->face->plus_minus);
  text_add(&out, document_number(d, mode->im));
  text_add(&out, d->medium->face->times);
  typeset_symbol(&t, "i", 0);
  return out.at;
}

static void list_modes(Document *d, const Modes *modes) {
  Sentence value = modes->period > 0 ? SAY_WORD_EIGENVALUE_OF_MAP : SAY_WORD_EIGENVALUE;
  const Sentence heads[] = {SAY_WORD_MODE, value, SAY_WORD_FREQUENCY, SAY_WORD_DAMPING};
  bool any_vibrates = false, any_damped = false;
  for (uint32_t i = 0; i < modes->count; i++)
    any_vibrates |= modes->mode[i].kind == MODE_OSCILLATION;
  Table table = {.alignment = any_vibrates ? "lrrr" : "lr"};
  for (size_t i = 0; i < strlen(table.alignment); i++) table_text(d, &table, say(d, heads[i]));
  for (uint32_t i = 0; i < modes->count; i++) {
    const Mode *mode = &modes->mode[i];
    bool vibrates = mode->kind == MODE_OSCILLATION;
    double damping = fabs(mode->damping) < 1e-12 ? 0 : mode->damping;
    any_damped |= vibrates && damping != 0;
    table_text(d, &table, say(d, word_of(modes, mode)));
    table_formula(d, &table, eigenvalue(d, modes, mode));
    if (!any_vibrates) continue;
    table_formula(d, &table, vibrates ? document_number(d, mode->hz) : "");
    table_formula(d, &table, vibrates ? document_number(d, damping) : "");
  }
  document_paragraph(d, SAY_MODES, NULL);
  document_table(d, &table);
  if (any_damped && modes->period == 0) document_paragraph(d, SAY_MODES_UNDAMPED, NULL);
}

// A share of a motion: with its sign where all move in step, else amplitude and angle.
static const char *share(Document *d, const Mode *mode, uint32_t i) {
  double re = mode->shape_re[i], im = mode->shape_im[i], size = hypot(re, im);
  if (size < 1e-9) return document_number(d, 0);
  if (fabs(im) < 1e-6) return document_rounded(d, re, 4);
  Text out = text_new(&d->cx->scratch);
  text_add(&out, document_rounded(d, size, 4));
  text_add(&out, d->medium->face->angle);
  text_add(&out, document_quantity(d, whole_degrees(re, im), "deg"));
  return out.at;
}

// Columns are the vibrations, rows the coordinates.
static void list_shapes(Document *d, const Linearized *l, const Modes *modes) {
  uint32_t columns[MOST_SHAPES], n = 0;
  for (uint32_t i = 0; i < modes->count && n < MOST_SHAPES; i++)
    if (modes->mode[i].kind == MODE_OSCILLATION) columns[n++] = i;
  if (n == 0 || l->n < 2 || l->n > MOST_SHAPE_ROWS) return;
  char alignment[MOST_SHAPES + 2] = "l";
  Table table = {.alignment = alignment};
  table_text(d, &table, say(d, SAY_WORD_SYMBOL));
  for (uint32_t k = 0; k < n; k++) {
    alignment[k + 1] = 'r';
    table_formula(d, &table, document_quantity(d, modes->mode[columns[k]].hz, "Hz"));
  }
  for (uint32_t i = 0; i < l->n; i++) {
    table_formula(d, &table, insert_expr(d, l->system->q[i]).markup);
    for (uint32_t k = 0; k < n; k++)
      table_formula(d, &table, share(d, &modes->mode[columns[k]], i));
  }
  document_paragraph(d, SAY_MODE_SHAPES, NULL);
  document_table(d, &table);
}

Sentence report_verdict(const Modes *modes) {
  static const Sentence stabilities[] = {[STABILITY_ASYMPTOTIC] = SAY_STABLE,
                                         [STABILITY_OSCILLATORY] = SAY_STABLE_NEUTRAL,
                                         [STABILITY_INDIFFERENT] = SAY_STABLE_INDIFFERENT,
                                         [STABILITY_UNSTABLE] = SAY_UNSTABLE,
                                         [STABILITY_HELD] = SAY_STABLE_HELD};
  static const Sentence energies[ENERGY_VERDICTS] = {
      [ENERGY_MINIMUM] = SAY_ENERGY_MINIMUM,     [ENERGY_FALLS] = SAY_ENERGY_FALLS,
      [ENERGY_OPEN] = SAY_ENERGY_OPEN,           [ENERGY_LINEAR] = SAY_STABLE_LINEARLY,
      [ENERGY_DAMPED_ASIDE] = SAY_SIDES_DAMPED,  [ENERGY_RISES_ASIDE] = SAY_SIDES_STABLE,
      [ENERGY_FALLS_ASIDE] = SAY_SIDES_UNSTABLE, [ENERGY_OPEN_ASIDE] = SAY_SIDES_OPEN};
  bool decides = modes->by_energy <= ENERGY_FLAT;
  return decides ? stabilities[modes->stability] : energies[modes->by_energy];
}

static void tell_modes(Document *d, const Linearized *l, const Modes *modes) {
  d->is_of_run = true;
  if (modes->count) list_modes(d, modes);
  if (l->is_balanced) document_paragraph(d, report_verdict(modes), NULL);
  list_shapes(d, l, modes);
  d->is_of_run = false;
}

enum { LONGEST_FREQUENCY = 120 }; // letters

// omega^2 = g/L = 9.81
static void tell_forms(Document *d, const FrequencyForms *forms) {
  bool announced = false;
  for (uint32_t i = 0; i < forms->n; i++) {
    if (strlen(expr_text(d->cx, &d->cx->scratch, forms->at[i].square)) > LONGEST_FREQUENCY)
      continue;
    if (!announced) document_paragraph(d, SAY_FREQUENCY_FORMS, NULL);
    announced = true;
    Symbol omega = symbol_from_text(d->cx, own_name(d->cx, "omega", false));
    Formula f = formula_open(d);
    formula_expr(&f, expr_square(d->cx, expr_symbol(d->cx, SYMBOL_MULTIPLIER, omega)));
    formula_equals(&f);
    formula_expr(&f, forms->at[i].square);
    formula_equals(&f);
    const char *value = document_quantity(d, forms->at[i].value, "1/s^2");
    formula_markup(&f, document_of_run(d, value), 8);
    document_display(d, &f, true);
  }
}

// A row for each.
static void tell_equilibria(Document *d, const Linearized *l, const Equilibria *e) {
  if (e->n < 2 || e->n > MOST_EQUILIBRIA) return;
  Table table = {.alignment = "ww"};
  table_text(d, &table, say(d, SAY_WORD_EQUILIBRIUM));
  table_text(d, &table, say(d, SAY_WORD_DISTURBANCES));
  for (uint32_t i = 0; i < e->n; i++) {
    const Equilibrium *it = &e->at[i];
    table_list(d, &table, other_point(d, l, it));
    table_text(d, &table, say(d, it->has_modes ? report_verdict(&it->modes) : SAY_ENERGY_OPEN));
  }
  d->is_of_run = true;
  document_paragraph(d, e->is_complete ? SAY_EQUILIBRIA_ALL : SAY_EQUILIBRIA_FOUND, NULL);
  document_table(d, &table);
  d->is_of_run = false;
}

void report_vibrations(Document *d, const ReportContent *content) {
  if (content->linear_count == 0) return;
  document_heading(d, 1, SAY_H_LINEAR, NULL);
  for (uint32_t i = 0; i < content->linear_count; i++) {
    const ReportLinear *linear = &content->linear[i];
    tell_point(d, linear);
    if (linear->linearized.sampled)
      tell_sampled(d, &linear->linearized);
    else if (linear->linearized.p)
      tell_matrices(d, &linear->linearized);
    if (linear->has_modes) tell_modes(d, &linear->linearized, &linear->modes);
    d->is_of_run = true;
    if (linear->picture)
      report_figure(d, content, linear->picture, say(d, SAY_CAPTION_EIGENVALUES));
    d->is_of_run = false;
    tell_forms(d, &linear->forms);
    report_weakly(d, content, linear);
  }
  if (content->equilibria) tell_equilibria(d, &content->linear[0].linearized, content->equilibria);
}

ExprList report_linear_shown(Context *cx, const ReportContent *content) {
  ExprList list = {0};
  for (uint32_t i = 0; i < content->linear_count; i++) {
    const Linearized *l = &content->linear[i].linearized;
    const struct {
      const Expr *at;
      uint32_t n;
    } matrices[] = {{l->M, l->f * l->f},
                    {l->C, l->f * l->f},
                    {l->K, l->f * l->p},
                    {l->Q, l->f},
                    {l->B, l->f * l->inputs}};
    for (size_t k = 0; k < sizeof matrices / sizeof *matrices; k++)
      for (uint32_t j = 0; matrices[k].at && j < matrices[k].n; j++)
        vec_push(&cx->scratch, &list, matrices[k].at[j]);
  }
  return list;
}
