// Joints that rub, within the steps of `moreau`.
#ifndef QDOT_SOLVE_MOREAU_JOINTS_H
#define QDOT_SOLVE_MOREAU_JOINTS_H

#include "solve/blocks.h"
#include "solve/method.h"

// A joint whose friction has a limit is a contact with friction 1 that this limit presses: a mass
// of its own, behind the velocities of the parts, that comes with just this impulse. Joints stand
// behind the contacts among the touches of a step, which so take the load before them.
typedef struct StepJoints {
  int count;
  Blocks *blocks;
  double *v_free, *v, *before; // velocities, then those of the limits
  double *ahead;               // how fast each slides at the end of the step, as it is foreseen
  double *load;                // what presses each, as a force
  double *lambda_free,
      *lambda;              // multipliers of free motion in the middle of the step, and with all
  double *pressed, *rubbed; // forces of contacts, then of joints
  double *qdd, *force;
} StepJoints;

void step_joints_open(StepJoints *joints, Stepper *stepper, Blocks *blocks);

// Speeds at a state that is foreseen.
Status step_joints_look_ahead(StepJoints *joints, Stepper *stepper, double t, const double *ahead);

// Their touches, with rows in the middle of the step, at which the blocks are factored.
Status step_joints_gather(StepJoints *joints, Stepper *stepper, double t, const double *middle,
                          const double *v_ahead, Touch *at);

// Impulses of all touches, with loads and friction of the joints found together, from those of the
// step before; velocities are joints->v.
Status step_joints_solve(StepJoints *joints, Stepper *stepper, double h, const double *middle,
                         const double *v_free, Touches *touches);

// Adds their friction in the last step to forces at a state.
Status step_joints_push(const Stepper *stepper, double t, const double *y, double *force);

#endif
