// Documents as one HTML page with MathML, readable without network or scripts.
#include <string.h>

#include "report/document/document.h"
#include "report/document/page_style.inc"

void html_add_escaped(Text *out, const char *text, size_t n) {
  for (size_t i = 0; i < n; i++) {
    switch (text[i]) {
    case '&': text_add(out, "&amp;"); break;
    case '<': text_add(out, "&lt;"); break;
    case '>': text_add(out, "&gt;"); break;
    case '"': text_add(out, "&quot;"); break;
    default: {
      bool control = (unsigned char)text[i] < ' ' && !strchr("\t\n\r", text[i]);
      if (control || text[i] == 0x7F)
        text_add(out, "\uFFFD"); // no character of a page
      else
        text_add_char(out, text[i]);
    }
    }
  }
}

static void html_text(Document *d, const char *text, size_t n) {
  html_add_escaped(d->out, text, n);
}

static void html_begin(Document *d, const char *title) {
  if (d->is_fragment) return;
  text_addf(d->out, "<!DOCTYPE html>\n<html lang=\"%s\">\n<head>\n<meta charset=\"utf-8\"/>\n",
            d->language->code);
  text_add(d->out, "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
                   "<title>");
  html_add_escaped(d->out, title, strlen(title));
  text_addf(d->out,
            "</title>\n<style>\n%s</style>\n</head>\n<body data-zeros=\"%s\">\n<main>\n<h1>",
            page_style, language_say(d->language, SAY_MATRIX_OTHERS));
  html_add_escaped(d->out, title, strlen(title));
  text_add(d->out, "</h1>\n");
}

static void html_contents(Document *d) { d->contents_at = d->out->n; }

// The chapters are known at the end only.
static void insert_contents(Document *d) {
  Text *out = d->out;
  const char *behind =
      arena_copy(&d->cx->scratch, out->at + d->contents_at, out->n - d->contents_at);
  out->n = d->contents_at;
  text_add(out, "<nav><strong>");
  const char *title = language_say(d->language, SAY_CONTENTS);
  html_add_escaped(out, title, strlen(title));
  text_add(out, "</strong><ol>\n");
  for (uint32_t i = 0; i < d->chapters.n; i++) {
    text_addf(out, "<li><a href=\"#s%u\">", d->chapter_numbers.at[i]);
    html_add_escaped(out, d->chapters.at[i], strlen(d->chapters.at[i]));
    text_add(out, "</a></li>\n");
  }
  text_add(out, "</ol></nav>\n");
  text_add(out, behind);
}

static void end_step(Document *d) {
  if (d->is_in_step) text_add(d->out, "</details>\n");
  d->is_in_step = false;
}

// Headings below chapters are steps that can be folded, unless they are sections; they are written
// open.
static void html_heading(Document *d, int level, Stage stage) {
  bool is_step = level > 1 && !d->has_sections;
  if (stage == STAGE_BEFORE) {
    end_step(d);
    text_addf(d->out, "%s<h%d id=\"s%u\">",
              is_step ? "<details class=\"step\" open=\"open\"><summary>" : "", level + 1,
              d->headings);
  } else {
    text_addf(d->out, "</h%d>%s\n", level + 1, is_step ? "</summary>" : "");
    d->is_in_step = is_step;
  }
}

static void html_end(Document *d) {
  end_step(d);
  if (d->is_fragment) return;
  if (d->contents_at && d->chapters.n > 2) insert_contents(d);
  text_add(d->out, "</main>\n</body>\n</html>\n");
}

// What holds for the values of the run alone has a class, by which the scripts find it.
static const char *run_class(const Document *d) { return d->is_of_run ? " of-run" : ""; }

static void html_paragraph(Document *d, Stage stage) {
  const char *open = d->is_of_run ? "<p class=\"of-run\">" : "<p>";
  text_add(d->out, stage == STAGE_BEFORE ? open : "</p>\n");
}

static void html_formula(Document *d, const char *markup) {
  text_addf(d->out, "<math>%s</math>", markup);
}

