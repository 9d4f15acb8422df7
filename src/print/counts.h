// What a model is made of, in the first line of what a terminal shows of it.
#ifndef QDOT_PRINT_COUNTS_H
#define QDOT_PRINT_COUNTS_H

#include "base/text.h"

typedef struct Counts {
  uint32_t coordinates, constraints, contacts, freedoms;
  uint32_t states; // told only where there are no coordinates
} Counts;

// "Four-bar: 3 coordinates, 2 constraints, 1 degree of freedom"; "Lorenz: 3 states"
void counts_add(Text *out, const char *title, Counts counts);

#endif
