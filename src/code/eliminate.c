// Sparse symmetric elimination over slots.
#include "code/eliminate.h"

#include <assert.h>

#include "base/text.h"
#include "code/term_sum.h"

// Up to so many neighbours, entries lose (a_i a_j) (1/d) in place of (a_i/d) a_j: one
// multiplication more that need not wait for the division.
enum { SHORTEN_LIMIT = 2 };

// More unknowns whose masses are coupled make a long chain.
enum { EARLY_FROM = 24 };
// Loops may be long and still be closed near their outer end: so many that go first give a pivot.
enum { ENOUGH = 4 };
// And they go near the pairs that are next, not all over the mechanism at once.
enum { WINDOW = 6 };
#define NEVER UINT32_MAX // a constraint that does not go early

typedef enum Kind { PLAIN, CONSTRAINT, DEFINED, DEFINITION } Kind;

typedef struct Link {
  uint32_t to;    // the other unknown
  uint32_t entry; // index of the shared value
} Link;

typedef VEC(Link) LinkList;

// How a pivot acts on one neighbour.
typedef struct Coupling {
  uint32_t to;
  Slot of_pivot; // scalar: entry / pivot; pair: entry with w, or NO_SLOT
  Slot entry;    // scalar: entry; pair: entry with the definition, or NO_SLOT
} Coupling;

typedef struct Pivot {
  uint32_t unknown;    // the scalar one, or w
  Slot inverse;        // of a scalar pivot
  Slot own;            // H of a pair, or NO_SLOT
  uint32_t first, end; // its couplings
} Pivot;

struct Elimination {
  ProgramBuilder *b;
  Arena *arena;
  uint32_t n;
  uint8_t *kind;
  Symbol *names;       // 0 where there is none
  uint32_t *partner;   // of a defined unknown and a definition
  VEC(uint32_t) pairs; // defined unknowns in order of declaration
  uint32_t pairs_left; // the first so many of them have not gone
  uint32_t *pair_of;   // of a defined unknown: its place among the pairs
  bool *gone;
  LinkList *links; // of each unknown; stale ones lead to unknowns that are gone
  uint32_t *degree;
  VEC(Sum) entries;
  Sum *keep, *loss;  // diagonal: what adds to a pivot, and what is taken from it
  VEC(Pivot) pivots; // in order of elimination
  VEC(Coupling) couplings;
  VEC(uint32_t) ready; // unknowns that may have become free to go
  bool *is_ready;      // those in the list
  uint32_t *position;  // scatter: link of a row to a column, plus 1
  bool is_early;       // constraints may go before all that they act on
  uint32_t given;      // entries before elimination
  LinkList *supported; // of each plain unknown: the constraints that act on it, definitions opened
  uint32_t *wanted;    // of a constraint that may go early: how many of those it acts on go first
  Slot *reach;         // of each constraint: what its pivot got from other than constraints
  Slot growth;
  uint32_t most_steps; // of the program; 0 for any number
};

Elimination *elimination_new(ProgramBuilder *b, uint32_t n) {
  Arena *arena = &b->arena;
  Elimination *e = arena_new(arena, Elimination);
  *e = (Elimination){.b = b, .arena = arena, .n = n, .growth = NO_SLOT};
  e->kind = arena_array(arena, uint8_t, n + 1);
  e->names = arena_array(arena, Symbol, n + 1);
  e->partner = arena_array(arena, uint32_t, n + 1);
  e->pair_of = arena_array(arena, uint32_t, n + 1);
  e->gone = arena_array(arena, bool, n + 1);
  e->links = arena_array(arena, LinkList, n + 1);
  e->is_ready = arena_array(arena, bool, n + 1);
  e->degree = arena_array(arena, uint32_t, n + 1);
  e->keep = arena_array(arena, Sum, n + 1);
  e->loss = arena_array(arena, Sum, n + 1);
  e->position = arena_array(arena, uint32_t, n + 1);
  e->wanted = arena_array(arena, uint32_t, n + 1);
  e->reach = arena_array(arena, Slot, n + 1);
  for (uint32_t i = 0; i < n; i++) e->reach[i] = NO_SLOT;
  return e;
}

void elimination_define(Elimination *e, uint32_t w, uint32_t definition) {
  assert(w < e->n && definition < e->n && w != definition);
  assert(e->kind[w] == PLAIN && e->kind[definition] == PLAIN);
  e->kind[w] = DEFINED;
  e->kind[definition] = DEFINITION;
  e->partner[w] = definition;
  e->partner[definition] = w;
  e->pair_of[w] = e->pairs.n;
  vec_push(e->arena, &e->pairs, w);
}

