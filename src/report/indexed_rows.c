// Which terms of many rows are the same with letters, and the proof that these give every row.
#include "report/indexed_rows.h"

#include <string.h>

#include "expr/algebra/expand.h"
#include "expr/build.h"
#include "expr/order.h"
#include "expr/subst.h"
#include "expr/walk.h"
#include "report/indexed.h"

enum { MOST_OPERATIONS = 20000, MOST_FORMS = 60, FARTHEST = 2, LEAST_SLOPED = 5 };

// ---- One term

// The numbers in a term beside that of its row, in ascending order.
typedef struct OtherNumbers {
  long row, at[2];
  int n; // 3: too many
} OtherNumbers;

static Visit look_for_numbers(const Context *cx, Expr e, void *argument) {
  OtherNumbers *o = argument;
  IndexedName parts;
  if (op_of(cx, e) != OP_SYMBOL || !name_is_indexed(symbol_text(cx, symbol_name(cx, e)), &parts) ||
      parts.index == o->row)
    return VISIT_ENTER;
  for (int i = 0; i < o->n && i < 2; i++)
    if (o->at[i] == parts.index) return VISIT_ENTER;
  if (o->n < 2) o->at[o->n] = parts.index;
  if (o->n < 3) o->n++;
  return VISIT_ENTER;
}

static OtherNumbers other_numbers(Context *cx, Expr term, long row) {
  OtherNumbers o = {.row = row};
  expr_walk(cx, &term, 1, look_for_numbers, &o);
  if (o.n == 2 && o.at[0] > o.at[1]) {
    long larger = o.at[0];
    o.at[0] = o.at[1], o.at[1] = larger;
  }
  return o;
}

static RowShape shape_of(const OtherNumbers *o) {
  if (o->n == 0) return SHAPE_OWN;
  if (o->n == 1) return o->at[0] > o->row ? SHAPE_UP : SHAPE_DOWN;
  if (o->at[0] > o->row) return SHAPE_UP_UP;
  return o->at[1] > o->row ? SHAPE_DOWN_UP : SHAPE_DOWN_DOWN;
}

typedef struct Lettering {
  const OtherNumbers *numbers;
  const IndexedRows *rows;
} Lettering;

Expr lettered_symbol(Context *cx, Expr symbol, const char *text, long off) {
  const char *name = symbol_text(cx, symbol_name(cx, symbol)), *open = strchr(name, '['),
             *close = strchr(name, ']');
  Symbol other = symbol_from_text(
      cx, text_format(&cx->scratch, "%.*s[%s%s", (int)(open - name), name, text, close));
  order_as_number(cx, other, name, off);
  return expr_symbol(cx, symbol_kind(cx, symbol), other);
}

static Rewrite put_letters(Context *cx, Expr e, void *argument) {
  const Lettering *by = argument;
  IndexedName parts;
  if (op_of(cx, e) != OP_SYMBOL) return (Rewrite){.kind = REWRITE_INSIDE};
  const char *text = symbol_text(cx, symbol_name(cx, e));
  if (!name_is_indexed(text, &parts)) return (Rewrite){REWRITE_TO, e};
  int which = parts.index == by->numbers->row ? 0 : parts.index == by->numbers->at[0] ? 1 : 2;
  return (Rewrite){REWRITE_TO, lettered_symbol(cx, e, by->rows->letters[which], which)};
}

static RowForm *find_form(Context *cx, IndexedRows *rows, Expr term, RowShape shape) {
  for (uint32_t i = 0; i < rows->forms.n; i++)
    if (rows->forms.at[i].term == term && rows->forms.at[i].shape == shape)
      return &rows->forms.at[i];
  vec_push(&cx->scratch, &rows->forms, ((RowForm){.term = term, .shape = shape}));
  return &rows->forms.at[rows->forms.n - 1];
}

