// The programs of a plan, ready to run: a set for each set of closed contacts, made when that first
// occurs. What is made stays as it is: machines, and evaluators in other threads, share it.
#ifndef QDOT_ENGINE_PROGRAMS_H
#define QDOT_ENGINE_PROGRAMS_H

#include "engine/equations.h"

// The programs while these contacts hold as constraints.
typedef struct ProgramSet {
  const bool *closed; // one a contact
  Equations *equations;
} ProgramSet;

// With so many contacts at most every set that occurs has programs of its own; with more only that
// with all of them open, and the others are combinations (combination.c).
enum { MOST_OWN_CONTACTS = 6 };

typedef struct Programs {
  Context *cx;
  const Plan *plan;
  Arena *arena; // of the sets
  VEC(ProgramSet) sets;
  void *user; // of make: the programs of a set that has not occurred yet
  Equations *(*make)(void *user, const bool *closed);
  uint32_t most_own_contacts;
  void (*release)(void *user); // all of it, where a machine owns it
  bool is_single;              // made for one machine, which owns it
  // By which part of the model the equation of a coordinate has no value at a state, in words that
  // live as long as the context; NULL: nobody knows. values: parameters and inputs.
  const char *(*explain)(void *user, uint32_t coordinate, double t, const double *q,
                         const double *qd, const double *values);
} Programs;

// The programs for these closed contacts; not within a callback, for they may have to be compiled.
Equations *programs_for(Programs *programs, const bool *closed);
void programs_close(Programs *programs);
// By who was to open a machine with them, and does not.
void programs_give_back(Programs *programs);

#endif
