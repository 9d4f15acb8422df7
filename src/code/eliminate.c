// Sparse symmetric elimination over slots.
#include "code/eliminate.h"

#include <assert.h>
#include <string.h>

typedef enum Kind { PLAIN, CONSTRAINT, DEFINED, DEFINITION } Kind;

typedef struct Link {
  uint32_t to;    // the other unknown
  uint32_t entry; // index of the shared value
} Link;

typedef VEC(Link) LinkList;

// How a pivot acts on one neighbour.
typedef struct Coupling {
  uint32_t to;
  Slot of_pivot;      // scalar: entry / pivot; pair: entry with w, or NO_SLOT
  Slot of_definition; // pair: entry with the definition, or NO_SLOT
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
  uint32_t *partner;   // of a defined unknown and a definition
  VEC(uint32_t) pairs; // defined unknowns in order of declaration
  bool *gone;
  LinkList *links; // of each unknown; stale ones lead to unknowns that are gone
  uint32_t *degree;
  VEC(Slot) entries;
  Slot *keep, *loss; // diagonal: what adds to a pivot, and what is taken from it
  VEC(Pivot) pivots; // in order of elimination
  VEC(Coupling) couplings;
  VEC(uint32_t) ready; // unknowns that may have become free to go
  bool *is_ready;      // those in the list
  uint32_t *position;  // scatter: link of a row to a column, plus 1
  Slot growth;
};

Elimination *elimination_new(ProgramBuilder *b, uint32_t n) {
  Arena *arena = &b->arena;
  Elimination *e = arena_new(arena, Elimination);
  *e = (Elimination){.b = b, .arena = arena, .n = n, .growth = NO_SLOT};
  e->kind = arena_array(arena, uint8_t, n + 1);
  e->partner = arena_array(arena, uint32_t, n + 1);
  e->gone = arena_array(arena, bool, n + 1);
  e->links = arena_array(arena, LinkList, n + 1);
  e->is_ready = arena_array(arena, bool, n + 1);
  e->degree = arena_array(arena, uint32_t, n + 1);
  e->keep = arena_array(arena, Slot, n + 1);
  e->loss = arena_array(arena, Slot, n + 1);
  e->position = arena_array(arena, uint32_t, n + 1);
  for (uint32_t i = 0; i < n; i++) e->keep[i] = e->loss[i] = NO_SLOT;
  return e;
}

void elimination_define(Elimination *e, uint32_t w, uint32_t definition) {
  assert(w < e->n && definition < e->n && w != definition);
  assert(e->kind[w] == PLAIN && e->kind[definition] == PLAIN);
  e->kind[w] = DEFINED;
  e->kind[definition] = DEFINITION;
  e->partner[w] = definition;
  e->partner[definition] = w;
  vec_push(e->arena, &e->pairs, w);
}

void elimination_constrain(Elimination *e, uint32_t multiplier) {
  assert(multiplier < e->n && e->kind[multiplier] == PLAIN);
  e->kind[multiplier] = CONSTRAINT;
}

// ---- arithmetic with structural zeros: NO_SLOT is 0

static Slot times(const Elimination *e, Slot x, Slot y) {
  return x == NO_SLOT || y == NO_SLOT ? NO_SLOT : program_mul(e->b, x, y);
}

static Slot plus(const Elimination *e, Slot x, Slot y) {
  if (x == NO_SLOT) return y;
  if (y == NO_SLOT) return x;
  Slot sum = program_add(e->b, x, y);
  return program_is_value(e->b, sum, 0) ? NO_SLOT : sum;
}

static Slot minus(const Elimination *e, Slot x, Slot y) {
  if (y == NO_SLOT) return x;
  if (x == y) return NO_SLOT;
  if (x == NO_SLOT) return program_neg(e->b, y);
  Slot difference = program_sub(e->b, x, y);
  return program_is_value(e->b, difference, 0) ? NO_SLOT : difference;
}