static bool read_term(Context *cx, Expr term, long row, IndexedRows *rows) {
  OtherNumbers others = other_numbers(cx, term, row);
  if (others.n > 2) return false;
  Lettering by = {&others, rows};
  Expr lettered;
  expr_rewrite(cx, &term, 1, put_letters, &by, &lettered);
  RowForm *form = find_form(cx, rows, expr_without_coefficient(cx, lettered), shape_of(&others));
  RowPlace place = {row, {others.at[0], others.at[1]}, expr_coefficient(cx, lettered)};
  vec_push(&cx->scratch, &form->places, place);
  return rows->forms.n <= MOST_FORMS;
}

// ---- Where a form holds

static int other_count(RowShape shape) {
  return shape == SHAPE_OWN ? 0 : shape == SHAPE_UP || shape == SHAPE_DOWN ? 1 : 2;
}

static void find_distances(RowForm *form, bool is_single) {
  int n = other_count(form->shape);
  const RowPlace *head = &form->places.at[0];
  form->is_near = n > 0 && !is_single;
  for (int k = 0; k < n; k++) form->offsets[k] = head->others[k] - head->row;
  for (uint32_t i = 0; form->is_near && i < form->places.n; i++)
    for (int k = 0; k < n; k++) {
      long off = form->places.at[i].others[k] - form->places.at[i].row;
      if (off != form->offsets[k] || off > FARTHEST || off < -FARTHEST) form->is_near = false;
    }
}

static void find_ends(const IndexedRows *rows, RowForm *form) {
  form->is_apart = !rows->is_single;
  for (uint32_t i = 0; i < form->places.n; i++)
    if (form->places.at[i].row != rows->first && form->places.at[i].row != rows->last)
      form->is_apart = false;
}

// How many terms of the form a row has.
static long domain_size(const IndexedRows *rows, const RowForm *form, long row) {
  long above = rows->is_single ? rows->last - rows->first + 1 : rows->last - row;
  long below = rows->is_single ? 0 : row - rows->first;
  if (form->is_apart) return 0;
  if (form->is_near) return 1;
  switch (form->shape) {
  case SHAPE_OWN: return 1;
  case SHAPE_UP: return above;
  case SHAPE_DOWN: return below;
  case SHAPE_UP_UP: return above * (above - 1) / 2;
  case SHAPE_DOWN_UP: return above * below;
  default: return below * (below - 1) / 2;
  }
}

Number form_number(Context *cx, const RowForm *form, long row, long other) {
  Number first = number_mul(cx, form->slopes[0], number_int(cx, row));
  Number second = number_mul(cx, form->slopes[1], number_int(cx, other));
  return number_add(cx, form->constant, number_add(cx, first, second));
}

bool form_gives_row(Context *cx, const IndexedRows *rows, const RowForm *form, long row) {
  long count = 0;
  for (uint32_t i = 0; i < form->places.n; i++) {
    const RowPlace *at = &form->places.at[i];
    if (at->row != row) continue;
    if (form->is_apart) return false;
    count++;
    for (int k = 0; !form->is_near && k < other_count(form->shape); k++)
      if (at->others[k] < rows->first || at->others[k] > rows->last) return false;
    if (at->number != form_number(cx, form, row, at->others[0])) return false;
  }
  return count == domain_size(rows, form, row);
}

// ---- The number in front

static Number number_at(const RowForm *form, long row, long other) {
  for (uint32_t i = 0; i < form->places.n; i++) {
    const RowPlace *at = &form->places.at[i];
    if (at->row == row && (form->shape == SHAPE_OWN || at->others[0] == other)) return at->number;
  }
  return NUMBER_ZERO;
}

