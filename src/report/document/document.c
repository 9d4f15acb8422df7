// What all media share: sentences with formulas in them, numbers, tables.
#include "report/document/document.h"

#include <assert.h>
#include <string.h>

#include "base/utf8.h"
#include "expr/order.h"

void document_begin(Document *d, const char *title) {
  if (!*title) title = language_say(d->language, SAY_UNTITLED);
  if (!d->is_fragment) d->medium->begin(d, title);
}

void document_end(Document *d) {
  if (!d->is_fragment) d->medium->end(d);
}

void document_contents(Document *d) {
  if (!d->is_fragment) d->medium->contents(d);
}

void document_heading(Document *d, int level, Sentence sentence, const Insert *inserts) {
  d->headings++;
  if (level == 1) {
    vec_push(&d->cx->scratch, &d->chapters, language_say(d->language, sentence));
    vec_push(&d->cx->scratch, &d->chapter_numbers, d->headings);
  }
  d->medium->heading(d, level, STAGE_BEFORE);
  document_say(d, sentence, inserts);
  d->medium->heading(d, level, STAGE_AFTER);
}

// ---- Sentences

Insert insert_text(const char *text) { return (Insert){.text = text}; }

Insert insert_count(Document *d, unsigned n) {
  return insert_text(text_format(&d->cx->scratch, "%u", n));
}

Insert insert_formula(const Formula *f) {
  Text all = text_new(&f->document->cx->scratch);
  for (uint32_t i = 0; i < f->pieces.n; i++) text_add(&all, f->pieces.at[i].markup);
  return (Insert){.markup = all.at};
}

Insert insert_expr(Document *d, Expr e) {
  Formula f = formula_open(d);
  formula_expr(&f, e);
  return insert_formula(&f);
}

Insert insert_name(Document *d, const char *name) {
  Formula f = formula_open(d);
  formula_name(&f, name);
  return insert_formula(&f);
}

enum { LONGEST_LIST = 9, LIST_BEGINNING = 3 };

Insert insert_list(Document *d, const Expr *list, uint32_t n) {
  Formula *f = arena_new(&d->cx->scratch, Formula);
  *f = formula_open(d);
  for (uint32_t i = 0; i < n; i++) {
    if (n > LONGEST_LIST && i == LIST_BEGINNING) {
      formula_markup(f, d->medium->face->dots, 3);
      i = n - 1;
    }
    formula_markup(f, insert_expr(d, list[i]).markup, 3);
  }
  return (Insert){.list = f};
}

const char *document_of_run(Document *d, const char *markup) {
  if (d->medium != &html_medium) return markup;
  return text_format(&d->cx->scratch, "<mrow class=\"of-run\">%s</mrow>", markup);
}

void document_list(Document *d, const Formula *list) {
  for (uint32_t i = 0; i < list->pieces.n; i++) {
    if (i) d->medium->text(d, ", ", 2);
    d->medium->formula(d, list->pieces.at[i].markup);
  }
}

static void add_insert(Document *d, Insert insert) {
  if (insert.list) {
    document_list(d, insert.list);
    return;
  }
  if (insert.markup) {
    d->medium->formula(d, insert.markup);
    return;
  }
  assert(insert.text);
  d->medium->text(d, insert.text, strlen(insert.text));
}

void document_words(Document *d, const char *at, const Insert *inserts) {
  while (*at) {
    size_t plain = strcspn(at, "{");
    d->medium->text(d, at, plain);
    at += plain;
    if (!*at) return;
    size_t length = strcspn(++at, "}");
    if (*at >= '0' && *at <= '9' && length == 1)
      add_insert(d, inserts[*at - '0']);
    else if (*at == '=')
      add_insert(d, insert_name(d, arena_copy(&d->cx->scratch, at + 1, length - 1)));
    else
      add_insert(d,
                 insert_name(d, own_name(d->cx, arena_copy(&d->cx->scratch, at, length), false)));
    at += length + (at[length] == '}');
  }
}

void document_say(Document *d, Sentence sentence, const Insert *inserts) {
  document_words(d, language_say(d->language, sentence), inserts);
}

void document_open_paragraph(Document *d) { d->medium->paragraph(d, STAGE_BEFORE); }

void document_close_paragraph(Document *d) { d->medium->paragraph(d, STAGE_AFTER); }

void document_paragraph(Document *d, Sentence sentence, const Insert *inserts) {
  document_open_paragraph(d);
  document_say(d, sentence, inserts);
  document_close_paragraph(d);
}

// ---- Formulas

enum { LONGEST_SUM = 40, SUM_BEGINNING = 24, SUM_END = 2 };

// The beginning and the end of a sum that nobody would read to its end.
static Formula shortened(Document *d, const Formula *f) {
  Formula result = {.document = d, .aligned = f->aligned};
  const char *more =
      text_format(&d->cx->scratch, "%s%s", d->medium->face->plus, d->medium->face->dots);
  Piece dots = {more, d->medium->measure ? d->medium->measure(more) : 6};
  for (uint32_t i = 0; i < f->pieces.n; i++) {
    if (i == SUM_BEGINNING) {
      vec_push(&d->cx->scratch, &result.pieces, dots);
      i = f->pieces.n - SUM_END;
    }
    vec_push(&d->cx->scratch, &result.pieces, f->pieces.at[i]);
  }
  return result;
}

