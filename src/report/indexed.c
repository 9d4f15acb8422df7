// Names and expressions with an index in the place of a number.
#include "report/indexed.h"

#include <stdlib.h>
#include <string.h>

#include "expr/build.h"
#include "expr/define.h"
#include "expr/order.h"
#include "expr/subst.h"
#include "expr/walk.h"

bool name_is_indexed(const char *name, IndexedName *out) {
  const char *open = strchr(name, '[');
  size_t digits = open ? strspn(open + 1, "0123456789") : 0;
  if (!digits || digits > 6 || open[1 + digits] != ']' || strchr(open + 1, '[')) return false;
  *out = (IndexedName){name, open + digits + 2, (size_t)(open - name), strtol(open + 1, NULL, 10)};
  return true;
}

bool names_are_kin(const IndexedName *a, const IndexedName *b) {
  return a->head_length == b->head_length && memcmp(a->head, b->head, a->head_length) == 0 &&
         strcmp(a->tail, b->tail) == 0;
}

// Neither a name of the model nor what stands before a bracket in one.
static bool is_free(const Model *model, const char *letter) {
  IndexedName parts;
  for (uint32_t i = 0; i < model->parameters.n; i++)
    if (name_is_indexed(symbol_text(model->cx, model->parameters.at[i].name), &parts) &&
        parts.head_length == strlen(letter) && memcmp(parts.head, letter, parts.head_length) == 0)
      return false;
  return !model_find_text(model, letter);
}

uint32_t index_letters(const Model *model, const char **out, uint32_t most) {
  static const char *const letters[] = {"i", "j", "k", "n", "p", "r", "l", "ν"};
  uint32_t n = 0;
  for (size_t i = 0; i < sizeof letters / sizeof *letters && n < most; i++)
    if (is_free(model, letters[i])) out[n++] = letters[i];
  return n;
}

const char *index_letter(const Model *model) {
  const char *letter = "ν";
  index_letters(model, &letter, 1);
  return letter;
}

const char *indexed_name(Context *cx, const char *name, const char *letter, long k) {
  IndexedName parts;
  if (!name_is_indexed(name, &parts)) return name;
  long off = parts.index - k;
  const char *step = off ? text_format(&cx->scratch, "%+ld", off) : "";
  return text_format(&cx->scratch, "%.*s[%s%s]%s", (int)parts.head_length, parts.head, letter, step,
                     parts.tail);
}

// ---- Expressions

void order_as_number(Context *cx, Symbol general, const char *name, long off) {
  const char *open = strchr(name, '['), *close = strchr(name, ']');
  const char *other =
      text_format(&cx->scratch, "%.*s[%ld%s", (int)(open - name), name, LETTER_NUMBER + off, close);
  order_alike(cx, general, symbol_from_text(cx, other));
}

typedef struct Indexing {
  const char *letter;
  long k;
} Indexing;

// A definition and its rates look like a coordinate and its.
static Expr with_index(Context *cx, const Indexing *by, SymbolKind kind, Symbol name, Expr as_is) {
  IndexedName parts;
  const char *text = symbol_text(cx, name);
  if (!name_is_indexed(text, &parts)) return as_is;
  Symbol general = symbol_from_text(cx, indexed_name(cx, text, by->letter, by->k));
  order_as_number(cx, general, text, parts.index - by->k);
  return expr_symbol(cx, kind, general);
}

static Rewrite put_index(Context *cx, Expr e, void *argument) {
  static const SymbolKind kinds[] = {SYMBOL_COORDINATE, SYMBOL_VELOCITY, SYMBOL_ACCELERATION};
  if (op_of(cx, e) == OP_SYMBOL)
    return (Rewrite){REWRITE_TO,
                     with_index(cx, argument, symbol_kind(cx, e), symbol_name(cx, e), e)};
  if (!expr_is_definition(cx, e)) return (Rewrite){.kind = REWRITE_INSIDE};
  int order = definition_order(cx, e);
  if (!definition_name(cx, e) || order > 2) return (Rewrite){.kind = REWRITE_OPEN};
  return (Rewrite){REWRITE_TO, with_index(cx, argument, kinds[order], definition_name(cx, e), e)};
}

Expr indexed_expr(Context *cx, Expr e, const char *letter, long k) {
  Indexing by = {letter, k};
  Expr general;
  expr_rewrite(cx, &e, 1, put_index, &by, &general);
  return general;
}

static Visit look_for_index(const Context *cx, Expr e, void *argument) {
  long *largest = argument;
  bool is_definition = expr_is_definition(cx, e);
  Symbol name = op_of(cx, e) == OP_SYMBOL ? symbol_name(cx, e)
                : is_definition           ? definition_name(cx, e)
                                          : 0;
  IndexedName parts;
  if (name && name_is_indexed(symbol_text(cx, name), &parts) && parts.index > *largest)
    *largest = parts.index;
  return is_definition && name ? VISIT_SKIP : VISIT_ENTER;
}

