// Vectors and matrices of chains, on the rows with letters.
#include "report/indexed_matrix.h"

#include <stdlib.h>

#include "expr/algebra/simplify.h"
#include "expr/build.h"
#include "expr/subst.h"

// ---- Coordinates

// Puts a coordinate to those of its line; false where its number does not follow theirs.
static bool join_family(Families *out, const Model *model, uint32_t place) {
  const char *name = symbol_text(model->cx, model->coordinates.at[place].name);
  IndexedName parts, head;
  bool is_numbered = name_is_indexed(name, &parts);
  for (uint32_t i = 0; is_numbered && i < out->list.n; i++) {
    Family *f = &out->list.at[i];
    if (!name_is_indexed(f->name, &head) || !names_are_kin(&head, &parts)) continue;
    if (parts.index != f->first + (long)f->n) return false;
    f->places[f->n++] = place;
    return true;
  }
  Arena *arena = &model->cx->scratch;
  Family family = {name, is_numbered ? parts.index : -1, 1,
                   arena_array(arena, uint32_t, model->coordinates.n)};
  family.places[0] = place;
  vec_push(arena, &out->list, family);
  return true;
}

// Symbols that are older come first: cos(x_i - x_j).
static void make_letters_in_order(Context *cx, const Families *all) {
  for (uint32_t i = 0; i < all->list.n; i++)
    for (int k = 0; k < 3; k++) {
      const char *name = numbered_name(cx, all->list.at[i].name, all->letters[k]);
      expr_symbol(cx, SYMBOL_COORDINATE, symbol_from_text(cx, name));
    }
}

bool model_families(const Model *model, Families *out) {
  *out = (Families){.first = -1};
  if (index_letters(model, out->letters, 3) < 3) return false;
  for (uint32_t i = 0; i < model->coordinates.n; i++)
    if (!join_family(out, model, i)) return false;
  for (uint32_t i = 0; i < out->list.n; i++) {
    const Family *f = &out->list.at[i];
    if (f->first < 0) continue;
    long last = f->first + (long)f->n - 1;
    if (out->first >= 0 && (out->first != f->first || out->last != last)) return false;
    out->first = f->first, out->last = last;
  }
  if (out->first < 0 || out->last - out->first + 1 < LEAST_ROWS) return false;
  make_letters_in_order(model->cx, out);
  return true;
}

static IndexedRows rows_of(const Families *all) {
  return (IndexedRows){.letters = {all->letters[0], all->letters[1], all->letters[2]},
                       .first = all->first,
                       .last = all->last};
}

// ---- Formulas

void document_indexed_rows(Document *d, const IndexedRows *rows, long count, RowLeft *left,
                           const void *argument) {
  Arena *arena = &d->cx->scratch;
  long last = rows->first + count - 1;
  for (long row = rows->first; row <= last; row++) {
    bool is_given = rows->is_single || (row >= rows->from && row <= rows->to);
    if (is_given && !rows->is_single && row != rows->from) continue;
    IndexedSums sums = {0};
    Expr value = indexed_row(d->cx, rows, is_given ? NULL : &row, &sums);
    d->sums = &sums;
    Formula f = formula_open(d);
    left(&f, argument, is_given ? rows->letters[0] : text_format(arena, "%ld", row));
    formula_equals(&f);
    formula_expr(&f, value);
    Copies range = {rows->letters[0], rows->from, rows->to};
    bool is_all = rows->is_single || (rows->from == rows->first && rows->to == last);
    if (is_given && !is_all) formula_range(&f, &range);
    document_display(d, &f, true);
    d->sums = NULL;
  }
}

const char *numbered_name(Context *cx, const char *name, const char *number) {
  IndexedName parts;
  if (!name_is_indexed(name, &parts)) return name;
  return text_format(&cx->scratch, "%.*s[%s]%s", (int)parts.head_length, parts.head, number,
                     parts.tail);
}

static void entry_of_vector(Formula *f, const void *stem, const char *row) {
  formula_name(f, text_format(&f->document->cx->scratch, "%s[%s]", (const char *)stem, row));
}

// h_x[i] from h_x[1]
static void entry_of_family(Formula *f, const void *stem, const char *row) {
  formula_name(f, numbered_name(f->document->cx, stem, row));
}

