// The programs of a system: compiled once, run by all machines of the system.
//
// A set of programs belongs to each set of closed contacts and is made when that first occurs. What
// is made stays as it is: machines, and evaluators in other threads, share it.
#ifndef QDOT_SIM_PLAN_H
#define QDOT_SIM_PLAN_H

#include "sim/equations.h"

// The programs while these contacts hold as constraints.
typedef struct PlanSet {
  const bool *closed; // one a contact
  Equations *equations;
} PlanSet;

typedef struct Plan {
  Context *cx;
  System *system;
  const Directions *directions; // in which slopes are taken; NULL for none
  Backend backend;
  struct Plan **place; // of the system's own
  Arena arena;
  Handle handle;
  VEC(PlanSet) sets;
  const int *press_switch; // by joint that rubs: the switch of its friction, or -1
} Plan;

// The plan of a system without directions, the same at every call; it lives as long as the system.
// A copy of the record of a system has a plan of its own.
Plan *plan_of(System *system, Backend backend);
// One for who takes slopes in directions, which live as long; to be closed.
Plan *plan_open(System *system, Backend backend, const Directions *directions);
void plan_close(Plan *plan);

// The programs for these closed contacts; not within a callback, for they may have to be compiled.
Equations *plan_equations(Plan *plan, const bool *closed);

#endif
