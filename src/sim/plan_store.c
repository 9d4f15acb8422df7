// A plan with all programs that a run may come to need, as files hold it.

#include "sim/plan_source.h"

static StoredProgram *parts_of(PlanSource *source, Equations *equations, const MethodOptions *o) {
  StoredProgram *parts = arena_array(&source->arena, StoredProgram, EQUATION_PARTS);
  for (int i = 0; i < EQUATION_PARTS; i++) {
    EquationPart part = (EquationPart)i;
    if (!plan_takes_part(&source->plan, o, part)) continue;
    const Compiled *compiled = equations_part(equations, part);
    if (compiled) parts[part].program = compiled->program;
  }
  return parts;
}

static StoredSet store_set(PlanSource *source, const bool *closed, const MethodOptions *o) {
  Equations *e = programs_for(&source->programs, closed);
  const StoredProgram *parts = parts_of(source, e, o); // some extents are known behind it
  return (StoredSet){.closed = closed,
                     .m = e->m,
                     .holonomic = e->holonomic,
                     .lambda = e->lambda,
                     .extents = e->extents,
                     .has_forward = e->has_forward,
                     .has_roots = e->has_roots,
                     .has_constant_mass = e->has_constant_mass,
                     .parts = parts};
}

// Every set of closed contacts that has programs of its own, that of none first.
static void store_sets(PlanSource *source, const MethodOptions *o, StoredPlan *out) {
  uint32_t contacts = source->plan.contact_count;
  out->set_count = contacts > source->programs.most_own_contacts ? 1 : 1u << contacts;
  StoredSet *sets = arena_array(&source->arena, StoredSet, out->set_count);
  for (uint32_t i = 0; i < out->set_count; i++) {
    bool *closed = arena_array(&source->arena, bool, contacts + 1);
    for (uint32_t k = 0; k < contacts && k < 32; k++) closed[k] = i >> k & 1;
    sets[i] = store_set(source, closed, o);
  }
  out->sets = sets;
}

void plan_source_store(PlanSource *source, const SimOptions *options, StoredPlan *out) {
  Context *cx = source->cx;
  uint32_t tables = table_count(cx);
  StoredTable *data = arena_array(&source->arena, StoredTable, tables + 1);
  for (TableId id = 0; id < tables; id++) data[id].table = table_get(cx, id);
  *out = (StoredPlan){.title = source->system->model->title, .data_count = tables, .data = data};
  out->run = (StoredRun){.t_end = options->t_end,
                         .every = options->every,
                         .method = options->method,
                         .has_step = options->has_step};
  store_sets(source, &options->method, out);
  const bool *none = out->sets[0].closed;
  const Equations *open = programs_for(&source->programs, none);
  out->layout = open->layout;
  out->table_count = open->table_count;
  out->slide_count = open->slide_count;
  out->lookup_count = open->lookup_count;
  plan_fill_follow(source); // behind all programs, whose terms its derivatives would reorder
  out->plan = source->plan;
}
