// Large rationals and polynomial factors.
#include "expr/flint.h"

#include <assert.h>
#include <flint/flint.h>
#include <flint/fmpq.h>
#include <flint/fmpz_mpoly.h>
#include <flint/fmpz_mpoly_factor.h>

// ---- Its own memory

static void free_tables(void *unused) {
  (void)unused;
  flint_cleanup();
}

void flint_serves(Context *cx) {
  for (const Handle *handle = cx->guard.handles; handle; handle = handle->next)
    if (handle->close == free_tables) return;
  guard_register(&cx->guard, arena_new(&cx->keep, Handle), NULL, free_tables);
}

// ---- Rationals

static void load(const Rational *r, fmpq_t out) {
  fmpq_init(out);
  if (r->denominator) {
    fmpz_set_si(fmpq_numref(out), r->numerator);
    fmpz_set_si(fmpq_denref(out), r->denominator);
    return;
  }
  fmpz_set_ui_array(fmpq_numref(out), r->limbs, r->numerator_limbs);
  fmpz_set_ui_array(fmpq_denref(out), r->limbs + r->numerator_limbs, r->denominator_limbs);
  if (r->negative) fmpq_neg(out, out);
}

// Takes the value out of FLINT and clears it.
static bool store(fmpq_t value, BigResult *out) {
  const fmpz *n = fmpq_numref(value), *d = fmpq_denref(value);
  Rational *r = &out->value;
  *r = (Rational){0};
  slong n_limbs = fmpz_size(n), d_limbs = fmpz_size(d);
  bool fits = n_limbs <= MOST_LIMBS && d_limbs <= MOST_LIMBS;
  if (fits && fmpz_fits_si(n) && fmpz_fits_si(d) && fmpz_cmp_si(n, INT64_MIN) != 0) {
    r->numerator = fmpz_get_si(n);
    r->denominator = fmpz_get_si(d);
  } else if (fits) {
    r->negative = fmpz_sgn(n) < 0;
    r->numerator_limbs = (uint16_t)n_limbs;
    r->denominator_limbs = (uint16_t)d_limbs;
    fmpz_abs(fmpq_numref(value), n);
    fmpz_get_ui_array(out->limbs, n_limbs, n);
    fmpz_get_ui_array(out->limbs + n_limbs, d_limbs, d);
    r->limbs = out->limbs;
  }
  fmpq_clear(value);
  return fits;
}

bool big_operate(BigOperation operation, const Rational *a, const Rational *b, BigResult *out) {
  fmpq_t x, y, result;
  load(a, x), load(b, y);
  fmpq_init(result);
  switch (operation) {
  case BIG_ADD: fmpq_add(result, x, y); break;
  case BIG_MUL: fmpq_mul(result, x, y); break;
  case BIG_DIV: fmpq_div(result, x, y); break;
  case BIG_CONTENT: fmpq_gcd(result, x, y); break;
  case BIG_FLOOR:
    fmpz_fdiv_q(fmpq_numref(result), fmpq_numref(x), fmpq_denref(x));
    fmpz_one(fmpq_denref(result));
    break;
  case BIG_NUMERATOR:
    fmpz_set(fmpq_numref(result), fmpq_numref(x));
    fmpz_one(fmpq_denref(result));
    break;
  }
  fmpq_clear(x), fmpq_clear(y);
  return store(result, out);
}

bool big_ratio(int64_t numerator, int64_t denominator, BigResult *out) {
  fmpq_t value;
  fmpq_init(value);
  fmpz_set_si(fmpq_numref(value), numerator);
  fmpz_set_si(fmpq_denref(value), denominator);
  fmpq_canonicalise(value);
  return store(value, out);
}

bool big_root(const Rational *a, BigResult *out, int64_t *power) {
  fmpq_t value;
  load(a, value);
  fmpz_t root;
  fmpz_init(root);
  *power = 1;
  for (int k; (k = fmpz_is_perfect_power(root, fmpq_numref(value))) > 1; *power *= k)
    fmpz_set(fmpq_numref(value), root);
  fmpz_clear(root);
  return store(value, out);
}

int big_compare(const Rational *a, const Rational *b) {
  fmpq_t p, q;
  load(a, p), load(b, q);
  int order = fmpq_cmp(p, q);
  fmpq_clear(p), fmpq_clear(q);
  return order;
}

