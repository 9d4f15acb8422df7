// The programs that evaluate a mechanism while a set of contacts holds as constraints.
//
// All programs read the same input array: t, q, q', states, q'', lambda (constraints, then
// contacts), friction of the contacts, inputs, parameters, sides of the switches, pieces of tables,
// for measures the signs of their guards and the values of their reductions, and the slopes of the
// state along directions, one direction after the other, then those of the inputs that are
// assigned. Inputs, parameters, sides and pieces keep their values between events; those of tables
// count as varying all the same, for they change often.
#ifndef QDOT_ENGINE_EQUATIONS_H
#define QDOT_ENGINE_EQUATIONS_H

#include "engine/parts.h"
#include "engine/plan.h"
#include "native/compiled.h"
#include "native/packed.h"

// Places of the first number of each kind.
typedef struct InputLayout {
  uint32_t t, q, qd, states, qdd, lambda, friction, presses, u, parameters, sides, pieces, slides,
      signs, reductions, slopes, held, count;
} InputLayout;

// Programs in lanes.
typedef struct PackedParts {
  bool is_made[EQUATION_PARTS];
  Packed parts[EQUATION_PARTS];
} PackedParts;

struct Equations;
// Who writes programs that are not there yet: one for a vanishing pivot is NULL.
typedef struct ProgramMaker {
  void *user;
  const Program *(*make)(void *user, EquationPart part);
} ProgramMaker;

typedef struct Equations {
  Context *cx;
  Arena *arena;
  Backend backend;
  InputLayout layout;
  uint32_t n, states, m, holonomic; // rows: holonomic constraints, contacts, the other constraints
  Extents extents;                  // of the blocks that the programs put out
  const uint32_t *lambda;           // place of each row's multiplier: constraints, then contacts
  bool has_forward;       // false: a pivot vanishes whatever the state; use TERMS and pivoting
  bool is_locked;         // if, sign, abs, min and max obey the sides in the input array
  bool has_constant_mass; // in M neither t nor coordinates; only said where M is written out
  bool has_roots;         // beside switches: a force may begin as a broken power
  uint32_t switch_count, table_count, slide_count, lookup_count;
  const PlanTable *tables;
  const PlanSlide *slides;
  const struct Equations *base; // of a combination: the programs with all contacts open; else NULL
  ProgramMaker maker;           // of nobody where all programs are there
  bool is_made[EQUATION_PARTS];
  Compiled parts[EQUATION_PARTS];
  PackedParts *packed[2]; // of 4 and 8 lanes; NULL: not yet asked for
} Equations;

// Gives the machine code back.
void equations_close(Equations *equations);

// The compiled program of a part, made on first use, before a run and not in a callback; NULL where
// there is none.
const Compiled *equations_part(Equations *equations, EquationPart part);
// The same in 4 or 8 lanes; NULL where there is no such machine code.
const Packed *equations_packed(Equations *equations, EquationPart part, uint32_t lanes);

#endif