// ---- the matrix

static Link *find_link(const Elimination *e, uint32_t i, uint32_t j) {
  for (uint32_t k = 0; k < e->links[i].n; k++)
    if (e->links[i].at[k].to == j) return &e->links[i].at[k];
  return NULL;
}

static void connect(Elimination *e, uint32_t i, uint32_t j, Slot value) {
  uint32_t entry = e->entries.n;
  vec_push(e->arena, &e->entries, value);
  vec_push(e->arena, &e->links[i], ((Link){j, entry}));
  vec_push(e->arena, &e->links[j], ((Link){i, entry}));
  e->degree[i]++;
  e->degree[j]++;
}

void elimination_add(Elimination *e, uint32_t i, uint32_t j, Slot value) {
  assert(i < e->n && j < e->n && !e->pivots.n);
  if (program_is_value(e->b, value, 0)) return;
  if (i == j) {
    assert(e->kind[i] != DEFINITION);
    e->keep[i] = plus(e, e->keep[i], value);
    return;
  }
  assert(e->kind[i] < DEFINED || e->partner[i] != j);
  // the shorter row is searched
  bool swap = e->links[j].n < e->links[i].n;
  Link *link = swap ? find_link(e, j, i) : find_link(e, i, j);
  if (link)
    e->entries.at[link->entry] = plus(e, e->entries.at[link->entry], value);
  else
    connect(e, i, j, value);
}

