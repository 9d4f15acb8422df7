// The programs that evaluate a system, for one set of active contacts.
//
// All programs read the same input array: t, q, q', q'', lambda (constraints, then contacts),
// inputs, parameters, sides of the switches, pieces of tables. The last four keep their values
// between events; those of tables count as varying all the same, for they change often.
#ifndef QDOT_SIM_EQUATIONS_H
#define QDOT_SIM_EQUATIONS_H

#include "code/compiled.h"
#include "code/flatten.h"
#include "derive/system.h"
#include "sim/slides.h"
#include "sim/switches.h"

typedef struct InputLayout {
  uint32_t t, q, qd, qdd, lambda, u, parameters, sides, pieces, slides,
      count; // places of the first of each
} InputLayout;

// What a program puts out. n coordinates; m rows: active holonomic constraints and contacts first,
// then the nonholonomic ones. f = Q - h - D - G.
typedef enum EquationPart {
  PART_FORWARD,          // qdd (n), lambda (m), powers (POWER_KINDS), loss (1), slack (m)
  PART_PROJECT_POSITION, // dq (n) of one Newton step onto Phi = 0, Phi (holonomic), loss, slack (m)
  PART_PROJECT_VELOCITY, // dqd (n) onto Phi_q q' + Phi_t = 0, that residual (m), loss, slack (m),
                         // the squares of the rows' norms (m)
  PART_TERMS,            // M (n x n), f (n), Phi_q (m x n), gamma (m)
  PART_GEOMETRY,         // M (n x n), Phi_q (m x n)
  PART_POSITION,         // Phi (holonomic rows)
  PART_VELOCITY,         // Phi_q q' + Phi_t (m)
  PART_ACCELERATION,     // Phi_q q'' - gamma (m)
  PART_POWER,            // powers (POWER_KINDS), lambda from the input array
  PART_TANGENT,          // K = dr/dq, C = dr/dq' (n x n each), r = M q'' - f + Phi_q^T lambda
  PART_GRADIENT,         // L_q, L_v, F (n each): F = Q - D
  PART_HESSIAN,          // L_qq, L_qv, L_vv, F_q, F_v (n x n each)
  PART_CONTACTS,         // phi, d(phi)/dt of every contact of the model
  PART_CONTACT_ROWS,     // phi_q (n), gamma (1), size of its terms (1) of every contact
  PART_ENERGY,           // E_tot, E_pot
  PART_OUTPUTS,          // outputs of the model, E_kin, E_pot, E_tot, its members
  PART_STATE_SLOPES,     // d(qdd, lambda)/d(q, qd): (n + m) x 2n
  PART_INPUT_SLOPES,     // d(qdd, lambda)/du: (n + m) x inputs
  PART_PARAMETER_SLOPES, // d(qdd, lambda)/dp: (n + m) x parameters
  PART_FORCES,           // h, D, G, Q (n each)
  PART_SWITCHES,         // what changes sign where an if, sign, abs, min or max switches, or a
                         // table has a knot; then the pieces that the tables are in
  PART_GUARDS,           // the same with every switch inside them locked: smooth within a step
  PART_LOADS,            // the model's loads
  PART_SWITCH_SPEEDS,    // the time derivatives of that, q'' from the input array
  PART_DENOMINATORS,     // what velocities divide by, see system_speed_denominators
  PART_SLIDES,           // of every slide: u, then du/dq' (components x n), then the time
                         // derivatives of u, q'' from the input array
  EQUATION_PARTS
} EquationPart;

// dE/dt without impacts in its parts: Q q', -D q', and what moves by itself: -dL/dt + lambda^T
// Phi_t.
enum { POWER_FORCES, POWER_DISSIPATION, POWER_DRIVES, POWER_KINDS };

typedef struct Equations {
  Context *cx;
  System *system;
  Arena *arena;
  Backend backend;
  InputLayout layout;
  uint32_t n, m, holonomic;
  const Row **rows;       // m rows in the order of the programs
  const uint32_t *lambda; // place of each row's multiplier among all multipliers
  bool uses_lifted;       // how FORWARD is made
  bool goes_early;        // constraints are eliminated as soon as they can be, see eliminate.h
  uint32_t most_steps;    // while the order is chosen: more make a program not worth its while
  bool has_forward;       // false: a pivot vanishes whatever the state; use TERMS and pivoting
  bool is_locked;         // if, sign, abs, min and max obey the sides in the input array
  uint32_t switch_count, table_count;
  const TableUse *tables;
  SlideLock slide_lock;
  bool is_made[EQUATION_PARTS];
  Compiled parts[EQUATION_PARTS];
} Equations;

// active: numbers of the contacts that hold as constraints. FORWARD is compiled at once. Lives in
// the arena, which is not scratch; equations_close gives the machine code back.
Equations *equations_open(Context *cx, System *system, const uint32_t *active,
                          uint32_t active_count, Backend backend, Arena *arena);
// The same with switches locked: all parts but SWITCHES take each if, sign, abs, min and max on
// the side (-1 or +1) that the input array says.
Equations *equations_open_locked(Context *cx, System *system, const uint32_t *active,
                                 uint32_t active_count, Backend backend, Arena *arena);
void equations_close(Equations *equations);

// Binds every symbol of the system to its place in the layout, for a program made elsewhere.
void equations_bind(const Equations *equations, ProgramBuilder *builder, Flattener *flattener);

// The compiled program of a part, made on first use; compile before a run, not in a callback.
const Compiled *equations_part(Equations *equations, EquationPart part);

// Fills inputs and parameters into an input array of layout.count doubles.
void equations_set_values(const Equations *equations, const double *values, double *in);

#endif
