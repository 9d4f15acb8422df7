// How far everything went: the bounds of coordinates, forces and outputs over a run.
#include <math.h>
#include <string.h>

#include "base/rounding.h"
#include "base/words/digits.h"
#include "expr/build.h"
#include "print/measure_text.h"
#include "print/quantity.h"
#include "print/units.h"
#include "report/report.h"

// Of the tolerance of a run: what its values may be off by, as a rule, and what is none of them.
static const double UNKNOWN = 10, NOTHING = 0.1;

// ---- Tables

typedef struct Bounds {
  Document *d;
  const Result *result;
  Table table;
  uint32_t rows;
} Bounds;

enum { MOST_ROWS = 24 };

static Bounds bounds_open(Document *d, const Result *result) {
  static const Sentence heads[] = {SAY_WORD_SYMBOL, SAY_WORD_LEAST, SAY_WORD_MOST, SAY_WORD_UNIT};
  Bounds b = {.d = d, .result = result, .table = {.alignment = "lrrl"}};
  for (size_t i = 0; i < 4; i++) table_text(d, &b.table, language_say(d->language, heads[i]));
  return b;
}

// How large coordinates of the kind grow; an angle is measured by a radian at least.
static double scale_of(const Bounds *b, Quantity quantity) {
  const Model *model = b->result->model;
  double scale = quantity.is_angle && dimension_is_pure(quantity.dimension) ? 1 : 0;
  for (uint32_t i = 0; i < model->coordinates.n; i++) {
    const Coordinate *c = &model->coordinates.at[i];
    int place = result_column(b->result, symbol_text(model->cx, c->name));
    bool is_alike = quantity_is_equal(quantity_of(b->d->cx, model, c->q), quantity);
    if (place < 0 || !is_alike) continue;
    const Extremes *e = &b->result->summary.extremes[place];
    scale = fmax(scale, fmax(fabs(e->least), fabs(e->most)));
  }
  return scale;
}

// So many times the run's tolerance, of values of the kind.
static double part_of_tolerance(const Bounds *b, Quantity quantity, const Extremes *range,
                                double times) {
  const SimSummary *summary = &b->result->summary;
  double scale = fmax(scale_of(b, quantity), fmax(fabs(range->least), fabs(range->most)));
  return fmax(ROUNDING, summary->fixed_step ? 0 : times * summary->rtol) * scale;
}

// Digits that a second run had in common with the first, of the largest value of a kind.
static int common_digits(const SimSummary *summary, double value, double scale, int most) {
  double off = isfinite(summary->verified) ? summary->verified * scale : 0;
  int digits = most;
  while (digits > 1 && fabs(value) < off * pow(10, digits - 1)) digits--;
  return digits;
}

// Rounded outwards: the motion stays within what is printed, also where that has few digits.
static void bound_cell(Bounds *b, Quantity quantity, const Extremes *range, int side,
                       UnitScale in) {
  double value = side < 0 ? range->least : range->most;
  double known = fabs(value) <= part_of_tolerance(b, quantity, range, NOTHING) ? 0 : value;
  double unknown = part_of_tolerance(b, quantity, range, UNKNOWN);
  double scale = fmax(fabs(range->least), fabs(range->most));
  int digits = common_digits(&b->result->summary, known, scale, 4);
  double bound = digits_bound(known / in.factor, digits, side, unknown / in.factor);
  table_formula(b->d, &b->table, document_rounded(b->d, bound, digits));
}

static void add_bounds(Bounds *b, const char *column, Insert symbol, Quantity quantity,
                       UnitScale in) {
  Document *d = b->d;
  int place = result_column(b->result, column);
  if (place < 0 || b->rows == MOST_ROWS) return;
  const Extremes *range = &b->result->summary.extremes[place];
  Text unit = text_new(&d->cx->scratch);
  unit_add_pretty(&unit, in.unit);
  table_formula(d, &b->table, symbol.markup);
  bound_cell(b, quantity, range, -1, in);
  table_follows(d, &b->table, "least", column, in.factor);
  bound_cell(b, quantity, range, 1, in);
  table_follows(d, &b->table, "most", column, in.factor);
  table_text(d, &b->table, unit.at);
  b->rows++;
}

static void close_bounds(Bounds *b, Sentence sentence) {
  if (b->rows == 0) return;
  document_paragraph(b->d, sentence, NULL);
  document_table(b->d, &b->table);
}

// A contact that never lasted had no force.
static bool is_always_zero(const Bounds *b, const char *column) {
  int place = result_column(b->result, column);
  const Extremes *e = place >= 0 ? &b->result->summary.extremes[place] : NULL;
  return e && e->least == 0 && e->most == 0;
}

