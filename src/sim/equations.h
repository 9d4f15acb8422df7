// The programs that evaluate a system, for one set of active contacts.
//
// All programs read the same input array: t, q, q', states, q'', lambda (constraints, then
// contacts), friction of the contacts, inputs, parameters, sides of the switches, pieces of tables,
// for measures the signs of their guards and the values of their reductions, and the slopes of the
// state along directions, one direction after the other, then those of the inputs that are
// assigned. Inputs, parameters, sides and pieces keep their values between events; those of tables
// count as varying all the same, for they change often.
#ifndef QDOT_SIM_EQUATIONS_H
#define QDOT_SIM_EQUATIONS_H

#include "code/flatten.h"
#include "derive/system.h"
#include "native/compiled.h"
#include "native/packed.h"
#include "sim/directions.h"
#include "sim/parts.h"
#include "sim/slides.h"
#include "sim/switches.h"

typedef struct InputLayout {
  uint32_t t, q, qd, states, qdd, lambda, friction, presses, u, parameters, sides, pieces, slides,
      signs, reductions, slopes, held,
      count; // places of the first of each
} InputLayout;

typedef struct Equations {
  Context *cx;
  System *system;
  Arena *arena;
  Backend backend;
  InputLayout layout;
  uint32_t n, m, holonomic;
  Extents extents;        // of the blocks that the programs put out
  const Row **rows;       // m rows in the order of the programs
  const uint32_t *lambda; // place of each row's multiplier among all multipliers
  bool uses_lifted;       // how FORWARD is made
  bool goes_early;        // constraints are eliminated as soon as they can be, see eliminate.h
  uint32_t most_steps;    // while the order is chosen: more make a program not worth its while
  bool has_forward;       // false: a pivot vanishes whatever the state; use TERMS and pivoting
  bool is_locked;         // if, sign, abs, min and max obey the sides in the input array
  uint32_t switch_count, table_count;
  bool has_roots; // beside switches: a force may begin as a broken power
  const TableUse *tables;
  uint32_t lookup_count;
  const Expr *lookups; // see system_lookups
  SlideLock slide_lock;
  const Directions *directions; // NULL for none
  bool is_made[EQUATION_PARTS];
  Compiled parts[EQUATION_PARTS];
  struct PackedParts *packed[2]; // of 4 and 8 lanes; NULL: not yet asked for
} Equations;

// The same programs in lanes.
typedef struct PackedParts {
  bool is_made[EQUATION_PARTS];
  Packed parts[EQUATION_PARTS];
} PackedParts;

// active: numbers of the contacts that hold as constraints. FORWARD is compiled at once. Lives in
// the arena, which is not scratch; equations_close gives the machine code back.
// Of the rows of contacts, or of their friction, what is not zero, row by row: how many; where row
// i begins, and the coordinates, unless NULL.
uint32_t contact_entries(const System *system, bool rubbing, int *first, int *index);

Equations *equations_open(Context *cx, System *system, const uint32_t *active,
                          uint32_t active_count, Backend backend, Arena *arena);
// The same with switches locked: all parts but SWITCHES take each if, sign, abs, min and max on
// the side (-1 or +1) that the input array says. directions: NULL, or what lives as long.
Equations *equations_open_locked(Context *cx, System *system, const uint32_t *active,
                                 uint32_t active_count, const Directions *directions,
                                 Backend backend, Arena *arena);
void equations_close(Equations *equations);

// Binds every symbol of the system to its place in the layout, for a program made elsewhere.
// Without locks, contacts do not rub.
void equations_bind(const Equations *equations, ProgramBuilder *builder, Flattener *flattener);

// The compiled program of a part, made on first use; compile before a run, not in a callback.
const Compiled *equations_part(Equations *equations, EquationPart part);
// The same in 4 or 8 lanes; NULL where there is no such machine code.
const Packed *equations_packed(Equations *equations, EquationPart part, uint32_t lanes);

// Fills inputs and parameters into an input array of layout.count doubles.
void equations_set_values(const Equations *equations, const double *values, double *in);

#endif
