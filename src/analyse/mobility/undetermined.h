// Reactions that statics leaves open, because joints are too many.
#ifndef QDOT_ANALYSE_MOBILITY_UNDETERMINED_H
#define QDOT_ANALYSE_MOBILITY_UNDETERMINED_H

#include "model/model.h"

typedef VEC(Symbol) SymbolList;

// Names such as A.F_x of all components of reactions that forces which balance each other can
// change: those with a part in what the transposed rows of joints, motors and constraints take to
// 0. `maximal` is the mechanism m in maximal coordinates, `values` a state where it is assembled,
// `length` the unit of its lengths.
SymbolList undetermined_reactions(Context *cx, const Mechanism *m, const Model *maximal,
                                  const double *values, double length);

#endif