// Drops links to what is gone or has become zero, and lays the others out in e->position.
static void scatter(Elimination *e, uint32_t i) {
  uint32_t kept = 0;
  for (uint32_t k = 0; k < e->links[i].n; k++) {
    Link link = e->links[i].at[k];
    if (e->gone[link.to] || e->entries.at[link.entry] == NO_SLOT) continue;
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
  return at ? e->entries.at[e->links[row].at[at - 1].entry] : NO_SLOT;
}

// ---- the order

static bool is_free(Elimination *e, uint32_t i) {
  if (e->gone[i] || e->kind[i] >= DEFINED) return false;
  for (uint32_t k = 0; k < e->links[i].n; k++) {
    Link link = e->links[i].at[k];
    if (e->gone[link.to] || e->entries.at[link.entry] == NO_SLOT) continue;
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

// ---- pivots

// Adds to entry (i, j); row i is scattered.
static void update(Elimination *e, uint32_t i, uint32_t j, Slot value, bool subtract) {
  if (value == NO_SLOT) return;
  uint32_t at = e->position[j];
  if (at) {
    Slot *entry = &e->entries.at[e->links[i].at[at - 1].entry];
    *entry = subtract ? minus(e, *entry, value) : plus(e, *entry, value);
    return;
  }
  connect(e, i, j, subtract ? program_neg(e->b, value) : value);
  e->position[j] = e->links[i].n;
}

static void offer(Elimination *e, uint32_t i) {
  if (e->is_ready[i] || !is_free(e, i)) return;
  e->is_ready[i] = true;
  vec_push(e->arena, &e->ready, i);
}

static void offer_neighbours(Elimination *e, const Pivot *pivot) {
  for (uint32_t k = pivot->first; k < pivot->end; k++) offer(e, e->couplings.at[k].to);
}

static void note_growth(Elimination *e, uint32_t i, Slot inverse) {
  if (e->keep[i] == NO_SLOT || e->loss[i] == NO_SLOT) return;
  Slot ratio = program_op1(e->b, STEP_ABS, program_mul(e->b, e->keep[i], inverse));
  e->growth = e->growth == NO_SLOT ? ratio : program_add(e->b, e->growth, ratio);
}

// A scalar pivot d: entry (i, j) loses a_i a_j / d.
static bool eliminate_scalar(Elimination *e, uint32_t k) {
  ProgramBuilder *b = e->b;
  Slot diagonal = plus(e, e->keep[k], e->loss[k]);
  if (diagonal == NO_SLOT) return false;
  Pivot pivot = {.unknown = k, .own = NO_SLOT, .first = e->couplings.n};
  pivot.inverse = program_div(b, program_constant(b, 1), diagonal);
  note_growth(e, k, pivot.inverse);
  scatter(e, k);
  gather(e, k);
  e->gone[k] = true;
  uint32_t n = e->links[k].n;
  const Link *row = e->links[k].at;
  for (uint32_t p = 0; p < n; p++) {
    Slot ratio = program_mul(b, e->entries.at[row[p].entry], pivot.inverse);
    vec_push(e->arena, &e->couplings, ((Coupling){row[p].to, ratio, NO_SLOT}));
  }
  pivot.end = e->couplings.n;
  for (uint32_t p = 0; p < n; p++) {
    uint32_t i = row[p].to;
    Slot ratio = e->couplings.at[pivot.first + p].of_pivot;
    scatter(e, i);
    for (uint32_t q = 0; q < p; q++)
      update(e, i, row[q].to, times(e, ratio, e->entries.at[row[q].entry]), true);
    gather(e, i);
    // the sign of the pivot tells whether this adds to the other's or takes from it
    Slot *diagonal_i = (e->kind[k] == CONSTRAINT) == (e->kind[i] == CONSTRAINT) ? e->loss : e->keep;
    diagonal_i[i] = minus(e, diagonal_i[i], times(e, ratio, e->entries.at[row[p].entry]));
  }
  vec_push(e->arena, &e->pivots, pivot);
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
    Coupling coupling = {link.to, e->entries.at[link.entry], entry_with(e, definition, link.to)};
    vec_push(e->arena, &e->couplings, coupling);
  }
  gather(e, definition);
  // those of the definition alone
  for (uint32_t k = 0; k < e->links[w].n; k++) e->position[e->links[w].at[k].to] = 1;
  for (uint32_t k = 0; k < e->links[definition].n; k++) {
    Link link = e->links[definition].at[k];
    if (link.to == w || e->position[link.to]) continue;
    vec_push(e->arena, &e->couplings, ((Coupling){link.to, NO_SLOT, e->entries.at[link.entry]}));
  }
  for (uint32_t k = 0; k < e->links[w].n; k++) e->position[e->links[w].at[k].to] = 0;
  pivot->end = e->couplings.n;
}

// A pair [[H, 1], [1, 0]]: with a_i the entries of w and c_i those of the definition, entry (i, j)
// gains (H c_i - a_i) c_j - c_i a_j.
static void eliminate_pair(Elimination *e, uint32_t w) {
  Pivot pivot = {.unknown = w, .inverse = NO_SLOT, .first = e->couplings.n};
  pivot.own = plus(e, e->keep[w], e->loss[w]);
  couple_pair(e, w, &pivot);
  e->gone[w] = e->gone[e->partner[w]] = true;
  for (uint32_t p = pivot.first; p < pivot.end; p++) {
    Coupling left = e->couplings.at[p];
    Slot reach = minus(e, times(e, pivot.own, left.of_definition), left.of_pivot);
    scatter(e, left.to);
    for (uint32_t q = pivot.first; q < p; q++) {
      Coupling right = e->couplings.at[q];
      update(e, left.to, right.to, times(e, reach, right.of_definition), false);
      update(e, left.to, right.to, times(e, left.of_definition, right.of_pivot), true);
    }
    gather(e, left.to);
    Slot twice = minus(e, reach, left.of_pivot);
    e->keep[left.to] = plus(e, e->keep[left.to], times(e, left.of_definition, twice));
  }
  vec_push(e->arena, &e->pivots, pivot);
  offer_neighbours(e, &pivot);
}

// ---- right-hand sides

static void reduce(const Elimination *e, const Pivot *pivot, Slot *rhs) {
  uint32_t k = pivot->unknown;
  const Coupling *couplings = e->couplings.at;
  if (pivot->inverse != NO_SLOT) {
    for (uint32_t p = pivot->first; p < pivot->end; p++)
      rhs[couplings[p].to] =
          minus(e, rhs[couplings[p].to], times(e, couplings[p].of_pivot, rhs[k]));
    return;
  }
  Slot given = rhs[e->partner[k]];
  Slot force = minus(e, rhs[k], times(e, pivot->own, given));
  for (uint32_t p = pivot->first; p < pivot->end; p++) {
    Slot *at = &rhs[couplings[p].to];
    *at = minus(e, *at, times(e, couplings[p].of_definition, force));
    *at = minus(e, *at, times(e, couplings[p].of_pivot, given));
  }
}

static void substitute_back(const Elimination *e, const Pivot *pivot, const Slot *rhs, Slot *x) {
  uint32_t k = pivot->unknown;
  const Coupling *couplings = e->couplings.at;
  if (pivot->inverse != NO_SLOT) {
    x[k] = times(e, rhs[k], pivot->inverse);
    for (uint32_t p = pivot->first; p < pivot->end; p++)
      x[k] = minus(e, x[k], times(e, couplings[p].of_pivot, x[couplings[p].to]));
    return;
  }
  uint32_t definition = e->partner[k];
  x[k] = rhs[definition];
  x[definition] = rhs[k];
  for (uint32_t p = pivot->first; p < pivot->end; p++) {
    Slot other = x[couplings[p].to];
    x[k] = minus(e, x[k], times(e, couplings[p].of_definition, other));
    x[definition] = minus(e, x[definition], times(e, couplings[p].of_pivot, other));
  }
  x[definition] = minus(e, x[definition], times(e, pivot->own, x[k]));
}

static void substitute_all_back(const Elimination *e, const Slot *rhs, Slot *x) {
  for (uint32_t i = 0; i < e->n; i++) x[i] = NO_SLOT;
  for (uint32_t p = e->pivots.n; p-- > 0;) substitute_back(e, &e->pivots.at[p], rhs, x);
  for (uint32_t i = 0; i < e->n; i++)
    if (x[i] == NO_SLOT) x[i] = program_constant(e->b, 0);
}

static Slot *copy_rhs(const Elimination *e, const Slot *rhs) {
  Slot *copy = arena_array(e->arena, Slot, e->n + 1);
  for (uint32_t i = 0; i < e->n; i++)
    copy[i] = rhs[i] != NO_SLOT && program_is_value(e->b, rhs[i], 0) ? NO_SLOT : rhs[i];
  return copy;
}

bool elimination_solve_first(Elimination *e, const Slot *given, Slot *x) {
  Slot *rhs = copy_rhs(e, given);
  uint32_t pairs_left = e->pairs.n, reduced = 0;
  for (uint32_t i = 0; i < e->n; i++) offer(e, i);
  for (;;) {
    uint32_t k = next_scalar(e);
    if (k != NO_SLOT) {
      if (!eliminate_scalar(e, k)) return false;
    } else if (pairs_left) {
      eliminate_pair(e, e->pairs.at[--pairs_left]);
    } else {
      break;
    }
    for (; reduced < e->pivots.n; reduced++) reduce(e, &e->pivots.at[reduced], rhs);
    context_poll(e->b->cx);
  }
  for (uint32_t i = 0; i < e->n; i++)
    if (!e->gone[i]) return false;
  substitute_all_back(e, rhs, x);
  return true;
}

void elimination_solve(Elimination *e, const Slot *given, Slot *x) {
  Slot *rhs = copy_rhs(e, given);
  for (uint32_t p = 0; p < e->pivots.n; p++) reduce(e, &e->pivots.at[p], rhs);
  substitute_all_back(e, rhs, x);
}

Slot elimination_loss(const Elimination *e) {
  return e->growth == NO_SLOT ? program_constant(e->b, 1) : e->growth;
}
