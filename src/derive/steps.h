// The derivation as a list of shown steps: which rule was applied to what, and what came out.
#ifndef QDOT_DERIVE_STEPS_H
#define QDOT_DERIVE_STEPS_H

#include "derive/system.h"
#include "expr/algebra/simplify.h"

typedef enum ShownKind {
  SHOWN_ENERGY, // one line of T, V or R; index: among the model's energies
  SHOWN_T,      // their sums
  SHOWN_V,
  SHOWN_R,
  SHOWN_MOMENTUM,      // dT/dq'; index: a coordinate, as for all below
  SHOWN_MOMENTUM_RATE, // d/dt dT/dq'
  SHOWN_T_SLOPE,       // dT/dq
  SHOWN_T_TERM,        // d/dt dT/dq' - dT/dq
  SHOWN_V_SLOPE,       // dV/dq
  SHOWN_R_SLOPE,       // dR/dq'
  SHOWN_FORCE,         // Q
  SHOWN_MULTIPLIERS,   // (Phi_q^T lambda)
  SHOWN_CONTACTS,      // (phi_q^T lambda)
  SHOWN_PHI,           // index: a constraint
  SHOWN_PHI_RATE,      // dPhi/dt
  SHOWN_PHI_SECOND,    // d2Phi/dt2, or dPhi/dt again for a nonholonomic one
  SHOWN_GAMMA,
  SHOWN_CONTACT_PHI, // index: a contact
  SHOWN_CONTACT_RATE,
  SHOWN_CONTACT_SECOND,
  SHOWN_CONTACT_FORCE, // lambda from the simplest equation in which it occurs
  SHOWN_BALANCE_RATE,  // rate of momentum; index: a balance of the model
  SHOWN_BALANCE_LOAD,  // the forces or moments that change it, loops left out
  SHOWN_KINDS
} ShownKind;

typedef struct ShownStep {
  ShownKind kind;
  uint32_t index;
  Expr value; // in the reader's form
} ShownStep;

typedef enum Detail {
  DETAIL_RESULT,   // energies, forces and constraints
  DETAIL_TEXTBOOK, // the first coordinate in full, of the next ones each term of Lagrange's
                   // equation
  DETAIL_EVERY     // everything
} Detail;

enum { TEXTBOOK_COORDINATES = 15, TEXTBOOK_ENERGIES = 16 }; // that are worked out at that detail

typedef struct ShownSteps {
  VEC(ShownStep) list; // in the order in which a person would work
} ShownSteps;

// The system must have its matrices. All in the scratch arena.
void steps_of(Context *cx, const System *system, Detail detail, SimplifyLevel level,
              ShownSteps *out);
// a*(b + c) becomes a*b + a*c for the first bracket that contains a symbol of these kinds
// (KIND_BIT ored; 0 for any bracket): terms are easier to compare than factors.
Expr steps_spread(Context *cx, Expr e, uint32_t kinds);
// The step of that kind and index, or NULL.
const ShownStep *steps_find(const ShownSteps *steps, ShownKind kind, uint32_t index);

#endif
