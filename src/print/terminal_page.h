// A page on a terminal: sentences, equations, and matrices that stand side by side where they fit.
#ifndef QDOT_PRINT_TERMINAL_PAGE_H
#define QDOT_PRINT_TERMINAL_PAGE_H

#include "print/text_block.h"
#include "print/typeset.h"

typedef struct TextStyle {
  bool unicode; // Greek, subscripts and tall brackets; else plain ASCII
  size_t width; // columns
} TextStyle;

typedef struct TerminalPage {
  Context *cx;
  const TextStyle *style;
  const Typeface *face;
  const PartNames *names; // for shared parts, or NULL
  Text *out;
  Block line; // matrices that are not yet printed because another may stand beside them
} TerminalPage;

TerminalPage terminal_open(Context *cx, const TextStyle *style, const PartNames *names, Text *out);

// One line of text for an expression or a name; in the scratch arena.
const char *terminal_set(TerminalPage *page, Expr e);
const char *terminal_name(TerminalPage *page, const char *name);

// Wrapped lines.
void terminal_sentence(TerminalPage *page, const char *sentence);
void terminal_equation(TerminalPage *page, const char *left, const char *right);

typedef struct Grid {
  const char *name;
  uint32_t rows, columns;       // columns 1: a vector
  const Expr *values;           // row by row
  bool is_symmetric;            // the lower half need not be listed
  const char *const *row_names; // behind the bracket, or NULL
} Grid;

// As a matrix where it fits, beside the one before it where both fit; else entry by entry.
void terminal_grid(TerminalPage *page, const Grid *grid);
// Prints what waits.
void terminal_end_line(TerminalPage *page);
// A blank line, unless the page begins here or one was just printed.
void terminal_gap(TerminalPage *page);

#endif