void elimination_constrain(Elimination *e, uint32_t multiplier) {
  assert(multiplier < e->n && e->kind[multiplier] == PLAIN);
  e->kind[multiplier] = CONSTRAINT;
}

void elimination_support(Elimination *e, uint32_t constraint, uint32_t plain) {
  assert(e->kind[constraint] == CONSTRAINT && e->kind[plain] == PLAIN);
  if (!e->supported) e->supported = arena_array(e->arena, LinkList, e->n + 1);
  vec_push(e->arena, &e->supported[plain], ((Link){constraint, 0}));
  e->wanted[constraint]++;
}

void elimination_limit(Elimination *e, uint32_t most_steps) { e->most_steps = most_steps; }

void elimination_name(Elimination *e, uint32_t i, Symbol name) { e->names[i] = name; }

// Names a slot after an unknown: before and after stand around the unknown's name.
static void name_after(Elimination *e, Slot slot, const char *before, uint32_t i,
                       const char *after) {
  Context *cx = e->b->cx;
  if (!e->names[i] || slot == NO_SLOT || e->b->steps.at[slot].op >= STEP_COUNT) return;
  Mark mark = arena_mark(&cx->scratch);
  const char *name =
      text_format(&cx->scratch, "%s%s%s", before, symbol_text(cx, e->names[i]), after);
  program_name(e->b, slot, symbol_from_text(cx, name));
  arena_release(&cx->scratch, mark);
}

// ---- the matrix

static Link *find_link(const Elimination *e, uint32_t i, uint32_t j) {
  for (uint32_t k = 0; k < e->links[i].n; k++)
    if (e->links[i].at[k].to == j) return &e->links[i].at[k];
  return NULL;
}

static Sum *entry_of(const Elimination *e, Link link) { return &e->entries.at[link.entry]; }

static Link connect(Elimination *e, uint32_t i, uint32_t j) {
  uint32_t entry = e->entries.n;
  vec_push(e->arena, &e->entries, ((Sum){0}));
  vec_push(e->arena, &e->links[i], ((Link){j, entry}));
  vec_push(e->arena, &e->links[j], ((Link){i, entry}));
  e->degree[i]++;
  e->degree[j]++;
  return (Link){j, entry};
}

void elimination_add(Elimination *e, uint32_t i, uint32_t j, Slot value) {
  assert(i < e->n && j < e->n && !e->pivots.n);
  if (program_is_value(e->b, value, 0)) return;
  if (i == j) {
    assert(e->kind[i] != DEFINITION);
    sum_add(e->b, &e->keep[i], value, false);
    return;
  }
  assert(e->kind[i] < DEFINED || e->partner[i] != j);
  // the shorter row is searched
  bool swap = e->links[j].n < e->links[i].n;
  Link *link = swap ? find_link(e, j, i) : find_link(e, i, j);
  sum_add(e->b, entry_of(e, link ? *link : connect(e, i, j)), value, false);
}

// Drops links to what is gone or has become zero, and lays the others out in e->position.
static void scatter(Elimination *e, uint32_t i) {
  uint32_t kept = 0;
  for (uint32_t k = 0; k < e->links[i].n; k++) {
    Link link = e->links[i].at[k];
    if (e->gone[link.to] || sum_is_zero(entry_of(e, link))) continue;
    e->links[i].at[kept++] = link;
    e->position[link.to] = kept;
  }
  e->links[i].n = kept;
  e->degree[i] = kept;
}

static void gather(Elimination *e, uint32_t i) {
  for (uint32_t k = 0; k < e->links[i].n; k++) e->position[e->links[i].at[k].to] = 0;
}

static Slot entry_with(const Elimination *e, uint32_t row, uint32_t column) {
  uint32_t at = e->position[column];
  return at ? sum_slot(e->b, entry_of(e, e->links[row].at[at - 1])) : NO_SLOT;
}

// ---- the order

static bool has_no_pivot(const Elimination *e, uint32_t i) {
  return sum_is_zero(&e->keep[i]) && sum_is_zero(&e->loss[i]);
}

// Does a constraint act on nothing that is defined but what goes next?
static bool is_at_hand(const Elimination *e, uint32_t i) {
  for (uint32_t k = 0; k < e->links[i].n; k++) {
    Link link = e->links[i].at[k];
    if (e->gone[link.to] || e->kind[link.to] != DEFINED || sum_is_zero(entry_of(e, link))) continue;
    if (e->pair_of[link.to] + WINDOW < e->pairs_left) return false;
  }
  return true;
}

