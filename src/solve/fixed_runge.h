// What the Runge-Kutta methods of fixed step share: all but their stages.
#ifndef QDOT_SOLVE_FIXED_RUNGE_H
#define QDOT_SOLVE_FIXED_RUNGE_H

#include "solve/explicit.h"
#include "solve/fixed.h"

enum { MOST_FIXED_STAGES = 8 };

typedef struct FixedRunge FixedRunge;

// y_new after a step h from s->y, whose derivative is in k[1]; the other k are room for stages.
typedef Status FixedStages(Stepper *s, FixedRunge *w, double h);

struct FixedRunge {
  FixedStages *stages;
  double *k[MOST_FIXED_STAGES + 1]; // k[1] and so on
  double *stage;                    // room for a state between
  double *y_new;
  double *k_old, *k_end; // derivatives at the ends of the last step
};

// For the record of a method: its open calls fixed_runge_open, the rest is these.
Status fixed_runge_open(Stepper *stepper, int count, FixedStages *stages);
Status fixed_runge_start(Stepper *stepper);
Status fixed_runge_step(Stepper *stepper, double t_limit);
Status fixed_runge_dense(Stepper *stepper, double t, double *y);

#endif
