// The formulas of what curves and tables show beside coordinates.
#include <string.h>

#include "base/utf8.h"
#include "expr/define.h"
#include "print/gnuplot_text.h"
#include "report/report.h"

enum { MOST_QUANTITIES = 24, LONGEST_QUANTITY = 700 }; // columns, of all its terms

typedef struct NamedValue {
  const char *name;
  Expr value;
} NamedValue;

typedef VEC(NamedValue) NamedValues;

// Is it called by the name of this symbol or definition?
static bool is_called(const Context *cx, Expr e, const char *name) {
  Symbol own = op_of(cx, e) == OP_SYMBOL   ? symbol_name(cx, e)
               : expr_is_definition(cx, e) ? definition_name(cx, e)
                                           : 0;
  return own && strcmp(symbol_text(cx, own), name) == 0;
}

static void add_quantity(Context *cx, NamedValues *list, const char *name, Expr value) {
  NamedValue it = {name, value};
  if (op_of(cx, value) == OP_SYMBOL && is_called(cx, value, name)) return;
  for (uint32_t i = 0; i < list->n; i++)
    if (strcmp(list->at[i].name, name) == 0) return;
  vec_push(&cx->scratch, list, it);
}

// What stands behind its own name.
static Expr said_of(const Context *cx, const NamedValue *it) {
  return is_called(cx, it->value, it->name) ? definition_body(cx, it->value) : it->value;
}

// Of a rate what it is the rate of; 0 where that has no name.
static Expr without_primes(const Context *cx, const Model *model, const Curve *curve) {
  if (!strchr(curve->label, '\'')) return curve->value;
  if (expr_is_definition(cx, curve->value)) return definition_base(cx, curve->value);
  int coordinate = model_coordinate_of(model, curve->value);
  return coordinate < 0 ? 0 : model->coordinates.at[coordinate].q;
}

// Outputs, and what plots call by a name.
static NamedValues quantities_of(Context *cx, const ReportContent *content) {
  NamedValues list = {0};
  const Model *model = content->system->model;
  for (uint32_t i = 0; i < model->outputs.n; i++)
    add_quantity(cx, &list, symbol_text(cx, model->outputs.at[i].name), model->outputs.at[i].value);
  for (uint32_t i = 0; i < model->requests.plots.n; i++) {
    const PlotRequest *plot = &model->requests.plots.at[i];
    for (uint32_t k = 0; k < plot->curves.n; k++) {
      const Curve *curve = &plot->curves.at[k];
      Expr value = without_primes(cx, model, curve);
      const char *name = arena_copy(&cx->scratch, curve->label, strcspn(curve->label, "'"));
      if (value && written_is_name(cx, curve->label)) add_quantity(cx, &list, name, value);
    }
  }
  return list;
}

void report_quantities_shown(Context *cx, const ReportContent *content, ExprList *out) {
  if (!content->result) return;
  NamedValues list = quantities_of(cx, content);
  for (uint32_t i = 0; i < list.n; i++) vec_push(&cx->scratch, out, said_of(cx, &list.at[i]));
}

static bool can_be_read(Document *d, Expr value) {
  Text plain = text_new(&d->cx->scratch);
  typeset(d->cx, value, &terminal_face, d->names, &plain);
  return utf8_width(plain.at, plain.n) <= LONGEST_QUANTITY;
}

// Has the derivation said it already?
static bool was_said(const Story *story, const NamedValue *it) {
  return is_called(story->document->cx, it->value, it->name) &&
         (story_was_told(story, it->value) || parts_has(&story->parts, it->value));
}

void report_quantities(Story *story, const ReportContent *content) {
  Document *d = story->document;
  if (!content->result) return;
  NamedValues list = quantities_of(d->cx, content);
  Formula unsaid = formula_open(d);
  uint32_t told = 0;
  for (uint32_t i = 0; i < list.n; i++) {
    const NamedValue *it = &list.at[i];
    Expr value = said_of(d->cx, it);
    if (was_said(story, it)) continue;
    if (told == MOST_QUANTITIES || !can_be_read(d, value)) {
      formula_markup(&unsaid, insert_name(d, it->name).markup, 3);
      continue;
    }
    if (told++ == 0) document_paragraph(d, SAY_QUANTITIES, NULL);
    document_equation(d, it->name, value);
  }
  Insert inserts[] = {{.list = &unsaid}};
  if (unsaid.pieces.n) document_paragraph(d, SAY_QUANTITIES_MORE, inserts);
}