long largest_index(Context *cx, Expr e) {
  long largest = -1;
  expr_walk(cx, &e, 1, look_for_index, &largest);
  return largest;
}

uint32_t equal_copies(Context *cx, const Expr *values, uint32_t n, const char *letter, long first,
                      Expr *general) {
  uint32_t equal = 0;
  while (equal < n) {
    uint32_t i = n - 1 - equal;
    Expr one = indexed_expr(cx, values[i], letter, first + i);
    if (equal && one != *general) break;
    *general = one, equal++;
  }
  return equal;
}

// ---- Formulas

static const char *number_markup(Document *d, long value) {
  return document_number(d, (double)value);
}

void formula_range(Formula *f, const Copies *copies) {
  Document *d = f->document;
  const Typeface *face = d->medium->face;
  Text letter = text_new(&d->cx->scratch);
  typeset_name(d->cx, copies->letter, 0, face, &letter);
  formula_markup(f,
                 text_format(&d->cx->scratch, "%s%s%s%s%s%s%s%s", face->gap, letter.at,
                             face->equals, number_markup(d, copies->from), face->comma, face->dots,
                             face->comma, number_markup(d, copies->to)),
                 16);
}

// ---- Tables

static bool are_equal_rows(const Table *table, uint32_t columns, uint32_t a, uint32_t b) {
  for (uint32_t j = 1; j < columns; j++)
    if (strcmp(table->cells.at[a * columns + j].text, table->cells.at[b * columns + j].text) != 0)
      return false;
  return true;
}

// The row behind `row` that continues its numbers, the n-th; 0 where there is none.
static uint32_t next_copy(const Table *table, uint32_t columns, const char *const *names,
                          uint32_t row, uint32_t n) {
  IndexedName first, other;
  if (!name_is_indexed(names[row - 1], &first)) return 0;
  for (uint32_t i = row + 1; i < table->cells.n / columns; i++)
    if (name_is_indexed(names[i - 1], &other) && names_are_kin(&first, &other) &&
        other.index == first.index + (long)n)
      return are_equal_rows(table, columns, row, i) ? i : 0;
  return 0;
}

// x_i, i = 1, ..., 5
static Cell joined_symbol(Document *d, const char *name, const char *letter, uint32_t n) {
  IndexedName parts;
  name_is_indexed(name, &parts);
  Copies range = {letter, parts.index, parts.index + (long)n - 1};
  Formula f = formula_open(d);
  formula_name(&f, indexed_name(d->cx, name, letter, parts.index));
  formula_range(&f, &range);
  return (Cell){.text = insert_formula(&f).markup, .is_formula = true};
}

// What all copies of a cell follow, one after the other.
static const char *joined_follows(Document *d, const Table *table, uint32_t columns,
                                  const char *const *names, uint32_t cell, uint32_t copies) {
  const char *first = table->cells.at[cell].follows;
  Text text = text_new(&d->cx->scratch);
  if (!first) return NULL;
  text_add(&text, first);
  for (uint32_t n = 1; n < copies; n++) {
    uint32_t row = next_copy(table, columns, names, cell / columns, n);
    text_addf(&text, "; %s", table->cells.at[row * columns + cell % columns].follows);
  }
  return text.at;
}

void table_join_copies(Document *d, Table *table, const char *const *names, const char *letter) {
  Arena *arena = &d->cx->scratch;
  uint32_t columns = (uint32_t)strlen(table->alignment), rows = table->cells.n / columns;
  bool *is_told = arena_array(arena, bool, rows);
  Table joined = {.alignment = table->alignment};
  memset(is_told, 0, rows * sizeof *is_told);
  for (uint32_t row = 0; row < rows; row++) {
    if (is_told[row]) continue;
    uint32_t copies = 1;
    while (row && next_copy(table, columns, names, row, copies)) copies++;
    bool join = copies >= LEAST_COPIES;
    for (uint32_t n = 1; join && n < copies; n++)
      is_told[next_copy(table, columns, names, row, n)] = true;
    for (uint32_t j = 0; j < columns; j++) {
      uint32_t at = row * columns + j;
      Cell cell = table->cells.at[at];
      if (join && j == 0) cell = joined_symbol(d, names[row - 1], letter, copies);
      if (join && j > 0) cell.follows = joined_follows(d, table, columns, names, at, copies);
      vec_push(arena, &joined.cells, cell);
    }
  }
  *table = joined;
}
