// What a mechanical system is, as plain records: what the language reads and the rest uses.
//
// A Model is immutable once it is read. All of it lives in its context's keep arena. Values are
// expressions in SI units; numbers of parameters, coordinates ... are their places in the lists.
// Sources: model.c, space_draw.c
#ifndef QDOT_MODEL_MODEL_H
#define QDOT_MODEL_MODEL_H

#include "expr/node.h"
#include "model/action.h"
#include "model/assembly.h"
#include "model/infer.h"
#include "model/mechanism.h"
#include "model/request.h"
#include "model/space.h"
#include "model/start.h"

typedef struct qdot_model Model;

typedef struct Parameter {
  Symbol name;
  Expr symbol;
  Expr value; // exact; may contain parameters that stand before it
  Measure measure;
  const char *description; // or NULL
  Span span;               // of the name where it is defined
  bool is_number;          // of a part of a mechanism: rod.mass; see model_fold
  bool is_quantity;        // a number of an expression with its unit: 2 [kg]; see model_shown
  bool is_varied;          // a request changes it
} Parameter;

typedef struct Count {
  Symbol name;
  int64_t value;
  Span span;
} Count;

typedef struct Coordinate {
  Symbol name;
  Expr q, qd, qdd;
  Initial position, velocity;
  Symbol momentum;        // its momentum's name where the model states one; 0: p_x
  Initial momentum_start; // a start in momenta, until from_hamiltonian.h makes it one in velocities
  Measure measure;
  const char *description; // or NULL
  Span span;
} Coordinate;

// state name = value, rate name = ...: a first-order state of its own.
typedef struct ModelState {
  Symbol name;
  Expr s, sd;
  Expr value; // at the start; only parameters occur in it
  Expr rate;  // what sd is; 0 until it is said
  Measure measure;
  const char *description; // or NULL
  Span span, rate_span;
} ModelState;

typedef enum DefinitionRole {
  DEFINITION_LET,
  DEFINITION_INTEGRAL, // `integral`: said to stay constant along every motion
  DEFINITION_SPEED     // `speed`: a quasi-velocity
} DefinitionRole;

// let name = ...: a definition node; a vector's components are definitions r.x, r.y, r.z.
typedef struct Definition {
  Symbol name;
  Expr value; // the definition node, or a number, which needs none
  Measure measure;
  DefinitionRole role;
  Span span;
} Definition;

// let r = (x, y): remembered as a vector for whoever draws or reads it by name.
typedef struct Vector {
  Symbol name;
  uint32_t n; // 2 or 3
  Expr at[3];
  bool moves;     // its components are coordinates: a point or unit vector of a solid
  uint32_t first; // its first component among the definitions, or the coordinates
  Span span;
} Vector;

typedef enum EnergyKind {
  ENERGY_KINETIC,
  ENERGY_POTENTIAL,
  ENERGY_DISSIPATION,
  ENERGY_LAGRANGIAN,
  ENERGY_HAMILTONIAN, // of coordinates and momenta; see derive/from_hamiltonian.h
  ENERGY_KINDS
} EnergyKind;

typedef struct Energy {
  EnergyKind kind;
  Symbol name; // 0 when it has none
  Expr value;
  Span span; // of the value
} Energy;

// force q = ...: a generalized force on one coordinate.
typedef struct Force {
  uint32_t coordinate;
  Expr value;
  Span span;
} Force;

// force (x, y) = (F_x, F_y): acts by virtual work, Q = (dpoint/dq)^T force. A torque is a force on
// the one component of an angle.
typedef struct PointForce {
  uint32_t n; // 1, 2 or 3
  Expr point[3], force[3];
  Span span;
} PointForce;

// What a coordinate of a formulation stands for.
typedef struct Meaning {
  Expr pose;   // in pose symbols and the user's own coordinates
  Expr closed; // what it becomes where cut loops are closed: itself, or the point it meets
} Meaning;

// constraint NAME: phi = lhs - rhs = 0.
typedef struct Constraint {
  Symbol name;
  Expr multiplier; // lambda_NAME
  Expr phi;
  Measure measure;      // of the multiplier
  bool is_nonholonomic; // phi contains velocities, linearly
  Expr defines;         // the coordinate that it ties to others and that has no mass, or 0
  Span span;            // of the name
  Span equation;        // of both sides
} Constraint;

