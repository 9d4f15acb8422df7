// Are two expressions equal for all values? An answer with its evidence.
//
//   same node -> random points of a finite field -> normal form, where it is small
//   -> points in doubles with error bounds
//
// Exact for quotients of polynomials in symbols and in sines and cosines of rational combinations
// of angles, definitions opened. Functions beyond these are taken as unknowns first: what is equal
// then is equal.
#ifndef QDOT_EXPR_ALGEBRA_EQUAL_H
#define QDOT_EXPR_ALGEBRA_EQUAL_H

#include "base/text.h"
#include "expr/node.h"

typedef enum Equality { EQUAL_NO, EQUAL_YES, EQUAL_UNKNOWN } Equality;

typedef enum EvidenceKind {
  EVIDENCE_NONE,        // unknown: no point was found where both have a value
  EVIDENCE_SAME,        // yes: the same expression, or numbers compared
  EVIDENCE_NORMAL_FORM, // yes: the difference multiplied out is zero
  EVIDENCE_FIELD,       // yes: zero at `points` points, wrong with a probability below `error`;
                        // no: not zero there, error is 0
  EVIDENCE_POINT,       // no: values differ at a point by more than all rounding errors
  EVIDENCE_DIGITS       // unknown: agrees at `points` points to `digits` digits
} EvidenceKind;

typedef struct Evidence {
  EvidenceKind kind;
  uint32_t points;
  int digits;
  double error;
} Evidence;

// evidence may be NULL.
Equality expr_equal(Context *cx, Expr a, Expr b, Evidence *evidence);
// A sentence such as "agrees at 16 points to 12 digits".
void evidence_print(const Evidence *evidence, Text *out);

#endif
