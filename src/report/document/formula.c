// Formulas in pieces.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "base/words/digits.h"
#include "expr/build.h"
#include "expr/order.h"
#include "report/document/document.h"

Formula formula_open(Document *d) { return (Formula){.document = d}; }

// Something is set twice: in the medium's markup, and for a terminal to learn its width.
typedef struct Setter {
  Typesetter markup, plain;
  Text markup_text, plain_text;
} Setter;

static void setter_open(Document *d, Setter *s) {
  Arena *arena = &d->cx->scratch;
  s->markup_text = text_new(arena);
  s->plain_text = text_new(arena);
  s->markup = (Typesetter){.cx = d->cx,
                           .face = d->medium->face,
                           .names = d->names,
                           .notation = d->notation,
                           .sums = d->sums,
                           .sine = d->language ? d->language->sine : NULL,
                           .decimal = d->language ? d->language->decimal : '.',
                           .out = &s->markup_text};
  s->plain = (Typesetter){.cx = d->cx,
                          .face = &terminal_face,
                          .names = d->names,
                          .sums = d->sums,
                          .out = &s->plain_text};
}

// In what the medium measures: as it is set, or in columns of a terminal.
static double width_of(const Document *d, const char *markup, double columns) {
  return d->medium->measure ? d->medium->measure(markup) : columns;
}

// Joins what waits for it: a relation or another sign.
static void add_behind_sign(Formula *f, Piece piece, double sign_columns) {
  const Document *d = f->document;
  Piece *last = &f->pieces.at[f->pieces.n - 1];
  last->markup = text_format(&d->cx->scratch, "%s%s", last->markup, piece.markup);
  last->width = width_of(d, last->markup, sign_columns + piece.width);
}

static void push_piece(Formula *f, Piece piece) {
  if (f->pieces.n && f->pieces.at[f->pieces.n - 1].width < 0)
    add_behind_sign(f, piece, 3);
  else
    vec_push(&f->document->cx->scratch, &f->pieces, piece);
}

static void add_piece(Formula *f, const Setter *s) {
  double columns = (double)utf8_width(s->plain_text.at, s->plain_text.n);
  push_piece(f, (Piece){s->markup_text.at, width_of(f->document, s->markup_text.at, columns)});
}

// A name with primes behind it.
static void set_name(Typesetter *t, const char *name) {
  size_t length = strlen(name), primes = 0;
  while (primes < length && name[length - 1 - primes] == '\'') primes++;
  typeset_symbol(t, arena_copy(&t->cx->scratch, name, length - primes), (int)primes);
}

void formula_name(Formula *f, const char *name) {
  Setter s;
  setter_open(f->document, &s);
  set_name(&s.markup, name);
  set_name(&s.plain, name);
  add_piece(f, &s);
}

void formula_own(Formula *f, const char *name) {
  formula_name(f, own_name(f->document->cx, name, false));
}

void formula_partial(Formula *f, const char *function, Expr by, bool with_rate) {
  function = own_name(f->document->cx, function, false);
  Setter s;
  setter_open(f->document, &s);
  typeset_partial(&s.markup, function, by, with_rate);
  typeset_partial(&s.plain, function, by, with_rate);
  add_piece(f, &s);
}

static void set_product(Typesetter *t, const char *left, const char *right) {
  set_name(t, left);
  text_add(t->out, t->face->times);
  set_name(t, right);
}

void formula_product(Formula *f, const char *left, const char *right) {
  Setter s;
  setter_open(f->document, &s);
  set_product(&s.markup, left, right);
  set_product(&s.plain, left, right);
  add_piece(f, &s);
}

void formula_transposed(Formula *f, const char *left, const char *right) {
  Setter s;
  setter_open(f->document, &s);
  typeset_transposed(&s.markup, left);
  text_add(s.markup.out, s.markup.face->times);
  set_name(&s.markup, right);
  set_product(&s.plain, left, right);
  add_piece(f, &s);
}

void formula_sum_sign(Formula *f, const char *index) {
  Setter s;
  setter_open(f->document, &s);
  s.markup.face->sum(&s.markup, index, NULL, NULL);
  text_add(s.plain.out, "Σ_k ");
  add_piece(f, &s);
}

static void set_sum(Typesetter *t, const char *index, const char *from, const char *to, Expr term) {
  bool is_sum = expr_terms(t->cx, term).n > 1;
  t->face->sum(t, index, from, to);
  if (is_sum) t->face->bracket(t, STAGE_BEFORE);
  typeset_expr(t, term);
  if (is_sum) t->face->bracket(t, STAGE_AFTER);
}

void formula_sum_between(Formula *f, const char *index, const char *from, const char *to,
                         Expr term) {
  Setter s;
  setter_open(f->document, &s);
  set_sum(&s.markup, index, from, to, term);
  set_sum(&s.plain, index, from, to, term);
  add_piece(f, &s);
}

void formula_sum_over(Formula *f, const char *index, long from, long to, Expr term) {
  Arena *arena = &f->document->cx->scratch;
  formula_sum_between(f, index, text_format(arena, "%ld", from), text_format(arena, "%ld", to),
                      term);
}

