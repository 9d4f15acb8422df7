// Interned rationals: a pair of int64 where that fits, limbs in the arena where it does not.
#include "expr/number.h"

#include <assert.h>
#include <flint/flint.h>
#include <flint/fmpq.h>
#include <math.h>
#include <string.h>

#include "base/hash.h"
#include "expr/node.h"

#define MOST_LIMBS 64 // 4096 bits for numerator and denominator each

typedef struct Rational {
  int64_t numerator, denominator; // denominator 0 marks a large number
  const uint64_t *limbs;          // of a large number: numerator, then denominator
  uint16_t numerator_limbs, denominator_limbs;
  bool negative;
  uint32_t hash;
} Rational;

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

// ---- Large numbers pass through FLINT; no FLINT object lives while we allocate.

static void load(const Context *cx, Number a, fmpq_t out) {
  const Rational *r = rational(cx, a);
  if (r->denominator) {
    fmpz_set_si(fmpq_numref(out), r->numerator);
    fmpz_set_si(fmpq_denref(out), r->denominator);
    return;
  }
  fmpz_set_ui_array(fmpq_numref(out), r->limbs, r->numerator_limbs);
  fmpz_set_ui_array(fmpq_denref(out), r->limbs + r->numerator_limbs, r->denominator_limbs);
  if (r->negative) fmpq_neg(out, out);
}

// Takes the value out of FLINT and clears it before anything is allocated.
static Number store(Context *cx, fmpq_t value) {
  const fmpz *n = fmpq_numref(value), *d = fmpq_denref(value);
  uint64_t limbs[2 * MOST_LIMBS];
  Rational r = {0};
  slong n_limbs = fmpz_size(n), d_limbs = fmpz_size(d);
  bool fits = n_limbs <= MOST_LIMBS && d_limbs <= MOST_LIMBS;
  if (fits && fmpz_fits_si(n) && fmpz_fits_si(d) && fmpz_cmp_si(n, INT64_MIN) != 0) {
    r.numerator = fmpz_get_si(n);
    r.denominator = fmpz_get_si(d);
  } else if (fits) {
    r.negative = fmpz_sgn(n) < 0;
    r.numerator_limbs = (uint16_t)n_limbs;
    r.denominator_limbs = (uint16_t)d_limbs;
    fmpz_t magnitude;
    fmpz_init(magnitude);
    fmpz_abs(magnitude, n);
    fmpz_get_ui_array(limbs, n_limbs, magnitude);
    fmpz_clear(magnitude);
    fmpz_get_ui_array(limbs + n_limbs, d_limbs, d);
    r.limbs = limbs;
  }
  fmpq_clear(value);
  return fits ? intern(cx, r) : NUMBER_NONE;
}

typedef void FlintOperation(fmpq_t, const fmpq_t, const fmpq_t);

