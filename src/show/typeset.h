// Expressions in reading order, for any typeface: the terminal, LaTeX, MathML.
//
// One walk decides order, signs, fractions and brackets; a Typeface only knows how its medium
// spells each piece.
#ifndef QDOT_SHOW_TYPESET_H
#define QDOT_SHOW_TYPESET_H

#include "base/text.h"
#include "expr/node.h"
#include "expr/print.h"

typedef struct Typeface Typeface;

typedef struct Typesetter {
  Context *cx;
  const Typeface *face;
  const PartNames *names; // names for shared parts, or NULL
  Text *out;
  int depth;
} Typesetter;

// Where in a construct of two parts the typesetter stands.
typedef enum Stage { STAGE_BEFORE, STAGE_BETWEEN, STAGE_AFTER } Stage;

struct Typeface {
  bool flat; // fractions stand on one line with '/', so their parts may need brackets
  const char *plus, *minus, *negative, *times, *comma, *pi, *undefined;
  void (*name)(Typesetter *t, const char *name, int primes); // as in the model's text
  void (*number)(Typesetter *t, const char *digits);         // positive, decimal or integer
  void (*function)(Typesetter *t, Op op);                    // its name alone
  void (*relation)(Typesetter *t, Op op, bool negated);      // < <= == and or not
  // Between a function's name and a bare argument: sin x; NULL when brackets always stand.
  void (*apply)(Typesetter *t);
  void (*bracket)(Typesetter *t, Stage stage); // BEFORE and AFTER
  void (*group)(Typesetter *t, Stage stage);   // around a sum or product; may be NULL
  void (*fraction)(Typesetter *t, Stage stage);
  void (*power)(Typesetter *t, Stage stage);
  void (*root)(Typesetter *t, Stage stage);
  // base, then this for a positive integer exponent; NULL to use power.
  void (*integer_power)(Typesetter *t, const char *digits);
};

// Named definitions show their name. Escapes with QDOT_TOO_LARGE beyond 2000 levels.
void typeset(Context *cx, Expr e, const Typeface *face, const PartNames *names, Text *out);
// A symbol or definition alone; also a name that is no expression (primes 0).
void typeset_name(Context *cx, const char *name, int primes, const Typeface *face, Text *out);

// A name in its parts: theta_1 is "theta" with subscript "1", theta[1,2] has the index "1,2",
// r.x the component "x".
typedef struct NameParts {
  const char *stem, *subscript, *component; // not ended by a zero byte; length 0 where silent
  size_t stem_length, subscript_length, component_length;
  bool is_index; // the subscript stood in square brackets
} NameParts;
NameParts name_parts(const char *name);

extern const Typeface terminal_face; // θ₁'², for a terminal that shows UTF-8
extern const Typeface ascii_face;    // the language's own syntax
extern const Typeface latex_face;    // needs amsmath

#endif
