// A mechanism examined: does it close, what can move, which joints are too many.
#ifndef QDOT_ANALYSE_MOBILITY_DOCTOR_H
#define QDOT_ANALYSE_MOBILITY_DOCTOR_H

#include "analyse/mobility/undetermined.h"

typedef struct Doctor {
  uint32_t bodies;       // 0: the model has none, and all else is 0
  uint32_t joints, rows; // rows: what the joints take away
  uint32_t drives;       // motors with a given speed
  uint32_t points;       // bodies whose angle plays no part: two freedoms each, not three
  int gruebler;          // 3 bodies, 2 for a point, - rows
  bool is_measured;      // the rest was found; not so for very large mechanisms
  int mobility;          // 3 bodies - rank, where the mechanism is assembled
  double gap;            // of the joint that fits worst, in metres (or radians)
  Symbol gaping;         // that joint; 0 where all fit
  bool gapes_by_angle;
  SymbolList superfluous;  // joints with a row that those before them imply
  SymbolList undetermined; // reactions, such as A.F_x, that statics leaves open
  SymbolList loose;        // bodies from which no joint leads to the ground
} Doctor;

// Looks at the mechanism that a model was made from.
Status doctor_examine(Context *cx, const Model *model, Doctor *out);

// Warns of outputs with forces that statics leaves open, where `who` shares them in its own way and
// not as a run does.
Status doctor_warn_of_outputs(Context *cx, const Model *model, const char *who);

#endif
