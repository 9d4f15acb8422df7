// Several positions at once: each is guessed from those before all of them, and Newton's steps go
// side by side. A position has the same bits whether its programs run in lanes or not.
#include <math.h>
#include <string.h>

#include "engine/nodes.h"
#include "engine/run/follow.h"

enum { MOST_NEWTON = 6 };
// Of a coordinate's size: a guess that is further away is left to steps from one to the next.
static const double NEAR_GUESS = 1e-3;
static const double LEAST_PIVOT = 1e-10; // of the largest

// Rows are worked on by halves.
enum { HALF = 4 };
typedef double Quad __attribute__((vector_size(8 * HALF)));
typedef int64_t Bits __attribute__((vector_size(8 * HALF)));

// For machines of several kinds, with the same bits.
#define INLINE static inline __attribute__((always_inline))

struct FollowBlock {
  double weights[MACHINE_NODES][FOLLOW_PAST]; // of the past, for each position ahead
  Quad *A, *b;                                // of a linear system
  uint32_t rests, rest;                       // positions that it leaves to single steps, and next
};

// Of the polynomial through FOLLOW_PAST positions, the newest of which is number 0.
static void find_weights(struct FollowBlock *block) {
  for (int ahead = 0; ahead < MACHINE_NODES; ahead++)
    for (int k = 0; k < FOLLOW_PAST; k++) {
      double weight = 1;
      for (int j = 0; j < FOLLOW_PAST; j++)
        if (j != k) weight *= (double)(ahead + FOLLOW_PAST - j) / (k - j);
      block->weights[ahead][k] = weight;
    }
}

void follow_block_open(Follower *f) {
  Machine *m = &f->simulation.run.machine;
  size_t n = (size_t)f->n;
  if (f->rows != f->n || machine_switches(m)) return;
  m->node_lanes = packed_most_lanes();
  f->block = arena_new(&m->arena, struct FollowBlock);
  f->block->A = (Quad *)packed_rows(&m->arena, HALF, n * n);
  f->block->b = (Quad *)packed_rows(&m->arena, HALF, n);
  find_weights(f->block);
}

// ---- Linear systems

INLINE void size_of(const Quad *a, Quad *out) { *out = (Quad)((Bits)*a & INT64_MAX); }

INLINE void swap_where(const Bits *where, Quad *a, Quad *b) {
  Bits change = ((Bits)*a ^ (Bits)*b) & *where;
  *a = (Quad)((Bits)*a ^ change);
  *b = (Quad)((Bits)*b ^ change);
}

// A x = b in every lane, x in b. Returns the lanes whose pivots are good.
INLINE uint32_t solve(int n, Quad *A, Quad *b) {
  Quad least = {0}, most = {0};
  for (int c = 0; c < n; c++) {
    Quad *top = A + c * n;
    for (int r = c + 1; r < n; r++) {
      Quad here, there;
      size_of(&top[c], &here), size_of(&A[r * n + c], &there);
      Bits where = (Bits)(there > here);
      for (int k = c; k < n; k++) swap_where(&where, &top[k], &A[r * n + k]);
      swap_where(&where, &b[c], &b[r]);
    }
    Quad size;
    size_of(&top[c], &size);
    if (c == 0) least = most = size;
    Bits less = (Bits)(size < least), more = (Bits)(size > most);
    Quad other = size;
    swap_where(&less, &least, &other), swap_where(&more, &most, &size);
    for (int r = c + 1; r < n; r++) {
      Quad factor = A[r * n + c] / top[c];
      for (int k = c + 1; k < n; k++) A[r * n + k] -= factor * top[k];
      b[r] -= factor * b[c];
    }
  }
  for (int i = n - 1; i >= 0; i--) {
    for (int k = i + 1; k < n; k++) b[i] -= A[i * n + k] * b[k];
    b[i] /= A[i * n + i];
  }
  uint32_t good = 0;
  for (int lane = 0; lane < HALF; lane++)
    if (least[lane] > LEAST_PIVOT * most[lane] && isfinite(most[lane])) good |= 1u << lane;
  return good;
}

// ---- Newton's steps

typedef struct Rows {
  const double *Phi, *Phi_q;
  double *q;
} Rows;

static void guess(const Follower *f, const double *t, uint32_t count) {
  Machine *m = (Machine *)&f->simulation.run.machine;
  const InputLayout *at = &m->set->equations->layout;
  double *times = machine_node_rows(m, at->t), *q = machine_node_rows(m, at->q);
  for (uint32_t lane = 0; lane < MACHINE_NODES; lane++) {
    const double *w = f->block->weights[lane];
    times[lane] = t[lane < count ? lane : count - 1];
    for (int i = 0; i < f->n; i++) {
      double sum = 0;
      for (int k = 0; k < FOLLOW_PAST; k++) sum += w[k] * f->past[k * f->n + i];
      q[i * MACHINE_NODES + (int)lane] = sum;
    }
  }
}

