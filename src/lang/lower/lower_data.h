// Columns of data files in the units of a model.
#ifndef QDOT_LANG_LOWER_LOWER_DATA_H
#define QDOT_LANG_LOWER_LOWER_DATA_H

#include "data/data.h"
#include "lang/lower/lower.h"

// The data file that is named here, in the arena of the reading; NULL after a message. The model
// lists it.
const DataFile *lower_data_file(Lowering *l, const Ast *file);

typedef struct DataColumn {
  const Ast *ast;
  uint32_t number;      // from 0
  Form form;            // bare where neither the model nor the file has a unit
  const char *unit;     // as it was written, or NULL
  double factor;        // of the unit, in SI units
  const double *values; // in SI units
} DataColumn;

// A column of a file, an AST_COLUMN, with the unit behind it, else that of its heading; false after
// a message.
bool lower_column(Lowering *l, const DataFile *file, const Ast *ast, bool allows_gaps,
                  DataColumn *out);

#endif
