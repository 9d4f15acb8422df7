// Which contacts reach each other, and the matrix of those that press and rest.
#include "solve/touch/touch_matrix.h"

#include <string.h>

static const double LEAST_PIVOT = 1e-14;

// ---- Pairs

// The contacts that have an entry at a coordinate, as chains.
typedef struct Chains {
  int *head; // by coordinate: a link, or -1
  int *next, *contact, links;
} Chains;

static void chain_row(Chains *c, const SparseRow *row, int contact) {
  for (int k = 0; k < row->n; k++) {
    int link = c->links++, *head = &c->head[row->index[k]];
    c->contact[link] = contact;
    c->next[link] = *head;
    *head = link;
  }
}

static Chains chains_of(const Touches *t, Arena *arena) {
  size_t links = 0;
  for (int i = 0; i < t->count; i++) links += (size_t)(t->at[i].normal.n + t->at[i].along.n);
  Chains c = {.head = arena_array(arena, int, t->n),
              .next = arena_array(arena, int, links),
              .contact = arena_array(arena, int, links)};
  for (int j = 0; j < t->n; j++) c.head[j] = -1;
  for (int i = 0; i < t->count; i++) {
    chain_row(&c, &t->at[i].normal, i);
    chain_row(&c, &t->at[i].along, i);
  }
  return c;
}

// Contacts that a row of velocities reaches: appended, each once; seen: the one that saw it last.
static void add_reached(TouchMatrix *m, const Chains *c, const SparseRow *row, int by, int *seen) {
  for (int k = 0; k < row->n; k++)
    for (int link = c->head[row->index[k]]; link >= 0; link = c->next[link]) {
      int other = c->contact[link];
      if (seen[other] == by + 1) continue;
      seen[other] = by + 1;
      vec_push(m->arena, &m->pairs, (TouchPair){.other = other});
    }
}

static void find_pairs(TouchMatrix *m) {
  const Touches *t = m->touches;
  Chains chains = chains_of(t, m->arena);
  int *seen = arena_array(m->arena, int, t->count);
  double *push = arena_array(m->arena, double, t->n), *rub = arena_array(m->arena, double, t->n);
  for (int i = 0; i < t->count; i++) {
    const Touch *c = &t->at[i];
    m->first[i] = (int)m->pairs.n;
    add_reached(m, &chains, &c->push, i, seen);
    add_reached(m, &chains, &c->rub, i, seen);
    sparse_add(&c->push, 1, push);
    sparse_add(&c->rub, 1, rub);
    for (uint32_t k = (uint32_t)m->first[i]; k < m->pairs.n; k++) {
      TouchPair *pair = &m->pairs.at[k];
      const Touch *other = &t->at[pair->other];
      pair->nn = sparse_dot(&other->normal, push), pair->nt = sparse_dot(&other->normal, rub);
      pair->tn = sparse_dot(&other->along, push), pair->tt = sparse_dot(&other->along, rub);
    }
    for (int k = 0; k < c->push.n; k++) push[c->push.index[k]] = 0;
    for (int k = 0; k < c->rub.n; k++) rub[c->rub.index[k]] = 0;
  }
  m->first[t->count] = (int)m->pairs.n;
}

// ---- Order

// Appends what is reached from a contact, the nearest first; returns the last.
static int spread(const TouchMatrix *m, int from, int *order, int *count, bool *is_in) {
  int begin = *count;
  order[(*count)++] = from;
  is_in[from] = true;
  for (int k = begin; k < *count; k++)
    for (int j = m->first[order[k]]; j < m->first[order[k] + 1]; j++) {
      int other = m->pairs.at[j].other;
      if (is_in[other]) continue;
      is_in[other] = true;
      order[(*count)++] = other;
    }
  return order[*count - 1];
}

// Cuthill and McKee's: from a contact at the end of what hangs together, outwards.
static void find_order(TouchMatrix *m) {
  int n = m->touches->count, count = 0;
  bool *is_in = arena_array(m->arena, bool, n);
  for (int i = 0; i < n; i++) {
    if (is_in[i]) continue;
    int begin = count, end = i;
    for (int tries = 0; tries < 2; tries++) {
      end = spread(m, end, m->order, &count, is_in);
      for (int k = begin; k < count; k++) is_in[m->order[k]] = false;
      count = begin;
    }
    spread(m, end, m->order, &count, is_in);
  }
  for (int k = 0; k < n; k++) m->place[m->order[k]] = k;
}

