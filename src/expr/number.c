// Interned rationals: a pair of int64 where that fits, limbs in the arena where it does not.
#include "expr/number.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "expr/flint.h"
#include "expr/node.h"

struct NumberTable {
  VEC(Rational) numbers;
  Number *slots; // id + 1; 0 is empty
  uint32_t slot_count;
};

static NumberTable *table_of(const Context *cx) { return cx->exprs->numbers; }
static const Rational *rational(const Context *cx, Number a) {
  return &table_of(cx)->numbers.at[a];
}

static uint32_t hash_of(const Rational *r) {
  if (r->denominator)
    return hash_word64(hash_word64(1, (uint64_t)r->numerator), (uint64_t)r->denominator);
  size_t n = (size_t)r->numerator_limbs + r->denominator_limbs;
  return hash_word(hash_bytes(r->limbs, n * sizeof *r->limbs), r->negative);
}

static bool is_same(const Rational *a, const Rational *b) {
  if (a->hash != b->hash || a->denominator != b->denominator) return false;
  if (a->denominator) return a->numerator == b->numerator;
  size_t n = (size_t)a->numerator_limbs + a->denominator_limbs;
  return a->negative == b->negative && a->numerator_limbs == b->numerator_limbs &&
         a->denominator_limbs == b->denominator_limbs &&
         memcmp(a->limbs, b->limbs, n * sizeof *a->limbs) == 0;
}

static void enlarge(Context *cx, NumberTable *table) {
  table->slot_count *= 2;
  table->slots = arena_array(&cx->keep, Number, table->slot_count);
  for (Number id = 0; id < table->numbers.n; id++) {
    uint32_t i = table->numbers.at[id].hash & (table->slot_count - 1);
    while (table->slots[i]) i = (i + 1) & (table->slot_count - 1);
    table->slots[i] = id + 1;
  }
}

// The id of a normalised rational; its limbs are copied when it is new.
static Number intern(Context *cx, Rational r) {
  NumberTable *table = table_of(cx);
  r.hash = hash_of(&r);
  if (2 * table->numbers.n >= table->slot_count) enlarge(cx, table);
  uint32_t i = r.hash & (table->slot_count - 1);
  for (; table->slots[i]; i = (i + 1) & (table->slot_count - 1)) {
    Number id = table->slots[i] - 1;
    if (is_same(&table->numbers.at[id], &r)) return id;
  }
  if (!r.denominator) {
    size_t n = (size_t)r.numerator_limbs + r.denominator_limbs;
    r.limbs = (const uint64_t *)arena_copy(&cx->keep, r.limbs, n * sizeof *r.limbs);
  }
  vec_push(&cx->keep, &table->numbers, r);
  table->slots[i] = table->numbers.n;
  return table->numbers.n - 1;
}

static Number intern_small(Context *cx, int64_t numerator, int64_t denominator) {
  return intern(cx, (Rational){.numerator = numerator, .denominator = denominator});
}

NumberTable *number_table_new(Context *cx) {
  NumberTable *table = arena_new(&cx->keep, NumberTable);
  table->slot_count = 256;
  table->slots = arena_array(&cx->keep, Number, table->slot_count);
  cx->exprs->numbers = table;
  intern_small(cx, 0, 1), intern_small(cx, 1, 1), intern_small(cx, -1, 1);
  intern_small(cx, 2, 1), intern_small(cx, 1, 2);
  return table;
}

// ---- Large numbers

static Number through_flint(Context *cx, BigOperation operation, Number a, Number b) {
  BigResult result;
  flint_serves(cx);
  bool fits = big_operate(operation, rational(cx, a), rational(cx, b), &result);
  return fits ? intern(cx, result.value) : NUMBER_NONE;
}

// ---- Small numbers

static uint64_t gcd(uint64_t a, uint64_t b) {
  while (b) {
    uint64_t rest = a % b;
    a = b, b = rest;
  }
  return a;
}

static uint64_t magnitude(int64_t a) { return a < 0 ? -(uint64_t)a : (uint64_t)a; }