static bool is_free(Elimination *e, uint32_t i) {
  if (e->gone[i] || e->kind[i] >= DEFINED) return false;
  // without mass it waits for a constraint to give it some
  if (e->is_early && has_no_pivot(e, i)) return false;
  if (e->is_early && e->kind[i] == CONSTRAINT && e->wanted[i] != NEVER)
    return e->wanted[i] == 0 && (!e->supported || is_at_hand(e, i));
  for (uint32_t k = 0; k < e->links[i].n; k++) {
    Link link = e->links[i].at[k];
    if (e->gone[link.to] || sum_is_zero(entry_of(e, link))) continue;
    Kind other = e->kind[link.to];
    if (other == DEFINITION || (e->kind[i] == CONSTRAINT && other != CONSTRAINT)) return false;
  }
  return true;
}

// The free unknown with the fewest neighbours, the last of equals; NO_SLOT when there is none.
static uint32_t next_scalar(Elimination *e) {
  uint32_t best = NO_SLOT, kept = 0;
  for (uint32_t k = 0; k < e->ready.n; k++) {
    uint32_t i = e->ready.at[k];
    e->is_ready[i] = is_free(e, i);
    if (!e->is_ready[i]) continue;
    e->ready.at[kept++] = i;
    if (best == NO_SLOT || e->degree[i] < e->degree[best] ||
        (e->degree[i] == e->degree[best] && i > best))
      best = i;
  }
  e->ready.n = kept;
  return best;
}

static bool is_coupled(const Elimination *e, uint32_t i) {
  for (uint32_t k = 0; k < e->links[i].n; k++)
    if (e->kind[e->links[i].at[k].to] == PLAIN) return true;
  return false;
}

// Waiting for all that a constraint acts on fills the matrix where masses are coupled along a
// chain, and never ends where something has no mass. In long chains and without mass a constraint
// goes as soon as half of what has mass, two at least, is gone: then it has a pivot.
static uint32_t share_of(uint32_t count) {
  return count < 4 ? (count < 2 ? count : 2) : (count + 1) / 2;
}

static void allow_early(Elimination *e) {
  e->given = e->entries.n;
  if (e->supported) {
    e->is_early = true;
    for (uint32_t i = 0; i < e->n; i++)
      if (e->kind[i] == CONSTRAINT && share_of(e->wanted[i]) > ENOUGH)
        e->wanted[i] = ENOUGH;
      else if (e->kind[i] == CONSTRAINT)
        e->wanted[i] = share_of(e->wanted[i]);
    return;
  }
  uint32_t coupled = 0;
  bool massless = false;
  for (uint32_t i = 0; i < e->n; i++) {
    if (e->kind[i] != PLAIN) continue;
    coupled += is_coupled(e, i);
    massless = massless || has_no_pivot(e, i);
  }
  bool lifted = false;
  for (uint32_t i = 0; i < e->pairs.n; i++) lifted = lifted || !has_no_pivot(e, e->pairs.at[i]);
  e->is_early = !lifted && (massless || coupled > EARLY_FROM);
  for (uint32_t i = 0; e->is_early && i < e->n; i++) {
    if (e->kind[i] != CONSTRAINT) continue;
    uint32_t count = 0;
    bool of_defined = false;
    for (uint32_t k = 0; k < e->links[i].n; k++) {
      uint32_t to = e->links[i].at[k].to;
      of_defined = of_defined || e->kind[to] == DEFINED;
      count += e->kind[to] == PLAIN && !has_no_pivot(e, to);
    }
    e->wanted[i] = of_defined ? NEVER : share_of(count);
  }
}

// ---- pivots

// Adds x y to entry (i, j) or takes it away; row i is scattered.
static void update(Elimination *e, uint32_t i, uint32_t j, Slot x, Slot y, bool subtract) {
  if (x == NO_SLOT || y == NO_SLOT) return;
  uint32_t at = e->position[j];
  Link link = at ? e->links[i].at[at - 1] : connect(e, i, j);
  if (!at) e->position[j] = e->links[i].n;
  sum_add_product(e->b, entry_of(e, link), x, y, subtract);
  // only diagonals lie on the longest chain; others are settled so that fewer values wait
  sum_settle(e->b, entry_of(e, link));
}

