// Who writes the programs of a system, for one set of closed contacts.
// Sources: equation_maker.c, equation_program.c, equation_parts.c, equation_along.c, accelerate.c
#ifndef QDOT_SIM_EQUATION_MAKER_H
#define QDOT_SIM_EQUATION_MAKER_H

#include "code/flatten.h"
#include "derive/system.h"
#include "engine/equations.h"
#include "sim/direction_rates.h"
#include "sim/slides.h"
#include "sim/switches.h"

typedef struct EquationMaker {
  Context *cx;
  System *system;
  Equations *equations;
  const Row **rows;    // equations->m rows in the order of the programs
  bool uses_lifted;    // how FORWARD is made
  bool goes_early;     // constraints are eliminated as soon as they can be, see eliminate.h
  uint32_t most_steps; // while the order is chosen: more make a program not worth its while
  const TableUse *tables;
  const Expr *lookups; // see system_lookups
  SlideLock slide_lock;
  const Directions *directions; // NULL for none
} EquationMaker;

// active: numbers of the contacts that hold as constraints. FORWARD is compiled at once. Lives in
// the arena, which is not scratch; equations_close gives the machine code back.
Equations *equations_open(Context *cx, System *system, const uint32_t *active,
                          uint32_t active_count, Backend backend, Arena *arena);
// The same with switches locked: all parts but SWITCHES take each if, sign, abs, min and max on
// the side (-1 or +1) that the input array says. plan: of the same system, for who runs the
// programs. directions: NULL, or what lives as long.
Equations *equations_open_locked(Context *cx, System *system, const Plan *plan,
                                 const uint32_t *active, uint32_t active_count,
                                 const Directions *directions, Backend backend, Arena *arena);

// Of the rows of contacts, or of their friction, what is not zero, row by row: how many; where row
// i begins, and the coordinates, unless NULL.
uint32_t contact_entries(const System *system, bool rubbing, int *first, int *index);

// Binds every symbol of the system to its place in the layout, for a program made elsewhere.
// Without locks, contacts do not rub.
void equations_bind(const System *system, const Equations *equations, ProgramBuilder *builder,
                    Flattener *flattener);

#endif