// n/d in lowest terms from 128-bit values; false when it does not fit.
static bool reduce(__int128 n, __int128 d, int64_t *numerator, int64_t *denominator) {
  if (d < 0) n = -n, d = -d;
  unsigned __int128 a = n < 0 ? -(unsigned __int128)n : (unsigned __int128)n,
                    b = (unsigned __int128)d;
  while (b >> 64 || a >> 64) {
    if (!b) break;
    unsigned __int128 rest = a % b;
    a = b, b = rest;
  }
  unsigned __int128 g = b >> 64 || a >> 64 ? a : gcd((uint64_t)a, (uint64_t)b);
  if (g > 1) n /= (__int128)g, d /= (__int128)g;
  if (n > INT64_MAX || n < -(__int128)INT64_MAX || d > INT64_MAX) return false;
  *numerator = (int64_t)n, *denominator = (int64_t)d;
  return true;
}

Number number_int(Context *cx, int64_t value) { return number_ratio(cx, value, 1); }

Number number_ratio(Context *cx, int64_t numerator, int64_t denominator) {
  if (denominator == 0) return NUMBER_NONE;
  int64_t n, d;
  if (reduce(numerator, denominator, &n, &d)) return intern_small(cx, n, d);
  BigResult result;
  flint_serves(cx);
  return big_ratio(numerator, denominator, &result) ? intern(cx, result.value) : NUMBER_NONE;
}

Number number_add(Context *cx, Number a, Number b) {
  if (a == NUMBER_NONE || b == NUMBER_NONE) return NUMBER_NONE;
  if (a == NUMBER_ZERO) return b;
  if (b == NUMBER_ZERO) return a;
  const Rational *x = rational(cx, a), *y = rational(cx, b);
  if (x->denominator && y->denominator) {
    __int128 left = (__int128)x->numerator * y->denominator;
    __int128 right = (__int128)y->numerator * x->denominator, sum;
    int64_t n, d;
    if (!__builtin_add_overflow(left, right, &sum) &&
        reduce(sum, (__int128)x->denominator * y->denominator, &n, &d))
      return intern_small(cx, n, d);
  }
  return through_flint(cx, BIG_ADD, a, b);
}

Number number_mul(Context *cx, Number a, Number b) {
  if (a == NUMBER_NONE || b == NUMBER_NONE) return NUMBER_NONE;
  if (a == NUMBER_ONE) return b;
  if (b == NUMBER_ONE) return a;
  const Rational *x = rational(cx, a), *y = rational(cx, b);
  int64_t n, d;
  if (x->denominator && y->denominator &&
      reduce((__int128)x->numerator * y->numerator, (__int128)x->denominator * y->denominator, &n,
             &d))
    return intern_small(cx, n, d);
  return through_flint(cx, BIG_MUL, a, b);
}

Number number_neg(Context *cx, Number a) { return number_mul(cx, NUMBER_MINUS_ONE, a); }

Number number_sub(Context *cx, Number a, Number b) { return number_add(cx, a, number_neg(cx, b)); }

Number number_div(Context *cx, Number a, Number b) {
  if (a == NUMBER_NONE || b == NUMBER_NONE || b == NUMBER_ZERO) return NUMBER_NONE;
  const Rational *x = rational(cx, a), *y = rational(cx, b);
  int64_t n, d;
  if (x->denominator && y->denominator &&
      reduce((__int128)x->numerator * y->denominator, (__int128)x->denominator * y->numerator, &n,
             &d))
    return intern_small(cx, n, d);
  return through_flint(cx, BIG_DIV, a, b);
}

Number number_abs(Context *cx, Number a) {
  return a != NUMBER_NONE && number_sign(cx, a) < 0 ? number_neg(cx, a) : a;
}

static double bits_of(const Context *cx, Number a) {
  const Rational *r = rational(cx, a);
  if (!r->denominator)
    return 64.0 *
           (r->numerator_limbs > r->denominator_limbs ? r->numerator_limbs : r->denominator_limbs);
  uint64_t n = magnitude(r->numerator), d = (uint64_t)r->denominator;
  return log2((double)(n > d ? n : d));
}

