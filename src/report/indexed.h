// Copies of one line of a model, as `for` makes them, written once with an index: x_i for x[1],
// x[2] ... What is said with it is proved: all copies become the same expression.
#ifndef QDOT_REPORT_INDEXED_H
#define QDOT_REPORT_INDEXED_H

#include "model/model.h"
#include "report/document/document.h"

// A name around its one whole number in brackets: link[12].theta.
typedef struct IndexedName {
  const char *head, *tail; // head: up to the bracket, head_length bytes
  size_t head_length;
  long index;
} IndexedName;
bool name_is_indexed(const char *name, IndexedName *out);
// Are they the same but for the number?
bool names_are_kin(const IndexedName *a, const IndexedName *b);

// The letter of the index: one that is no name of the model.
const char *index_letter(const Model *model);
// Several of them, at most so many; returns how many there are.
uint32_t index_letters(const Model *model, const char **out, uint32_t most);

enum { LEAST_COPIES = 3, MOST_ALONE = 2 }; // that are worth an index; that may differ in front

// What the copies number `from` to `to` have in common.
typedef struct Copies {
  const char *letter;
  long from, to;
} Copies;

// The expression with x[i] for x[k], x[i+1] for x[k+1] ...
Expr indexed_expr(Context *cx, Expr e, const char *letter, long k);
const char *indexed_name(Context *cx, const char *name, const char *letter, long k);
// x[i+1] stands among terms where x[3] does, as if i were 2. name: x with any index; off: 1.
void order_as_number(Context *cx, Symbol general, const char *name, long off);
enum { LETTER_NUMBER = 2 };
// The largest index that occurs in the expression; -1: none.
long largest_index(Context *cx, Expr e);

// How many of n expressions, from the last back, are copies of one; the expression of number i has
// the index first + i. general: what they are.
uint32_t equal_copies(Context *cx, const Expr *values, uint32_t n, const char *letter, long first,
                      Expr *general);

// Behind a formula or a symbol: , i = from, ..., to.
void formula_range(Formula *f, const Copies *copies);

// Rows of a table whose symbols differ by their number alone and whose other cells are the same
// become one. names: of the symbols, a row each behind the head.
void table_join_copies(Document *d, Table *table, const char *const *names, const char *letter);

#endif
