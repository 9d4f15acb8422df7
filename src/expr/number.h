// Exact rational numbers, interned: equal numbers have equal ids.
#ifndef QDOT_EXPR_NUMBER_H
#define QDOT_EXPR_NUMBER_H

#include <stdbool.h>

#include "base/context.h"
#include "base/text.h"

typedef uint32_t Number;

// The first ids are fixed.
enum { NUMBER_ZERO, NUMBER_ONE, NUMBER_MINUS_ONE, NUMBER_TWO, NUMBER_HALF };
// No number: a division by zero, or a value of more than 4096 bits.
#define NUMBER_NONE UINT32_MAX

typedef struct NumberTable NumberTable;
NumberTable *number_table_new(Context *cx);

Number number_int(Context *cx, int64_t value);
// numerator / denominator; NUMBER_NONE when the denominator is 0.
Number number_ratio(Context *cx, int64_t numerator, int64_t denominator);
// An exact decimal such as 9.81 or 1e-3: digits, at most one '.', an optional exponent.
// NUMBER_NONE with more than 40 significant digits or beyond what a double can hold.
Number number_from_decimal(Context *cx, const char *text, size_t length);
// The exact value of a finite double; NUMBER_NONE for others.
Number number_from_double(Context *cx, double value);

// Arithmetic; any NUMBER_NONE among the arguments gives NUMBER_NONE.
Number number_add(Context *cx, Number a, Number b);
Number number_sub(Context *cx, Number a, Number b);
Number number_mul(Context *cx, Number a, Number b);
Number number_div(Context *cx, Number a, Number b);
Number number_neg(Context *cx, Number a);
Number number_abs(Context *cx, Number a);
Number number_power(Context *cx, Number a, int64_t exponent);
Number number_floor(Context *cx, Number a);
// The largest g > 0 such that a/g and b/g are integers; a number that is 0 is passed over.
Number number_content(Context *cx, Number a, Number b);

int number_sign(const Context *cx, Number a);
int number_compare(Context *cx, Number a, Number b);
bool number_is_integer(const Context *cx, Number a);
// True and the value when it is an integer that fits.
bool number_to_int(const Context *cx, Number a, int64_t *value);
bool number_to_ratio(const Context *cx, Number a, int64_t *numerator, int64_t *denominator);
// Correctly rounded.
double number_to_double(const Context *cx, Number a);

// Decimal when the denominator is 2^a 5^b and greater than 8, else n or n/d; reads back exactly,
// numbers of more than 40 digits as an expression in brackets.
void number_print(Context *cx, Number a, Text *out);
// True when number_print writes n/d.
bool number_prints_as_fraction(Context *cx, Number a);
// 1/2 as 0.5; false where it has no end, and nothing is written.
bool number_print_decimal(Context *cx, Number a, Text *out);

// A positive number as prime powers, small primes first; what is left after trial division stays
// one base (a perfect power is reduced to its root). Returns the count, at most most.
typedef struct PrimePower {
  Number base;
  int64_t exponent;
} PrimePower;
int number_factor(Context *cx, Number a, PrimePower *out, int most);

// The residue of a modulo the prime p < 2^63; false when p divides the denominator.
bool number_residue(const Context *cx, Number a, uint64_t p, uint64_t *residue);

#endif
