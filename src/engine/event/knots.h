// Tables of time: when their knots come is known beforehand, and steps end there.
#ifndef QDOT_ENGINE_EVENT_KNOTS_H
#define QDOT_ENGINE_EVENT_KNOTS_H

#include "engine/machine.h"

// A use of a table at offset + rate t.
typedef struct TimedTable {
  uint32_t use; // of the machine
  const TableData *table;
  double offset, rate;
  double next; // when the piece at hand ends
} TimedTable;

typedef struct Knots {
  Machine *machine;
  TimedTable *at;
  uint32_t count;
  double next; // the first knot to come; INFINITY when there is none
} Knots;

void knots_open(Knots *knots, Arena *arena, Machine *machine);
// Puts every table of time on the piece that begins at t or lasts there, whatever was before.
void knots_place(Knots *knots, double t);
// Goes on to the pieces after t; true when there are others than before.
bool knots_pass(Knots *knots, double t);

#endif
