// Shared parts of a graph under names, so that writing it as text does not swell.
#ifndef QDOT_PRINT_ABBREVIATIONS_H
#define QDOT_PRINT_ABBREVIATIONS_H

#include "expr/print.h"
#include "expr/walk.h"

typedef enum PartsOptions {
  PARTS_WHERE_SWELLING = 0, // only the user's definitions while the text stays small
  PARTS_ALWAYS = 1,         // whatever is shared; the text is linear in the graph
  PARTS_FOR_READERS = 4,    // what is shared is repeated, unless the text became endless
  PARTS_WITH_PRIMES = 2     // rates of definitions are written r' and are not parts
} PartsOptions;

// Parts in order, each using only earlier ones. Definitions of the user keep their names, others
// are s_1, s_2 ... or take the first prefix that no name of the context has.
typedef struct Parts {
  Context *cx;
  ExprList list;
  const char *prefix; // of names that are ours
  const char **names;
  bool *used;       // its name was asked for
  ExprMemo *places; // Expr -> place in list + 1
  Expr written_out; // the part whose own text is being written
} Parts;

// Everything lives in the scratch arena. parts_close comes before the arena is released.
// options: values of PartsOptions, ored.
void parts_open(Context *cx, const Expr *roots, size_t n, unsigned options, Parts *out);
// Also names what is in the brackets of a term that would be wider than so many columns.
void parts_open_narrow(Context *cx, const Expr *roots, size_t n, unsigned options, double widest,
                       Parts *out);
void parts_close(Parts *parts);

// What the name of part i stands for; until parts_body_end it is shown as such, not by its name.
Expr parts_body(Parts *parts, uint32_t i);
void parts_body_end(Parts *parts);
// Prints what the name of part i stands for, in terms of earlier parts.
void parts_print_body(Parts *parts, uint32_t i, Text *out);
// Prints any expression below the roots in terms of parts.
void parts_print(Parts *parts, Expr e, Text *out);
// Is this one of them, and has its name been asked for?
bool parts_has(const Parts *parts, Expr e);
// Forgets those whose names nobody has asked for, and numbers the others anew.
void parts_keep_used(Parts *parts);
// Their names, for other printers; valid as long as the parts.
PartNames parts_names(Parts *parts);

#endif