double big_to_double(const Rational *a) {
  fmpq_t value;
  load(a, value);
  mpfr_t rounded;
  mpfr_init2(rounded, 53);
  fmpq_get_mpfr(rounded, value, MPFR_RNDN);
  double result = mpfr_get_d(rounded, MPFR_RNDN);
  mpfr_clear(rounded);
  fmpq_clear(value);
  return result;
}

bool big_residue(const Rational *a, uint64_t p, uint64_t *residue) {
  fmpq_t value;
  load(a, value);
  fmpz_t modulus, result;
  fmpz_init_set_ui(modulus, p), fmpz_init(result);
  bool exists = fmpq_mod_fmpz(result, value, modulus);
  *residue = exists ? fmpz_get_ui(result) : 0;
  fmpz_clear(modulus), fmpz_clear(result);
  fmpq_clear(value);
  return exists;
}

int big_decimal_places(const Rational *a) {
  fmpq_t value;
  load(a, value);
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

void big_digits(const Rational *a, bool denominator, char *digits) {
  fmpq_t value;
  load(a, value);
  const fmpz *part = denominator ? fmpq_denref(value) : fmpq_numref(value);
  assert(fmpz_sizeinbase(part, 10) + 3 <= MOST_DIGITS);
  fmpz_get_str(digits, 10, part);
  fmpq_clear(value);
}

// ---- Polynomials

static void load_poly(const IntegerPoly *p, fmpz_mpoly_t out, const fmpz_mpoly_ctx_t ring) {
  ulong exponents[256];
  assert(p->variables <= 256);
  for (uint32_t i = 0; i < p->terms; i++) {
    for (uint32_t k = 0; k < p->variables; k++)
      exponents[k] = p->exponents[(size_t)i * p->variables + k];
    fmpz_mpoly_push_term_si_ui(out, p->coefficients[i], exponents, ring);
  }
  fmpz_mpoly_sort_terms(out, ring);
  fmpz_mpoly_combine_like_terms(out, ring);
}

// Appends the terms of one factor; false when they do not fit.
static bool store_poly(const fmpz_mpoly_t p, const fmpz_mpoly_ctx_t ring, uint32_t *used,
                       IntegerPoly *out) {
  slong n = fmpz_mpoly_length(p, ring);
  if (*used + (uint64_t)n > out->terms) return false;
  ulong exponents[256];
  for (slong i = 0; i < n; i++, ++*used) {
    if (!fmpz_fits_si(fmpz_mpoly_term_coeff_ref((fmpz_mpoly_struct *)p, i, ring))) return false;
    out->coefficients[*used] = fmpz_mpoly_get_term_coeff_si(p, i, ring);
    fmpz_mpoly_get_term_exp_ui(exponents, p, i, ring);
    for (uint32_t k = 0; k < out->variables; k++)
      out->exponents[(size_t)*used * out->variables + k] = (uint16_t)exponents[k];
  }
  return true;
}

static bool store_factors(const fmpz_mpoly_factor_t f, const fmpz_mpoly_ctx_t ring,
                          FactorList *out) {
  uint32_t used = 0;
  if (f->num > MOST_FACTORS || !fmpz_fits_si(f->constant)) return false;
  out->constant = fmpz_get_si(f->constant);
  out->n = (uint32_t)f->num;
  for (uint32_t i = 0; i < out->n; i++) {
    out->factor[i].first = used;
    out->factor[i].power = (uint32_t)fmpz_get_ui(f->exp + i);
    if (!store_poly(f->poly + i, ring, &used, &out->all)) return false;
    out->factor[i].terms = used - out->factor[i].first;
  }
  return true;
}

bool integer_poly_factor(const IntegerPoly *poly, FactorList *out) {
  fmpz_mpoly_ctx_t ring;
  fmpz_mpoly_ctx_init(ring, poly->variables, ORD_LEX);
  fmpz_mpoly_t p;
  fmpz_mpoly_init(p, ring);
  load_poly(poly, p, ring);
  fmpz_mpoly_factor_t factors;
  fmpz_mpoly_factor_init(factors, ring);
  bool done = fmpz_mpoly_factor(factors, p, ring) && store_factors(factors, ring, out);
  fmpz_mpoly_factor_clear(factors, ring);
  fmpz_mpoly_clear(p, ring);
  fmpz_mpoly_ctx_clear(ring);
  return done;
}
