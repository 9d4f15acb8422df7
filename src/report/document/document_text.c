// Documents on a terminal.
#include <string.h>

#include "base/utf8.h"
#include "print/terminal_page.h"
#include "report/document/document.h"

static bool has_unicode(const Document *d) { return d->medium == &terminal_medium; }

static TextStyle style_of(const Document *d) { return (TextStyle){has_unicode(d), d->width}; }

static void gap(Document *d) {
  TextStyle style = style_of(d);
  TerminalPage page = terminal_open(d->cx, &style, d->names, d->out);
  terminal_gap(&page);
}

static void text_begin(Document *d, const char *title) { text_addf(d->out, "%s\n", title); }

static void text_end(Document *d) { (void)d; }

static void text_contents(Document *d) { (void)d; }

static void text_heading(Document *d, int level, Stage stage) {
  if (stage == STAGE_BEFORE) {
    gap(d);
    d->paragraph = text_new(&d->cx->scratch);
    return;
  }
  const char *text = d->paragraph.at;
  text_addf(d->out, "%s\n", text);
  size_t width = utf8_width(text, strlen(text));
  const char *line = !has_unicode(d) ? (level == 1 ? "=" : "-") : level == 1 ? "═" : "─";
  for (size_t i = 0; i < width; i++) text_add(d->out, line);
  text_add_char(d->out, '\n');
}

static void text_words(Document *d, const char *text, size_t n) {
  text_add_bytes(&d->paragraph, text, n);
}

// Words of a paragraph, broken at blanks only.
static void wrap_words(Document *d, const char *text) {
  size_t column = 0;
  while (*text) {
    size_t n = strcspn(text, " "), width = utf8_width(text, n);
    if (column && column + 1 + width > d->width) {
      text_add_char(d->out, '\n');
      column = 0;
    }
    if (column) text_add_char(d->out, ' '), column++;
    text_add_bytes(d->out, text, n);
    column += width;
    text += n;
    while (*text == ' ') text++;
  }
  text_add_char(d->out, '\n');
}

static void text_paragraph(Document *d, Stage stage) {
  if (stage == STAGE_BEFORE) {
    d->paragraph = text_new(&d->cx->scratch);
    return;
  }
  gap(d);
  wrap_words(d, d->paragraph.at);
}

static void text_formula(Document *d, const char *markup) { text_add(&d->paragraph, markup); }

static void text_display(Document *d, const Formula *f, unsigned number) {
  (void)number;
  Text line = text_new(&d->cx->scratch);
  text_add(&line, "  ");
  for (uint32_t i = 0; i < f->pieces.n; i++) text_add(&line, f->pieces.at[i].markup);
  gap(d);
  print_wrapped(d->out, line.at, d->width, 6);
}

static void text_grid(Document *d, const char *name, const Expr *values, uint32_t rows,
                      uint32_t columns, bool symmetric) {
  TextStyle style = style_of(d);
  TerminalPage page = terminal_open(d->cx, &style, d->names, d->out);
  Grid grid = {name, rows, columns, values, symmetric, NULL};
  terminal_grid(&page, &grid);
  terminal_end_line(&page);
}

static void text_table(Document *d, const Table *table, uint32_t rows, uint32_t columns) {
  size_t *widths = arena_array(&d->cx->scratch, size_t, columns);
  for (uint32_t i = 0; i < rows * columns; i++) {
    const char *text = table->cells.at[i].text;
    size_t width = utf8_width(text, strlen(text));
    if (width > widths[i % columns]) widths[i % columns] = width;
  }
  gap(d);
  for (uint32_t i = 0; i < rows; i++) {
    size_t end = d->out->n;
    for (uint32_t j = 0; j < columns; j++) {
      const char *text = table->cells.at[i * columns + j].text;
      size_t blanks = widths[j] - utf8_width(text, strlen(text));
      bool right = table->alignment[j] == 'r';
      text_addf(d->out, "  %*s%s%*s", right ? (int)blanks : 0, "", text, right ? 0 : (int)blanks,
                "");
      if (*text) end = d->out->n - (right ? 0 : blanks);
    }
    d->out->at[d->out->n = end] = 0;
    text_add_char(d->out, '\n');
  }
}

static void text_listing(Document *d, const char *text, size_t length) {
  gap(d);
  text_add_bytes(d->out, text, length);
}

static void text_figure(Document *d, const Figure *figure, unsigned number) {
  (void)d, (void)figure, (void)number;
}

#define TEXT_MEDIUM(typeface)                                                                      \
  {                                                                                                \
    .face = &typeface, .begin = text_begin, .end = text_end, .contents = text_contents,            \
    .heading = text_heading, .text = text_words, .paragraph = text_paragraph,                      \
    .formula = text_formula, .display = text_display, .grid = text_grid, .table = text_table,      \
    .listing = text_listing, .figure = text_figure                                                 \
  }

const Medium terminal_medium = TEXT_MEDIUM(terminal_face);
const Medium ascii_medium = TEXT_MEDIUM(ascii_face);
