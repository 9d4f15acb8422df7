// Names taken apart for the printers, and the user's own notation for them.
#ifndef QDOT_PRINT_NAMES_H
#define QDOT_PRINT_NAMES_H

#include <stdbool.h>

#include "base/context.h"

// theta_1 is "theta" with subscript "1", theta[1,2] has the index "1,2", r.x the component "x".
typedef struct NameParts {
  const char *stem, *subscript, *component; // not ended by a zero byte; length 0 if not given
  size_t stem_length, subscript_length, component_length;
  bool is_index; // the subscript stood in square brackets
  bool is_owned; // the subscript is the body or joint that the rest belongs to
} NameParts;

// As the name is written.
NameParts name_split(const char *name);
// As a paper prints it. What belongs to a body or a joint has its owner as subscript: crank.theta
// is "theta" with subscript "crank", A.F_x is "F" with subscript "A" and component "x". Digits at
// the end of a bare stem are its subscript too, as in q1.
NameParts name_parts(const Context *cx, const char *name);

// 2 [kg]: a number of the model's text with its unit, which is a parameter; see model_shown.
static inline bool name_is_quantity(const char *name) { return name[0] >= '0' && name[0] <= '9'; }

// One of our own names for what every model has (M, Q, phi_q, omega ...), or the letter that stands
// for it where the model has a name of its own that looks so, Greek ones also where it has one that
// differs by its subscript alone; subscript and primes stay. ascii: in plain letters.
const char *own_name(Context *cx, const char *name, bool ascii);

// A subscript's words: A_x and B[1] are A, x and B, 1. Returns the length of the next word and
// moves past it, 0 at the end.
size_t subscript_word(const char **at, size_t *left, const char **word);

// What the user wants names to look like in LaTeX.
typedef struct NotationEntry {
  const char *name, *latex;
} NotationEntry;

typedef VEC(NotationEntry) Notation;

// Adds "NAME=LATEX"; anything else is a mistake.
Status notation_add(Context *cx, Notation *notation, const char *text);
// Adds one such entry per line; blank lines and lines that begin with # are skipped.
Status notation_read(Context *cx, Notation *notation, const char *text);
// NULL where the user has no wish. notation may be NULL.
const char *notation_find(const Notation *notation, const char *name);

#endif
