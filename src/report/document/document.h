// Documents: headings, sentences, formulas, matrices, tables and figures, written once and spelled
// by a medium: a terminal, LaTeX, HTML with MathML.
// Sources: document.c, document_html.c, document_tex.c, document_text.c, formula.c
#ifndef QDOT_REPORT_DOCUMENT_H
#define QDOT_REPORT_DOCUMENT_H

#include "print/typeset.h"
#include "report/document/language.h"

typedef struct Document Document;
typedef struct Medium Medium;

struct Document {
  Context *cx;
  const Medium *medium;
  const Language *language;
  const Notation *notation; // or NULL
  const PartNames *names;   // of shared parts, or NULL
  const IndexedSums *sums;  // symbols that are written as sums, or NULL
  Text *out;
  size_t width;                          // columns of a terminal
  uint32_t most_entries;                 // of a matrix that is listed entry by entry; 0 for all
  bool is_fragment;                      // no preamble: to be put into another document
  unsigned equations, figures, headings; // numbers given so far
  VEC(const char *) chapters;            // headings of level 1
  VEC(unsigned) chapter_numbers;
  size_t contents_at; // where a table of contents belongs
  bool is_in_step;    // of a page: a step is open
  bool is_of_run;     // of a page: what is said holds for the values of the run alone
  bool has_sections;  // of a page: headings below chapters are sections, not steps that fold
  Text paragraph;     // where a medium wraps lines itself: the words so far
};

// ---- Formulas, piece by piece; between pieces a line may break

typedef struct Piece {
  const char *markup;
  double width; // in what the medium measures; negative: a sign that waits for what it joins
} Piece;

typedef struct Formula {
  Document *document;
  VEC(Piece) pieces;
  uint32_t aligned; // the piece that begins with the first relation, under which lines align; or 0
} Formula;

Formula formula_open(Document *d);
// Names in the language's syntax with primes: "M", "q''".
void formula_name(Formula *f, const char *name);
// One of our own names, which steps aside where the model has such a one.
void formula_own(Formula *f, const char *name);
void formula_partial(Formula *f, const char *function, Expr by, bool with_rate);
// A sign or relation of the typeface: face->plus, face->equals ...; it joins the next piece.
void formula_sign(Formula *f, const char *sign);
// Markup that is ready, so many columns wide.
void formula_markup(Formula *f, const char *markup, double width);
void formula_equals(Formula *f);
// x <- value: what is given a new value at a moment.
void formula_becomes(Formula *f);
// Two names side by side: M q''; and the first transposed: Phi_q^T lambda.
void formula_product(Formula *f, const char *left, const char *right);
void formula_transposed(Formula *f, const char *left, const char *right);
// The sign of a sum over an index.
void formula_sum_sign(Formula *f, const char *index);
// The same for numbers from .. to, with what is added up.
void formula_sum_over(Formula *f, const char *index, long from, long to, Expr term);
// From a number or a letter's next one, "j+1".
void formula_sum_between(Formula *f, const char *index, const char *from, const char *to,
                         Expr term);
// Any expression; its terms are pieces.
void formula_expr(Formula *f, Expr e);
// The terms of e behind what is there already, each with its sign; nothing for 0.
void formula_add_expr(Formula *f, Expr e);
// Entries row by row in brackets, one piece.
void formula_matrix(Formula *f, const Expr *values, uint32_t rows, uint32_t columns);
// All pieces of another one behind those that are there.
void formula_append(Formula *f, const Formula *more);
double formula_width(const Formula *f);
// A measured number with six digits, powers of ten written out; markup in the scratch arena.
const char *document_number(Document *d, double value);
// With fewer digits.
const char *document_rounded(Document *d, double value, int digits);
// With so many decimals, for columns of numbers that belong together.
const char *document_fixed(Document *d, double value, int decimals);
// A measured number with a unit behind it, as people write it: "N*m", "m/s^2"; "" for none.
const char *document_quantity(Document *d, double value, const char *unit);

// Part of a formula that holds for the values of the run alone.
const char *document_of_run(Document *d, const char *markup);

// ---- The document

void document_begin(Document *d, const char *title);
void document_end(Document *d);
// Where a table of contents belongs, if anywhere.
void document_contents(Document *d);

