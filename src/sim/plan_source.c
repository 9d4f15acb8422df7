// What is compiled of a system.
#include "sim/plan_source.h"

#include <string.h>

// ---- Opening

static void close_plan(void *object) {
  PlanSource *source = object;
  if (*source->place == source) *source->place = NULL;
  for (uint32_t i = 0; i < source->sets.n; i++) equations_close(source->sets.at[i].equations);
  Arena arena = source->arena;
  arena_close(&arena);
}

PlanSource *plan_source_open(System *system, Backend backend, const Directions *directions) {
  Context *cx = system->cx;
  Arena arena;
  arena_open(&arena, &cx->memory, &cx->guard);
  PlanSource *source = arena_new(&arena, PlanSource);
  *source = (PlanSource){.cx = cx, .system = system, .directions = directions, .backend = backend};
  source->place = &system->plans[backend];
  source->arena = arena;
  guard_register(&cx->guard, &source->handle, source, close_plan);
  plan_fill_facts(source);
  return source;
}

PlanSource *plan_source_of(System *system, Backend backend) {
  PlanSource **shared = &system->plans[backend];
  if (!*shared || (*shared)->system != system) *shared = plan_source_open(system, backend, NULL);
  return *shared;
}

void plan_source_close(PlanSource *source) { guard_close(&source->cx->guard, &source->handle); }

// ---- Sets

static PlanSet set_new(PlanSource *source, const bool *closed) {
  uint32_t contacts = source->system->contact_count, count = 0;
  bool *own = arena_array(&source->arena, bool, contacts);
  uint32_t *active = arena_array(&source->arena, uint32_t, contacts);
  for (uint32_t i = 0; i < contacts; i++) {
    own[i] = closed[i];
    if (closed[i]) active[count++] = i;
  }
  Equations *equations = equations_open_locked(source->cx, source->system, active, count,
                                               source->directions, source->backend, &source->arena);
  return (PlanSet){own, equations};
}

Equations *plan_source_equations(PlanSource *source, const bool *closed) {
  size_t contacts = source->system->contact_count;
  for (uint32_t i = 0; i < source->sets.n; i++)
    if (contacts == 0 || memcmp(source->sets.at[i].closed, closed, contacts) == 0)
      return source->sets.at[i].equations;
  PlanSet set = set_new(source, closed);
  vec_push(&source->arena, &source->sets, set);
  return set.equations;
}
