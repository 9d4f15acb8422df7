// Sets of programs by the contacts that are closed.
#include "engine/programs.h"

#include <string.h>

Equations *programs_for(Programs *p, const bool *closed) {
  size_t contacts = p->plan->contact_count;
  for (uint32_t i = 0; i < p->sets.n; i++)
    if (contacts == 0 || memcmp(p->sets.at[i].closed, closed, contacts) == 0)
      return p->sets.at[i].equations;
  bool *own = arena_array(p->arena, bool, contacts + 1);
  if (contacts > 0) memcpy(own, closed, contacts);
  ProgramSet set = {own, p->make(p->user, own)};
  vec_push(p->arena, &p->sets, set);
  return set.equations;
}

void programs_close(Programs *p) {
  for (uint32_t i = 0; i < p->sets.n; i++) equations_close(p->sets.at[i].equations);
}
