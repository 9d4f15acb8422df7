// Sets of programs by the contacts that are closed.
#include "engine/programs.h"

#include <string.h>

static bool is_open(const Programs *p, const bool *closed) {
  for (uint32_t i = 0; i < p->plan->contact_count; i++)
    if (closed[i]) return false;
  return true;
}

// Rows: holonomic constraints, contacts, the other constraints.
static Equations *combine(Programs *p, const bool *closed) {
  bool *none = arena_array(p->arena, bool, p->plan->contact_count);
  const Equations *base = programs_for(p, none);
  Equations *d = arena_new(p->arena, Equations);
  *d = (Equations){.cx = p->cx,
                   .arena = p->arena,
                   .backend = base->backend,
                   .layout = base->layout,
                   .n = base->n,
                   .states = base->states,
                   .extents = base->extents,
                   .is_locked = true,
                   .has_roots = base->has_roots,
                   .has_constant_mass = base->has_constant_mass,
                   .switch_count = base->switch_count,
                   .table_count = base->table_count,
                   .slide_count = base->slide_count,
                   .lookup_count = base->lookup_count,
                   .tables = base->tables,
                   .slides = base->slides,
                   .base = base};
  uint32_t *lambda = arena_array(p->arena, uint32_t, base->m + p->plan->contact_count), at = 0;
  for (uint32_t r = 0; r < base->holonomic; r++) lambda[at++] = base->lambda[r];
  for (uint32_t i = 0; i < p->plan->contact_count; i++)
    if (closed[i]) lambda[at++] = p->plan->row_count + i;
  d->holonomic = at;
  for (uint32_t r = base->holonomic; r < base->m; r++) lambda[at++] = base->lambda[r];
  d->m = at, d->lambda = lambda;
  d->extents.of[EXTENT_ROWS] = d->m, d->extents.of[EXTENT_HOLONOMIC] = d->holonomic;
  return d;
}

Equations *programs_for(Programs *p, const bool *closed) {
  size_t contacts = p->plan->contact_count;
  for (uint32_t i = 0; i < p->sets.n; i++)
    if (contacts == 0 || memcmp(p->sets.at[i].closed, closed, contacts) == 0)
      return p->sets.at[i].equations;
  bool *own = arena_array(p->arena, bool, contacts + 1);
  if (contacts > 0) memcpy(own, closed, contacts);
  bool is_own = contacts <= p->most_own_contacts || is_open(p, closed);
  Equations *equations = is_own ? p->make(p->user, own) : NULL;
  ProgramSet set = {own, equations ? equations : combine(p, own)};
  vec_push(p->arena, &p->sets, set);
  return set.equations;
}

void programs_close(Programs *p) {
  for (uint32_t i = 0; i < p->sets.n; i++) equations_close(p->sets.at[i].equations);
}

void programs_give_back(Programs *programs) {
  if (programs->is_single) programs->release(programs->user);
}
