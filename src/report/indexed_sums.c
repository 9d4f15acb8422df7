// A row with letters as an expression: terms of its own, and sums, what does not change in a sum in
// front of it.
#include <stdlib.h>
#include <string.h>

#include "expr/algebra/simplify.h"
#include "expr/build.h"
#include "expr/order.h"
#include "expr/subst.h"
#include "expr/walk.h"
#include "report/indexed.h"
#include "report/indexed_rows.h"

// What letters become: a number, or a letter with an offset.
typedef struct Renaming {
  const IndexedRows *rows;
  const char *letters[3], *texts[3];
  int n;
} Renaming;

// How far behind the row's letter x[text] stands among terms.
static long place_of(const IndexedRows *rows, const char *text) {
  size_t length = strlen(rows->letters[0]);
  if (*text >= '0' && *text <= '9') return strtol(text, NULL, 10) - LETTER_NUMBER;
  if (strncmp(text, rows->letters[0], length) == 0) return strtol(text + length, NULL, 10);
  return strcmp(text, rows->letters[1]) == 0 ? 1 : 2;
}

// The place of the letter in a name, x[j]; NULL where another stands there.
static const char *letter_in(const char *name, const char *letter) {
  const char *open = strchr(name, '[');
  size_t length = strlen(letter);
  if (!open || strncmp(open + 1, letter, length) != 0 || open[1 + length] != ']') return NULL;
  return open + 1;
}

static Rewrite rename_letter(Context *cx, Expr e, void *argument) {
  const Renaming *by = argument;
  if (op_of(cx, e) != OP_SYMBOL) return (Rewrite){.kind = REWRITE_INSIDE};
  const char *name = symbol_text(cx, symbol_name(cx, e));
  for (int i = 0; i < by->n; i++) {
    if (!letter_in(name, by->letters[i])) continue;
    long place = place_of(by->rows, by->texts[i]);
    return (Rewrite){REWRITE_TO, lettered_symbol(cx, e, by->texts[i], place)};
  }
  return (Rewrite){REWRITE_TO, e};
}

static Expr renamed(Context *cx, Expr e, Renaming by) {
  Expr out;
  expr_rewrite(cx, &e, 1, rename_letter, &by, &out);
  return out;
}

// ---- A row being written

typedef struct Weight { // front * sum over index of inner
  Expr front, inner;
  const char *index, *from, *to;
} Weight;

typedef struct TermsOf { // a row itself, or what stands below one of its sums
  ExprList plain;
  VEC(Weight) weights;
} TermsOf;

typedef struct RowText {
  Context *cx;
  const IndexedRows *rows;
  const long *number; // of the row, or NULL
  IndexedSums *sums;
  TermsOf own, up, down;
} RowText;

// The row's number or letter, so far behind it.
static const char *row_text(const RowText *w, long off) {
  Arena *arena = &w->cx->scratch;
  if (w->number) return text_format(arena, "%ld", *w->number + off);
  return off ? text_format(arena, "%s%+ld", w->rows->letters[0], off) : w->rows->letters[0];
}

static const char *number_text(const RowText *w, long number) {
  return text_format(&w->cx->scratch, "%ld", number);
}

// Where sums over larger numbers begin.
static const char *first_behind(const RowText *w) {
  return w->rows->is_single ? number_text(w, w->rows->first) : row_text(w, 1);
}

static const char *next_to(const RowText *w, const char *letter, long off) {
  return text_format(&w->cx->scratch, "%s%+ld", letter, off);
}

static Expr letter_symbol(Context *cx, const char *letter) {
  return expr_symbol(cx, SYMBOL_PARAMETER, symbol_from_text(cx, letter));
}

static Expr sum_symbol(RowText *w, const char *index, const char *from, const char *to, Expr term) {
  for (uint32_t i = 0; i < w->sums->n; i++) {
    const IndexedSum *sum = &w->sums->at[i];
    if (sum->term == term && strcmp(sum->index, index) == 0 && strcmp(sum->from, from) == 0 &&
        strcmp(sum->to, to) == 0)
      return sum->symbol;
  }
  const char *name = text_format(&w->cx->scratch, "Σ%u", w->sums->n);
  Expr symbol = letter_symbol(w->cx, name);
  vec_push(&w->cx->scratch, w->sums, ((IndexedSum){symbol, index, from, to, term}));
  return symbol;
}

