// Quotients of expanded sums, and their arithmetic.
#ifndef QDOT_EXPR_FORM_H
#define QDOT_EXPR_FORM_H

#include "expr/polynomial.h"
#include "expr/trig.h"

typedef struct BasePower {
  Expr base;
  uint32_t power;
} BasePower;

typedef struct Form {
  Poly numerator;
  const BasePower *denominator; // sums without content, sines, cosines; by ascending base
  uint32_t denominator_count;
  bool undefined; // a division by what is identically zero
} Form;

typedef enum ExpansionMode { EXPAND_PLAIN, EXPAND_FOURIER } ExpansionMode;

#define FORM_DEEPEST 8 // roots whose powers free other roots

typedef struct KnownBase {
  Expr base;
  Poly poly;
} KnownBase;

// What forms of one expansion share. Everything is in the scratch arena.
typedef struct FormWork {
  Context *cx;
  ExpansionMode mode;
  uint64_t budget; // term operations left
  bool exhausted;  // results are meaningless from then on
  VEC(KnownBase) bases;
  WaveTable waves;
  Gather wave_gather;           // products of waves
  Gather gathers[FORM_DEEPEST]; // sums under construction, one inside the other
  int depth;                    // how many are in use
  int inversions;               // roots below the line of roots
} FormWork;

// False when the budget does not allow it.
bool form_spend(FormWork *w, uint64_t work);

Poly form_term(FormWork *w, Expr monomial, Expr wave, Number coefficient);
Poly form_constant(FormWork *w, Number value);

// A sum is begun, polynomials are added, the sum is ended.
Gather *form_begin_sum(FormWork *w);
void form_add(FormWork *w, Gather *g, Poly p, Number factor);
Poly form_end_sum(FormWork *w, Gather *g);

Form form_whole(Poly p);
Form form_undefined(void);
// The denominators of a and b joined, without numerator: powers added, or the larger of both.
Form form_join(FormWork *w, const Form *a, const Form *b, bool add);
// The numerator of f over a denominator that contains its own.
Poly form_numerator_over(FormWork *w, const Form *f, const Form *common);

Form form_times(FormWork *w, Form a, Form b);
Form form_inverse(FormWork *w, Form f);
Form form_power(FormWork *w, Form f, int64_t power);
Expr form_to_expr(Context *cx, const Form *form);

#endif
