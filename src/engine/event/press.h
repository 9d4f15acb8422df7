// What presses the joints that rub: z = G(z), because friction changes the forces that it comes
// from. Accelerations, and so the forces of joints, are linear in z; G takes their size.
#ifndef QDOT_ENGINE_EVENT_PRESS_H
#define QDOT_ENGINE_EVENT_PRESS_H

#include <stdbool.h>

#include "base/arena.h"

// A search by Broyden's method, which knows from one search to the next how z - G(z) slopes.
typedef struct PressSearch {
  int n;
  double *inverse;            // n x n: of that slope
  double *z, *off;            // the last try, and z - G(z) there
  double *by, *change, *room; // from the last try to this one
  double *kept;               // inverse and z that are put aside
  bool has_last;
  int tries;
} PressSearch;

void press_open(PressSearch *search, Arena *arena, int n);
void press_begin(PressSearch *search);
// G was found for z: true where that is the same to rounding, or less than `least` away; else z is
// what to try next.
bool press_next(PressSearch *search, double *z, const double *G, double least);
// The same without a next try.
bool press_is_found(PressSearch *search, const double *z, const double *G, double least);
// What is known of the slope is forgotten.
void press_forget(PressSearch *search);
// What is known, and z, put aside and taken back.
void press_put_aside(PressSearch *search, const double *z);
void press_take_back(PressSearch *search, double *z);

#endif
