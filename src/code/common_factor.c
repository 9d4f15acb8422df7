// Collects terms greedily: the factor that most terms share goes in front of a bracket, then the
// next one, in the bracket and in what is left.
#include "code/common_factor.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

// Larger sums are only joined where terms are alike; looking for factors is quadratic.
enum { PULL_LIMIT = 64 };

static int by_slot(const void *a, const void *b) {
  Slot x = *(const Slot *)a, y = *(const Slot *)b;
  return (x > y) - (x < y);
}

static int by_factors(const void *a, const void *b) {
  const ScaledProduct *x = a, *y = b;
  for (uint32_t i = 0; i < x->count && i < y->count; i++)
    if (x->factors[i] != y->factors[i]) return x->factors[i] < y->factors[i] ? -1 : 1;
  if (x->count != y->count) return x->count < y->count ? -1 : 1;
  return (x->scale > y->scale) - (x->scale < y->scale);
}

static bool same_factors(const ScaledProduct *x, const ScaledProduct *y) {
  if (x->count != y->count) return false;
  return !x->count || !memcmp(x->factors, y->factors, x->count * sizeof *x->factors);
}

// Terms with the same factors become one; returns how many are left.
static uint32_t join_like_terms(ProgramBuilder *b, ScaledProduct *terms, uint32_t n) {
  qsort(terms, n, sizeof *terms, by_factors);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < n; i++) {
    if (kept && same_factors(&terms[kept - 1], &terms[i]))
      terms[kept - 1].scale = program_add(b, terms[kept - 1].scale, terms[i].scale);
    else
      terms[kept++] = terms[i];
  }
  return kept;
}

static bool contains(const ScaledProduct *term, Slot factor) {
  return term->count &&
         bsearch(&factor, term->factors, term->count, sizeof factor, by_slot) != NULL;
}

// The factor of the most terms, at least two; NO_SLOT when there is none. Of equals the newest,
// which took the most work to reach.
static Slot most_common_factor(const ScaledProduct *terms, uint32_t n) {
  Slot best = NO_SLOT;
  uint32_t best_count = 1;
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t k = 0; k < terms[i].count; k++) {
      Slot factor = terms[i].factors[k];
      if (k && factor == terms[i].factors[k - 1]) continue;
      uint32_t count = 0;
      for (uint32_t j = 0; j < n; j++) count += contains(&terms[j], factor);
      if (count > best_count || (count == best_count && count > 1 && factor > best))
        best = factor, best_count = count;
    }
  return best;
}

static void remove_factor(ScaledProduct *term, Slot factor) {
  Slot *at = bsearch(&factor, term->factors, term->count, sizeof factor, by_slot);
  memmove(at, at + 1, (size_t)(term->factors + term->count - at - 1) * sizeof *at);
  term->count--;
}

// Terms with the factor come first; returns how many.
static uint32_t partition_by_factor(ScaledProduct *terms, uint32_t n, Slot factor) {
  uint32_t with = 0;
  for (uint32_t i = 0; i < n; i++) {
    if (!contains(&terms[i], factor)) continue;
    ScaledProduct term = terms[i];
    terms[i] = terms[with];
    terms[with++] = term;
  }
  return with;
}

static Slot product_of_factors(ProgramBuilder *b, const ScaledProduct *term) {
  if (!term->count) return NO_SLOT;
  Slot product = term->factors[0];
  for (uint32_t i = 1; i < term->count; i++) product = program_mul(b, product, term->factors[i]);
  return product;
}

// |scale| as a slot, and whether a sign was taken off.
static Slot without_sign(ProgramBuilder *b, Slot scale, bool *negative) {
  double value;
  const Step step = b->steps.at[scale];
  if (program_is_constant(b, scale, &value)) {
    *negative = value < 0;
    return value < 0 ? program_constant(b, -value) : scale;
  }
  *negative = step.op == STEP_NEG;
  return *negative ? step.a : scale;
}

typedef struct Scaled {
  Slot scale, product; // product is NO_SLOT for a term without factors
  bool negative;
} Scaled;

static int by_scale(const void *a, const void *b) {
  const Scaled *x = a, *y = b;
  if (x->scale != y->scale) return x->scale < y->scale ? -1 : 1;
  return (x->product > y->product) - (x->product < y->product);
}

static Slot add_signed(ProgramBuilder *b, Slot sum, Slot value, bool negative) {
  if (sum == NO_SLOT) return negative ? program_neg(b, value) : value;
  return negative ? program_sub(b, sum, value) : program_add(b, sum, value);
}

// scale * (sum of products) for the terms [first, end) that share a scale.
static Slot sum_of_one_scale(ProgramBuilder *b, const Scaled *first, const Scaled *end) {
  Slot sum = NO_SLOT;
  // a positive one first, so that the others are subtracted
  const Scaled *start = first;
  while (start < end && start->negative) start++;
  if (start < end) sum = start->product;
  bool all_negative = start == end;
  for (const Scaled *term = first; term < end; term++)
    if (term != start) sum = add_signed(b, sum, term->product, term->negative && !all_negative);
  Slot product = program_mul(b, first->scale, sum);
  return all_negative ? program_neg(b, product) : product;
}

