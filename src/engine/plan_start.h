// Where a motion starts, beside its coordinates: bodies and solids that must be where they are said
// to be, and the assembly of bodies whose guesses do not close.
#ifndef QDOT_ENGINE_PLAN_START_H
#define QDOT_ENGINE_PLAN_START_H

#include "engine/plan.h"

typedef struct PlanBody {
  const char *name;
  PlanStart start[3]; // x and y in m, the angle in rad
} PlanBody;

typedef struct PlanSolid {
  const char *name;
  Span span;
} PlanSolid;

typedef struct PlanPlaces {
  uint32_t body_count, solid_count; // no bodies where their poses are not known
  const PlanBody *bodies;
  const PlanSolid *solids;
  const Tape *poses; // x, y, angle of every body, from the coordinates
  const Tape *axes;  // of every solid its x, y and z direction in the world, three numbers each
} PlanPlaces;

// The entries of a matrix that are not 0.
typedef struct PlanCell {
  uint32_t row, column;
} PlanCell;
typedef struct PlanEntries {
  uint32_t count;
  const PlanCell *cells;
  const Tape *values;
} PlanEntries;

// A coordinate of an assembly: one of the user's own, or x, y or the angle of a body.
typedef struct PlanPose {
  uint32_t z, zd;             // variables: it and its rate
  const char *name;           // of the coordinate, or of the body
  const char *part;           // "x", "y", "angle" of the body; NULL: a coordinate
  bool is_given;              // by the model
  bool is_rate_given;         // the same of its rate
  bool is_kept, is_rate_kept; // is not moved: what is given, and what nobody asks for
} PlanPose;

typedef struct PlanAssemblyRow {
  const char *name;
  Span span;
  bool has_time;
} PlanAssemblyRow;

// Poses z of bodies with constraints between them. The user's own coordinates come first, holonomic
// rows before the others.
typedef struct PlanAssembly {
  uint32_t n, own, row_count, holonomic;
  const PlanPose *poses;
  const PlanAssemblyRow *rows;
  const Tape *positions, *velocities; // where z and z' are said to start
  uint32_t anchor_count;
  const Tape *anchors;     // x, y of the joints' places in the frames of their bodies, in m
  const Tape *constraints; // Phi of the holonomic rows
  const Tape *rates;       // dPhi/dt of all rows
  PlanEntries slopes;      // of the rows by z, or by z' where they have no position level
  PlanEntries inertias;    // of M; those of one place add up
  const Tape *meanings, *meaning_rates; // of the model's coordinates
  size_t room; // doubles that any of these and PlanPlaces.poses take, for values or sizes
} PlanAssembly;

#endif
