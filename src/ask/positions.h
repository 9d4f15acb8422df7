// Kinematics and inverse dynamics of a driven mechanism: rows over the drive, and what they amount
// to.
#ifndef QDOT_ASK_POSITIONS_H
#define QDOT_ASK_POSITIONS_H

#include "sim/run_source.h"

typedef struct PositionExtent {
  double least, most;     // between the rows too
  double t_least, t_most; // when
  double mean, rms;       // over the time
} PositionExtent;

// All columns at a moment: a row, or one side of where something switches between two rows.
typedef struct PositionNode {
  double t;
  const double *values;
} PositionNode;

typedef struct Positions {
  Context *cx;
  const Model *model;
  Follower follower;
  Columns columns;
  const Motor *motor; // that turns steadily, or NULL
  double turn;        // the time in which it turns once
  double end;         // seconds
  uint32_t rows;
  double *values; // row by row
  VEC(PositionNode) nodes;
  PositionExtent *extents; // by column
  const bool *vanishes;    // by column: a force where nothing has mass or pushes
} Positions;

// The rows at equal times from 0 to the end: `end` seconds, where that is 0 one turn of the first
// motor with a constant speed, else the end of the simulate line. Mistakes are diagnosed.
Status positions_find(Context *cx, System *system, const SimOptions *options, uint32_t steps,
                      double end, Positions *out);
void positions_close(Positions *positions);

#endif
