// The equations of motion of a model: a plain record, immutable once derived.
//
// M(q) q'' + h(q, q', t) + D + G = Q - Phi_q^T lambda,  Phi_q q'' = gamma
// Sources: conserved.c, constraint.c, dissipated.c, lagrange.c, linear_form.c, system.c
#ifndef QDOT_DERIVE_SYSTEM_H
#define QDOT_DERIVE_SYSTEM_H

#include "derive/lifted.h"
#include "model/model.h"

// A constraint or contact: phi = 0 or phi <= 0. For a nonholonomic row phi is the velocity
// expression, phi_q its derivative by q', phi_t its part without q'.
typedef struct Row {
  Symbol name;
  Expr multiplier;
  bool is_nonholonomic;
  Expr defines; // see Constraint
  Expr phi;
  Expr *phi_q; // by coordinate
  Expr phi_t;
  Expr gamma; // phi_q q'' = gamma
} Row;

// Is a row of velocities the rate of a function of positions and t? Then it holds that function
// where the start has it: its factors a_i of q' have da_i/dq_j = da_j/dq_i. False for what cannot
// be proved so, and for rows of positions.
struct System;
bool row_is_integrable(Context *cx, const struct System *system, const Row *row);

// What stays constant along every motion.
typedef struct Conserved {
  enum { CONSERVED_ENERGY, CONSERVED_JACOBI, CONSERVED_MOMENTUM } kind;
  uint32_t coordinate; // of a momentum
  Expr value;
} Conserved;

typedef struct System {
  Context *cx;
  const Model *model;
  uint32_t n; // coordinates
  const Expr *q, *qd, *qdd;
  uint32_t states;            // first-order states of the model
  const Expr *s, *sd, *rates; // sd = rates(t, q, q', s)
  Expr t;
  Expr T, V, R;    // energies and Rayleigh's dissipation function
  Expr L_t;        // derivative of T - V by time and, with their rates, by states
  Expr energy;     // q' dL/dq' - L
  Expr *G, *D, *Q; // dV/dq, dR/dq', generalized forces
  Expr power;      // dE/dt apart from constraints: Q q' - D q' - L_t
  Row *rows;       // constraints, in the model's order
  uint32_t row_count;
  Row *contacts;
  // How fast contacts slide, one each, phi 0 where there is no friction; then how fast those with
  // resistance to rolling roll.
  Row *slips;
  uint32_t *slip_contact; // the contact of each
  uint32_t contact_count, slip_count;
  Row *rubs;      // of model->presses: how fast they slide
  Expr *inertia;  // M q'' + h as one expression a coordinate; NULL until asked for
  Expr *M, *h;    // n x n by rows, and n; NULL unless DERIVE_MATRICES was asked for
  uint32_t held;  // the last coordinates that are values held by samples, see with_states.h
  Lifted *lifted; // NULL unless DERIVE_LIFTED was asked for
  struct PlanSource *
      *plans; // its programs once they are compiled, by Backend; see sim/plan_source.h
} System;

// How fast a contact with resistance to rolling rolls, among the slips.
static inline uint32_t system_spin(const System *s, uint32_t contact) {
  uint32_t i = s->contact_count;
  while (s->slip_contact[i] != contact) i++;
  return i;
}

enum { SYSTEM_PLANS = 3 };
// Of a system whose programs are not those of the one it was made from.
void system_forget_plans(System *system);

typedef enum DeriveParts { DERIVE_BASIC = 0, DERIVE_MATRICES = 1, DERIVE_LIFTED = 2 } DeriveParts;

// Derives by Lagrange's method; definitions stay shared. Mistakes of the model are diagnosed.
Status derive_system(Context *cx, const Model *model, DeriveParts parts, System *out);
// The equations of a model for all who want them: derived once, with the parts that are missing.
Status model_system(Model *model, DeriveParts parts, System **out);

// Parts of an already derived system, made unless they are there: inertia alone, M and h, lifted.
void derive_inertia(Context *cx, System *system);
void derive_lifted(Context *cx, System *system);
void derive_matrices(Context *cx, System *system);

// The rates of states in e by what they are.
Expr system_open_rates(Context *cx, const System *system, Expr e);

// Energy, Jacobi integral and momenta of cyclic coordinates; returns how many, at most n + 1, in
// the keep arena.
uint32_t system_conserved(Context *cx, const System *system, Conserved **out);

// Is E = q' dL/dq' - L the energy T + V? Not where T has parts that are linear in or free of q', as
// where points move with time; then E is Jacobi's integral T_2 - T_0 + V.
bool system_is_natural(Context *cx, const System *system);
// The kinetic energy T; where the system is natural, written as E - V.
Expr system_kinetic(Context *cx, const System *system);

// The power that becomes heat where it is not D q': of dampers and friction to places that are
// moved, whose velocities are in R as well, 2 R for c/2 (x' - y')^2, R for F abs(x' - V). What D q'
// has beyond it is done by who moves them.
// 0 where D q' is all there is to say.
Expr system_dissipated(Context *cx, const System *system);

// Where h + D + G is linear: C q' + K q + rest. False when it is not; matrices are n x n.
typedef struct LinearForm {
  Expr *C, *K, *rest; // rest: n entries without q and q'
} LinearForm;
bool system_linear_form(Context *cx, const System *system, LinearForm *out);

// The Christoffel matrix C(q, q') with C q' = h for a T that is quadratic in q' and free of t.
void system_christoffel(Context *cx, const System *system, Expr *out);

#endif
