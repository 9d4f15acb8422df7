// Writes a system's equations as steps of a program; every program has the same inputs.
#ifndef QDOT_SIM_EQUATIONS_H
#define QDOT_SIM_EQUATIONS_H

#include "code/flatten.h"
#include "derive/system.h"

// Where things stand in the input vector of every program of a system.
typedef struct Layout {
  uint32_t t, q, qd, u, parameters;     // first places; u: the model's inputs
  uint32_t qdd, lambda, contact_lambda; // for programs that take them; else unused
  uint32_t n, rows, contacts, inputs, parameter_count;
  uint32_t count; // of all
} Layout;

Layout layout_of(const System *system);

// A program under construction with the symbols of a system bound to its inputs. Parameters are
// fixed during a run; q'' and lambda are inputs until equations_forward binds them to its results.
typedef struct Equations {
  const System *system;
  Layout layout;
  ProgramBuilder builder;
  Flattener flattener;
} Equations;

void equations_open(Equations *equations, const System *system);
void equations_close(Equations *equations);

// Forward dynamics from the lifted form (DERIVE_LIFTED).
typedef struct Forward {
  Slot *zdd;            // n + m: accelerations of coordinates and definitions
  Slot *lambda;         // one a row
  Slot *contact_lambda; // one a contact; 0 where it is not active
  Slot loss;            // see elimination_loss: not to be trusted above FORWARD_LOSS_LIMIT
} Forward;

#define FORWARD_LOSS_LIMIT 1e8

// active: one a contact, those that are closed; NULL for none. False when no fixed order of
// elimination exists (a coordinate without mass): then only a pivoted solve can help. On success
// q'', the second derivatives of lifted definitions, and the multipliers are bound to the results,
// so that outputs flattened afterwards use them.
bool equations_forward(Equations *equations, const bool *active, Forward *out);

#endif