static void offer(Elimination *e, uint32_t i) {
  if (e->is_ready[i] || !is_free(e, i)) return;
  e->is_ready[i] = true;
  vec_push(e->arena, &e->ready, i);
}

static void offer_neighbours(Elimination *e, const Pivot *pivot) {
  for (uint32_t k = pivot->first; k < pivot->end; k++) offer(e, e->couplings.at[k].to);
}

// The pivot of an unknown; *kept is what it would be without subtractions.
static Slot diagonal(Elimination *e, uint32_t i, Slot *kept) {
  *kept = sum_slot(e->b, &e->keep[i]);
  sum_add(e->b, &e->loss[i], *kept, false);
  return sum_slot(e->b, &e->loss[i]);
}

static void note_growth(Elimination *e, Slot kept, Slot pivot, Slot inverse) {
  if (kept == NO_SLOT || kept == pivot) return;
  Slot ratio = program_op1(e->b, STEP_ABS, program_mul(e->b, kept, inverse));
  e->growth = e->growth == NO_SLOT ? ratio : program_add(e->b, e->growth, ratio);
}

// Entries of a scalar pivot with its neighbours, as they are and divided by it.
static void couple_scalar(Elimination *e, uint32_t k, Pivot *pivot) {
  for (uint32_t p = 0; p < e->links[k].n; p++) {
    Link link = e->links[k].at[p];
    Slot entry = sum_slot(e->b, entry_of(e, link));
    Coupling coupling = {link.to, program_mul(e->b, entry, pivot->inverse), entry};
    bool counts = !e->supported && e->kind[k] == PLAIN && link.entry < e->given;
    if (counts && e->wanted[link.to] && e->wanted[link.to] != NEVER) e->wanted[link.to]--;
    vec_push(e->arena, &e->couplings, coupling);
  }
  pivot->end = e->couplings.n;
}

// The constraints that a plain unknown supports want one less.
static void tell_supported(Elimination *e, uint32_t k) {
  for (uint32_t i = 0; e->supported && i < e->supported[k].n; i++) {
    uint32_t constraint = e->supported[k].at[i].to;
    if (e->wanted[constraint]) e->wanted[constraint]--;
    offer(e, constraint);
  }
}

// A scalar pivot d: entry (i, j) loses a_i a_j / d.
static bool eliminate_scalar(Elimination *e, uint32_t k) {
  ProgramBuilder *b = e->b;
  Slot kept, whole = diagonal(e, k, &kept);
  if (whole == NO_SLOT) return false;
  Pivot pivot = {.unknown = k, .own = NO_SLOT, .first = e->couplings.n};
  pivot.inverse = program_div(b, program_constant(b, 1), whole);
  name_after(e, pivot.inverse, e->kind[k] == CONSTRAINT ? "effective_mass_" : "mobility_", k, "");
  note_growth(e, kept, whole, pivot.inverse);
  scatter(e, k);
  gather(e, k);
  e->gone[k] = true;
  couple_scalar(e, k, &pivot);
  if (e->kind[k] == CONSTRAINT) e->reach[k] = kept;
  bool shorten = pivot.end - pivot.first <= SHORTEN_LIMIT;
  for (uint32_t p = pivot.first; p < pivot.end; p++) {
    Coupling left = e->couplings.at[p];
    scatter(e, left.to);
    for (uint32_t q = pivot.first; q <= p; q++) {
      Coupling right = e->couplings.at[q];
      Slot x = shorten ? program_mul(b, left.entry, right.entry) : left.of_pivot;
      Slot y = shorten ? pivot.inverse : right.entry;
      if (q < p) {
        update(e, left.to, right.to, x, y, true);
        continue;
      }
      // the sign of the pivot tells whether this adds to the other's or takes from it
      bool takes = (e->kind[k] == CONSTRAINT) == (e->kind[left.to] == CONSTRAINT);
      sum_add_product(b, takes ? &e->loss[left.to] : &e->keep[left.to], x, y, true);
    }
    gather(e, left.to);
  }
  vec_push(e->arena, &e->pivots, pivot);
  tell_supported(e, k);
  offer_neighbours(e, &pivot);
  return true;
}

