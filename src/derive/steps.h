// The derivation as a list of shown steps: which rule was applied to what, and what came out.
#ifndef QDOT_DERIVE_STEPS_H
#define QDOT_DERIVE_STEPS_H

#include "derive/system.h"
#include "expr/simplify.h"

typedef enum StepKind {
  STEP_ENERGY, // one line of T, V or R; index: among the model's energies
  STEP_T,      // their sums
  STEP_V,
  STEP_R,
  STEP_MOMENTUM,      // dT/dq'; index: a coordinate, as for all below
  STEP_MOMENTUM_RATE, // d/dt dT/dq'
  STEP_T_SLOPE,       // dT/dq
  STEP_T_TERM,        // d/dt dT/dq' - dT/dq
  STEP_V_SLOPE,       // dV/dq
  STEP_R_SLOPE,       // dR/dq'
  STEP_FORCE,         // Q
  STEP_MULTIPLIERS,   // (Phi_q^T lambda)
  STEP_EQUATION,      // M q'' + h + D + G
  STEP_PHI,           // index: a constraint
  STEP_PHI_RATE,      // dPhi/dt
  STEP_PHI_SECOND,    // d2Phi/dt2, or dPhi/dt again for a nonholonomic one
  STEP_GAMMA,
  STEP_CONTACT_PHI, // index: a contact
  STEP_CONTACT_RATE,
  STEP_CONTACT_SECOND,
  STEP_CONTACT_FORCE, // lambda from the simplest equation in which it occurs
  STEP_KINDS
} StepKind;

typedef struct Step {
  StepKind kind;
  uint32_t index;
  Expr value; // in the reader's form
} Step;

typedef enum Detail {
  DETAIL_RESULT,   // energies and equations
  DETAIL_TEXTBOOK, // the first coordinate in full, of the others each term of Lagrange's equation
  DETAIL_EVERY     // everything
} Detail;

typedef struct Steps {
  VEC(Step) list; // in the order in which a person would work
} Steps;

// The system must have its matrices. All in the scratch arena.
void steps_of(Context *cx, const System *system, Detail detail, SimplifyLevel level, Steps *out);
// a*(b + c) becomes a*b + a*c for the first bracket that contains a symbol of these kinds
// (KIND_BIT ored; 0 for any bracket): terms are easier to compare than factors.
Expr steps_spread(Context *cx, Expr e, uint32_t kinds);
// The step of that kind and index, or NULL.
const Step *steps_find(const Steps *steps, StepKind kind, uint32_t index);

#endif
