// Every call of FLINT: rationals beyond 64 bits, and factors of polynomials.
//
// FLINT objects live inside one function here and never while our arenas allocate: results go into
// buffers of the caller.
#ifndef QDOT_EXPR_FLINT_H
#define QDOT_EXPR_FLINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/context.h"

#define MOST_LIMBS 64 // 4096 bits for numerator and denominator each
#define MOST_DIGITS (MOST_LIMBS * 20 + 4)

// In lowest terms: a pair of int64 where that fits, else limbs.
typedef struct Rational {
  int64_t numerator, denominator; // denominator 0 marks a large number
  const uint64_t *limbs;          // of a large number: numerator, then denominator
  uint16_t numerator_limbs, denominator_limbs;
  bool negative; // a large number
  uint32_t hash;
} Rational;

// A result and the room for its limbs.
typedef struct BigResult {
  Rational value;
  uint64_t limbs[2 * MOST_LIMBS];
} BigResult;

typedef enum BigOperation {
  BIG_ADD,
  BIG_MUL,
  BIG_DIV,
  BIG_CONTENT,   // gcd of the numerators over lcm of the denominators
  BIG_FLOOR,     // of a
  BIG_NUMERATOR, // of a
} BigOperation;

// FLINT keeps tables for each thread that uses it. Called before it is used for a context, this
// lets them go when the context is closed.
void flint_serves(Context *cx);

// All false when the result has more than MOST_LIMBS.
bool big_operate(BigOperation operation, const Rational *a, const Rational *b, BigResult *out);
bool big_ratio(int64_t numerator, int64_t denominator, BigResult *out);
// The smallest r with r^power = a for a positive integer a; returns the power, 1 for most.
bool big_root(const Rational *a, BigResult *out, int64_t *power);

int big_compare(const Rational *a, const Rational *b);
double big_to_double(const Rational *a); // correctly rounded
bool big_residue(const Rational *a, uint64_t p, uint64_t *residue);
// The power of ten that makes a an integer when its denominator is 2^i 5^j, else -1.
int big_decimal_places(const Rational *a);
// Numerator or denominator in decimal digits; room for MOST_DIGITS.
void big_digits(const Rational *a, bool denominator, char *digits);

// A polynomial with integer coefficients: term i is coefficients[i] * product of the variables to
// exponents[i * variables + k].
typedef struct IntegerPoly {
  uint32_t terms, variables;
  int64_t *coefficients;
  uint16_t *exponents;
} IntegerPoly;

#define MOST_FACTORS 16

typedef struct FactorList {
  int64_t constant;
  uint32_t n;
  struct {
    uint32_t first, terms; // in `all`
    uint32_t power;
  } factor[MOST_FACTORS];
  IntegerPoly all; // the factors' terms one after the other; the caller sets terms to the room
} FactorList;

// The irreducible factors over the integers. False when they do not fit or FLINT gives up.
bool integer_poly_factor(const IntegerPoly *poly, FactorList *out);

#endif