bool family_rows(Context *cx, const Families *all, uint32_t i, const Expr *values,
                 IndexedRows *rows) {
  const Family *f = &all->list.at[i];
  Expr *own = arena_array(&cx->scratch, Expr, f->n);
  for (uint32_t k = 0; k < f->n; k++) own[k] = values[f->places[k]];
  *rows = rows_of(all);
  return indexed_rows(cx, own, f->n, rows);
}

bool document_indexed_vector(Document *d, const Model *model, const char *name,
                             const Expr *values) {
  Families all;
  if (!d->most_entries || !model_families(model, &all)) return false;
  Arena *arena = &d->cx->scratch;
  IndexedRows *rows = arena_array(arena, IndexedRows, all.list.n);
  for (uint32_t i = 0; i < all.list.n; i++)
    if (!family_rows(d->cx, &all, i, values, &rows[i])) return false;
  name = own_name(d->cx, name, false);
  bool is_one = all.list.n == 1;
  for (uint32_t i = 0; i < all.list.n; i++) {
    const Family *f = &all.list.at[i];
    const char *stem = is_one ? name : text_format(arena, "%s_%s", name, f->name);
    document_indexed_rows(d, &rows[i], (long)f->n, is_one ? entry_of_vector : entry_of_family,
                          stem);
  }
  return true;
}

// ---- Matrices

#define COLUMN "@" // marks the columns of a row: its entry times @[j]

static Expr column_mark(Context *cx, const char *index) {
  const char *name = text_format(&cx->scratch, COLUMN "[%s]", index);
  return expr_symbol(cx, SYMBOL_ACCELERATION, symbol_from_text(cx, name));
}

bool indexed_beside(Context *cx, const Expr *values, uint32_t n, bool above, IndexedRows *rows) {
  Expr *marked = arena_array(&cx->scratch, Expr, n);
  for (uint32_t i = 0; i < n; i++) {
    marked[i] = expr_int(cx, 0);
    for (uint32_t j = above ? i + 1 : 0; j < (above ? n : i); j++) {
      Expr mark = column_mark(cx, text_format(&cx->scratch, "%ld", rows->first + (long)j));
      marked[i] = expr_add(cx, marked[i], expr_mul(cx, values[i * n + j], mark));
    }
  }
  if (!indexed_rows(cx, marked, n, rows) || rows->to - rows->from + 1 < (long)n) return false;
  Expr mark = column_mark(cx, rows->letters[1]);
  for (uint32_t i = 0; i < rows->forms.n; i++)
    if (rows->forms.at[i].is_near || !expr_depends(cx, rows->forms.at[i].term, mark)) return false;
  return true;
}

Expr indexed_entry(Context *cx, const IndexedRows *rows, IndexedSums *sums) {
  Expr row = indexed_row(cx, rows, NULL, sums), entry = expr_int(cx, 0);
  Substitution one = {column_mark(cx, rows->letters[1]), expr_int(cx, 1)};
  // the row is a sum of sums over columns; what stands below these is the entry
  TermList terms = expr_terms(cx, row);
  for (uint32_t i = 0; i < terms.n; i++)
    for (uint32_t k = 0; k < sums->n; k++)
      if (expr_without_coefficient(cx, terms.at[i]) == sums->at[k].symbol) {
        Expr term = expr_scale(cx, expr_coefficient(cx, terms.at[i]), sums->at[k].term);
        entry = expr_add(cx, entry, expr_subst(cx, term, &one, 1));
      }
  return expr_simplify(cx, entry, SIMPLIFY_NORMAL);
}

// M_ij = ..., i < j
static void show_beside(Document *d, const char *name, const IndexedRows *rows, bool above) {
  Arena *arena = &d->cx->scratch;
  const Typeface *face = d->medium->face;
  IndexedSums sums = {0};
  Expr entry = indexed_entry(d->cx, rows, &sums);
  d->sums = &sums;
  Formula f = formula_open(d);
  formula_name(&f, text_format(arena, "%s[%s,%s]", name, rows->letters[0], rows->letters[1]));
  formula_equals(&f);
  formula_expr(&f, entry);
  Text row = text_new(arena), other = text_new(arena);
  typeset_name(d->cx, rows->letters[above ? 0 : 1], 0, face, &row);
  typeset_name(d->cx, rows->letters[above ? 1 : 0], 0, face, &other);
  formula_markup(&f, text_format(arena, "%s%s%s%s", face->gap, row.at, face->less, other.at), 8);
  document_display(d, &f, true);
  d->sums = NULL;
}

