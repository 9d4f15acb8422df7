// Expressions in reading order, for any typeface: the terminal, LaTeX, MathML.
//
// One walk decides order, signs, fractions and brackets; a Typeface only knows how its medium
// spells each piece.
// Sources: mathml.c, terminal.c, tex.c, typeset.c
#ifndef QDOT_PRINT_TYPESET_H
#define QDOT_PRINT_TYPESET_H

#include "base/text.h"
#include "expr/node.h"
#include "expr/print.h"
#include "print/names.h"
#include "print/number_style.h"

typedef struct Typeface Typeface;

// A symbol that stands for a sum over an index: from and to are "3", "j", "j+1" ...; without an
// index it stands for the term itself.
typedef struct IndexedSum {
  Expr symbol;
  const char *index, *from, *to;
  Expr term;
} IndexedSum;

typedef VEC(IndexedSum) IndexedSums;

typedef struct Typesetter {
  Context *cx;
  const Typeface *face;
  const PartNames *names;   // names for shared parts, or NULL
  const Notation *notation; // the user's own LaTeX for names, or NULL
  const IndexedSums *sums;  // symbols that are written as sums, or NULL
  Text *out;
  int depth;
  NumberStyle numbers; // of the formula that is being set
  char decimal;        // the decimal sign where it is not a point; else 0
  const char *sine;    // what a sine is called, "sen"; NULL for sin
  size_t power_start;  // MathML: where the power that is being set begins
  bool with_subscript; // MathML: its base has a subscript
  bool plain_base;     // the base of the power that is being set is a name
} Typesetter;

// Where in a construct of two parts the typesetter stands.
typedef enum Stage { STAGE_BEFORE, STAGE_BETWEEN, STAGE_AFTER } Stage;

struct Typeface {
  bool flat; // fractions stand on one line with '/', so their parts may need brackets
  const char *plus, *minus, *negative, *times, *comma, *equals, *becomes, *less, *pi, *undefined;
  const char *dot, *dots, *approximately, *plus_minus, *angle;
  const char *gap;                    // between a formula and what is said about it
  const char *times_function;         // in front of a function such as sin; NULL for times
  const char *partial, *differential; // the signs of derivatives
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
  void (*absolute)(Typesetter *t, Stage stage); // NULL for abs(x)
  void (*transposed)(Typesetter *t, const char *name);
  // The sign of a sum over an index; from and to: "2", "7", or NULL where they are clear.
  void (*sum)(Typesetter *t, const char *index, const char *from, const char *to);
  void (*unit)(Typesetter *t, const char *unit); // behind a number
  // Around a, between it and its condition, before the next case and behind all; NULL for if(c, a,
  // b).
  const char *cases[4];
  // base, then this for a positive integer exponent of digits alone; NULL to use power.
  void (*integer_power)(Typesetter *t, const char *digits);
};

// sin, arcsin, sinh or sign in the reader's language, whose sine decides; NULL where the function
// is none of them, or is called as everywhere.
const char *typeset_function(const Typesetter *t, Op op);

// Named definitions show their name. Escapes with QDOT_TOO_LARGE beyond 2000 levels.
void typeset(Context *cx, Expr e, const Typeface *face, const PartNames *names, Text *out);
// A name that is not an expression, with so many time derivatives.
void typeset_name(Context *cx, const char *name, int primes, const Typeface *face, Text *out);

// The same for whoever sets several pieces one after the other.
void typeset_expr(Typesetter *t, Expr e);
void typeset_symbol(Typesetter *t, const char *name, int primes);
void typeset_transposed(Typesetter *t, const char *name);
// One term of a sum with its sign; the first shows no plus.
void typeset_term(Typesetter *t, Expr term, bool is_first);
// dT/dx for the name of a function and a coordinate or velocity; in front of which d/dt stands
// where with_rate is true.
void typeset_partial(Typesetter *t, const char *function, Expr by, bool with_rate);

extern const Typeface terminal_face; // θ₁'², for a terminal that shows UTF-8
extern const Typeface ascii_face;    // the language's own syntax
extern const Typeface latex_face;    // needs amsmath
extern const Typeface mathml_face;   // presentation MathML, without its math element

#endif