// What {0}, {1} ... of a sentence stand for.
typedef struct Insert {
  const char *text;    // plain words, or
  const char *markup;  // a formula in the medium's markup, or
  const Formula *list; // formulas with commas, between which a line may break
} Insert;
Insert insert_text(const char *text);
Insert insert_count(Document *d, unsigned n);
Insert insert_expr(Document *d, Expr e);
Insert insert_name(Document *d, const char *name);
Insert insert_formula(const Formula *f);
// x_1, x_2, ..., x_9: some of them stand for many.
Insert insert_list(Document *d, const Expr *list, uint32_t n);
// Formulas with commas, each a piece of the list.
void document_list(Document *d, const Formula *list);

void document_heading(Document *d, int level, Sentence sentence, const Insert *inserts);
void document_paragraph(Document *d, Sentence sentence, const Insert *inserts);
// Sentences inside a paragraph that the caller opens and closes.
void document_open_paragraph(Document *d);
void document_say(Document *d, Sentence sentence, const Insert *inserts);
// The same for any text; {name} in it is set as a formula, {=name} as a name of the model.
void document_words(Document *d, const char *text, const Insert *inserts);
void document_close_paragraph(Document *d);

// A displayed formula; a numbered one returns its number, which sentences may cite.
unsigned document_display(Document *d, const Formula *f, bool numbered);
// name = value, displayed.
unsigned document_equation(Document *d, const char *name, Expr value);
// A named matrix or vector; entry by entry where it is too wide.
void document_grid(Document *d, const char *name, const Expr *values, uint32_t rows,
                   uint32_t columns, bool symmetric);

// A box around what is written between the two calls: what a reader looks for first.
void document_open_box(Document *d);
void document_close_box(Document *d);

// Tables: the first row is the head.
typedef struct Cell {
  const char *text; // words, or a formula in the medium's markup
  bool is_formula;
  const char *follows; // of a page: the values that its scripts put here, or NULL
  const Formula *list; // or formulas, each a piece, between which a line may break; NULL: none
} Cell;

typedef struct Table {
  const char *alignment; // one letter a column: l, r, or w for words that may wrap
  VEC(Cell) cells;       // row by row
} Table;

void table_text(Document *d, Table *table, const char *text);
void table_formula(Document *d, Table *table, const char *markup);
void table_list(Document *d, Table *table, const Formula *list);
// The cell that was added last shows a value, which a page keeps up to date: "value NAME" of a
// parameter or an input, "start NAME" and "start NAME'" of a coordinate, "least COLUMN" and
// "most COLUMN" of a column of the result, "measure NAME"; factor: what one of the shown unit is in
// SI units.
void table_follows(Document *d, Table *table, const char *what, const char *name, double factor);
void document_table(Document *d, const Table *table);

// Lines as they are, in a typewriter's letters.
void document_listing(Document *d, const char *text, size_t length);

// A picture: the file for LaTeX, the content for HTML; nothing on a terminal.
typedef struct Figure {
  const char *file;    // beside the document, without ending; NULL when LaTeX has none
  const char *content; // markup for HTML: an svg or img element
  const char *caption; // words, {name} in them as formulas
} Figure;
void document_figure(Document *d, const Figure *figure);

// ---- What a medium must know; Stage says before, between or after

struct Medium {
  const Typeface *face;
  double (*measure)(const char *markup); // of a formula; NULL: it is measured in columns
  double line;   // the width of a displayed line; 0 where the reader's program wraps
  double matrix; // of the widest matrix
  double widest; // columns of the widest term before a bracket in it gets a name
  uint32_t rows; // of the tallest matrix; 0 for any
  void (*begin)(Document *d, const char *title);
  void (*end)(Document *d);
  void (*contents)(Document *d);
  void (*heading)(Document *d, int level, Stage stage);
  void (*text)(Document *d, const char *text, size_t n); // plain words
  void (*paragraph)(Document *d, Stage stage);
  void (*formula)(Document *d, const char *markup);                // inside a sentence
  void (*display)(Document *d, const Formula *f, unsigned number); // number 0: none
  // A whole matrix where formulas cannot hold one; else NULL, and matrix_of puts it into a formula.
  void (*grid)(Document *d, const char *name, const Expr *values, uint32_t rows, uint32_t columns,
               bool symmetric);
  void (*matrix_of)(Document *d, const char *const *cells, uint32_t rows, uint32_t columns,
                    Text *out);
  void (*box)(Document *d, Stage stage); // or NULL
  void (*table)(Document *d, const Table *table, uint32_t rows, uint32_t columns);
  void (*listing)(Document *d, const char *text, size_t length);
  void (*figure)(Document *d, const Figure *figure, unsigned number);
};

extern const Medium terminal_medium, ascii_medium, latex_medium, html_medium;
// Text as a page shows it, with its signs spelled out.
void html_add_escaped(Text *out, const char *text, size_t n);

#endif
