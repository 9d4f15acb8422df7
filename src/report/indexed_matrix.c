// Matrices of chains: what all entries have in common, proved by renaming numbers into letters.
#include "report/indexed_matrix.h"

#include "expr/algebra/expand.h"
#include "expr/build.h"
#include "expr/define.h"
#include "expr/order.h"
#include "expr/subst.h"
#include "expr/walk.h"

enum { MOST_OPERATIONS = 20000, LEAST_ROWS = 4, MOST_ROWS = 40 };

// Numbers and the letters in their places.
typedef struct Lettering {
  long numbers[3];
  const char *const *letters;
  uint32_t n;
  bool is_whole; // every number had a letter
} Lettering;

static const char *letter_of(const Lettering *by, long number) {
  for (uint32_t i = 0; i < by->n; i++)
    if (by->numbers[i] == number) return by->letters[i];
  return NULL;
}

static Expr lettered(Context *cx, Lettering *by, SymbolKind kind, Symbol name, Expr as_is) {
  IndexedName parts;
  const char *text = symbol_text(cx, name);
  if (!name_is_indexed(text, &parts)) return as_is;
  const char *letter = letter_of(by, parts.index);
  if (!letter) by->is_whole = false;
  if (!letter) return as_is;
  Symbol general = symbol_from_text(cx, indexed_name(cx, text, letter, parts.index));
  order_alike(cx, general, name);
  return expr_symbol(cx, kind, general);
}

static Rewrite put_letters(Context *cx, Expr e, void *argument) {
  if (op_of(cx, e) != OP_SYMBOL) return (Rewrite){.kind = REWRITE_INSIDE};
  return (Rewrite){REWRITE_TO, lettered(cx, argument, symbol_kind(cx, e), symbol_name(cx, e), e)};
}

// ---- One entry

typedef struct NumberSearch {
  long row, column, other;
  bool is_other, are_more; // beside row and column there is one number, or more
} NumberSearch;

static Visit look_for_others(const Context *cx, Expr e, void *argument) {
  NumberSearch *s = argument;
  IndexedName parts;
  if (op_of(cx, e) != OP_SYMBOL || !name_is_indexed(symbol_text(cx, symbol_name(cx, e)), &parts))
    return VISIT_ENTER;
  if (parts.index == s->row || parts.index == s->column) return VISIT_ENTER;
  s->are_more |= s->is_other && s->other != parts.index;
  s->is_other = true, s->other = parts.index;
  return VISIT_ENTER;
}

// What numbers behind the column add must be the same for all of them.
static bool join_added(Expr *const added, long column, long last, long first, Expr *out) {
  *out = 0;
  for (long k = column + 1; k <= last; k++) {
    if (*out && added[k - first] != *out) return false;
    *out = added[k - first];
  }
  return true;
}

static bool read_entry(Context *cx, Expr value, long row, long column, const IndexedMatrix *m,
                       IndexedEntry *out) {
  Expr added[MOST_ROWS];
  TermList terms = expr_terms(cx, expr_expand(cx, value, MOST_OPERATIONS));
  out->own = expr_int(cx, 0);
  for (long k = m->first; k <= m->last; k++) added[k - m->first] = expr_int(cx, 0);
  for (uint32_t i = 0; i < terms.n; i++) {
    NumberSearch search = {.row = row, .column = column};
    expr_walk(cx, &terms.at[i], 1, look_for_others, &search);
    if (search.are_more || (search.is_other && (search.other <= column || search.other > m->last)))
      return false;
    const char *const on[] = {m->letters[0], m->letters[2]};
    bool is_diagonal = row == column;
    Lettering by = {.letters = is_diagonal ? on : m->letters, .is_whole = true};
    by.numbers[by.n++] = row;
    if (!is_diagonal) by.numbers[by.n++] = column;
    if (search.is_other) by.numbers[by.n++] = search.other;
    Expr general;
    expr_rewrite(cx, &terms.at[i], 1, put_letters, &by, &general);
    if (!by.is_whole) return false;
    Expr *sum = search.is_other ? &added[search.other - m->first] : &out->own;
    *sum = expr_add(cx, *sum, general);
  }
  return join_added(added, column, m->last, m->first, &out->added);
}

