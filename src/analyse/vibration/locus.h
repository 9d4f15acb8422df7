// How frequencies, damping and stability move with one parameter.
#ifndef QDOT_ANALYSE_VIBRATION_LOCUS_H
#define QDOT_ANALYSE_VIBRATION_LOCUS_H

#include "analyse/vibration/modes.h"

typedef struct LocusStep {
  double value;
  bool is_found; // an equilibrium or steady motion, with a state space
  Modes modes;
} LocusStep;

// Where stability is lost or won, located to 1e-9 of the range.
typedef struct LocusChange {
  double value;
  bool becomes_unstable; // for larger values
} LocusChange;

typedef struct Locus {
  Expr parameter;
  bool
      is_geometric; // steps of equal ratio: from one end to the other it is a hundred times or more
  uint32_t n;
  LocusStep *step;
  VEC(LocusChange) changes;
} Locus;

// From one value of the parameter to another in n steps (at least 2), about the point of the
// request (or the equilibrium). Parameters computed from it follow. The first value must have a
// point; that is explained otherwise. In the keep arena.
Status locus_of_parameter(Context *cx, const System *system, const LinearizeRequest *request,
                          uint32_t parameter, double from, double to, uint32_t n, Locus *out);

#endif
