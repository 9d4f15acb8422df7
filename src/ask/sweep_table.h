// The table of a sweep: a row a case, in their order, made of its blocks.
#ifndef QDOT_ASK_SWEEP_TABLE_H
#define QDOT_ASK_SWEEP_TABLE_H

#include "ask/sweep_block.h"

// Hands the blocks over in their order, from the first of the stores that has each. Blocks that
// nobody has: QDOT_IO with a diagnostic that names them.
typedef Status SweepTake(void *user, const SweepBlock *block);
Status sweep_join(const Sweep *sweep, const SweepStore *stores, uint32_t count, SweepTake *take,
                  void *user);

// folder/table.csv: case, the axes, the measures, status. Written beside and renamed.
Status sweep_write_csv(Context *cx, const Sweep *sweep, const SweepStore *stores, uint32_t count,
                       const char *folder);
// How many bytes that will take, about.
double sweep_csv_bytes(const Sweep *sweep);

#endif