static Symbol first_parameter(Context *cx, Expr term) {
  const Node *node = node_of(cx, term);
  Expr first = 0;
  uint32_t count = node->op == OP_PRODUCT ? node->count : 1;
  for (uint32_t i = 0; i < count; i++) {
    Expr factor = node->op == OP_PRODUCT ? pairs_of(node)[i].expr : term;
    if (op_of(cx, factor) == OP_SYMBOL && symbol_kind(cx, factor) == SYMBOL_PARAMETER &&
        (!first || expr_compare(cx, factor, first) < 0))
      first = factor;
  }
  return first ? symbol_name(cx, first) : 0;
}

// 8 - i as one symbol, which stays as it is written; in front of the parameters.
static Expr bracket_symbol(RowText *w, const RowForm *form, Expr value) {
  for (uint32_t i = 0; i < w->sums->n; i++)
    if (w->sums->at[i].term == value && !w->sums->at[i].index) return w->sums->at[i].symbol;
  Symbol name = symbol_from_text(w->cx, text_format(&w->cx->scratch, "#%u", w->sums->n));
  Symbol alike = first_parameter(w->cx, form->term);
  if (alike) order_alike(w->cx, name, alike);
  Expr symbol = expr_symbol(w->cx, SYMBOL_PARAMETER, name);
  vec_push(&w->cx->scratch, w->sums, ((IndexedSum){.symbol = symbol, .term = value}));
  return symbol;
}

// What stands in front of a term; other: the letter of its next number, or NULL where that is `off`
// behind the row's.
static Expr front_number(RowText *w, const RowForm *form, const char *other, long off) {
  Context *cx = w->cx;
  Expr row = w->number ? expr_int(cx, *w->number) : letter_symbol(cx, w->rows->letters[0]);
  Expr next = other ? letter_symbol(cx, other) : expr_add(cx, row, expr_int(cx, off));
  Expr sum = expr_number(cx, form->constant);
  if (form->slopes[0] != NUMBER_ZERO) sum = expr_add(cx, sum, expr_scale(cx, form->slopes[0], row));
  if (form->slopes[1] != NUMBER_ZERO)
    sum = expr_add(cx, sum, expr_scale(cx, form->slopes[1], next));
  if (expr_is_number(cx, sum)) return sum;
  bool negative = number_sign(cx, form->constant) < 0;
  Expr symbol = bracket_symbol(w, form, negative ? expr_neg(cx, sum) : sum);
  return negative ? expr_neg(cx, symbol) : symbol;
}

// Takes the term out of the list; false where it is not there.
static bool take_plain(ExprList *list, Expr term) {
  for (uint32_t i = 0; i < list->n; i++)
    if (list->at[i] == term) {
      memmove(list->at + i, list->at + i + 1, (--list->n - i) * sizeof *list->at);
      return true;
    }
  return false;
}

static Visit look_for_letter(const Context *cx, Expr e, void *argument) {
  const char **letter = argument;
  if (*letter && op_of(cx, e) == OP_SYMBOL &&
      letter_in(symbol_text(cx, symbol_name(cx, e)), *letter))
    *letter = NULL; // found
  return VISIT_ENTER;
}

static bool has_letter(Context *cx, Expr e, const char *letter) {
  expr_walk(cx, &e, 1, look_for_letter, &letter);
  return !letter;
}

// term = front * inner, the letter in inner alone.
static void split(Context *cx, Expr term, const char *letter, Expr *front, Expr *inner) {
  const Node *node = node_of(cx, term);
  *front = *inner = expr_int(cx, 1);
  if (node->op != OP_PRODUCT) {
    *(has_letter(cx, term, letter) ? inner : front) = term;
    return;
  }
  *front = expr_number(cx, node->number);
  uint32_t count = node->count;
  for (uint32_t i = 0; i < count; i++) {
    Pair pair = pairs_of(node_of(cx, term))[i];
    Expr factor = expr_power(cx, pair.expr, pair.number),
         *part = has_letter(cx, pair.expr, letter) ? inner : front;
    *part = expr_mul(cx, *part, factor);
  }
}

// Parameters alone have the letter.
static bool is_weight(Context *cx, Expr term, const char *letter) {
  Expr front, inner;
  split(cx, term, letter, &front, &inner);
  return !expr_has_kind(cx, inner, ~(uint32_t)KIND_BIT(SYMBOL_PARAMETER));
}

