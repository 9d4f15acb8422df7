// A plan together with the system that it was made from, which writes its programs as they are
// needed.
// Sources: plan_facts.c, plan_source.c
#ifndef QDOT_SIM_PLAN_SOURCE_H
#define QDOT_SIM_PLAN_SOURCE_H

#include "engine/programs.h"
#include "sim/equation_maker.h"

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

// An expression of parameters and inputs; 0 (no expression) is a value that nobody said.
PlanValue plan_number(PlanSource *source, Expr e);
// Fills the records of the plan.
void plan_fill_facts(PlanSource *source);

#endif
