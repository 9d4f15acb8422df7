// A plan together with the system that it was made from, which writes its programs as they are
// needed.
// Sources: plan_actions.c, plan_facts.c, plan_follow.c, plan_measures.c, plan_pulses.c,
// plan_sizes.c, plan_slopes.c, plan_source.c, plan_start.c, plan_store.c, plan_traits.c,
// plan_words.c
#ifndef QDOT_SIM_PLAN_SOURCE_H
#define QDOT_SIM_PLAN_SOURCE_H

#include "engine/plan_file.h"
#include "engine/programs.h"
#include "engine/run_options.h"
#include "sim/equation_maker.h"

// What changes a function though nothing moves.
#define PLAN_CHANGES_ALONE (KIND_BIT(SYMBOL_TIME) | KIND_BIT(SYMBOL_INPUT) | KIND_BIT(SYMBOL_STATE))

typedef struct PlanSource {
  Plan plan;
  Programs programs;
  Context *cx;
  System *system;
  const Directions *directions; // in which slopes are taken; NULL for none
  Backend backend;
  struct PlanSource **place; // of the system's own
  Arena arena;
  Handle handle;
} PlanSource;

// The source of a system without directions, the same at every call; it lives as long as the
// system. A copy of the record of a system has a source of its own.
PlanSource *plan_source_of(System *system, Backend backend);
// One for who takes slopes in directions, which live as long; to be closed.
PlanSource *plan_source_open(System *system, Backend backend, const Directions *directions);
void plan_source_close(PlanSource *source);

// An expression of parameters and inputs; 0 (no expression) is a value that nobody said. In an
// arena of its own, or among the numbers of the plan while this is filled.
PlanValue plan_value_of(Context *cx, Arena *arena, Expr e);
PlanValue plan_number(PlanSource *source, Expr e);
// Where a coordinate, velocity or pose starts.
PlanStart plan_start(PlanSource *source, const Initial *initial);
// With all programs that a run by these options may come to need, and how values follow each other;
// in the memory of the source.
void plan_source_store(PlanSource *source, const SimOptions *options, StoredPlan *out);
// Fills the records of the plan, with those of its parts.
void plan_fill_facts(PlanSource *source);
void plan_fill_actions(PlanSource *source);
void plan_fill_measures(PlanSource *source);
void plan_fill_traits(PlanSource *source);
void plan_fill_slopes(PlanSource *source);
void plan_fill_pulses(PlanSource *source);
void plan_fill_sizes(PlanSource *source);
void plan_fill_start(PlanSource *source);
// How values follow each other: for who lets a caller change them, before the first machine.
void plan_fill_follow(PlanSource *source);
// Which energy of the model it is; see Programs.
const char *plan_source_explain(void *source, uint32_t coordinate, double t, const double *q,
                                const double *qd, const double *values);
// The key of its plan; see Plan.
uint32_t plan_key_of(const Context *cx, const Model *model);

#endif