Number number_power(Context *cx, Number a, int64_t exponent) {
  if (a == NUMBER_NONE || (a == NUMBER_ZERO && exponent < 0)) return NUMBER_NONE;
  if (exponent == 0) return NUMBER_ONE;
  if (a == NUMBER_ZERO || a == NUMBER_ONE) return a;
  if (a == NUMBER_MINUS_ONE) return exponent % 2 ? a : NUMBER_ONE;
  if (bits_of(cx, a) * fabs((double)exponent) > 64.0 * MOST_LIMBS + 128) return NUMBER_NONE;
  if (exponent < 0) return number_div(cx, NUMBER_ONE, number_power(cx, a, -exponent));
  Number result = NUMBER_ONE;
  for (Number square = a; exponent; exponent /= 2) {
    if (exponent % 2) result = number_mul(cx, result, square);
    if (exponent > 1) square = number_mul(cx, square, square);
  }
  return result;
}

Number number_floor(Context *cx, Number a) {
  if (a == NUMBER_NONE || number_is_integer(cx, a)) return a;
  return through_flint(cx, BIG_FLOOR, a, a);
}

Number number_content(Context *cx, Number a, Number b) {
  if (a == NUMBER_NONE || b == NUMBER_NONE) return NUMBER_NONE;
  if (a == NUMBER_ZERO) return number_abs(cx, b);
  if (b == NUMBER_ZERO) return number_abs(cx, a);
  const Rational *x = rational(cx, a), *y = rational(cx, b);
  if (x->denominator && y->denominator) {
    // gcd of the numerators over lcm of the denominators
    uint64_t n = gcd(magnitude(x->numerator), magnitude(y->numerator));
    uint64_t g = gcd((uint64_t)x->denominator, (uint64_t)y->denominator);
    unsigned __int128 d = (unsigned __int128)x->denominator * ((uint64_t)y->denominator / g);
    if (d <= INT64_MAX) return intern_small(cx, (int64_t)n, (int64_t)d);
  }
  return through_flint(cx, BIG_CONTENT, a, b);
}

// ---- Questions

int number_sign(const Context *cx, Number a) {
  const Rational *r = rational(cx, a);
  if (!r->denominator) return r->negative ? -1 : 1;
  return (r->numerator > 0) - (r->numerator < 0);
}

int number_compare(Context *cx, Number a, Number b) {
  if (a == b) return 0;
  const Rational *x = rational(cx, a), *y = rational(cx, b);
  if (x->denominator && y->denominator) {
    __int128 left = (__int128)x->numerator * y->denominator;
    __int128 right = (__int128)y->numerator * x->denominator;
    return (left > right) - (left < right);
  }
  return big_compare(x, y);
}

bool number_is_integer(const Context *cx, Number a) {
  const Rational *r = rational(cx, a);
  if (r->denominator) return r->denominator == 1;
  return r->denominator_limbs == 1 && r->limbs[r->numerator_limbs] == 1;
}

bool number_to_ratio(const Context *cx, Number a, int64_t *numerator, int64_t *denominator) {
  if (a == NUMBER_NONE) return false;
  const Rational *r = rational(cx, a);
  *numerator = r->numerator, *denominator = r->denominator;
  return r->denominator != 0;
}

bool number_to_int(const Context *cx, Number a, int64_t *value) {
  int64_t denominator;
  return number_to_ratio(cx, a, value, &denominator) && denominator == 1;
}

double number_to_double(const Context *cx, Number a) {
  if (a == NUMBER_NONE) return NAN;
  const Rational *r = rational(cx, a);
  const int64_t exact = (int64_t)1 << 53;
  if (r->denominator && magnitude(r->numerator) <= (uint64_t)exact && r->denominator <= exact)
    return (double)r->numerator / (double)r->denominator;
  return big_to_double(r);
}

bool number_residue(const Context *cx, Number a, uint64_t p, uint64_t *residue) {
  const Rational *r = rational(cx, a);
  if (r->denominator != 1) return big_residue(r, p, residue);
  int64_t rest = r->numerator % (int64_t)p;
  *residue = rest < 0 ? (uint64_t)rest + p : (uint64_t)rest;
  return true;
}

// ---- Text

// mantissa * 10^exponent
static Number scale_by_ten(Context *cx, Number mantissa, int64_t exponent) {
  return number_mul(cx, mantissa, number_power(cx, number_int(cx, 10), exponent));
}

