// A system linearized at one value of a parameter after the other, each from the state before.
#ifndef QDOT_ANALYSE_VIBRATION_TRACER_H
#define QDOT_ANALYSE_VIBRATION_TRACER_H

#include "analyse/linear/linearize.h"

typedef struct Tracer {
  Context *cx;
  Balance balance;
  StateSlopes slopes;
  const LinearizeRequest *request; // NULL: the equilibrium
  uint32_t parameter;              // that changes
  const bool *is_off;              // by parameter: taken as 0; NULL for none
  double *values;                  // by variable, at the last value
  Steady *last;                    // the state there; NULL before the first
} Tracer;

// From one value to another. The first must have a point, and no coefficient may depend on time;
// what is wrong is explained. To be closed also then.
Status tracer_open(Tracer *t, Context *cx, const System *system, const LinearizeRequest *request,
                   uint32_t parameter, const bool *is_off, double from, double to);
void tracer_close(Tracer *t);

// The linearization at a value, numbers in the arena of the balance; false where there is none.
bool tracer_linearize(Tracer *t, double value, Linearized *out);

#endif
