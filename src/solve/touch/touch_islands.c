// Islands of contacts, by the velocities that they share.
#include "solve/touch/touch_islands.h"

#include <stddef.h>

enum { ROWS = 4 };

static const size_t row_of[ROWS] = {offsetof(Touch, normal), offsetof(Touch, along),
                                    offsetof(Touch, push), offsetof(Touch, rub)};

static SparseRow *row_at(Touch *c, int k) { return (SparseRow *)((char *)c + row_of[k]); }

static int root_of(int *parent, int i) {
  while (parent[i] != i) i = parent[i] = parent[parent[i]];
  return i;
}

// By contact: the first of those that it hangs together with.
static int *find_roots(const Touches *t, Arena *arena) {
  int *parent = arena_array(arena, int, t->count), *holder = arena_array(arena, int, t->n);
  for (int j = 0; j < t->n; j++) holder[j] = -1;
  for (int i = 0; i < t->count; i++) {
    parent[i] = i;
    for (int k = 0; k < ROWS; k++) {
      const SparseRow *row = row_at(&t->at[i], k);
      for (int e = 0; e < row->n; e++) {
        int *held = &holder[row->index[e]];
        if (*held < 0) *held = i;
        int a = root_of(parent, i), b = root_of(parent, *held);
        parent[a > b ? a : b] = a > b ? b : a;
      }
    }
  }
  for (int i = 0; i < t->count; i++) parent[i] = root_of(parent, i);
  return parent;
}

// A contact joins an island, with rows in the island's velocities; place: by velocity of all, its
// number there + 1.
static void join(TouchIsland *island, Arena *arena, const Touches *t, int i, int *place) {
  Touches *part = &island->touches;
  Touch *c = &part->at[part->count];
  island->contact[part->count++] = i;
  *c = t->at[i];
  for (int k = 0; k < ROWS; k++) {
    SparseRow *row = row_at(c, k);
    const int *index = row->index;
    row->index = arena_array(arena, int, row->n);
    for (int e = 0; e < row->n; e++) {
      int *at = &place[index[e]];
      if (*at == 0) island->velocity[part->n] = index[e], *at = ++part->n;
      row->index[e] = *at - 1;
    }
  }
}

static double *taken(const TouchIsland *island, Arena *arena, const double *v) {
  int n = island->touches.n;
  double *out = arena_array(arena, double, n);
  for (int j = 0; j < n; j++) out[j] = v[island->velocity[j]];
  return out;
}

int touch_islands(const Touches *t, Arena *arena, TouchIsland **out) {
  int *root = find_roots(t, arena), *size = arena_array(arena, int, t->count), count = 0;
  int *number = arena_array(arena, int, t->count), *place = arena_array(arena, int, t->n);
  for (int i = 0; i < t->count; i++) {
    if (root[i] == i) number[i] = count++;
    t->at[i].island = number[root[i]];
    size[t->at[i].island]++;
  }
  *out = arena_array(arena, TouchIsland, count);
  // all of them together have no more velocities than there are
  int *velocity = arena_array(arena, int, t->n);
  for (int k = 0, i = 0; k < count; k++) {
    TouchIsland *island = &(*out)[k];
    while (root[i] != i || number[i] != k) i++;
    island->contact = arena_array(arena, int, size[k]);
    island->velocity = velocity;
    island->touches.at = arena_array(arena, Touch, size[k]);
    island->touches.speed = t->speed;
    for (int j = i; island->touches.count < size[k]; j++)
      if (root[j] == i) join(island, arena, t, j, place);
    velocity += island->touches.n;
    island->touches.v = taken(island, arena, t->v);
    if (t->before) island->touches.before = taken(island, arena, t->before);
  }
  return count;
}

void touch_island_give(const TouchIsland *island, Touches *t) {
  const Touches *part = &island->touches;
  for (int k = 0; k < part->count; k++) {
    const Touch *found = &part->at[k];
    Touch *c = &t->at[island->contact[k]];
    c->p = found->p, c->r = found->r;
    c->still_p = found->still_p, c->still_r = found->still_r;
    c->aim = found->aim;
  }
  for (int j = 0; j < part->n; j++) t->v[island->velocity[j]] = part->v[j];
}
