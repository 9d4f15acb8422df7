// Groups of an impact: contacts, and joints that rub, of which each feels an impulse at another.
#include <math.h>
#include <string.h>

#include "engine/contact/contact.h"

// What a unit of energy at one changes of another by less than this part of what it changes of
// itself, or of what presses a joint beside what others do, is the rounding of nothing.
static const double FELT = 1e-12;

// A node is a contact, by its place in `index`, or a joint, by its number among what rubs.
typedef struct Reach {
  Contacts *c;
  int contacts, unknowns;
  int *root;     // by node
  double *press; // unknowns x joints: what a unit of energy presses
} Reach;

static int root_of(const Reach *g, int node) {
  while (g->root[node] != node) node = g->root[node];
  return node;
}

static void join(Reach *g, int a, int b) {
  a = root_of(g, a), b = root_of(g, b);
  g->root[a > b ? a : b] = a > b ? b : a;
}

// The node of an unknown, contacts, then what rubs; -1: what does not rub.
static int owner_of(const Reach *g, int unknown) {
  int rub = unknown - g->contacts;
  if (rub < 0) return unknown;
  if (!(contacts_coefficient(g->c, rub) > 0)) return -1;
  int owner = contacts_owner(g->c, rub);
  return owner < 0 ? rub : owner;
}

static double effect(const Reach *g, int i, int j) {
  const Contacts *c = g->c;
  return c->B[i * g->unknowns + j];
}

static void join_by_speeds(Reach *g) {
  for (int i = 0; i < g->unknowns; i++)
    for (int j = 0; j < i; j++) {
      int a = owner_of(g, i), b = owner_of(g, j);
      double own = sqrt(fmax(effect(g, i, i), 0) * fmax(effect(g, j, j), 0));
      if (a >= 0 && b >= 0 && a != b && fabs(effect(g, i, j)) > FELT * own) join(g, a, b);
    }
}

// What presses a joint by a unit of energy of every unknown.
static void find_presses(Reach *g, double t, const double *q, const double *qd) {
  Contacts *c = g->c;
  const Machine *m = c->machine;
  Arena *scratch = &m->cx->scratch;
  size_t joints = (size_t)c->joints.count;
  ImpulseSet all = contacts_open_impulses(c, scratch);
  double *z = arena_array(scratch, double, g->unknowns);
  for (int i = 0; i < g->unknowns; i++) {
    if (owner_of(g, i) < 0 || !(effect(g, i, i) > 0)) continue;
    z[i] = 1 / sqrt(effect(g, i, i));
    contacts_find_impulses(c, z, &all);
    z[i] = 0;
    Impulses by = {all.dv, all.lambda, all.friction, all.joints};
    memcpy(g->press + (size_t)i * joints, press_impulses_find(&c->joints, t, q, qd, &by),
           joints * sizeof *g->press);
  }
}

static void join_by_presses(Reach *g) {
  const Contacts *c = g->c;
  for (int j = c->struck_count; j < contacts_rub_count(c); j++) {
    if (contacts_owner(c, j) >= 0) continue;
    int joint = c->slip_index[j] - c->machine->slip_count;
    const double *press = g->press + joint;
    double most = 0;
    for (int i = 0; i < g->unknowns; i++) most = fmax(most, press[i * c->joints.count]);
    for (int i = 0; i < g->unknowns; i++)
      if (owner_of(g, i) >= 0 && press[i * c->joints.count] > FELT * most)
        join(g, owner_of(g, i), j);
  }
}

static void number_islands(const Reach *g, int nodes) {
  Contacts *c = g->c;
  int *number = arena_array(&c->machine->cx->scratch, int, nodes);
  c->islands = 0;
  for (int i = 0; i < nodes; i++) {
    bool is_joint = i >= g->contacts && contacts_owner(c, i) < 0;
    if (i >= g->contacts && !is_joint) continue;
    int root = root_of(g, i);
    if (root == i) number[i] = c->islands++;
    if (is_joint)
      c->joint_island[c->slip_index[i] - c->machine->slip_count] = number[root];
    else
      c->island[c->index[i]] = number[root];
  }
}

void contacts_find_islands(Contacts *c, double t, const double *q, const double *qd) {
  Arena *scratch = &c->machine->cx->scratch;
  Mark mark = arena_mark(scratch);
  Reach g = {.c = c};
  for (int i = 0; i < c->count; i++) {
    c->island[i] = NO_ISLAND;
    if (c->touching[i] && contact_sensitivity(c, i) > 0) c->index[g.contacts++] = i;
  }
  for (int i = 0; c->joints.rubs && i < c->joints.count; i++) c->joint_island[i] = NO_ISLAND;
  contacts_fill_matrix(c, g.contacts, contacts_may_rub(c) ? RUB_ALL : RUB_NOTHING, NO_ISLAND);
  int nodes = contacts_may_rub(c) ? contacts_rub_count(c) : g.contacts;
  g.unknowns = g.contacts + contacts_rub_count(c);
  g.root = arena_array(scratch, int, nodes);
  for (int i = 0; i < nodes; i++) g.root[i] = i;
  join_by_speeds(&g);
  if (c->joints.rubs) {
    g.press = arena_array(scratch, double, (size_t)g.unknowns *(size_t)c->joints.count);
    find_presses(&g, t, q, qd);
    join_by_presses(&g);
  }
  number_islands(&g, nodes);
  arena_release(scratch, mark);
}

// A contact alone strikes alike with a friction of 0 and without any, and with the first it is
// known how more would change that.
bool contacts_island_rubs(const Contacts *c, int island) {
  const Machine *m = c->machine;
  int size = 0;
  for (int i = 0; i < c->count; i++) size += c->island[i] == island;
  for (int i = 0; m->rubs && i < m->slip_count; i++)
    if (c->island[machine_slip_contact(m, i)] == island && m->plan->slips[i].rubs &&
        (m->slips[i].mu > 0 || size == 1))
      return true;
  for (int i = 0; c->joints.rubs && i < c->joints.count; i++)
    if (c->joint_island[i] == island) return true;
  return false;
}