unsigned document_display(Document *d, const Formula *f, bool numbered) {
  unsigned number = numbered ? ++d->equations : 0;
  bool endless = d->most_entries && f->pieces.n > LONGEST_SUM && f->aligned < SUM_BEGINNING;
  if (!endless) {
    d->medium->display(d, f, number);
    return number;
  }
  Formula shown = shortened(d, f);
  d->medium->display(d, &shown, number);
  Insert inserts[] = {insert_count(d, f->pieces.n - SUM_BEGINNING - SUM_END)};
  document_paragraph(d, SAY_TERMS_MORE, inserts);
  return number;
}

unsigned document_equation(Document *d, const char *name, Expr value) {
  Formula f = formula_open(d);
  formula_name(&f, name);
  formula_equals(&f);
  formula_expr(&f, value);
  return document_display(d, &f, true);
}

// name_12, or name_12,3 where digits could be misread.
static const char *entry_name(Document *d, const char *name, uint32_t row, uint32_t column,
                              uint32_t columns) {
  Arena *arena = &d->cx->scratch;
  if (columns == 1) return text_format(arena, "%s[%u]", name, row + 1);
  return text_format(arena, "%s[%u,%u]", name, row + 1, column + 1);
}

enum { MOST_TERMS = 160 }; // of all entries together, where not everything is shown

static void list_entries(Document *d, const char *name, const Expr *values, uint32_t rows,
                         uint32_t columns, bool symmetric) {
  bool left_out = false;
  uint32_t shown = 0, unsaid = 0, terms = 0;
  for (uint32_t i = 0; i < rows; i++) {
    for (uint32_t j = symmetric ? i : 0; j < columns; j++) {
      Expr value = values[i * columns + j];
      if (expr_is_zero(d->cx, value))
        left_out = true;
      else if (d->most_entries && (shown >= d->most_entries || terms > MOST_TERMS))
        unsaid++;
      else {
        document_equation(d, entry_name(d, name, i, j, columns), value), shown++;
        terms += expr_terms(d->cx, value).n;
      }
    }
  }
  Insert inserts[] = {insert_name(d, name), insert_count(d, unsaid)};
  if (unsaid) document_paragraph(d, unsaid == 1 ? SAY_MATRIX_MORE_ONE : SAY_MATRIX_MORE, inserts);
  if (symmetric) document_paragraph(d, SAY_MATRIX_SYMMETRIC, inserts);
  if (left_out) document_paragraph(d, SAY_MATRIX_ZEROS, inserts);
}

void document_grid(Document *d, const char *name, const Expr *values, uint32_t rows,
                   uint32_t columns, bool symmetric) {
  name = own_name(d->cx, name, false);
  if (rows * columns == 0) return;
  if (d->medium->grid) {
    d->medium->grid(d, name, values, rows, columns, symmetric);
    return;
  }
  if (rows * columns == 1) {
    document_equation(d, name, values[0]);
    return;
  }
  Formula f = formula_open(d);
  formula_name(&f, name);
  formula_equals(&f);
  formula_matrix(&f, values, rows, columns);
  bool low = d->medium->rows == 0 || rows <= d->medium->rows;
  if (low && formula_width(&f) <= d->medium->matrix)
    document_display(d, &f, true);
  else
    list_entries(d, name, values, rows, columns, symmetric);
}

// ---- Boxes, tables, listings and figures

void document_open_box(Document *d) {
  if (d->medium->box) d->medium->box(d, STAGE_BEFORE);
}

void document_close_box(Document *d) {
  if (d->medium->box) d->medium->box(d, STAGE_AFTER);
}

void table_text(Document *d, Table *table, const char *text) {
  vec_push(&d->cx->scratch, &table->cells, ((Cell){.text = text ? text : ""}));
}

void table_formula(Document *d, Table *table, const char *markup) {
  vec_push(&d->cx->scratch, &table->cells, ((Cell){.text = markup, .is_formula = true}));
}

void table_list(Document *d, Table *table, const Formula *list) {
  Text all = text_new(&d->cx->scratch);
  for (uint32_t i = 0; i < list->pieces.n; i++)
    text_addf(&all, "%s%s", i ? ", " : "", list->pieces.at[i].markup);
  vec_push(&d->cx->scratch, &table->cells, ((Cell){.text = all.at, .list = list}));
}

void table_follows(Document *d, Table *table, const char *what, const char *name, double factor) {
  Text text = text_new(&d->cx->scratch);
  text_addf(&text, "%s %s ", what, name);
  text_add_double(&text, factor);
  table->cells.at[table->cells.n - 1].follows = text.at;
}

void document_table(Document *d, const Table *table) {
  uint32_t columns = (uint32_t)strlen(table->alignment);
  d->medium->table(d, table, table->cells.n / columns, columns);
}

void document_listing(Document *d, const char *text, size_t length) {
  d->medium->listing(d, text, length);
}

void document_figure(Document *d, const Figure *figure) {
  d->medium->figure(d, figure, ++d->figures);
}