// contact NAME: phi <= 0, lambda >= 0 while it touches.
typedef struct Contact {
  Symbol name;
  Expr multiplier;
  Expr phi;
  Measure measure;  // of the multiplier
  Expr restitution; // of parameters; 0 if not given
  // Coulomb's friction; 0 (no expression) where there is none
  Expr slip;        // velocity with which the touching parts slide along each other
  Expr place;       // whose rate it is while they touch
  Expr friction;    // the force along it, a multiplier; a force law of the model contains it
  Expr mu_rest, mu; // of parameters: at rest, and while sliding
  // resistance to rolling; 0 (no expression) where there is none
  Expr spin;    // angular velocity with which the parts roll on each other
  Expr turned;  // whose rate it is
  Expr torque;  // about them, a multiplier; a force law of the model contains it
  Expr rolling; // of parameters: the largest torque by the force that presses, a length
  Symbol rolls; // what its events are called: floor.rolling
  Span span, condition;
} Contact;

// A contact that friction holds, as constraints; see at_rest.h.
typedef struct Held {
  uint32_t contact;     // of the model that it comes from
  uint32_t normal, row; // constraints: it touches, and it stays where it is
  Expr most;            // that friction holds, by the force that presses
} Held;

// A component of what a joint, constraint or contact does to a body: a force, or a torque.
typedef struct Load {
  Expr value; // may contain accelerations and multipliers
  bool is_torque;
} Load;

// What presses a joint with Coulomb's friction, an unknown of the equations of motion.
typedef struct Press {
  Symbol name;      // of the joint, or of its rolling: A.rolling
  Symbol joint;     //
  Expr symbol;      // N_NAME, in `force`, which is among the forces of the model
  Expr value;       // what it is; may contain accelerations and multipliers
  Expr slip, force; // velocity with which it rubs; the force along it
  Expr rub;         // R_NAME, which stands for that force in reactions and outputs
  Expr grip, hold;  // of parameters: friction by what presses, while sliding; mu_rest/mu
  Span span;
} Press;

typedef struct Input {
  Symbol name;
  Expr symbol;
  Expr value;                  // only parameters occur in it
  Expr course;                 // of time, to which the input is added; 0 when there is none
  bool is_memory, is_assigned; // declared as memory; samples or events change it
  Expr low, high;              // assigned values are kept between these; 0 when there are none
  Measure measure;
  const char *description;
  Span span;
} Input;

// May contain accelerations and multipliers.
typedef struct Output {
  Symbol name;
  Expr value;
  Measure measure;
  const char *description;
  Span span;
  bool is_offered; // a column that no line asks for
} Output;

// Power through dampers that move coordinates without mass, which are states: lost in them, by
// forces on them, and stored by the potential. All of it is counted among other powers otherwise.
typedef struct Overflow {
  Expr lost, by_forces, stored;
} Overflow;

typedef enum NameKind {
  NAME_NONE,
  NAME_PARAMETER,
  NAME_COUNT,
  NAME_COORDINATE,
  NAME_STATE,
  NAME_DEFINITION,
  NAME_VECTOR,
  NAME_INPUT,
  NAME_OUTPUT,
  NAME_CONSTRAINT_FORCE, // lambda_NAME
  NAME_CONTACT_FORCE,
  NAME_MOTOR_FORCE, // lambda_JOINT_motor, until the mechanism has constraints
  NAME_BODY,
  NAME_REACTION, // number: 3 * joint + which of force x, y, torque
  NAME_POSE,     // number: 3 * body + which of x, y, theta
  NAME_JOINT,
  NAME_SPRING,
  NAME_ELEMENT,
  NAME_SOLID,
  NAME_MEASURE,
  NAME_PART,  // the prefix of names from another file; number: that file among the data
  NAME_BROKEN // its definition was wrong; uses are not reported again
} NameKind;

typedef struct NameEntry {
  Symbol name;
  NameKind kind;
  uint32_t number; // in the list of its kind
  Span span;       // where it is defined
  bool is_used;
  uint32_t first_use; // counts the names of the lines that say what the system is; 0 for none
} NameEntry;

// A file that the model names: of data, or with a part of the model.
typedef struct ModelData {
  const char *name, *path; // as the model names it, and where it was found
  const char *stored;      // the name of the copy that a result keeps
  uint32_t rows, columns;
  uint32_t hash; // of its bytes
  bool is_part;
  uint32_t source; // of a part: its text,
  Symbol prefix;   // and what its names begin with; 0 for nothing
} ModelData;

