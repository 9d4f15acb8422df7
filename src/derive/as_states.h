// A model in which some of the coordinates are first-order states: those whose velocities are known
// functions of the others.
#ifndef QDOT_DERIVE_AS_STATES_H
#define QDOT_DERIVE_AS_STATES_H

#include "model/fold.h"

typedef struct AsStates {
  Context *cx;
  const Model *from;
  uint32_t n;
  const uint32_t *at; // numbers of the coordinates
  Expr *rate;         // what their velocities are, in the new symbols once they are listed
  Expr *symbol;       // of the states; room for n
  Substitutions list; // old symbols, velocities, accelerations and definitions by the new ones
  Model *out;
} AsStates;

// out: a copy in the keep arena whose coordinates, states, names and definitions are those of the
// new symbols; energies and forces are still those of `from`, in the old ones. Momenta that rates
// contain may have been put into the list with what their own rates are.
void as_states_divide(AsStates *a);
// Everything else that the model says, once energies and forces are what they shall be.
void as_states_put(AsStates *a);

// The state that a coordinate has become, or -1; the new number of one that has stayed.
int as_states_place(const AsStates *a, uint32_t coordinate);
uint32_t as_states_number(const AsStates *a, uint32_t coordinate);
Expr as_states_in_new_symbols(AsStates *a, Expr e);

#endif