Number number_from_decimal(Context *cx, const char *text, size_t length) {
  Number mantissa = NUMBER_ZERO, ten = number_int(cx, 10);
  int digits = 0;
  int64_t exponent = 0;
  bool point = false;
  size_t i = 0;
  for (; i < length && (text[i] == '.' || (text[i] >= '0' && text[i] <= '9')); i++) {
    if (text[i] == '.') {
      if (point) return NUMBER_NONE;
      point = true;
      continue;
    }
    if (digits || text[i] != '0') digits++;
    if (digits > 40) return NUMBER_NONE;
    mantissa = number_add(cx, number_mul(cx, mantissa, ten), number_int(cx, text[i] - '0'));
    exponent -= point;
    if (exponent < -800) return NUMBER_NONE;
  }
  if (i < length && (text[i] == 'e' || text[i] == 'E')) {
    bool negative = ++i < length && text[i] == '-';
    if (i < length && (text[i] == '+' || text[i] == '-')) i++;
    int64_t written = 0;
    for (; i < length && text[i] >= '0' && text[i] <= '9'; i++) {
      written = 10 * written + (text[i] - '0');
      if (written > 400) return NUMBER_NONE;
    }
    exponent += negative ? -written : written;
  }
  if (i != length) return NUMBER_NONE;
  // What a double cannot hold could never be evaluated.
  Number value = scale_by_ten(cx, mantissa, exponent);
  double size = number_to_double(cx, value);
  return mantissa != NUMBER_ZERO && !(size >= DBL_MIN && size <= DBL_MAX) ? NUMBER_NONE : value;
}

Number number_from_double(Context *cx, double value) {
  if (!isfinite(value)) return NUMBER_NONE;
  int exponent;
  double fraction = frexp(value, &exponent);
  Number mantissa = number_int(cx, (int64_t)ldexp(fraction, 53));
  return number_mul(cx, mantissa, number_power(cx, NUMBER_TWO, exponent - 53));
}

// The power of ten that makes a an integer when its denominator is 2^i 5^j, else -1.
static int decimal_places(Context *cx, Number a) {
  int64_t n, d;
  if (number_to_ratio(cx, a, &n, &d)) {
    int twos = 0, fives = 0;
    for (; d % 2 == 0; d /= 2) twos++;
    for (; d % 5 == 0; d /= 5) fives++;
    return d == 1 ? (twos > fives ? twos : fives) : -1;
  }
  return big_decimal_places(rational(cx, a));
}

#define LONGEST_LITERAL 40 // digits that number_from_decimal takes
#define CHUNK 30

static void write_digits(Context *cx, Number a, bool denominator, char digits[MOST_DIGITS]) {
  int64_t n, d;
  if (number_to_ratio(cx, a, &n, &d))
    snprintf(digits, MOST_DIGITS, "%" PRId64, denominator ? d : n);
  else
    big_digits(rational(cx, a), denominator, digits);
}

// The digits before trailing zeros times a power of ten: (12*10^60).
static bool print_round(Text *out, const char *digits, int n) {
  int significant = n;
  while (significant > 1 && digits[significant - 1] == '0') significant--;
  if (significant > CHUNK) return false;
  text_add_char(out, '(');
  if (significant > 1 || *digits != '1') text_addf(out, "%.*s*", significant, digits);
  text_addf(out, "10^%d)", n - significant);
  return true;
}

// More digits than a literal may have are written by Horner's rule: ((12*10^30 + 34)*10^30 + 56).
static void print_integer(Context *cx, Number a, Text *out, bool denominator) {
  char buffer[MOST_DIGITS];
  const char *digits = buffer;
  write_digits(cx, a, denominator, buffer);
  if (*digits == '-') text_add_char(out, *digits++);
  int n = (int)strlen(digits);
  if (n <= LONGEST_LITERAL) {
    text_add(out, digits);
    return;
  }
  if (print_round(out, digits, n)) return;
  int first = n % CHUNK ? n % CHUNK : CHUNK;
  for (int i = first; i < n; i += CHUNK) text_add_char(out, '(');
  text_add_bytes(out, digits, (size_t)first);
  for (int i = first; i < n; i += CHUNK) text_addf(out, "*10^%d + %.*s)", CHUNK, CHUNK, digits + i);
}

