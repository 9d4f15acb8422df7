// How far everything went: the bounds of coordinates, forces and outputs over a run.
#include <math.h>
#include <string.h>

#include "base/rounding.h"
#include "print/quantity.h"
#include "print/units.h"
#include "report/report.h"

typedef struct Range {
  double least, most; // NaN where there is nothing
} Range;

static void widen(Range *range, double value) {
  if (!isfinite(value)) return;
  if (!(range->least <= value)) range->least = value;
  if (!(range->most >= value)) range->most = value;
}

static Range *ranges_of(Context *cx, const Recording *recording) {
  uint32_t n = recording->column_count;
  Range *ranges = arena_array(&cx->scratch, Range, n);
  for (uint32_t i = 0; i < n; i++) ranges[i] = (Range){NAN, NAN};
  recording->rows.rewind(recording->rows.user);
  for (const double *row; (row = recording->rows.next(recording->rows.user));)
    for (uint32_t i = 0; i < n; i++) widen(&ranges[i], row[i]);
  return ranges;
}

// ---- Tables

typedef struct Bounds {
  Document *d;
  const Recording *recording;
  const Range *ranges;
  Table table;
  uint32_t rows;
} Bounds;

enum { MOST_ROWS = 24 };

static Bounds bounds_open(Document *d, const Recording *recording, const Range *ranges) {
  static const Sentence heads[] = {SAY_WORD_SYMBOL, SAY_WORD_LEAST, SAY_WORD_MOST, SAY_WORD_UNIT};
  Bounds b = {.d = d, .recording = recording, .ranges = ranges, .table = {.alignment = "lrrl"}};
  for (size_t i = 0; i < 4; i++) table_text(d, &b.table, language_say(d->language, heads[i]));
  return b;
}

// How large coordinates of the kind grow; an angle is measured by a radian at least.
static double scale_of(const Bounds *b, Quantity quantity) {
  const Model *model = b->recording->model;
  double scale = quantity.is_angle && dimension_is_pure(quantity.dimension) ? 1 : 0;
  for (uint32_t i = 0; i < model->coordinates.n; i++) {
    const Coordinate *c = &model->coordinates.at[i];
    int place = recording_column(b->recording, symbol_text(model->cx, c->name));
    bool is_alike = quantity_is_equal(quantity_of(b->d->cx, model, c->q), quantity);
    if (place < 0 || !is_alike) continue;
    scale = fmax(scale, fmax(fabs(b->ranges[place].least), fabs(b->ranges[place].most)));
  }
  return scale;
}

static void add_bounds(Bounds *b, const char *column, Insert symbol, Quantity quantity) {
  Document *d = b->d;
  int place = recording_column(b->recording, column);
  if (place < 0 || b->rows == MOST_ROWS) return;
  const Range *range = &b->ranges[place];
  Text unit = text_new(&d->cx->scratch);
  unit_add_pretty(&unit, quantity_unit(&d->cx->scratch, quantity));
  table_formula(d, &b->table, symbol.markup);
  double scale = scale_of(b, quantity);
  table_formula(d, &b->table, document_rounded(d, without_noise(range->least, scale), 4));
  table_formula(d, &b->table, document_rounded(d, without_noise(range->most, scale), 4));
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
  int place = recording_column(b->recording, column);
  return place >= 0 && b->ranges[place].least == 0 && b->ranges[place].most == 0;
}

static void add_multiplier(Bounds *b, const Row *row) {
  Context *cx = b->d->cx;
  const char *column = text_format(&cx->scratch, "lambda_%s", symbol_text(cx, row->name));
  if (!is_always_zero(b, column))
    add_bounds(b, column, insert_expr(b->d, row->multiplier),
               quantity_of(cx, b->recording->model, row->multiplier));
}

void report_ranges(Document *d, const ReportContent *content) {
  const System *s = content->system;
  const Model *model = s->model;
  if (!content->recording) return;
  const Range *ranges = ranges_of(d->cx, content->recording);
  Bounds motion = bounds_open(d, content->recording, ranges);
  for (uint32_t i = 0; i < s->n; i++)
    add_bounds(&motion, symbol_text(d->cx, model->coordinates.at[i].name), insert_expr(d, s->q[i]),
               quantity_of(d->cx, model, s->q[i]));
  for (uint32_t i = 0; i < model->outputs.n; i++) {
    const char *name = symbol_text(d->cx, model->outputs.at[i].name);
    add_bounds(&motion, name, insert_name(d, name),
               quantity_of_output(d->cx, model, &model->outputs.at[i]));
  }
  close_bounds(&motion, SAY_RANGES);
  Bounds forces = bounds_open(d, content->recording, ranges);
  for (uint32_t i = 0; i < s->row_count; i++) add_multiplier(&forces, &s->rows[i]);
  for (uint32_t i = 0; i < s->contact_count; i++) add_multiplier(&forces, &s->contacts[i]);
  close_bounds(&forces, SAY_REACTIONS);
}