static void add_weight(RowText *w, TermsOf *to, Weight weight) {
  for (uint32_t i = 0; i < to->weights.n; i++) {
    Weight *other = &to->weights.at[i];
    if (other->front == weight.front && strcmp(other->index, weight.index) == 0 &&
        strcmp(other->from, weight.from) == 0 && strcmp(other->to, weight.to) == 0) {
      other->inner = expr_add(w->cx, other->inner, weight.inner);
      return;
    }
  }
  vec_push(&w->cx->scratch, &to->weights, weight);
}

// ---- Forms of one other number

// The term with these numbers or letters for its three.
static Expr term_with(const RowText *w, const RowForm *form, const char *i, const char *j,
                      const char *k) {
  const char *const *from = w->rows->letters;
  Renaming by = {w->rows, {from[0], from[1], from[2]}, {i, j, k}, 3};
  return renamed(w->cx, form->term, by);
}

static Expr row_term(const RowText *w, const RowForm *form, const char *j, const char *k) {
  return term_with(w, form, row_text(w, 0), j, k);
}

static void add_near(RowText *w, const RowForm *form) {
  Expr term = row_term(w, form, row_text(w, form->offsets[0]), row_text(w, form->offsets[1]));
  Expr front = front_number(w, form, NULL, form->shape == SHAPE_OWN ? 0 : form->offsets[0]);
  vec_push(&w->cx->scratch, &w->own.plain, expr_mul(w->cx, front, term));
}

static void add_pair(RowText *w, const RowForm *form) {
  Context *cx = w->cx;
  const char *j = w->rows->letters[1], *k = w->rows->letters[2];
  bool up = form->shape == SHAPE_UP;
  if (!is_weight(cx, form->term, j)) {
    Expr front = front_number(w, form, j, 0);
    Expr term = expr_mul(cx, front, row_term(w, form, j, k));
    vec_push(&cx->scratch, up ? &w->up.plain : &w->down.plain, term);
    return;
  }
  Weight weight = {.index = k};
  split(cx, row_term(w, form, k, k), k, &weight.front, &weight.inner);
  Expr number = front_number(w, form, k, 0);
  if (form->slopes[1] == NUMBER_ZERO)
    weight.front = expr_mul(cx, number, weight.front);
  else
    weight.inner = expr_mul(cx, number, weight.inner);
  bool is_free = w->rows->is_single;
  // what the row itself has may be the first or the last of the sum
  const char *here = row_text(w, 0);
  Expr front = front_number(w, form, NULL, 0);
  Expr at_row = expr_mul(cx, front, row_term(w, form, here, here));
  bool joins = !is_free && take_plain(&w->own.plain, at_row);
  weight.from = up && !is_free ? row_text(w, joins ? 0 : 1) : number_text(w, w->rows->first);
  weight.to = up ? number_text(w, w->rows->last) : row_text(w, joins ? 0 : -1);
  add_weight(w, &w->own, weight);
}

// ---- Forms of two other numbers: one sum below another

static void add_triple(RowText *w, const RowForm *form) {
  Context *cx = w->cx;
  const char *j = w->rows->letters[1], *k = w->rows->letters[2];
  RowShape shape = form->shape;
  // the outer sum is over what moves; its letter is j
  bool swapped = is_weight(cx, form->term, j) && !is_weight(cx, form->term, k);
  bool is_constant = is_weight(cx, form->term, j) && is_weight(cx, form->term, k);
  bool outer_up = shape == SHAPE_UP_UP || (shape == SHAPE_DOWN_UP && swapped);
  TermsOf *body = outer_up ? &w->up : &w->down;
  Expr number = expr_number(cx, form->constant),
       term = expr_mul(cx, number, row_term(w, form, swapped ? k : j, swapped ? j : k));
  Weight weight = {.index = k};
  const char *below = shape == SHAPE_DOWN_UP ? row_text(w, 0) : j;
  split(cx, term, k, &weight.front, &weight.inner);
  // the inner sum begins behind this number, or ends before it, or with what a pair has of it
  bool joins = take_plain(&body->plain, renamed(cx, term, (Renaming){w->rows, {k}, {below}, 1}));
  long off = joins ? 0 : swapped ? -1 : 1;
  const char *edge = off ? (shape == SHAPE_DOWN_UP ? row_text(w, off) : next_to(w, j, off)) : below;
  if (swapped) {
    weight.from = shape == SHAPE_UP_UP ? first_behind(w) : number_text(w, w->rows->first);
    weight.to = edge;
  } else {
    weight.from = edge;
    weight.to = shape == SHAPE_DOWN_DOWN ? row_text(w, -1) : number_text(w, w->rows->last);
  }
  if (!is_constant) {
    add_weight(w, body, weight);
    return;
  }
  Expr front, inner, symbol = sum_symbol(w, k, weight.from, weight.to, weight.inner);
  split(cx, weight.front, j, &front, &inner);
  Weight outer = {.front = front,
                  .inner = expr_mul(cx, inner, symbol),
                  .index = j,
                  .from = outer_up ? first_behind(w) : number_text(w, w->rows->first),
                  .to = outer_up ? number_text(w, w->rows->last) : row_text(w, -1)};
  add_weight(w, &w->own, outer);
}

