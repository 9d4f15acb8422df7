// Where functions of the state cross zero along a step, found on the dense output.
#ifndef QDOT_SOLVE_EVENT_H
#define QDOT_SOLVE_EVENT_H

#include "solve/method.h"

// Every function g_i is on a side (+1 or -1) that its owner sets when a run starts or something
// happened; an event is the first moment at which a function is strictly on the other side. A
// function that starts at zero, or by rounding a little beyond it, is taken to move to its side.
typedef struct Events {
  int count;
  void *user;
  Status (*functions)(void *user, double t, const double *q, const double *qd, double *g);
  double *side;     // count; 0 for a function that is not watched
  bool *hit;        // count: which functions cross at the event that was found
  double *greatest; // count: the largest |g| that each has had
  double *g_room, *times, *samples, *y;
} Events;

void events_open(Events *events, Arena *arena, const Stepper *stepper, int count,
                 Status (*functions)(void *, double, const double *, const double *, double *),
                 void *user);

// Searches the stepper's last step. *found tells; then *t_event is the first crossing and hit[]
// marks all functions that cross with it. t_event may be the beginning of the step, when a function
// never gets to its side.
Status events_find(Events *events, Stepper *stepper, bool *found, double *t_event);

#endif