// How many places after the point, or -1 for a fraction or an integer.
static int places_to_print(Context *cx, Number a) {
  int64_t n, d;
  if (number_is_integer(cx, a)) return -1;
  if (number_to_ratio(cx, a, &n, &d) && d <= 8) return -1;
  int places = decimal_places(cx, a);
  if (places < 0 || places > 60) return -1;
  Number shifted = number_mul(cx, a, number_power(cx, number_int(cx, 10), places));
  return shifted != NUMBER_NONE && bits_of(cx, shifted) < 130 ? places : -1;
}

bool number_prints_as_fraction(Context *cx, Number a) {
  return !number_is_integer(cx, a) && places_to_print(cx, a) < 0;
}

static void print_decimal(Context *cx, Number a, int places, Text *out) {
  Number shifted = number_mul(cx, a, number_power(cx, number_int(cx, 10), places));
  char digits[MOST_DIGITS];
  write_digits(cx, number_abs(cx, shifted), false, digits);
  int count = (int)strlen(digits), whole = count - places; // whole: digits before the point
  if (number_sign(cx, a) < 0) text_add_char(out, '-');
  if (whole < -4) {
    text_add_char(out, digits[0]);
    if (count > 1) text_addf(out, ".%s", digits + 1);
    text_addf(out, "e%d", whole - 1);
    return;
  }
  if (whole <= 0) text_add(out, "0.");
  for (int i = whole; i < 0; i++) text_add_char(out, '0');
  for (int i = 0; i < count; i++) {
    if (i == whole && whole > 0) text_add_char(out, '.');
    text_add_char(out, digits[i]);
  }
}

void number_print(Context *cx, Number a, Text *out) {
  int places = places_to_print(cx, a);
  if (places >= 0) {
    print_decimal(cx, a, places, out);
    return;
  }
  print_integer(cx, a, out, false);
  if (number_is_integer(cx, a)) return;
  text_add_char(out, '/');
  print_integer(cx, a, out, true);
}

bool number_print_decimal(Context *cx, Number a, Text *out) {
  int places = number_is_integer(cx, a) ? -1 : decimal_places(cx, a);
  if (places < 0 || places > 12) return false;
  print_decimal(cx, a, places, out);
  return true;
}

// ---- Factors

#define LARGEST_TRIAL_PRIME 1000

// What is left after trial division: a perfect power gives its root.
static int factor_rest(Context *cx, Number a, int sign, PrimePower *out, int n) {
  BigResult root;
  int64_t power;
  big_root(rational(cx, a), &root, &power);
  out[n] = (PrimePower){intern(cx, root.value), sign * power};
  return n + 1;
}

// An integer that fits: native arithmetic, and primes up to the root of what is left.
static int factor_small(Context *cx, int64_t a, int sign, PrimePower *out, int n, int most) {
  for (int64_t p = 2; p < LARGEST_TRIAL_PRIME && p * p <= a && n < most - 1; p += 1 + (p > 2)) {
    int64_t power = 0;
    for (; a % p == 0; a /= p) power++;
    if (power) out[n++] = (PrimePower){number_int(cx, p), sign * power};
  }
  if (a == 1) return n;
  if (a < (int64_t)LARGEST_TRIAL_PRIME * LARGEST_TRIAL_PRIME) {
    out[n] = (PrimePower){number_int(cx, a), sign};
    return n + 1;
  }
  return factor_rest(cx, number_int(cx, a), sign, out, n);
}

static int factor_integer(Context *cx, Number a, int sign, PrimePower *out, int n, int most) {
  int64_t small;
  if (number_to_int(cx, a, &small)) return factor_small(cx, small, sign, out, n, most);
  for (int64_t p = 2; p < LARGEST_TRIAL_PRIME && n < most - 1; p += 1 + (p > 2)) {
    int64_t power = 0;
    Number prime = number_int(cx, p), quotient;
    while (number_is_integer(cx, quotient = number_div(cx, a, prime))) a = quotient, power++;
    if (power) out[n++] = (PrimePower){prime, sign * power};
  }
  return a == NUMBER_ONE ? n : factor_rest(cx, a, sign, out, n);
}

int number_factor(Context *cx, Number a, PrimePower *out, int most) {
  Number numerator = through_flint(cx, BIG_NUMERATOR, a, a);
  Number denominator = number_div(cx, numerator, a);
  int n = factor_integer(cx, numerator, 1, out, 0, most);
  return factor_integer(cx, denominator, -1, out, n, most);
}