// A row of small formulas, between which the browser wraps.
static void html_display(Document *d, const Formula *f, unsigned number) {
  text_addf(d->out, "<div class=\"display%s\"", run_class(d));
  if (number) text_addf(d->out, " id=\"e%u\"", number);
  text_add(d->out, "><div class=\"formula\">");
  double left = 0;
  for (uint32_t i = 0; i < f->aligned; i++) left += f->pieces.at[i].width;
  for (uint32_t i = 0; i < f->pieces.n; i++) {
    // A short left side stays with the relation.
    bool joined = i && i <= f->aligned && left < 30;
    if (i && !joined) text_add(d->out, "</math><wbr/>");
    if (!joined) text_add(d->out, "<math displaystyle=\"true\">");
    text_add(d->out, f->pieces.at[i].markup);
  }
  text_add(d->out, "</math></div>");
  if (number) text_addf(d->out, "<div class=\"number\">(%u)</div>", number);
  text_add(d->out, "</div>\n");
}

static void html_matrix(Document *d, const char *const *cells, uint32_t rows, uint32_t columns,
                        Text *out) {
  (void)d;
  text_add(out, "<mrow><mo>[</mo><mtable>");
  for (uint32_t i = 0; i < rows; i++) {
    text_add(out, "<mtr>");
    for (uint32_t j = 0; j < columns; j++) text_addf(out, "<mtd>%s</mtd>", cells[i * columns + j]);
    text_add(out, "</mtr>");
  }
  text_add(out, "</mtable><mo>]</mo></mrow>");
}

static void html_box(Document *d, Stage stage) {
  text_add(d->out, stage == STAGE_BEFORE ? "<section class=\"result\">\n" : "</section>\n");
}

static void html_table(Document *d, const Table *table, uint32_t rows, uint32_t columns) {
  text_addf(d->out, "<div class=\"table%s\"><table>\n", run_class(d));
  for (uint32_t i = 0; i < rows; i++) {
    const char *tag = i ? "td" : "th";
    text_add(d->out, "<tr>");
    for (uint32_t j = 0; j < columns; j++) {
      Cell cell = table->cells.at[i * columns + j];
      text_addf(d->out, "<%s%s", tag, table->alignment[j] == 'r' ? " class=\"r\"" : "");
      if (cell.follows) {
        text_add(d->out, " data-follows=\"");
        html_add_escaped(d->out, cell.follows, strlen(cell.follows));
        text_add(d->out, "\"");
      }
      text_add(d->out, ">");
      if (cell.list)
        document_list(d, cell.list);
      else if (cell.is_formula && *cell.text)
        html_formula(d, cell.text);
      else
        html_add_escaped(d->out, cell.text, strlen(cell.text));
      text_addf(d->out, "</%s>", tag);
    }
    text_add(d->out, "</tr>\n");
  }
  text_add(d->out, "</table></div>\n");
}

static void html_listing(Document *d, const char *text, size_t length) {
  text_add(d->out, "<pre>");
  html_add_escaped(d->out, text, length);
  text_add(d->out, "</pre>\n");
}

static void html_figure(Document *d, const Figure *figure, unsigned number) {
  text_addf(d->out, "<figure id=\"f%u\"%s>%s<figcaption>", number,
            d->is_of_run ? " class=\"of-run\"" : "", figure->content ? figure->content : "");
  Insert inserts[] = {insert_count(d, number)};
  document_say(d, SAY_FIGURE, inserts);
  text_add(d->out, " <span class=\"words\">");
  document_words(d, figure->caption, NULL);
  text_add(d->out, "</span></figcaption></figure>\n");
}

const Medium html_medium = {
    .face = &mathml_face,
    .matrix = 150,
    .widest = 84,
    .begin = html_begin,
    .end = html_end,
    .contents = html_contents,
    .heading = html_heading,
    .text = html_text,
    .paragraph = html_paragraph,
    .formula = html_formula,
    .display = html_display,
    .matrix_of = html_matrix,
    .box = html_box,
    .table = html_table,
    .listing = html_listing,
    .figure = html_figure,
};
