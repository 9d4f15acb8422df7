// Long bodies in C, cut into functions.
#ifndef QDOT_EXPORT_C_PARTS_H
#define QDOT_EXPORT_C_PARTS_H

#include "base/text.h"

typedef struct Argument {
  const char *declared; // "const double *q"
  const char *passed;   // "q"
} Argument;

typedef struct LongBody {
  const char *function;      // "pendulum_M"
  const Argument *arguments; // ended by one without declaration
  const char *statements;    // "  const double name = ...;\n" or "  target = ...;\n", each one line
} LongBody;

// Compilers take far longer over one function of ten thousand lines than over forty of 250. Writes
// the functions, which hand values on in a struct, into parts, and the lines that call them into
// calls. The identifier `s` must be free in the statements.
void write_in_parts(const LongBody *body, Arena *arena, Text *parts, Text *calls);

// What the parts need at the head of the file.
void write_parts_head(Text *out);

#endif