// A row next to the diagonal, so far behind it: K_{i,i+1}.
typedef struct Band {
  IndexedRows rows;
  Expr *values;
  uint32_t n;
  int off;
  bool is_zero;
} Band;

static bool read_band(Context *cx, const Expr *values, uint32_t n, Band *band) {
  uint32_t from = band->off < 0 ? 1 : 0;
  band->n = n - (band->off ? 1 : 0);
  band->values = arena_array(&cx->scratch, Expr, n);
  band->is_zero = true;
  for (uint32_t i = 0; i < band->n; i++) {
    band->values[i] = values[(i + from) * n + i + from + (uint32_t)band->off];
    if (!expr_is_zero(cx, band->values[i])) band->is_zero = false;
  }
  band->rows.first += from;
  band->rows.last = band->rows.first + (long)band->n - 1;
  return band->is_zero || indexed_rows(cx, band->values, band->n, &band->rows);
}

static void add_entry(Formula *f, const char *stem, const char *row, int off) {
  Arena *arena = &f->document->cx->scratch;
  bool is_number = *row >= '0' && *row <= '9';
  const char *column = is_number ? text_format(arena, "%ld", strtol(row, NULL, 10) + off)
                       : off     ? text_format(arena, "%s%+d", row, off)
                                 : row;
  formula_name(f, text_format(arena, "%s[%s,%s]", stem, row, column));
}

static void entry_on(Formula *f, const void *stem, const char *row) { add_entry(f, stem, row, 0); }

static void entry_behind(Formula *f, const void *stem, const char *row) {
  add_entry(f, stem, row, 1);
}

static void entry_before(Formula *f, const void *stem, const char *row) {
  add_entry(f, stem, row, -1);
}

static bool is_banded(const Context *cx, const Expr *values, uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t j = 0; j < n; j++)
      if (i > j + 1 || j > i + 1)
        if (!expr_is_zero(cx, values[i * n + j])) return false;
  return true;
}

static bool show_bands(Document *d, const Families *all, const char *name, const Expr *values,
                       uint32_t n, bool symmetric) {
  Band bands[] = {{.off = 0}, {.off = 1}, {.off = -1}};
  int count = symmetric ? 2 : 3;
  for (int k = 0; k < count; k++) {
    bands[k].rows = rows_of(all);
    if (!read_band(d->cx, values, n, &bands[k])) return false;
  }
  for (int k = 0; k < count; k++)
    if (!bands[k].is_zero)
      document_indexed_rows(d, &bands[k].rows, (long)bands[k].n,
                            k == 0   ? entry_on
                            : k == 1 ? entry_behind
                                     : entry_before,
                            name);
  Insert inserts[] = {insert_name(d, name)};
  if (symmetric && !bands[1].is_zero) document_paragraph(d, SAY_MATRIX_SYMMETRIC, inserts);
  document_paragraph(d, SAY_MATRIX_ZEROS, inserts);
  return true;
}

static bool show_full(Document *d, const Families *all, const char *name, const Expr *values,
                      uint32_t n, bool symmetric) {
  IndexedRows beside[2] = {rows_of(all), rows_of(all)};
  Band on = {.rows = rows_of(all)};
  if (!read_band(d->cx, values, n, &on)) return false;
  for (int k = 0; k < (symmetric ? 1 : 2); k++)
    if (!indexed_beside(d->cx, values, n, k == 0, &beside[k])) return false;
  if (!on.is_zero) document_indexed_rows(d, &on.rows, (long)n, entry_on, name);
  for (int k = 0; k < (symmetric ? 1 : 2); k++) show_beside(d, name, &beside[k], k == 0);
  Insert inserts[] = {insert_name(d, name)};
  if (symmetric) document_paragraph(d, SAY_MATRIX_SYMMETRIC, inserts);
  if (on.is_zero) document_paragraph(d, SAY_MATRIX_ZEROS, inserts);
  return true;
}

bool document_indexed_matrix(Document *d, const Model *model, const char *name, const Expr *values,
                             uint32_t n, bool symmetric) {
  Families all;
  if (!d->most_entries || !model_families(model, &all) || all.list.n != 1) return false;
  name = own_name(d->cx, name, false);
  return is_banded(d->cx, values, n) ? show_bands(d, &all, name, values, n, symmetric)
                                     : show_full(d, &all, name, values, n, symmetric);
}