// Neighbours of w and of its definition, with their entries.
static void couple_pair(Elimination *e, uint32_t w, Pivot *pivot) {
  uint32_t definition = e->partner[w];
  scatter(e, w);
  gather(e, w);
  scatter(e, definition);
  for (uint32_t k = 0; k < e->links[w].n; k++) {
    Link link = e->links[w].at[k];
    if (link.to == definition) continue;
    Coupling coupling = {link.to, sum_slot(e->b, entry_of(e, link)),
                         entry_with(e, definition, link.to)};
    vec_push(e->arena, &e->couplings, coupling);
  }
  gather(e, definition);
  // those of the definition alone
  for (uint32_t k = 0; k < e->links[w].n; k++) e->position[e->links[w].at[k].to] = 1;
  for (uint32_t k = 0; k < e->links[definition].n; k++) {
    Link link = e->links[definition].at[k];
    if (link.to == w || e->position[link.to]) continue;
    Coupling coupling = {link.to, NO_SLOT, sum_slot(e->b, entry_of(e, link))};
    vec_push(e->arena, &e->couplings, coupling);
  }
  for (uint32_t k = 0; k < e->links[w].n; k++) e->position[e->links[w].at[k].to] = 0;
  pivot->end = e->couplings.n;
}

// x y - z with structural zeros
static Slot times_minus(Elimination *e, Slot x, Slot y, Slot z) {
  Sum sum = {0};
  sum_add_product(e->b, &sum, x, y, false);
  sum_add(e->b, &sum, z, true);
  return sum_slot(e->b, &sum);
}

// A pair [[H, 1], [1, 0]]: with a_i the entries of w and c_i those of the definition, entry (i, j)
// gains (H c_i - a_i) c_j - c_i a_j.
static void eliminate_pair(Elimination *e, uint32_t w) {
  ProgramBuilder *b = e->b;
  Pivot pivot = {.unknown = w, .inverse = NO_SLOT, .first = e->couplings.n};
  Slot kept;
  pivot.own = diagonal(e, w, &kept);
  couple_pair(e, w, &pivot);
  e->gone[w] = e->gone[e->partner[w]] = true;
  for (uint32_t p = pivot.first; p < pivot.end; p++) {
    Coupling left = e->couplings.at[p];
    Slot reach = times_minus(e, pivot.own, left.entry, left.of_pivot);
    scatter(e, left.to);
    for (uint32_t q = pivot.first; q < p; q++) {
      Coupling right = e->couplings.at[q];
      update(e, left.to, right.to, reach, right.entry, false);
      update(e, left.to, right.to, left.entry, right.of_pivot, true);
    }
    gather(e, left.to);
    Sum both = {0};
    sum_add(b, &both, reach, false);
    sum_add(b, &both, left.of_pivot, true);
    sum_add_product(b, &e->keep[left.to], left.entry, sum_slot(b, &both), false);
  }
  vec_push(e->arena, &e->pivots, pivot);
  offer_neighbours(e, &pivot);
}

// ---- right-hand sides

static void reduce(Elimination *e, const Pivot *pivot, Sum *rhs) {
  ProgramBuilder *b = e->b;
  uint32_t k = pivot->unknown;
  const Coupling *couplings = e->couplings.at;
  Slot own = sum_slot(b, &rhs[k]);
  if (pivot->inverse != NO_SLOT) {
    for (uint32_t p = pivot->first; p < pivot->end; p++)
      sum_add_product(b, &rhs[couplings[p].to], couplings[p].of_pivot, own, true);
    return;
  }
  Slot given = sum_slot(b, &rhs[e->partner[k]]);
  Sum force = {0};
  sum_add(b, &force, own, false);
  sum_add_product(b, &force, pivot->own, given, true);
  Slot pull = sum_slot(b, &force);
  for (uint32_t p = pivot->first; p < pivot->end; p++) {
    Sum *at = &rhs[couplings[p].to];
    sum_add_product(b, at, couplings[p].entry, pull, true);
    sum_add_product(b, at, couplings[p].of_pivot, given, true);
  }
}

static void substitute_back(Elimination *e, const Pivot *pivot, Sum *rhs, Slot *x) {
  ProgramBuilder *b = e->b;
  uint32_t k = pivot->unknown, definition = e->partner[k];
  const Coupling *couplings = e->couplings.at;
  Sum value = {0}, force = {0};
  if (pivot->inverse != NO_SLOT) {
    sum_add_product(b, &value, sum_slot(b, &rhs[k]), pivot->inverse, false);
    for (uint32_t p = pivot->first; p < pivot->end; p++)
      sum_add_product(b, &value, couplings[p].of_pivot, x[couplings[p].to], true);
    x[k] = sum_slot(b, &value);
    return;
  }
  sum_add(b, &value, sum_slot(b, &rhs[definition]), false);
  sum_add(b, &force, sum_slot(b, &rhs[k]), false);
  for (uint32_t p = pivot->first; p < pivot->end; p++) {
    Slot other = x[couplings[p].to];
    sum_add_product(b, &value, couplings[p].entry, other, true);
    sum_add_product(b, &force, couplings[p].of_pivot, other, true);
  }
  x[k] = sum_slot(b, &value);
  sum_add_product(b, &force, pivot->own, x[k], true);
  x[definition] = sum_slot(b, &force);
}

