// The table of a sweep as an HDF5 file.
#ifndef QDOT_ASK_SWEEP_HDF5_H
#define QDOT_ASK_SWEEP_HDF5_H

#include "ask/sweep_table.h"

// What an axis or a measure is called, and its unit.
typedef struct SweepColumn {
  const char *name, *unit;
} SweepColumn;

// Is the library there? Loads it.
bool sweep_hdf5_is_there(void);
// Says that it is not, and how to get it: QDOT_NO_PROGRAM.
Status sweep_hdf5_missing(Context *cx);
// folder/table.h5: group `table` with a dataset for each of case, axes, measures, status;
// `columns`, their names in this order; `model` and `settings`, the texts; version, cases and seed
// as attributes. Axes come first in `columns`, then measures. Written beside and renamed. Fails
// with QDOT_NO_PROGRAM where the library is not installed.
Status sweep_write_hdf5(Context *cx, const Sweep *sweep, const SweepStore *stores, uint32_t count,
                        const SweepColumn *columns, const char *folder);
// How many bytes that will take, about.
double sweep_hdf5_bytes(const Sweep *sweep);

#endif