static Number through_flint(Context *cx, FlintOperation *operation, Number a, Number b) {
  fmpq_t x, y, result;
  fmpq_init(x), fmpq_init(y), fmpq_init(result);
  load(cx, a, x), load(cx, b, y);
  operation(result, x, y);
  fmpq_clear(x), fmpq_clear(y);
  return store(cx, result);
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
  fmpq_t value;
  fmpq_init(value);
  fmpz_set_si(fmpq_numref(value), numerator);
  fmpz_set_si(fmpq_denref(value), denominator);
  fmpq_canonicalise(value);
  return store(cx, value);
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
  return through_flint(cx, fmpq_add, a, b);
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
  return through_flint(cx, fmpq_mul, a, b);
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
  return through_flint(cx, fmpq_div, a, b);
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

static void floor_operation(fmpq_t out, const fmpq_t a, const fmpq_t unused) {
  (void)unused;
  fmpz_fdiv_q(fmpq_numref(out), fmpq_numref(a), fmpq_denref(a));
  fmpz_one(fmpq_denref(out));
}

Number number_floor(Context *cx, Number a) {
  if (a == NUMBER_NONE || number_is_integer(cx, a)) return a;
  return through_flint(cx, floor_operation, a, a);
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
  return through_flint(cx, fmpq_gcd, a, b);
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
  fmpq_t p, q;
  fmpq_init(p), fmpq_init(q);
  load(cx, a, p), load(cx, b, q);
  int order = fmpq_cmp(p, q);
  fmpq_clear(p), fmpq_clear(q);
  return order;
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
  fmpq_t value;
  fmpq_init(value);
  load(cx, a, value);
  mpfr_t rounded;
  mpfr_init2(rounded, 53);
  fmpq_get_mpfr(rounded, value, MPFR_RNDN);
  double result = mpfr_get_d(rounded, MPFR_RNDN);
  mpfr_clear(rounded);
  fmpq_clear(value);
  return result;
}

bool number_residue(const Context *cx, Number a, uint64_t p, uint64_t *residue) {
  fmpq_t value;
  fmpq_init(value);
  load(cx, a, value);
  fmpz_t modulus, result;
  fmpz_init_set_ui(modulus, p), fmpz_init(result);
  bool exists = fmpq_mod_fmpz(result, value, modulus);
  *residue = exists ? fmpz_get_ui(result) : 0;
  fmpz_clear(modulus), fmpz_clear(result);
  fmpq_clear(value);
  return exists;
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
  return i == length ? scale_by_ten(cx, mantissa, exponent) : NUMBER_NONE;
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
  fmpq_t value;
  fmpq_init(value);
  load(cx, a, value);
  fmpz_t factor;
  fmpz_init_set_ui(factor, 2);
  slong twos = fmpz_remove(fmpq_denref(value), fmpq_denref(value), factor);
  fmpz_set_ui(factor, 5);
  slong fives = fmpz_remove(fmpq_denref(value), fmpq_denref(value), factor);
  bool decimal = fmpz_is_one(fmpq_denref(value));
  fmpz_clear(factor);
  fmpq_clear(value);
  return decimal ? (int)(twos > fives ? twos : fives) : -1;
}

// Numerator or denominator of a as decimal digits.
static void write_integer(const Context *cx, Number a, bool denominator, char *digits,
                          size_t room) {
  fmpq_t value;
  fmpq_init(value);
  load(cx, a, value);
  const fmpz *part = denominator ? fmpq_denref(value) : fmpq_numref(value);
  assert(fmpz_sizeinbase(part, 10) + 3 <= room);
  fmpz_get_str(digits, 10, part);
  fmpq_clear(value);
}

#define MOST_DIGITS (MOST_LIMBS * 20 + 4)

static void print_integer(Context *cx, Number a, Text *out, bool denominator) {
  char digits[MOST_DIGITS];
  write_integer(cx, a, denominator, digits, sizeof digits);
  text_add(out, digits);
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
  write_integer(cx, number_abs(cx, shifted), false, digits, sizeof digits);
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

// ---- Factors

#define LARGEST_TRIAL_PRIME 1000

// What is left after trial division: a perfect power gives its root.
static int factor_rest(Context *cx, Number a, int sign, PrimePower *out, int n) {
  fmpq_t value;
  fmpq_init(value);
  load(cx, a, value);
  fmpz_t root;
  fmpz_init(root);
  int64_t power = 1;
  for (int k; (k = fmpz_is_perfect_power(root, fmpq_numref(value))) > 1; power *= k)
    fmpz_set(fmpq_numref(value), root);
  fmpz_clear(root);
  Number base = store(cx, value);
  out[n] = (PrimePower){base, sign * power};
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

static void numerator_operation(fmpq_t out, const fmpq_t a, const fmpq_t unused) {
  (void)unused;
  fmpz_set(fmpq_numref(out), fmpq_numref(a));
  fmpz_one(fmpq_denref(out));
}

int number_factor(Context *cx, Number a, PrimePower *out, int most) {
  Number numerator = through_flint(cx, numerator_operation, a, a);
  Number denominator = number_div(cx, numerator, a);
  int n = factor_integer(cx, numerator, 1, out, 0, most);
  return factor_integer(cx, denominator, -1, out, n, most);
}