// The sum of terms without common factors.
static Slot sum_terms(ProgramBuilder *b, const ScaledProduct *terms, uint32_t n) {
  Mark mark = arena_mark(&b->cx->scratch);
  Scaled *scaled = arena_array(&b->cx->scratch, Scaled, n + 1);
  uint32_t count = 0;
  Slot fixed = NO_SLOT;
  for (uint32_t i = 0; i < n; i++) {
    Slot product = product_of_factors(b, &terms[i]);
    if (product == NO_SLOT) {
      fixed = fixed == NO_SLOT ? terms[i].scale : program_add(b, fixed, terms[i].scale);
      continue;
    }
    Scaled *term = &scaled[count++];
    term->product = product;
    term->scale = without_sign(b, terms[i].scale, &term->negative);
  }
  qsort(scaled, count, sizeof *scaled, by_scale);

  Slot *parts = arena_array(&b->cx->scratch, Slot, count + 1);
  uint32_t part_count = 0;
  for (uint32_t i = 0; i < count;) {
    uint32_t end = i + 1;
    while (end < count && scaled[end].scale == scaled[i].scale) end++;
    parts[part_count++] = sum_of_one_scale(b, scaled + i, scaled + end);
    i = end;
  }
  // what is ready first is added first
  qsort(parts, part_count, sizeof *parts, by_slot);
  Slot sum = NO_SLOT;
  for (uint32_t i = 0; i < part_count; i++)
    sum = sum == NO_SLOT ? parts[i] : program_add(b, sum, parts[i]);
  if (sum == NO_SLOT)
    sum = fixed;
  else if (fixed != NO_SLOT)
    sum = program_add(b, sum, fixed);
  arena_release(&b->cx->scratch, mark);
  return sum == NO_SLOT ? program_constant(b, 0) : sum;
}

// At most PULL_LIMIT terms, so the recursion is shallow.
static Slot pull_factors(ProgramBuilder *b, ScaledProduct *terms, uint32_t n) {
  Slot factor = n < 2 ? NO_SLOT : most_common_factor(terms, n);
  if (factor == NO_SLOT) return sum_terms(b, terms, n);
  uint32_t with = partition_by_factor(terms, n, factor);
  for (uint32_t i = 0; i < with; i++) remove_factor(&terms[i], factor);
  uint32_t inside = join_like_terms(b, terms, with);
  Slot bracket = program_mul(b, factor, pull_factors(b, terms, inside));
  if (with == n) return bracket;
  return program_add(b, pull_factors(b, terms + with, n - with), bracket);
}

// The place of a squared sine among the factors, and the cosine that belongs to it.
static bool find_squared_sine(const ProgramBuilder *b, const ScaledProduct *term, uint32_t *from,
                              Slot *cosine) {
  for (; *from + 1 < term->count; ++*from) {
    Slot factor = term->factors[*from];
    const Step *step = &b->steps.at[factor];
    if (factor != term->factors[*from + 1] || step->op != STEP_SIN) continue;
    *cosine = program_find(b, (Step){STEP_COS, step->a, NO_SLOT, NO_SLOT});
    if (*cosine != NO_SLOT) return true;
  }
  return false;
}

// Is other the same as term but for cos^2 in place of sin^2? twin has room for the factors.
static bool is_twin(const ScaledProduct *term, uint32_t at, Slot cosine, const ScaledProduct *other,
                    Slot *twin) {
  if (other->scale != term->scale || other->count != term->count) return false;
  memcpy(twin, term->factors, term->count * sizeof *twin);
  twin[at] = twin[at + 1] = cosine;
  qsort(twin, term->count, sizeof *twin, by_slot);
  return !memcmp(twin, other->factors, term->count * sizeof *twin);
}

// a sin^2 + a cos^2 becomes a; returns how many terms are left.
static uint32_t join_squares(ProgramBuilder *b, ScaledProduct *terms, uint32_t n) {
  Mark mark = arena_mark(&b->cx->scratch);
  for (uint32_t i = 0; i < n; i++) {
    Slot *twin = arena_array(&b->cx->scratch, Slot, terms[i].count + 1), cosine;
    for (uint32_t at = 0; find_squared_sine(b, &terms[i], &at, &cosine); at++) {
      uint32_t j = 0;
      while (j < n && !is_twin(&terms[i], at, cosine, &terms[j], twin)) j++;
      if (j == n) continue;
      Slot sine = terms[i].factors[at];
      remove_factor(&terms[i], sine);
      remove_factor(&terms[i], sine);
      terms[j] = terms[--n];
      i = UINT32_MAX; // once more from the start
      break;
    }
  }
  arena_release(&b->cx->scratch, mark);
  return n;
}

Slot program_collect(ProgramBuilder *b, ScaledProduct *terms, uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    if (terms[i].count > 1) qsort(terms[i].factors, terms[i].count, sizeof(Slot), by_slot);
  if (n > 1 && n <= PULL_LIMIT) n = join_squares(b, terms, n);
  if (n > 1) n = join_like_terms(b, terms, n);
  return n <= PULL_LIMIT ? pull_factors(b, terms, n) : sum_terms(b, terms, n);
}