static void substitute_all_back(Elimination *e, Sum *rhs, Slot *x) {
  for (uint32_t i = 0; i < e->n; i++) x[i] = NO_SLOT;
  for (uint32_t p = e->pivots.n; p-- > 0;) {
    const Pivot *pivot = &e->pivots.at[p];
    substitute_back(e, pivot, rhs, x);
    bool force = e->kind[pivot->unknown] == CONSTRAINT;
    name_after(e, x[pivot->unknown], force ? "lambda_" : "", pivot->unknown, force ? "" : "''");
  }
  for (uint32_t i = 0; i < e->n; i++)
    if (x[i] == NO_SLOT) x[i] = program_constant(e->b, 0);
}

static Sum *sums_from_rhs(Elimination *e, const Slot *rhs) {
  Sum *sums = arena_array(e->arena, Sum, e->n + 1);
  for (uint32_t i = 0; i < e->n; i++) sum_add(e->b, &sums[i], rhs[i], false);
  return sums;
}

// 0 times the sum of what divisions gave: 0, or not a number where one of them went wrong.
static void note_failures(Elimination *e, const Slot *x) {
  Slot sum = NO_SLOT;
  for (uint32_t p = e->pivots.n; p-- > 0;) {
    if (e->pivots.at[p].inverse == NO_SLOT) continue;
    Slot value = x[e->pivots.at[p].unknown];
    if (program_variation(e->b, value) == VARIES_NEVER) continue;
    sum = sum == NO_SLOT ? value : program_add(e->b, sum, value);
  }
  if (sum == NO_SLOT) return;
  Slot failures = program_mul(e->b, program_constant(e->b, 0), sum);
  Slot so_far = e->growth == NO_SLOT ? program_constant(e->b, 1) : e->growth;
  e->growth = program_add(e->b, so_far, failures);
}

// Constraints that the pairs to go next have come up to.
static void offer_supported(Elimination *e) {
  for (uint32_t i = 0; e->supported && i < e->n; i++)
    if (e->kind[i] == CONSTRAINT) offer(e, i);
}

bool elimination_solve_first(Elimination *e, const Slot *given, Slot *x) {
  Sum *rhs = sums_from_rhs(e, given);
  uint32_t reduced = 0;
  e->pairs_left = e->pairs.n;
  allow_early(e);
  for (uint32_t i = 0; i < e->n; i++) offer(e, i);
  for (;;) {
    uint32_t k = next_scalar(e);
    if (k != NO_SLOT) {
      if (!eliminate_scalar(e, k)) return false;
    } else if (e->pairs_left) {
      eliminate_pair(e, e->pairs.at[--e->pairs_left]);
      offer_supported(e);
    } else {
      break;
    }
    for (; reduced < e->pivots.n; reduced++) reduce(e, &e->pivots.at[reduced], rhs);
    if (e->most_steps && e->b->steps.n > e->most_steps) return false;
    context_poll(e->b->cx);
  }
  for (uint32_t i = 0; i < e->n; i++)
    if (!e->gone[i]) return false;
  substitute_all_back(e, rhs, x);
  note_failures(e, x);
  return true;
}

void elimination_solve(Elimination *e, const Slot *given, Slot *x) {
  Sum *rhs = sums_from_rhs(e, given);
  for (uint32_t p = 0; p < e->pivots.n; p++) reduce(e, &e->pivots.at[p], rhs);
  substitute_all_back(e, rhs, x);
}

Slot elimination_inverse(const Elimination *e, uint32_t i) {
  uint32_t p = 0;
  while (p < e->pivots.n && e->pivots.at[p].unknown != i) p++;
  assert(p < e->pivots.n);
  return e->pivots.at[p].inverse;
}

Slot elimination_loss(const Elimination *e) {
  return e->growth == NO_SLOT ? program_constant(e->b, 1) : e->growth;
}

Slot elimination_reach(const Elimination *e, uint32_t constraint) {
  return e->reach[constraint] == NO_SLOT ? NO_SLOT : program_neg(e->b, e->reach[constraint]);
}