void formula_sign(Formula *f, const char *sign) {
  vec_push(&f->document->cx->scratch, &f->pieces, ((Piece){sign, -1}));
}

void formula_markup(Formula *f, const char *markup, double width) {
  push_piece(f, (Piece){markup, width_of(f->document, markup, width)});
}

static void add_relation(Formula *f, const char *sign) {
  if (!f->aligned) f->aligned = f->pieces.n;
  formula_sign(f, sign);
}

void formula_equals(Formula *f) { add_relation(f, f->document->medium->face->equals); }

void formula_becomes(Formula *f) { add_relation(f, f->document->medium->face->becomes); }

static void add_terms(Formula *f, Expr e, bool is_first) {
  Document *d = f->document;
  bool named = d->names && d->names->name(d->cx, e, d->names->argument);
  TermList terms = named ? (TermList){&e, 1} : expr_terms(d->cx, e);
  NumberStyle numbers = number_style(d->cx, &e, 1, d->names);
  for (uint32_t i = 0; i < terms.n; i++) {
    Setter s;
    setter_open(d, &s);
    s.markup.numbers = s.plain.numbers = numbers;
    typeset_term(&s.markup, terms.at[i], is_first && i == 0);
    typeset_term(&s.plain, terms.at[i], is_first && i == 0);
    add_piece(f, &s);
  }
}

void formula_expr(Formula *f, Expr e) { add_terms(f, e, true); }

void formula_add_expr(Formula *f, Expr e) {
  if (!expr_is_zero(f->document->cx, e)) add_terms(f, e, f->pieces.n == 0);
}

void formula_matrix(Formula *f, const Expr *values, uint32_t rows, uint32_t columns) {
  Document *d = f->document;
  Arena *arena = &d->cx->scratch;
  const char **cells = arena_array(arena, const char *, rows *columns);
  double width = 1; // the sign before it and its brackets
  NumberStyle numbers = number_style(d->cx, values, (size_t)rows * columns, d->names);
  for (uint32_t j = 0; j < columns; j++) {
    double widest = 0;
    for (uint32_t i = 0; i < rows; i++) {
      Setter s;
      setter_open(d, &s);
      s.markup.numbers = s.plain.numbers = numbers;
      typeset_expr(&s.markup, values[i * columns + j]);
      typeset_expr(&s.plain, values[i * columns + j]);
      cells[i * columns + j] = s.markup_text.at;
      double cell = (double)utf8_width(s.plain_text.at, s.plain_text.n);
      if (cell > widest) widest = cell;
    }
    width += widest + 3;
  }
  Text markup = text_new(arena);
  d->medium->matrix_of(d, cells, rows, columns, &markup);
  push_piece(f, (Piece){markup.at, width_of(d, markup.at, width)});
}

void formula_append(Formula *f, const Formula *more) {
  for (uint32_t i = 0; i < more->pieces.n; i++) push_piece(f, more->pieces.at[i]);
}

double formula_width(const Formula *f) {
  double width = 0;
  for (uint32_t i = 0; i < f->pieces.n; i++) width += f->pieces.at[i].width;
  return width;
}

// What is behind the e of 1.5e-05: -5.
static void set_power_of_ten(Typesetter *t, int exponent) {
  const Typeface *face = t->face;
  t->plain_base = true;
  face->power(t, STAGE_BEFORE);
  face->number(t, "10");
  face->power(t, STAGE_BETWEEN);
  if (exponent < 0) text_add(t->out, face->negative);
  face->number(t, text_format(&t->cx->scratch, "%d", exponent < 0 ? -exponent : exponent));
  face->power(t, STAGE_AFTER);
}

static void set_measured(Document *d, Typesetter *t, double value) {
  if (!isfinite(value)) {
    text_add(t->out, t->face->undefined);
    return;
  }
  char *digits = text_format(&d->cx->scratch, "%.6g", digits_rounded(fabs(value), 6));
  char *exponent = strchr(digits, 'e');
  if (signbit(value) && value != 0) text_add(t->out, t->face->negative);
  if (exponent && !t->face->flat) {
    *exponent = 0;
    if (strcmp(digits, "1") != 0) {
      t->face->number(t, digits);
      text_add(t->out, t->face->dot);
    }
    set_power_of_ten(t, (int)strtol(exponent + 1, NULL, 10));
  } else {
    t->face->number(t, digits);
  }
}

const char *document_quantity(Document *d, double value, const char *unit) {
  Setter s;
  setter_open(d, &s);
  set_measured(d, &s.markup, value);
  if (*unit && isfinite(value)) s.markup.face->unit(&s.markup, unit);
  return s.markup.out->at;
}

const char *document_fixed(Document *d, double value, int decimals) {
  Setter s;
  setter_open(d, &s);
  char *digits = text_format(&d->cx->scratch, "%.*f", decimals, fabs(value));
  if (value < 0) text_add(s.markup.out, s.markup.face->negative);
  s.markup.face->number(&s.markup, digits);
  return s.markup.out->at;
}

const char *document_rounded(Document *d, double value, int digits) {
  return document_number(d, digits_rounded(value, digits));
}

const char *document_number(Document *d, double value) { return document_quantity(d, value, ""); }
