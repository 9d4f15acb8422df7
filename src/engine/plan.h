// Everything that a motion needs, and nothing of where it comes from: plain records, without a
// pointer into the symbols. Made once from a system, never changed, shared by threads. The values
// of parameters and inputs stand beside it.
// Sources: plan_table.c
#ifndef QDOT_ENGINE_PLAN_H
#define QDOT_ENGINE_PLAN_H

#include "engine/columns.h"
#include "engine/plan_actions.h"
#include "engine/plan_follow.h"
#include "engine/plan_measures.h"
#include "engine/plan_slopes.h"

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
  uint32_t kind;        // of Plan.kinds
  bool states_velocity; // the model itself guesses its velocity: a move is told
} PlanCoordinate;

// Coordinates that are measured alike.
typedef struct PlanKind {
  bool is_angle;
  uint32_t parameter_count;   // measured like them,
  const uint32_t *parameters; // the variables
} PlanKind;

// What sizes come from, see tape_sizes.
typedef struct PlanSizes {
  const Tape *rows;        // Phi of all constraints, then the gaps of all contacts
  const Tape *gaps;        // of all contacts
  const Tape *row_rates;   // dPhi/dt of all constraints
  const Tape *state_rates; // of all states; then of each the slope of its rate by itself
} PlanSizes;

typedef struct PlanState {
  const char *name;
  PlanValue start;
} PlanState;

// A constraint.
typedef struct PlanRow {
  const char *name;
  Span span;
  const char *joint;  // that it comes from, or NULL
  const char *driven; // the joint whose motor gives a speed by it, or NULL
  int driven_angle;   // the coordinate that is the angle of the body behind that joint, or -1
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
  Span span;
  PlanValue grip, hold; // friction by what presses, while sliding; mu_rest/mu
  int guard;            // the switch of its friction, or -1
  bool shares_guard;    // that switch decides other forces, too
  bool is_wheel;        // the joint rolls or grips
} PlanPress;

// What joints carry, as a load is judged: a force in N, or a torque in N m.
typedef struct PlanLoads {
  uint32_t count;
  const bool *is_torque;
  PlanValue length2; // m^2: a torque counts as a force at the root of this; 0: as it is
} PlanLoads;

// What somebody sets, a memory, or what samples and events assign.
typedef struct PlanInput {
  const char *name;
  PlanValue value;
  bool is_assigned;
} PlanInput;

typedef struct PlanParameter {
  const char *name;
  Span span;
  const char *text; // of its value, where that is computed; else NULL
  PlanValue value;  // may take parameters before it
} PlanParameter;

// ---- What is not smooth

// What decides a switch by its sign, its guard.
typedef struct PlanSwitch {
  uint32_t coordinate; // the first whose velocity, or else whose position, moves the guard
  bool changes_alone;  // the guard contains t, inputs or states: not only motion changes it
} PlanSwitch;

// A table that acts on the motion, and what is looked up in it. A step keeps to one piece of it,
// whose numbers are inputs of the programs.
typedef struct PlanTable {
  const TableData *table;
  uint32_t number;      // among the tables of the model
  bool is_timed;        // x is linear in time: knots are known beforehand, and have no guards
  PlanValue x, x_t;     // of a timed one: what is looked up, and its rate
  uint32_t first_guard; // x less the knot before it; x less the knot behind it comes next
  uint32_t first_input; // of those of all pieces
} PlanTable;

// A look into a table that does not act on the motion and that the motion may leave.
typedef struct PlanLookup {
  const TableData *table;
  uint32_t number;
} PlanLookup;

// The inputs of the pieces: what acts is that of `acting`, what is watched are the knots of
// `piece`.
void plan_table_fill(const PlanTable *use, double piece, double acting, double *in);

enum { MOST_COMPONENTS = 3 };

// A direction of a velocity u, u/|u|, as dry friction in a plane has it.
typedef struct PlanSlide {
  uint32_t components;
  uint32_t coordinate; // the first that u depends on
  uint32_t first_input;
} PlanSlide;

// Its inputs: whether it rests (0 or 1); the direction r by which it is locked (components); a
// change of velocities (n) along which u changes by w.
static inline uint32_t slide_aim_input(const PlanSlide *slide) { return slide->first_input + 1; }
static inline uint32_t slide_along_input(const PlanSlide *slide) {
  return slide->first_input + 1 + slide->components;
}

// Of the whole.
typedef struct PlanTraits {
  bool energy_has_inputs;  // the energy contains inputs
  bool kinetic_has_time;   // the kinetic energy contains t
  bool holds_change_alone; // a constraint, contact or slip contains t, inputs or states
  bool has_dissipation;
  bool has_forces;    // a potential, weight, force, spring or motor is stated
  bool is_assembled;  // bodies start where their joints meet
  bool is_formulated; // coordinates were chosen for bodies: they are not the user's
  Span first_body;    // of these
} PlanTraits;

// Of a run that the model asks for, in s.
typedef struct PlanTimes {
  PlanValue end, every;
} PlanTimes;

typedef struct Plan {
  PlanVariables variables;
  uint32_t n, state_count, row_count, contact_count, slip_count, press_count, input_count,
      parameter_count, kind_count, switch_count;
  // By contact, and one more, where its entries begin among those of all contacts; by entry its
  // coordinate: of the gaps' slopes, and of those of the sliding velocities.
  const int *gap_first, *gap_coordinate, *slip_first, *slip_coordinate;
  const PlanCoordinate *coordinates;
  const PlanKind *kinds;
  const PlanState *states;
  const PlanRow *rows;
  const PlanContact *contacts;
  const PlanSlip *slips;
  const PlanPress *presses;
  PlanLoads loads;
  PlanSizes sizes;
  const struct PlanPlaces *places;     // see plan_start.h
  const struct PlanAssembly *assembly; // of bodies that joints connect; NULL without
  const PlanInput *inputs;
  const PlanParameter *parameters;
  const PlanSwitch *switches;
  const PlanTable *tables;
  const PlanLookup *lookups;
  const PlanSlide *slides;
  const Tape *pulses; // functions of t alone that may have pulses, term by term; NULL: none
  PlanActions actions;
  PlanMeasures measures;
  PlanTraits traits;
  PlanTimes times;
  Columns columns;
  uint32_t key;             // differs where text, formulation, settings or data do
  const PlanSlopes *slopes; // NULL: made without directions
  const PlanFollow *follow; // NULL: nobody changes values
} Plan;

#endif
