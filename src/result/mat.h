// Results as a MAT file (version 5, uncompressed) that MATLAB, Octave and SciPy read.
#ifndef QDOT_RESULT_MAT_H
#define QDOT_RESULT_MAT_H

#include "base/context.h"

typedef struct MatTable {
  const char *title; // for the header, or NULL
  uint32_t columns;
  const char *const *names;
  uint64_t rows;
  // The next row until the next call; NULL at the end.
  const double *(*next)(void *user);
  void *user;
} MatTable;

// Every column becomes a variable, a column vector of doubles: theta' is theta_dot, theta[1] is
// theta_1. The cell array `names` lists the variables beside the names of the columns. Memory does
// not grow with the rows. FOLDER/NAME is replaced as a whole; QDOT_IO when it cannot be written,
// QDOT_BAD_FILE when there are other rows than table->rows, QDOT_UNSUPPORTED beyond the 4 GiB of a
// variable that the format has room for.
Status mat_write(Context *cx, const char *folder, const char *name, const MatTable *table);

#endif
