// What is compiled of a system.
#include "sim/plan_source.h"

// The programs while these contacts hold.
static Equations *make_set(void *user, const bool *closed) {
  PlanSource *source = user;
  uint32_t contacts = source->system->contact_count, count = 0;
  uint32_t *active = arena_array(&source->arena, uint32_t, contacts);
  for (uint32_t i = 0; i < contacts; i++)
    if (closed[i]) active[count++] = i;
  return equations_open_locked(source->cx, source->system, &source->plan, active, count,
                               source->directions, source->backend, &source->arena);
}

static void close_source(void *object) {
  PlanSource *source = object;
  if (*source->place == source) *source->place = NULL;
  programs_close(&source->programs);
  Arena arena = source->arena;
  arena_close(&arena);
}

static void release(void *user) { plan_source_close(user); }

PlanSource *plan_source_open(System *system, Backend backend, const Directions *directions) {
  Context *cx = system->cx;
  Arena arena;
  arena_open(&arena, &cx->memory, &cx->guard);
  PlanSource *source = arena_new(&arena, PlanSource);
  *source = (PlanSource){.cx = cx, .system = system, .directions = directions, .backend = backend};
  source->place = &system->plans[backend];
  source->arena = arena;
  source->programs = (Programs){.cx = cx,
                                .plan = &source->plan,
                                .arena = &source->arena,
                                .user = source,
                                .make = make_set,
                                .most_own_contacts = directions ? UINT32_MAX : MOST_OWN_CONTACTS,
                                .release = release,
                                .is_single = directions != NULL,
                                .explain = plan_source_explain};
  guard_register(&cx->guard, &source->handle, source, close_source);
  plan_fill_facts(source);
  return source;
}

PlanSource *plan_source_of(System *system, Backend backend) {
  PlanSource **shared = &system->plans[backend];
  if (!*shared || (*shared)->system != system) *shared = plan_source_open(system, backend, NULL);
  return *shared;
}

void plan_source_close(PlanSource *source) { guard_close(&source->cx->guard, &source->handle); }
