// Where the right-hand side of a system is not smooth.
#ifndef QDOT_SIM_SWITCHES_H
#define QDOT_SIM_SWITCHES_H

#include "code/flatten.h"
#include "derive/system.h"

// A table that acts on the motion, and what is looked up in it. A step keeps to one piece of it,
// whose numbers are inputs of the programs.
typedef struct TableUse {
  TableId table;
  Expr x;
  bool is_timed;        // x is linear in time: knots are known beforehand, and have no guards
  uint32_t first_guard; // x less the knot before it; x less the knot behind it comes next
  uint32_t first_input; // of those of all pieces
} TableUse;

// Everything that acts on the motion. In the scratch arena.
ExprList system_acting_expressions(Context *cx, const System *system);

// Every abs, sign, min, max, < and <= and the cut of every atan2 that the equations of motion
// contain and that time or state can switch, and every table, inner ones first; and the functions
// whose zeros are their switching instants: a - b for a comparison a < b. One guard may serve
// several of them. In the scratch arena.
typedef struct Switches {
  ExprList atoms, guards;
  bool has_roots; // powers that are not whole numbers: bases stay defined beyond their conditions
  VEC(TableUse) tables;
  uint32_t piece_inputs; // of all tables
} Switches;

// The sizes of all that a sum adds up, definitions opened.
Expr expr_size_of_terms(Context *cx, Expr e);

// What is 0 where a function switches, such as x of abs(x); 0 (no expression) for one that does
// not.
Expr switch_guard(Context *cx, Expr e);

// What stands in the slopes of a switch, which nobody but a derivative may have written: sign(x)
// for abs(x); 0 for none.
Expr switch_condition_of_slope(Context *cx, Expr atom);

Switches system_switches(Context *cx, const System *system);

// Tables of data files that do not act on the motion and that the motion may leave: in outputs,
// samples and events. In the scratch arena.
ExprList system_lookups(Context *cx, const System *system);

// Can anything stick, as dry friction does: does a force jump where a velocity changes its sign?
// What only counts, in rates of states and in outputs, cannot.
bool system_may_stick(Context *cx, const System *system);

// What velocities divide by in the equations of motion, as norm(v) in -mu*N*v/norm(v). In the
// scratch arena.
ExprList system_speed_denominators(Context *cx, const System *system);

// Binds every atom to the side its guard is on, an input of value -1 or +1 beginning at first_side,
// and every table to the piece in the inputs beginning at first_piece: within a step the equations
// are then smooth, and a crossing is an event.
void switches_lock(const Switches *switches, Flattener *flattener, uint32_t first_side,
                   uint32_t first_piece);
// atan2(y, x) that continues beyond its cut, by the side, -1 or +1, that y was on.
Slot switch_locked_angle(Flattener *flattener, Slot side, Slot y, Slot x);
// Binds nothing but the guards of tables: the knots beside the piece in the inputs.
void switches_lock_knots(const Switches *switches, Flattener *flattener, uint32_t first_piece);

#endif