// The same form as those before it; what is open takes over what another says.
static bool agree(IndexedEntry *all, const IndexedEntry *one, bool is_first) {
  if (is_first) {
    *all = *one;
    return true;
  }
  if (all->own != one->own || (all->added && one->added && all->added != one->added)) return false;
  if (one->added) all->added = one->added;
  return true;
}

bool indexed_matrix(Context *cx, const Expr *values, uint32_t n, long first, IndexedMatrix *m) {
  if (n < LEAST_ROWS || n > MOST_ROWS) return false;
  m->first = first, m->last = first + (long)n - 1;
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t j = i; j < n; j++) {
      IndexedEntry entry;
      bool is_first = i == 0 && j == (i == j ? 0U : 1U);
      if (!read_entry(cx, values[i * n + j], first + i, first + j, m, &entry) ||
          !agree(i == j ? &m->on : &m->beside, &entry, is_first))
        return false;
    }
  return true;
}

// ---- As formulas

static bool choose_letters(const Model *model, const char *out[3]) {
  static const char *const letters[] = {"i", "j", "k", "l", "n", "p", "q"};
  uint32_t n = 0;
  for (size_t i = 0; i < sizeof letters / sizeof *letters && n < 3; i++)
    if (!model_find_text(model, letters[i])) out[n++] = letters[i];
  return n == 3;
}

static bool numbers_of_rows(const Model *model, uint32_t n, long *first) {
  IndexedName head, other;
  if (model->coordinates.n != n ||
      !name_is_indexed(symbol_text(model->cx, model->coordinates.at[0].name), &head))
    return false;
  for (uint32_t i = 1; i < n; i++)
    if (!name_is_indexed(symbol_text(model->cx, model->coordinates.at[i].name), &other) ||
        !names_are_kin(&head, &other) || other.index != head.index + (long)i)
      return false;
  *first = head.index;
  return true;
}

// column: its letter; on the diagonal that of the row.
static void show_entry(Document *d, const char *name, const IndexedMatrix *m,
                       const IndexedEntry *entry, const char *column) {
  Arena *arena = &d->cx->scratch;
  bool is_beside = column != m->letters[0],
       adds = entry->added && !expr_is_zero(d->cx, entry->added);
  const Typeface *face = d->medium->face;
  Formula f = formula_open(d);
  formula_name(&f, text_format(arena, "%s[%s,%s]", name, m->letters[0], column));
  formula_equals(&f);
  if (!adds || !expr_is_zero(d->cx, entry->own)) formula_expr(&f, entry->own);
  if (adds) {
    if (!expr_is_zero(d->cx, entry->own)) formula_sign(&f, face->plus);
    formula_sum_between(&f, m->letters[2], text_format(arena, "%s+1", column),
                        text_format(arena, "%ld", m->last), entry->added);
  }
  if (is_beside) {
    Text row = text_new(arena), other = text_new(arena);
    typeset_name(d->cx, m->letters[0], 0, face, &row);
    typeset_name(d->cx, column, 0, face, &other);
    formula_markup(&f, text_format(arena, "%s%s%s%s", face->gap, row.at, face->less, other.at), 8);
  }
  document_display(d, &f, true);
}

bool document_indexed_matrix(Document *d, const Model *model, const char *name, const Expr *values,
                             uint32_t n) {
  IndexedMatrix m = {.on = {0}};
  long first;
  if (!d->most_entries || !numbers_of_rows(model, n, &first) || !choose_letters(model, m.letters) ||
      !indexed_matrix(d->cx, values, n, first, &m))
    return false;
  name = own_name(d->cx, name, false);
  Insert inserts[] = {insert_name(d, name)};
  bool is_diagonal =
      expr_is_zero(d->cx, m.beside.own) && (!m.beside.added || expr_is_zero(d->cx, m.beside.added));
  show_entry(d, name, &m, &m.on, m.letters[0]);
  if (!is_diagonal) show_entry(d, name, &m, &m.beside, m.letters[1]);
  document_paragraph(d, is_diagonal ? SAY_MATRIX_ZEROS : SAY_MATRIX_SYMMETRIC, inserts);
  return true;
}