static void add_multiplier(Bounds *b, const Row *row) {
  Context *cx = b->d->cx;
  const char *column = multiplier_text(cx, &cx->scratch, row->name);
  Quantity quantity = quantity_of(cx, b->result->model, row->multiplier);
  UnitScale in = unit_scale(cx, &cx->scratch, NULL, quantity);
  if (!is_always_zero(b, column))
    add_bounds(b, column, insert_expr(b->d, row->multiplier), quantity, in);
}

static void add_coordinate(Bounds *b, const System *s, uint32_t i) {
  Context *cx = b->d->cx;
  const Coordinate *c = &s->model->coordinates.at[i];
  Quantity quantity = quantity_of(cx, s->model, s->q[i]);
  UnitScale in = unit_scale(cx, &cx->scratch, &c->measure, quantity);
  add_bounds(b, symbol_text(cx, c->name), insert_expr(b->d, s->q[i]), quantity, in);
}

// In the unit that the model gives it, else in that of its plots.
static void add_output(Bounds *b, const Output *output) {
  Context *cx = b->d->cx;
  const Model *model = b->result->model;
  const char *name = symbol_text(cx, output->name);
  Quantity quantity = quantity_of_output(cx, model, output);
  UnitScale in = output->measure.unit
                     ? unit_scale(cx, &cx->scratch, &output->measure, quantity)
                     : unit_of_expr(cx, &cx->scratch, model, output->value, quantity);
  add_bounds(b, name, insert_name(b->d, name), quantity, in);
}

// That in which the model gives what it is made of, where all of that agrees; else the SI unit.
static UnitScale unit_of_measurement(Context *cx, const Model *model, const Measurement *m) {
  Quantity quantity = quantity_of_measurement(cx, model, m);
  UnitScale si = {quantity_unit(&cx->scratch, quantity), 1}, found = si;
  bool any = false;
  for (uint32_t i = 0; i < model->requests.reductions.n; i++) {
    const Reduction *r = &model->requests.reductions.at[i];
    if (!r->value || !expr_depends(cx, m->value, r->symbol)) continue;
    UnitScale one = unit_of_expr(cx, &cx->scratch, model, r->value, quantity);
    if (any && strcmp(one.unit, found.unit) != 0) return si;
    found = one, any = true;
  }
  return found;
}

// What was asked of the whole run.
static void add_measures(Document *d, const Result *result) {
  static const Sentence heads[] = {SAY_WORD_SYMBOL, SAY_WORD_VALUE, SAY_WORD_UNIT};
  const Model *model = result->model;
  const double *values = result->summary.measures;
  if (!values) return;
  Table table = {.alignment = "lrl"};
  for (size_t i = 0; i < 3; i++) table_text(d, &table, language_say(d->language, heads[i]));
  for (uint32_t i = 0; i < model->requests.measurements.n; i++) {
    const Measurement *m = &model->requests.measurements.at[i];
    Text unit = text_new(&d->cx->scratch);
    UnitScale in = unit_of_measurement(d->cx, model, m);
    unit_add_pretty(&unit, in.unit);
    table_formula(d, &table, insert_name(d, symbol_text(d->cx, m->name)).markup);
    int digits = common_digits(&result->summary, values[i], fabs(values[i]), 6);
    if (isfinite(values[i]))
      table_formula(d, &table, document_rounded(d, values[i] / in.factor, digits));
    else
      table_text(d, &table, language_say(d->language, SAY_WORD_NO_VALUE));
    table_text(d, &table, unit.at);
  }
  document_paragraph(d, SAY_MEASURES, NULL);
  document_table(d, &table);
}

void report_ranges(Document *d, const ReportContent *content) {
  const System *s = content->system;
  const Model *model = s->model;
  if (!content->result) return;
  add_measures(d, content->result);
  if (!content->result->summary.extremes) {
    diag_warning_plain(d->cx,
                       "the result was stored by an earlier version, without the extremes of "
                       "its motion: the report has no table of bounds");
    diag_note(d->cx, "simulate again to have it");
    return;
  }
  Bounds motion = bounds_open(d, content->result);
  for (uint32_t i = 0; i < s->n; i++) add_coordinate(&motion, s, i);
  for (uint32_t i = 0; i < model->outputs.n; i++) add_output(&motion, &model->outputs.at[i]);
  close_bounds(&motion, SAY_RANGES);
  Bounds forces = bounds_open(d, content->result);
  for (uint32_t i = 0; i < s->row_count; i++) add_multiplier(&forces, &s->rows[i]);
  uint32_t of_rows = forces.rows;
  for (uint32_t i = 0; i < s->contact_count; i++) add_multiplier(&forces, &s->contacts[i]);
  close_bounds(&forces, of_rows == forces.rows ? SAY_REACTIONS_ROWS
                        : of_rows == 0         ? SAY_REACTIONS_CONTACTS
                                               : SAY_REACTIONS);
}
