// Everything that a motion needs, and nothing of where it comes from: plain records, without a
// pointer into the symbols. Made once from a system, never changed, shared by threads. The values
// of parameters and inputs stand beside it.
// Sources: plan_value.c
#ifndef QDOT_ENGINE_PLAN_H
#define QDOT_ENGINE_PLAN_H

#include "base/source.h"
#include "program/tape.h"

// ---- Values

// A number that follows from parameters and inputs.
typedef struct PlanValue {
  bool is_said;     // false: the model says nothing, and the number is 0
  double number;    // where there is no tape
  const Tape *tape; // over the variables; NULL: it is a constant
} PlanValue;

// Where tapes find what they read in an array of `count` numbers; inputs and parameters have their
// values there, the rest is 0 but where a motion is looked at.
typedef struct PlanVariables {
  uint32_t count;
  uint32_t t;
  const uint32_t *q, *qd, *states, *parameters, *inputs;
  size_t room; // numbers that the tape of any PlanValue takes to run
} PlanVariables;

// With room for variables->room numbers.
double plan_value(const PlanValue *value, const double *variables, double *room);

// ---- What there is

// Where a coordinate, velocity or state starts.
typedef struct PlanStart {
  bool is_given; // kept
  bool is_guess; // may be moved; neither: nobody said anything
  PlanValue value;
  Span span; // of the value
} PlanStart;

typedef struct PlanCoordinate {
  const char *name;
  Span span;
  PlanStart position, velocity;
  bool is_angle;        // measured in rad
  bool states_velocity; // the model itself guesses its velocity: a move is told
} PlanCoordinate;

typedef struct PlanState {
  const char *name;
  PlanValue start;
} PlanState;

// A constraint.
typedef struct PlanRow {
  const char *name;
  Span span;
  const char *joint; // that it comes from, or NULL
  bool is_nonholonomic;
  bool is_angle;               // its residual is in rad, else in m
  bool has_time, has_input;    // what it holds contains t or inputs
  uint32_t count;              // of the coordinates that it acts on,
  const uint32_t *coordinates; // ascending
} PlanRow;

// phi <= 0; coefficients follow from parameters.
typedef struct PlanContact {
  const char *name;
  Span span;
  bool has_time; // its gap contains t
  PlanValue restitution, mu_rest, mu, rolling;
} PlanContact;

// A way in which a contact rubs: along it, one each, then rolling against a resistance.
typedef struct PlanSlip {
  const char *name;
  uint32_t contact;
  bool rubs;
} PlanSlip;

// A joint that rubs.
typedef struct PlanPress {
  const char *name, *joint;
  PlanValue grip, hold; // friction by what presses, while sliding; mu_rest/mu
  int guard;            // the switch of its friction, or -1
  bool shares_guard;    // that switch decides other forces, too
} PlanPress;

// What somebody sets, a memory, or what samples and events assign.
typedef struct PlanInput {
  const char *name;
  PlanValue value;
  bool is_assigned;
} PlanInput;

typedef struct PlanParameter {
  const char *name;
  PlanValue value;
} PlanParameter;

typedef struct Plan {
  PlanVariables variables;
  uint32_t n, state_count, row_count, contact_count, slip_count, press_count, input_count,
      parameter_count;
  const PlanCoordinate *coordinates;
  const PlanState *states;
  const PlanRow *rows;
  const PlanContact *contacts;
  const PlanSlip *slips;
  const PlanPress *presses;
  const PlanInput *inputs;
  const PlanParameter *parameters;
} Plan;

#endif
