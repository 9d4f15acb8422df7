// Gathering of terms.
#include "code/term_sum.h"

// A sum keeps so many terms; with more, those that are ready first are joined at once, so that few
// values wait.
enum { PENDING = 3 };

static void remove_term(Sum *sum, uint32_t i) {
  sum->n--;
  for (; i < sum->n; i++) sum->at[i] = sum->at[i + 1];
}

// A term that joins an old one at once: its opposite, or another constant.
static bool joins(ProgramBuilder *b, Sum *sum, uint32_t i, SignedSlot term) {
  SignedSlot old = sum->at[i];
  double x, y;
  if (old.slot == term.slot && old.negative != term.negative) {
    remove_term(sum, i);
    return true;
  }
  if (!program_is_constant(b, old.slot, &x) || !program_is_constant(b, term.slot, &y)) return false;
  double total = (old.negative ? -x : x) + (term.negative ? -y : y);
  if (total == 0)
    remove_term(sum, i);
  else
    sum->at[i] = (SignedSlot){program_constant(b, total), false};
  return true;
}

static SignedSlot join(ProgramBuilder *b, SignedSlot x, SignedSlot y) {
  if (x.negative == y.negative) return (SignedSlot){program_add(b, x.slot, y.slot), x.negative};
  if (x.negative) return (SignedSlot){program_sub(b, y.slot, x.slot), false};
  return (SignedSlot){program_sub(b, x.slot, y.slot), false};
}

// Joins terms i < k; the result stands where the first of them stood.
static void join_terms(ProgramBuilder *b, Sum *sum, uint32_t i, uint32_t k) {
  sum->at[i] = join(b, sum->at[i], sum->at[k]);
  remove_term(sum, k);
}

static uint32_t readiest(const ProgramBuilder *b, const Sum *sum, uint32_t other_than) {
  uint32_t best = other_than ? 0 : 1;
  for (uint32_t i = 0; i < sum->n; i++)
    if (i != other_than && program_ready(b, sum->at[i].slot) < program_ready(b, sum->at[best].slot))
      best = i;
  return best;
}

static void join_readiest(ProgramBuilder *b, Sum *sum) {
  uint32_t i = readiest(b, sum, UINT32_MAX), k = readiest(b, sum, i);
  join_terms(b, sum, i < k ? i : k, i < k ? k : i);
}

void sum_add(ProgramBuilder *b, Sum *sum, Slot slot, bool negative) {
  if (slot == NO_SLOT || program_is_value(b, slot, 0)) return;
  SignedSlot term = {slot, negative};
  if (b->steps.at[slot].op == STEP_NEG) term = (SignedSlot){b->steps.at[slot].a, !negative};
  for (uint32_t i = 0; i < sum->n; i++)
    if (joins(b, sum, i, term)) return;
  vec_push(&b->arena, sum, term);
  if (sum->n > PENDING) join_readiest(b, sum);
}

void sum_add_product(ProgramBuilder *b, Sum *sum, Slot x, Slot y, bool negative) {
  if (x != NO_SLOT && y != NO_SLOT) sum_add(b, sum, program_mul(b, x, y), negative);
}

void sum_settle(ProgramBuilder *b, Sum *sum) {
  while (sum->n > 1) join_readiest(b, sum);
}

Slot sum_slot(ProgramBuilder *b, Sum *sum) {
  sum_settle(b, sum);
  if (!sum->n) return NO_SLOT;
  return sum->at[0].negative ? program_neg(b, sum->at[0].slot) : sum->at[0].slot;
}
