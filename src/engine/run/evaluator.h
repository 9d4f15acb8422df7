// Equations of motion as numbers for somebody else's program: evaluated at any state, with
// parameters and inputs that may be changed. All contacts are open.
#ifndef QDOT_ENGINE_RUN_EVALUATOR_H
#define QDOT_ENGINE_RUN_EVALUATOR_H

#include "engine/machine.h"
#include "engine/settings.h"

// What can be asked for; only what was asked for when opening can be evaluated.
#define EVALUATE(part) ((uint64_t)1 << PART_##part)

// After opening, evaluation touches nothing but this record: evaluators of one context may work in
// threads of their own.
typedef struct Evaluator {
  Machine machine;
  Settings settings;
  Handle handle; // of the settings
  Dynamics dynamics;
  Projector projector;
  int switches;
  double *side;         // of the switches
  double *qdd, *lambda; // of the last evaluation, lambda in the order of the problem's rows
  double *rates;
} Evaluator;

// Of a plan that says how values follow each other. parts: a set of EVALUATE(part); accelerations
// and projection are always there.
Status evaluator_open_programs(Evaluator *evaluator, Programs *programs, uint64_t parts);
void evaluator_close(Evaluator *evaluator);
void evaluator_set(Evaluator *evaluator, uint32_t place, double value);
// The initial state that the model describes, on the constraints.
Status evaluator_initial(Evaluator *evaluator, double *q, double *qd);

// True when a part can be evaluated.
bool evaluator_has(const Evaluator *evaluator, EquationPart part);
// Takes every if, sign, abs, min and max on the side that it is on at this state.
void evaluator_choose_sides(Evaluator *evaluator, double t, const double *q, const double *qd);
// Accelerations and multipliers into evaluator->qdd and ->lambda, also for the outputs.
Status evaluator_solve(Evaluator *evaluator, double t, const double *q, const double *qd);
// Nearest state on the constraints.
Status evaluator_project(Evaluator *evaluator, double t, double *q, double *qd);
// Copies a value a row of the problem to one a constraint of the model.
void evaluator_sort_rows(const Evaluator *evaluator, const double *from, uint32_t width,
                         double *to);

#endif
