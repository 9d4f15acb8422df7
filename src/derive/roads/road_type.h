// What every road to the equations offers to those who show, prove or compare it.
#ifndef QDOT_DERIVE_ROADS_ROAD_TYPE_H
#define QDOT_DERIVE_ROADS_ROAD_TYPE_H

#include "derive/roads/road.h"
#include "derive/system.h"
#include "expr/algebra/simplify.h"

// A derived road is a record of its own, Hamilton for one, in the keep arena.
typedef struct RoadType {
  // From a system that has its matrices. What the road does not apply to is diagnosed.
  Status (*derive)(Context *cx, const System *system, void **out);
  // The same in the reader's form. for_people: what is too long to read may be shown another way.
  void (*simplify)(Context *cx, const System *system, SimplifyLevel level, bool for_people,
                   void *road);
  // The right sides: rates of coordinates, of momenta or speeds, of states; added to a list in the
  // scratch arena. Multipliers that it keeps stand in them.
  void (*rates)(Context *cx, const System *system, const void *road, ExprList *out);
  // All that it shows, added to a list in the scratch arena.
  void (*values)(Context *cx, const void *road, ExprList *out);
  // What vanishes at all states, for any accelerations and multipliers, if and only if the road
  // and Lagrange's equations say the same; added to a list in the scratch arena. Of a road that
  // was derived and not simplified, or simplified without for_people.
  void (*differences)(Context *cx, System *system, const void *road, ExprList *out);
} RoadType;

// NULL: Lagrange's.
const RoadType *road_type(Road road);

// By which road a model's equations are shown, and what that road gives.
typedef struct RoadTaken {
  Road road;
  const void *result; // NULL for Lagrange's
} RoadTaken;

// The road that the model asks for, in the reader's form.
Status road_take(Context *cx, const System *system, SimplifyLevel level, bool for_people,
                 RoadTaken *out);

#define ROAD(NAME, name, text) extern const RoadType name##_road;
#include "derive/roads/roads.def"
#undef ROAD

#endif
