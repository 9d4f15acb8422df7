// The programs of a system: compiled once, run by all machines of the system.
//
// A set of programs belongs to each set of closed contacts and is made when that first occurs. What
// is made stays as it is: machines, and evaluators in other threads, share it.
// Sources: plan_facts.c, plan_source.c
#ifndef QDOT_SIM_PLAN_SOURCE_H
#define QDOT_SIM_PLAN_SOURCE_H

#include "engine/plan.h"
#include "sim/equations.h"

// The programs while these contacts hold as constraints.
typedef struct PlanSet {
  const bool *closed; // one a contact
  Equations *equations;
} PlanSet;

typedef struct PlanSource {
  Plan plan;
  Context *cx;
  System *system;
  const Directions *directions; // in which slopes are taken; NULL for none
  Backend backend;
  struct PlanSource **place; // of the system's own
  Arena arena;
  Handle handle;
  VEC(PlanSet) sets;
} PlanSource;

// The source of a system without directions, the same at every call; it lives as long as the
// system. A copy of the record of a system has a source of its own.
PlanSource *plan_source_of(System *system, Backend backend);
// One for who takes slopes in directions, which live as long; to be closed.
PlanSource *plan_source_open(System *system, Backend backend, const Directions *directions);
void plan_source_close(PlanSource *source);

// The programs for these closed contacts; not within a callback, for they may have to be compiled.
Equations *plan_source_equations(PlanSource *source, const bool *closed);

// An expression of parameters and inputs; 0 (no expression) is a value that nobody said.
PlanValue plan_number(PlanSource *source, Expr e);
// Fills the records of the plan.
void plan_fill_facts(PlanSource *source);

#endif
