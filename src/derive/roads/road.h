// By which road the equations of a model are shown: Lagrange's, or another one that ends at the
// same motions.
#ifndef QDOT_DERIVE_ROADS_ROAD_H
#define QDOT_DERIVE_ROADS_ROAD_H

#include <stdbool.h>

typedef enum Road {
  ROAD_LAGRANGE,
#define ROAD(NAME, name, text) ROAD_##NAME,
#include "derive/roads/roads.def"
#undef ROAD
  ROADS
} Road;

// "hamilton"; NULL for Lagrange's, which is one of the formulations.
const char *road_text(Road road);
// False where no road but Lagrange's has this name.
bool road_from_text(const char *text, Road *out);
// Of a model's field: NULL is Lagrange's.
Road road_of(const char *text);

#endif
