// One model of energies by all roads: equations proved equal, their lengths and what they cost.
#ifndef QDOT_ANALYSE_ROAD_COMPARE_H
#define QDOT_ANALYSE_ROAD_COMPARE_H

#include "derive/agreement.h"
#include "derive/roads/road.h"
#include "derive/system.h"

typedef struct RoadRun {
  const char *name;
  const char *refusal;   // why it does not apply; else NULL
  double derive_seconds; // beyond the energies and matrices that all use
  uint32_t equations;    // of first order: rates of coordinates, momenta or speeds, states
  Agreement agreement;   // with Lagrange's equations
  uint32_t length;       // characters of the right sides, in the reader's form
  bool is_measured;      // else too long for that
  uint32_t operations;   // of one evaluation of the right sides,
  double seconds;        // and its time
  bool has_multipliers;  // which are inputs of it: solving for them comes on top
} RoadRun;

// Why the shortest is short.
typedef enum RoadReason {
  REASON_NONE,        // several are as short
  REASON_LAGRANGE,    // M is constant: nothing is to be gained
  REASON_SOLVED,      // Lagrange's, although M is not constant
  REASON_MOMENTA,     // momenta take up the terms that are quadratic in the velocities
  REASON_CYCLIC,      // cyclic coordinates are gone
  REASON_CONSTRAINTS, // speeds respect the constraints: no multipliers
  REASON_SPEEDS       // the speeds suit the motion
} RoadReason;

typedef struct RoadComparison {
  RoadRun runs[ROADS];
  uint32_t cyclic; // coordinates
  bool is_proved;  // all that apply
  int shortest;    // a Road, by operations; -1 where nothing was measured
  RoadReason reason;
} RoadComparison;

Status compare_roads(Context *cx, Model *model, RoadComparison *out);

#endif
