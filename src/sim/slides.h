// Directions of velocities, u/|u|, as dry friction in a plane has them. At rest, u = 0, there is
// none: what stands for it is then a vector w of at most unit length (see stick.h).
#ifndef QDOT_SIM_SLIDES_H
#define QDOT_SIM_SLIDES_H

#include "code/flatten.h"
#include "derive/system.h"
#include "engine/plan.h"

// A sum of squares of what is linear in velocities, a power of which divides something.
typedef struct Slide {
  Expr square; // definitions opened
  Expr u[MOST_COMPONENTS];
  PlanSlide in; // components, and where their inputs stand
} Slide;

// In the scratch arena.
typedef struct Slides {
  VEC(Slide) all;
  uint32_t inputs; // of all
} Slides;

Slides system_slides(Context *cx, const System *system);

// From now on 1/|u| has the sign of u r, so that friction on a straight line continues smoothly
// beyond rest; and of those that rest, f(u)/|u|, f linear, is f(w).
typedef struct SlideLock {
  const System *system;
  Slides slides;
  uint32_t first; // where their inputs begin
} SlideLock;
void slides_lock(SlideLock *lock, Flattener *flattener);

#endif
