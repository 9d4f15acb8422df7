// A mechanism with numbers: programs for every set of closed contacts, and the Problem they answer.
// Sources: callbacks.c, combination.c, machine.c, sizes.c
#ifndef QDOT_ENGINE_MACHINE_H
#define QDOT_ENGINE_MACHINE_H

#include "engine/programs.h"
#include "program/tape.h"
#include "solve/method.h"

// The programs of one set of closed contacts with their room to work in.
typedef struct MachineSet {
  bool *closed; // one a contact
  Equations *equations;
  struct MachineSet *base; // of a combination: with all contacts open; else NULL
  double *work[EQUATION_PARTS], *out[EQUATION_PARTS];
  uint32_t tried;       // for which Machine.prepared those that give accelerations know the sides
  const Tape *row_tape; // of Phi, for its sizes: see sizes.c; NULL: not yet needed
  double *size_values, *size_floors, *size_room;
  struct NodeSet *nodes; // see nodes.c; NULL: not yet needed
} MachineSet;

// How a contact with friction touches: how it slides, or how it rolls against a resistance.
typedef enum SlipState { SLIP_FREE, SLIP_RESTS, SLIP_SLIDES } SlipState;
typedef struct Slip {
  SlipState state;
  double direction;   // of sliding, -1 or +1
  double mu_rest, mu; // 0 without friction; of rolling a length
  double unit;        // forces are measured by this
  double moves;       // the acceleration that this gives it where contacts are open
  double force;       // along it, of the last evaluation
  double slack;       // of one that has just let go: the speed by which the method had moved it
} Slip;

struct Sticking;
struct Machine;

// Where programs of several machines are run together.
typedef struct MachineLane {
  // What compiled_run does for the machine's present set; false: it is to be done alone.
  bool (*run)(struct MachineLane *lane, struct Machine *machine, EquationPart part, double *out);
  const Equations *equations; // of a set,
  uint64_t alone;             // and the parts of it that need not be asked for
  struct StepLane *steps;     // the same for steps, see solve/step_lanes.h
} MachineLane;

typedef struct Machine {
  Context *cx;
  Programs *programs; // that it runs
  const Plan *plan;
  bool owns_programs; // made for it alone
  Arena arena;
  Handle handle;
  MachineLane *lane;             // NULL: alone
  uint32_t node_lanes;           // of programs at several states: 8, 4, or none; see nodes.h
  uint32_t prepared;             // how often anything that programs take as fixed has changed
  int n, states, rows, contacts; // of the model
  int *kind, kinds;              // of the coordinates, see problem.h
  double *kind_scale;
  double *state_scale; // how large states are in a run, see sizes.c
  bool *closed;        // contacts that hold as constraints
  Slip *slips;         // of the contacts, then of those with resistance to rolling: see System
  int slip_count;
  bool rubs; // any has friction
  // of contacts that the method steps over, one each; NULL where events treat them
  const double *restitution, *friction;
  ContactRows contact_rows;     // of these: where the entries stand
  struct PressImpulses *joints; // that rub, of the same methods; NULL where events treat them
  int presses;                  // joints that rub, where events treat them
  bool *press_held;             // by press: at rest, and held by contacts: it needs no friction
  int jammed;                   // 1 + the press for which there was no solution, else 0
  VEC(MachineSet *) sets;
  MachineSet *set;              // of the contacts that are closed
  double *in;                   // inputs of every program
  double *pieces;               // of tables: the numbers of those whose inputs are in place
  double *values;               // parameters and inputs, by symbol_variable
  double *value_room;           // of machine_number
  const double *start;          // q, qd, states; NAN where the model says it; NULL: everywhere
  bool start_is_guess;          // it is moved onto the constraints
  const double *assigned_start; // by input: of what samples and events assign; NULL: as the model
  bool is_quiet;                // nobody is told what decides where it starts
  double *scale;                // by place of the row: the largest norm it has had, see kkt.h
  double *slack;                // by place of the row: the smallest inverse pivot it has had
  bool met_dead;                // see Problem
  bool is_redundant;            // rows depend on others wherever it goes
  double nearest_dead;          // the largest ratio to that above DEAD_NEAR since it was set to 0
  Problem problem;              // of the present set
  struct Sticking *sticking;    // where switches stick, see stick.h
} Machine;

// Compiles the accelerations with all contacts open, unless another machine has them. Close in
// reverse order of opening.
Status machine_open_programs(Machine *machine, Programs *programs, bool owns_programs);
// Another one with the programs of the first, which closes later.
Status machine_open_beside(Machine *machine, const Machine *first);
void machine_close(Machine *machine);

// Takes over machine->closed: the programs and the rows of the problem.
void machine_use_contacts(Machine *machine);
// Compiles all parts a method needs for the present set; before a run, never in a callback.
void machine_need_method(Machine *machine, MethodId method);
void machine_need(Machine *machine, EquationPart part);
// The method steps over contacts, with these coefficients; before a stepper is opened.
void machine_step_contacts(Machine *machine, const double *restitution, const double *friction);
// The same for joints that rub; NULL: events treat them.
void machine_step_joints(Machine *machine, struct PressImpulses *joints);
// What solvers have learned of the norms of the problem's rows, and what is known of them.
void machine_learn_scale(Machine *machine, const double *scale);
void machine_known_scale(const Machine *machine, double *scale);
// The side, -1 or +1, that every switching function is on.
void machine_set_sides(Machine *machine, const double *side);

// The same for the parts that give accelerations, and for a moment.
void machine_try_sides(Machine *machine, const double *side);

