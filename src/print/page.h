// A page on a terminal: sentences, equations, and matrices that stand side by side where they fit.
#ifndef QDOT_PRINT_PAGE_H
#define QDOT_PRINT_PAGE_H

#include "print/block.h"
#include "print/typeset.h"

typedef struct TextStyle {
  bool unicode; // Greek, subscripts and tall brackets; else plain ASCII
  size_t width; // columns
} TextStyle;

typedef struct Page {
  Context *cx;
  const TextStyle *style;
  const Typeface *face;
  const PartNames *names; // for shared parts, or NULL
  Text *out;
  Block line; // matrices that are not yet printed because another may stand beside them
} Page;

Page page_open(Context *cx, const TextStyle *style, const PartNames *names, Text *out);

// One line of text for an expression or a name; in the scratch arena.
const char *page_set(Page *page, Expr e);
const char *page_name(Page *page, const char *name);

// Wrapped lines.
void page_sentence(Page *page, const char *sentence);
void page_equation(Page *page, const char *left, const char *right);

typedef struct Grid {
  const char *name;
  uint32_t rows, columns;       // columns 1: a vector
  const Expr *values;           // row by row
  bool is_symmetric;            // the lower half need not be listed
  const char *const *row_names; // behind the bracket, or NULL
} Grid;

// As a matrix where it fits, beside the one before it where both fit; else entry by entry.
void page_grid(Page *page, const Grid *grid);
// Prints what waits.
void page_end_line(Page *page);
// A blank line, unless the page begins here or one was just printed.
void page_gap(Page *page);

#endif
