// Stationary motions, and which road is the shortest.
#include "report/report.h"

#include "expr/build.h"

static const char *say(const Document *d, Sentence sentence) {
  return language_say(d->language, sentence);
}

// theta = 0.94 rad, phi' = 5.76 rad/s
static const Formula *motion_of(Document *d, const Stationary *s, uint32_t i) {
  const System *r = s->reduced;
  Formula *list = arena_new(&d->cx->scratch, Formula);
  *list = formula_open(d);
  for (uint32_t k = 0; k < r->n + s->cyclic; k++) {
    bool is_rate = k >= r->n;
    Expr of = is_rate ? s->qd[k - r->n] : r->q[k];
    double value = is_rate ? s->rate[i * s->cyclic + k - r->n] : s->found.at[i].state->q[k];
    Formula f = formula_open(d);
    formula_expr(&f, of);
    formula_equals(&f);
    formula_markup(&f, document_number(d, value), 8);
    formula_markup(list, insert_formula(&f).markup, formula_width(&f));
  }
  return list;
}

static void tell_stationary(Document *d, const ReportContent *content) {
  const Stationary *s = content->stationary;
  if (!s || s->found.n == 0) return;
  document_heading(d, 1, SAY_H_STATIONARY, NULL);
  Table table = {.alignment = "ww"};
  table_text(d, &table, say(d, SAY_WORD_STATIONARY));
  table_text(d, &table, say(d, SAY_WORD_DISTURBANCES));
  for (uint32_t i = 0; i < s->found.n; i++) {
    const Equilibrium *it = &s->found.at[i];
    table_list(d, &table, motion_of(d, s, i));
    table_text(d, &table, say(d, it->has_modes ? report_verdict(&it->modes) : SAY_ENERGY_OPEN));
  }
  d->is_of_run = true;
  document_paragraph(d, SAY_STATIONARY_FOUND, NULL);
  document_table(d, &table);
  if (content->potential_picture)
    report_figure(d, content, content->potential_picture, say(d, SAY_CAPTION_POTENTIAL));
  d->is_of_run = false;
}

static void tell_shortest(Document *d, const ReportContent *content) {
  const RoadComparison *c = content->roads;
  if (!c || c->shortest < 0 || !c->is_proved) return;
  static const Sentence reasons[] = {
      [REASON_NONE] = SAY_ROAD_NONE,     [REASON_LAGRANGE] = SAY_ROAD_LAGRANGE,
      [REASON_SOLVED] = SAY_ROAD_SOLVED, [REASON_MOMENTA] = SAY_ROAD_MOMENTA,
      [REASON_CYCLIC] = SAY_ROAD_CYCLIC, [REASON_CONSTRAINTS] = SAY_ROAD_CONSTRAINTS,
      [REASON_SPEEDS] = SAY_ROAD_SPEEDS};
  const RoadRun *best = &c->runs[c->shortest];
  Insert inserts[] = {insert_name(d, best->name), insert_count(d, best->operations)};
  document_open_paragraph(d);
  document_say(d, SAY_ROADS_SHORTEST, inserts);
  document_say(d, reasons[c->reason], NULL);
  document_close_paragraph(d);
}

void report_roads(Document *d, const ReportContent *content) {
  tell_stationary(d, content);
  tell_shortest(d, content);
}