// Puts a table on one of its pieces; on a neighbour of it where the sides of its knots say so.
void machine_set_piece(Machine *machine, uint32_t use, double piece);
// Puts every table on the piece that it has at a state; returns what PART_SWITCHES gives there.
// *changed is set where a piece is another one; NULL for who does not ask.
const double *machine_find_pieces(Machine *machine, double t, const double *q, const double *qd,
                                  bool *changed);
// Does anything switch, or have knots?
bool machine_switches(const Machine *machine);

int machine_slides(const Machine *machine);
const PlanSlide *machine_slide(const Machine *machine, int i);
// u, du/dq' and du/dt of a slide in what PART_SLIDES gives.
typedef struct SlideValues {
  const double *u, *u_qd, *rate;
} SlideValues;
SlideValues machine_slide_values(const Machine *machine, int i, const double *out);
// A slide continues in the direction r of unit length; or it rests, with what w stands for given by
// a change of velocities.
void machine_aim_slide(Machine *machine, int i, const double *r);
void machine_rest_slide(Machine *machine, int i, const double *along);

// The first coordinate whose velocity, or else whose position, moves each switch, then each slide;
// 0 where none does. A joint that rubs has its place behind coordinates and contacts.
void machine_find_movers(const Machine *machine, uint32_t *coordinate);

// The force along a contact, or the torque against its rolling, that the programs are given.
void machine_put_friction(Machine *machine, int slip, double force);
void machine_clear_friction(Machine *machine);

// Takes over machine->values, of which some have been changed.
void machine_use_values(Machine *machine);

// The same for a moment, in the present set alone, with these sides or, for NULL, those of now; the
// parts of slopes do not see it.
void machine_shift_values(Machine *machine, const double *side);

// As machine_use_values, and everything else as after opening but for the programs.
void machine_begin_again(Machine *machine);

// The same two of a combination (combination.c).
void combination_need(Machine *machine, EquationPart part);
void combination_evaluate(Machine *machine, EquationPart part, double *out);

// Runs a part with the inputs as they are.
void machine_evaluate(Machine *machine, EquationPart part, double *out);
// Runs a part at a state and returns its outputs; qd, with the states behind it, may be NULL for
// parts of positions.
const double *machine_run(Machine *machine, EquationPart part, double t, const double *q,
                          const double *qd);
// The same with names for the blocks of its outputs: machine_run_terms(...).gamma and its like.
#define PART(KEY, Name, name, needs, blocks)                                                       \
  static inline Name##Blocks machine_run_##name(Machine *machine, double t, const double *q,       \
                                                const double *qd) {                                \
    const double *out = machine_run(machine, PART_##KEY, t, q, qd);                                \
    return name##_blocks(&machine->set->equations->extents, out);                                  \
  }
#include "engine/parts.def"
#undef PART
// What outputs and power use beside the state: lambda in the order of the problem's rows.
void machine_give(Machine *machine, const double *qdd, const double *lambda);

// Does machine->start say where q, qd or the states (numbered in this order) start?
bool machine_starts_at(const Machine *machine, int i);
// The values that the states have at the start.
void machine_start_states(const Machine *machine, double *states);
// A number of the plan with the values of now.
double machine_number(const Machine *machine, const PlanValue *value);
// Row of the problem -> place among all constraints, then all contacts.
int machine_place(const Machine *machine, int row);
// The contact of a slip.
static inline int machine_slip_contact(const Machine *machine, int slip) {
  return (int)machine->plan->slips[slip].contact;
}
const char *machine_row_name(const Machine *machine, int row);
const char *machine_coordinate_name(const Machine *machine, int i);

// Does no force or drive give or take energy, whatever the motion?
bool machine_keeps_energy(const Machine *machine);
// Does its Problem give accelerations by PART_FORWARD alone, with nothing mixed in?
bool machine_is_plain(const Machine *machine);
// May what PART_FORWARD has put out be trusted, by its loss and slack? The machine learns from it.
// stride: from the slack of one row to that of the next.
bool machine_trusts(Machine *machine, double loss, const double *slack, size_t stride);

void machine_fill_problem(Machine *machine);
// Where rows depend on others wherever the machine goes, pivots of an elimination tell nothing and
// would be those of a dead position: ranks are then revealed at every evaluation.
void machine_know_redundant(Machine *machine, bool is_redundant);

// ---- Sizes: how large the numbers are that rows and contacts are computed from, and how large
// coordinates are: what residuals and changes are measured by. They come from the lengths of the
// problem, never from the present state, which may pass through zero.

// Which coordinates are measured alike.
void machine_find_kinds(Machine *machine);

// Makes what the present set needs, before a run.
void machine_need_sizes(Machine *machine);
// Takes over machine->values, of which some have been changed.
void machine_renew_sizes(Machine *machine);

// Of Phi (holonomic rows) and of the gaps of all contacts, at a state. Neither allocates.
void machine_row_sizes(Machine *machine, double t, const double *q, double *out);
void machine_gap_sizes(Machine *machine, double t, const double *q, double *out);
// The size of a coordinate: a radian for an angle, else where its part of the constraints is as
// large as their constant part; 0 where nothing tells.
double machine_coordinate_size(const Machine *machine, int i);
// Finds state_scale of a run that begins at a state and lasts so long. Allocates.
void machine_find_state_scales(Machine *machine, const double *q, const double *qd,
                               double duration);

// Of the rates of all rows; contacts are open. Allocates.
void machine_row_rate_sizes(Machine *machine, double t, const double *q, const double *qd,
                            double *out);
// Of what a tape puts out at a state; qd may be NULL. Allocates.
void machine_tape_sizes(Machine *machine, const Tape *tape, double t, const double *q,
                        const double *qd, double *out);

#endif
