// A mechanism examined: does it close, what can move, which joints are too many.
#ifndef QDOT_ANALYSE_MOBILITY_DOCTOR_H
#define QDOT_ANALYSE_MOBILITY_DOCTOR_H

#include "model/model.h"

typedef VEC(Symbol) SymbolList;

typedef struct Doctor {
  uint32_t bodies;       // 0: the model has none, and all else is 0
  uint32_t joints, rows; // rows: what the joints take away
  uint32_t drives;       // motors with a given speed
  int gruebler;          // 3 bodies - rows
  bool is_measured;      // the rest was found; not so for very large mechanisms
  int mobility;          // 3 bodies - rank, where the mechanism is assembled
  double gap;            // of the joint that fits worst, in metres (or radians)
  Symbol gaping;         // that joint; 0 where all fit
  bool gapes_by_angle;
  SymbolList superfluous; // joints with a row that those before them imply
  SymbolList loose;       // bodies from which no joint leads to the ground
} Doctor;

// Looks at the mechanism that a model was made from.
Status doctor_examine(Context *cx, const Model *model, Doctor *out);

#endif