// From three places inside, the rest of which the proof compares.
static void find_slopes(Context *cx, const IndexedRows *rows, RowForm *form) {
  long inside = rows->first + 1, near = form->offsets[0];
  form->slopes[0] = form->slopes[1] = NUMBER_ZERO;
  form->constant = form->places.at[form->places.n / 2].number;
  bool is_same = true;
  for (uint32_t i = 0; i < form->places.n; i++) {
    const RowPlace *at = &form->places.at[i];
    bool at_end = at->row == rows->first || at->row == rows->last;
    if (!at_end && at->number != form->constant) is_same = false;
  }
  if (rows->is_single || is_same || rows->last - rows->first + 1 < LEAST_SLOPED) return;
  if (form->shape == SHAPE_OWN || form->is_near) {
    Number a = number_at(form, inside, inside + near),
           b = number_at(form, inside + 1, inside + 1 + near);
    form->slopes[0] = number_sub(cx, b, a);
    form->constant = number_sub(cx, a, number_mul(cx, form->slopes[0], number_int(cx, inside)));
    return;
  }
  bool up = form->shape == SHAPE_UP;
  if (!up && form->shape != SHAPE_DOWN) return;
  long row = up ? inside : rows->last - 1, step = up ? 1 : -1, end = up ? rows->last : rows->first;
  Number at = number_at(form, row, end), next = number_at(form, row + step, end),
         other = number_at(form, row, end - step), unit = number_int(cx, step);
  form->slopes[0] = number_mul(cx, unit, number_sub(cx, next, at));
  form->slopes[1] = number_mul(cx, unit, number_sub(cx, at, other));
  form->constant = NUMBER_ZERO;
  form->constant = number_sub(cx, at, form_number(cx, form, row, end));
}

// A single row: over all numbers, constant + slope j.
static void find_single_slope(Context *cx, const IndexedRows *rows, RowForm *form) {
  if (!rows->is_single || form->shape != SHAPE_UP || form->places.n < 2) return;
  Number a = number_at(form, form->places.at[0].row, rows->first),
         b = number_at(form, form->places.at[0].row, rows->first + 1);
  form->slopes[1] = number_sub(cx, b, a);
  form->constant = number_sub(cx, a, number_mul(cx, form->slopes[1], number_int(cx, rows->first)));
}

// ---- All rows

enum { NO_NUMBER = -1 }; // a row that has none

static bool is_given(Context *cx, const IndexedRows *rows, long row) {
  for (uint32_t i = 0; i < rows->forms.n; i++)
    if (!form_gives_row(cx, rows, &rows->forms.at[i], row)) return false;
  return true;
}

// The form of the values as they are.
static Expr common_form(Context *cx, const IndexedRows *rows) {
  Expr general = 0;
  for (long row = rows->from; row <= rows->to; row++) {
    Expr one = indexed_expr(cx, rows->values[row - rows->first], rows->letters[0], row);
    if (general && one != general) return 0;
    general = one;
  }
  return general;
}

bool indexed_rows(Context *cx, const Expr *values, uint32_t n, IndexedRows *rows) {
  rows->is_single = n == 1;
  rows->forms.n = 0;
  long first = rows->is_single ? NO_NUMBER : rows->first;
  if (!rows->is_single && (n < LEAST_ROWS || n > MOST_ROWS)) return false;
  for (uint32_t i = 0; i < n; i++) {
    TermList terms = expr_terms(cx, expr_expand(cx, values[i], MOST_OPERATIONS));
    for (uint32_t k = 0; k < terms.n; k++)
      if (!expr_is_zero(cx, terms.at[k]) && !read_term(cx, terms.at[k], first + (long)i, rows))
        return false;
  }
  for (uint32_t i = 0; i < rows->forms.n; i++) {
    find_ends(rows, &rows->forms.at[i]);
    find_distances(&rows->forms.at[i], rows->is_single);
    find_slopes(cx, rows, &rows->forms.at[i]);
    find_single_slope(cx, rows, &rows->forms.at[i]);
  }
  rows->from = first, rows->to = first + (long)n - 1;
  while (rows->from <= rows->to && !is_given(cx, rows, rows->from)) rows->from++;
  while (rows->to >= rows->from && !is_given(cx, rows, rows->to)) rows->to--;
  for (long row = rows->from; row <= rows->to; row++)
    if (!is_given(cx, rows, row)) return false;
  rows->values = values;
  rows->general = rows->is_single ? 0 : common_form(cx, rows);
  long given = rows->to - rows->from + 1, alone = (long)n - given;
  return rows->is_single ? given == 1 : given >= LEAST_COPIES && alone <= MOST_ALONE;
}