struct qdot_model {
  Context *cx;
  uint32_t source;             // the text, for spans
  const char *title;           // by default from the name of the file
  double read_seconds;         // that reading took
  struct System *system;       // its equations, once they are derived; see model_system
  bool has_momenta;            // results name momenta; see momenta_put
  bool hides_units;            // numbers in its expressions had units: they tell no dimension
  const char *const *settings; // NAME=VALUE that were given from outside
  size_t setting_count;
  const char *formulation; // of bodies, or NULL in a model of energies
  const char *road;        // by which its equations are shown, "hamilton"; NULL: Lagrange's
  VEC(ModelData) data;     // files, in the order in which it names them
  bool data_is_stored;     // they are copies that a result keeps
  Span title_span;
  VEC(Parameter) parameters;
  VEC(Count) counts;
  VEC(Coordinate) coordinates;
  VEC(ModelState) states;
  VEC(Definition) definitions; // in order: each uses only earlier ones
  VEC(Vector) vectors;
  VEC(Energy) energies;
  VEC(Force) forces;
  VEC(PointForce) point_forces;
  VEC(Constraint) constraints;
  VEC(Contact) contacts;
  VEC(Held) held; // of contacts that are constraints here
  VEC(Input) inputs;
  VEC(Assignment) assignments; // of the samplings and occasions
  VEC(Sampling) samplings;
  VEC(Occasion) occasions;
  VEC(Output) outputs;
  VEC(Output)
  members; // rail.s, s.F ...: columns that output and plot lines ask for, and what is assigned
  Mechanism mechanism;             // bodies and joints; empty in a model of energies
  Space space;                     // points, unit vectors and solids
  const struct Balances *balances; // equations from momentum balances; NULL for Lagrange's
  const Model *named;              // of bodies, with the numbers of parts under names, or NULL
  Model *named_twin;               // that in these coordinates, once made; see model_named
  // Reads it once more, the numbers of its expressions with their units; NULL: there are none.
  Model *(*read_quantities)(const Model *model);
  const struct ReadOptions *options; // with which it was read
  Model *shown_twin;                 // what readers see, once made; see model_shown
  const struct Doctor **examined;    // its mechanism examined, once asked for; its twins' too
  Model *moving;                     // with massless coordinates as states; see model_moving
  const Model *unreduced;            // by Routh's road: what it was reduced from, or NULL
  const Overflow *overflow;          // what those states change in the account of power, or NULL
  const Model *origin;               // the model of bodies that it was made from, or NULL
  const Expr *poses;                 // x, y, theta of its bodies in these coordinates, or NULL
  VEC(Load) loads;                   // of all that holds its bodies, where reactions are asked for
  VEC(Press) presses;                // of joints that rub
  Expr load_length2;                 // torques are divided by this length, squared, where not 0
  VEC(Meaning) meanings;             // by coordinate, where there are bodies
  const Assembly *assembly;          // of its bodies, or NULL
  Requests requests;
  VEC(NameEntry) names;
  VEC(uint32_t) name_of_symbol; // Symbol -> place in names + 1, or 0
};

Model *model_new(Context *cx);

// What `derive using` and --formulation would have to name for it; NULL in a model of energies by
// Lagrange's road.
static inline const char *model_formulation(const Model *model) {
  return model->road ? model->road : model->formulation;
}

// ---- Names

// Adds a name; it must be new.
void model_add_name(Model *model, Symbol name, NameKind kind, uint32_t number, Span span);
// NULL when there is none.
NameEntry *model_find(const Model *model, Symbol name);
NameEntry *model_find_text(const Model *model, const char *name);
// The coordinate whose position, velocity or acceleration it is; -1: none.
int model_coordinate_of(const Model *model, Expr value);
// The known name nearest to a misspelt one, or NULL.
const char *model_nearest(const Model *model, const char *name);
// What a kind is called in a message: "parameter".
const char *name_kind_text(NameKind kind);

// Places in the lists, or -1.
int model_coordinate(const Model *model, Symbol name);
int model_constraint(const Model *model, Symbol name);
int model_contact(const Model *model, Symbol name);

// The next file with a part of the model from place *at of its data on, each file once; NULL when
// there are no more.
const ModelData *model_next_part(const Model *model, uint32_t *at);

// Does anything happen by the model's own lines: samples, resets, stops?
static inline bool model_acts(const Model *model) {
  return model->samplings.n + model->occasions.n > 0;
}

// ---- Drawing

// Adds draw lines for all bodies, bearings and springs, in pose symbols.
void mechanism_draw(Context *cx, const Mechanism *m, Requests *out);
// The same for all solids.
void space_draw(Context *cx, const Space *space, Requests *out);

// ---- Sums

bool model_has_energy(const Model *model, EnergyKind kind);
// The sum of all energies of a kind; the number 0 when there are none.
Expr model_energy(const Model *model, EnergyKind kind);
// What has the inertia in it: the kinetic energy and the Lagrangian, whichever are stated.
Expr model_inertial_energy(const Model *model);

#endif