// Four lanes of one step, the first of which is number `first`: outputs of the programs and q are
// rows. Returns the lanes that have one; changes: the size of each, 1 where the next step of
// Newton's would be lost in rounding.
INLINE uint32_t move(const Follower *f, const Rows *rows, uint32_t first, uint32_t open,
                     double *changes) {
  int n = f->n;
  Quad *A = f->block->A, *b = f->block->b, size = {0}, sum = {0};
  for (int i = 0; i < n * n; i++) A[i] = *(const Quad *)(rows->Phi_q + i * MACHINE_NODES + first);
  for (int i = 0; i < n; i++) b[i] = *(const Quad *)(rows->Phi + i * MACHINE_NODES + first);
  uint32_t good = solve(n, A, b) & open;
  Bits moves = {0};
  for (uint32_t lane = 0; lane < HALF; lane++) moves[lane] = good >> lane & 1 ? -1 : 0;
  for (int i = 0; i < n; i++) {
    Quad *q = (Quad *)(rows->q + i * MACHINE_NODES + first);
    Quad change = (Quad)((Bits)b[i] & moves), part;
    *q -= change;
    sum += 0 * *q; // not a number where q is none
    size_of(&change, &part);
    part /= f->near[i];
    Bits more = (Bits)(part > size);
    swap_where(&more, &size, &part);
  }
  memcpy(changes, &size, sizeof size);
  for (uint32_t lane = 0; lane < HALF; lane++)
    if (isnan(sum[lane])) good &= ~(1u << lane);
  return good;
}

static uint32_t move_here(const Follower *f, const Rows *rows, uint32_t first, uint32_t open,
                          double *changes) {
  return move(f, rows, first, open, changes);
}

#if defined(__x86_64__) && !defined(QDOT_ALONE)
__attribute__((target("avx2"))) static uint32_t
move_wide(const Follower *f, const Rows *rows, uint32_t first, uint32_t open, double *changes) {
  return move(f, rows, first, open, changes);
}
#else
#define move_wide move_here
#endif

// One step of the lanes in `open`. Returns those that have one.
static uint32_t newton_step(Follower *f, uint32_t open, double *changes) {
  Machine *m = &f->simulation.run.machine;
  const Equations *e = m->set->equations;
  const double *position = machine_run_nodes(m, PART_POSITION, open);
  const double *geometry = machine_run_nodes(m, PART_GEOMETRY, open);
  ptrdiff_t Phi = position_blocks(&e->extents, position).Phi - position;
  ptrdiff_t Phi_q = geometry_blocks(&e->extents, geometry).Phi_q - geometry;
  Rows rows = {position + Phi * MACHINE_NODES, geometry + Phi_q * MACHINE_NODES,
               machine_node_rows(m, e->layout.q)};
  uint32_t good = 0;
  for (uint32_t first = 0; first < MACHINE_NODES; first += HALF) {
    uint32_t half = open >> first & ((1u << HALF) - 1);
    if (half)
      good |= (m->node_lanes > 1 ? move_wide : move_here)(f, &rows, first, half, changes + first)
              << first;
  }
  return good;
}

// All positions at t are found from the past, which is whole, or none.
static bool find_all(Follower *f, const double *t, uint32_t count) {
  uint32_t open = (1u << count) - 1;
  double far = NEAR_GUESS / FOLLOW_NEAR, changes[MACHINE_NODES];
  guess(f, t, count);
  for (int i = 0; i < MOST_NEWTON; i++) {
    if (newton_step(f, open, changes) != open) return false;
    for (uint32_t lane = 0; lane < count; lane++) {
      if (!(open >> lane & 1)) continue;
      if (!(changes[lane] < far)) return false;
      if (changes[lane] <= 1) open &= ~(1u << lane);
    }
    if (!open) return true;
  }
  return false;
}

uint32_t follow_block(Follower *f, double t_0, double step, size_t first, size_t n, double *q) {
  struct FollowBlock *block = f->block;
  uint32_t count = n - first < MACHINE_NODES ? (uint32_t)(n - first) : MACHINE_NODES;
  if (!block || f->known < FOLLOW_PAST) return 0;
  if (block->rest > 0) {
    block->rest--;
    return 0;
  }
  double t[MACHINE_NODES];
  for (uint32_t k = 0; k < count; k++) t[k] = t_0 + (double)(first + k + 1) * step;
  if (!find_all(f, t, count)) { // the way is too sharp: tried again later and later
    block->rests = block->rests ? (2 * block->rests < 64 ? 2 * block->rests : 64) : MACHINE_NODES;
    block->rest = block->rests;
    return 0;
  }
  block->rests = 0;
  Machine *m = &f->simulation.run.machine;
  const double *rows = machine_node_rows(m, m->set->equations->layout.q);
  for (uint32_t k = 0; k < count; k++) {
    double *to = q + (first + k) * (size_t)f->n;
    for (int i = 0; i < f->n; i++) to[i] = rows[i * MACHINE_NODES + (int)k];
  }
  return count;
}