void touch_matrix_open(TouchMatrix *m, Arena *arena, const Touches *t) {
  int n = t->count;
  *m = (TouchMatrix){.touches = t, .arena = arena};
  m->first = arena_array(arena, int, n + 1);
  m->order = arena_array(arena, int, n);
  m->place = arena_array(arena, int, n);
  m->press = arena_array(arena, int, n);
  m->rest = arena_array(arena, int, n);
  m->start = arena_array(arena, int, 2 * n);
  m->x = arena_array(arena, double, 2 * n);
  m->behind = arena_array(arena, int, n);
  m->share = arena_array(arena, double, n);
  find_pairs(m);
  find_order(m);
}

// ---- The system

// Up to which place everything is as in the last factors.
static int same_places(const TouchMatrix *m, const bool *presses, const bool *rests,
                       const double *share, double soft) {
  int n = m->touches->count, k = 0;
  if (!m->is_factored || m->soft != soft) return 0;
  for (; k < n; k++) {
    int i = m->order[k];
    bool same = presses[i] == (m->press[i] >= 0) && rests[i] == (m->rest[i] >= 0);
    if (!same || share[i] != m->share[i]) break;
  }
  return k;
}

// Those behind a place; the number of unknowns before it.
static int number_unknowns(TouchMatrix *m, const bool *presses, const bool *rests, int place) {
  int kept = place > 0 ? m->behind[place - 1] : 0;
  m->unknowns = kept;
  for (int k = place; k < m->touches->count; k++) {
    int i = m->order[k];
    m->press[i] = presses[i] ? m->unknowns++ : -1;
    m->rest[i] = rests[i] ? m->unknowns++ : -1;
    m->behind[k] = m->unknowns;
  }
  return kept;
}

static int first_unknown(const TouchMatrix *m, int i) {
  return m->press[i] >= 0 ? m->press[i] : m->rest[i];
}

static void shape(TouchMatrix *m, int place, int kept) {
  for (int k = place; k < m->touches->count; k++) {
    int i = m->order[k], begin = first_unknown(m, i);
    if (begin < 0) continue;
    for (int j = m->first[i]; j < m->first[i + 1]; j++) {
      int other = first_unknown(m, m->pairs.at[j].other);
      if (other >= 0 && other < begin) begin = other;
    }
    if (m->press[i] >= 0) m->start[m->press[i]] = begin;
    if (m->rest[i] >= 0) m->start[m->rest[i]] = begin;
  }
  skyline_shape(&m->skyline, m->arena, m->unknowns, m->start, kept);
}

// What contact i brings to speeds of contacts, of which one at least stands behind the place.
static void add_entries(TouchMatrix *m, int i, int place, double share, double soft) {
  Skyline *s = &m->skyline;
  int p = m->press[i], r = m->rest[i];
  bool is_before = m->place[i] < place;
  for (int k = m->first[i]; k < m->first[i + 1] && (p >= 0 || r >= 0); k++) {
    const TouchPair *pair = &m->pairs.at[k];
    int apart = m->press[pair->other], along = m->rest[pair->other];
    if (is_before && m->place[pair->other] < place) continue;
    if (p >= 0 && apart >= 0) skyline_add(s, apart, p, pair->nn + share * pair->nt);
    if (p >= 0 && along >= 0) skyline_add(s, along, p, pair->tn + share * pair->tt);
    if (r >= 0 && apart >= 0) skyline_add(s, apart, r, pair->nt);
    if (r >= 0 && along >= 0) skyline_add(s, along, r, pair->tt);
  }
  if (p >= 0 && !is_before) skyline_add(s, p, p, soft * m->touches->at[i].own_push);
  if (r >= 0 && !is_before) skyline_add(s, r, r, soft * m->touches->at[i].own_rub);
}

bool touch_matrix_factor(TouchMatrix *m, const bool *presses, const bool *rests,
                         const double *share, double soft) {
  int n = m->touches->count, place = same_places(m, presses, rests, share, soft);
  if (place == n && m->is_factored) return true;
  int kept = number_unknowns(m, presses, rests, place);
  shape(m, place, kept);
  for (int i = 0; i < n; i++) add_entries(m, i, place, share[i], soft);
  memcpy(m->share, share, (size_t)n * sizeof *share);
  m->soft = soft;
  m->is_factored = skyline_factor(&m->skyline, LEAST_PIVOT, kept);
  return m->is_factored;
}