// ---- All of it

static Expr joined(RowText *w, TermsOf *terms) {
  Context *cx = w->cx;
  Expr sum = expr_sum(cx, terms->plain.at, terms->plain.n);
  for (uint32_t i = 0; i < terms->weights.n; i++) {
    const Weight *it = &terms->weights.at[i];
    Expr symbol = sum_symbol(w, it->index, it->from, it->to, it->inner);
    sum = expr_add(cx, sum, expr_mul(cx, it->front, symbol));
  }
  return expr_simplify(cx, sum, SIMPLIFY_NORMAL);
}

// Each term below a sum of its own, between which a line can break.
static Expr summed(RowText *w, TermsOf *terms, const char *from, const char *to) {
  Context *cx = w->cx;
  TermList list = expr_terms(cx, joined(w, terms));
  Expr sum = expr_int(cx, 0);
  for (uint32_t i = 0; i < list.n; i++) {
    Expr term = list.at[i];
    if (expr_is_zero(cx, term)) continue;
    bool negative = number_sign(cx, expr_coefficient(cx, term)) < 0;
    Expr symbol =
        sum_symbol(w, w->rows->letters[1], from, to, negative ? expr_neg(cx, term) : term);
    sum = negative ? expr_sub(cx, sum, symbol) : expr_add(cx, sum, symbol);
  }
  return sum;
}

// The terms of a row that stands apart, as they are.
static void add_as_they_are(RowText *w, const RowForm *form) {
  for (uint32_t i = 0; i < form->places.n; i++) {
    const RowPlace *at = &form->places.at[i];
    if (at->row != *w->number) continue;
    Expr term = term_with(w, form, number_text(w, at->row), number_text(w, at->others[0]),
                          number_text(w, at->others[1]));
    vec_push(&w->cx->scratch, &w->own.plain, expr_scale(w->cx, at->number, term));
  }
}

static bool is_in_row(const RowForm *form, long row) {
  for (uint32_t i = 0; i < form->places.n; i++)
    if (form->places.at[i].row == row) return true;
  return false;
}

static void add_form(RowText *w, const RowForm *form) {
  bool is_apart = w->number && !form_gives_row(w->cx, w->rows, form, *w->number);
  if (is_apart)
    add_as_they_are(w, form);
  else if (form->shape == SHAPE_OWN || form->is_near)
    add_near(w, form);
  else if (form->shape == SHAPE_UP || form->shape == SHAPE_DOWN)
    add_pair(w, form);
  else
    add_triple(w, form);
}

// Own terms come first, pairs next: sums take in what fits in front of them.
static int turn_of(const RowForm *form) {
  if (form->shape == SHAPE_OWN || form->is_near) return 0;
  return form->shape == SHAPE_UP || form->shape == SHAPE_DOWN ? 1 : 2;
}

Expr indexed_row(Context *cx, const IndexedRows *rows, const long *number, IndexedSums *sums) {
  if (rows->general) return number ? rows->values[*number - rows->first] : rows->general;
  RowText w = {.cx = cx, .rows = rows, .number = number, .sums = sums};
  for (int turn = 0; turn < 3; turn++)
    for (uint32_t i = 0; i < rows->forms.n; i++) {
      const RowForm *form = &rows->forms.at[i];
      bool has = number ? is_in_row(form, *number) : !form->is_apart;
      if (has && turn_of(form) == turn) add_form(&w, form);
    }
  Expr own = joined(&w, &w.own);
  const char *first = number_text(&w, rows->first), *last = number_text(&w, rows->last);
  Expr up = summed(&w, &w.up, first_behind(&w), last);
  Expr down = summed(&w, &w.down, first, row_text(&w, -1));
  return expr_add(cx, own, expr_add(cx, up, down));
}
