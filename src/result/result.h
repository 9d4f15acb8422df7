// A result: what a run has left behind, in memory or in a folder; everything that shows a motion
// reads it from here.
// Sources: result.c, store.c
#ifndef QDOT_RESULT_RESULT_H
#define QDOT_RESULT_RESULT_H

#include "result/csv.h"
#include "result/origin.h"
#include "result/result_memory.h"
#include "sim/sim.h"

typedef struct Result {
  Context *cx;
  const Model *model; // NULL: the run was that of a plan
  const char *folder; // where it is stored, or NULL
  uint32_t column_count;
  const char *const *columns; // as in the header: t, q, q', q'', lambda_NAME, outputs, E_kin ...
  const char *const *measure_units; // of the model's measures: "N m"; NULL where nobody has said
  SimSummary summary;               // with events and extremes
  RowSource rows;                   // as they were asked for
  RowSource motion;                 // the same columns, as close as a picture needs them
  // Where they come from: memory, or the files of the folder.
  Arena arena;
  ResultMemory memory;
  CsvReader csv;
  MotionReader file;
  MotionRows fine;
  Handle handle;
  double *turned;     // the rows by columns, once somebody asked; summary.rows values each,
  size_t turned_rows; // of which so many are there
} Result;

// An empty result of a model; columns and rows come later. Must be closed, unless the context is.
Result *result_new(Context *cx, const Model *model);
void result_close(Result *result);

// The column with this name, or -1.
int result_column(const Result *result, const char *name);

// Rows and motion from memory where all of them are there, else from the folder's files.
Status result_open_rows(Result *result);

// ---- In a folder: results.csv, motion.bin, summary.json, model.qdot

// Writes what is not there yet: the summary and the model's text. A run of a plan has none: one
// that is there belongs to another result, and is removed.
Status result_store(const Result *result, RunOrigin origin);

// Opens the result in a folder for a model that was read before. QDOT_IO when a file is missing,
// QDOT_BAD_FILE when the columns are not those of the model.
Status result_load(Context *cx, const char *folder, const Model *model, Result **out);

// With which values from outside a stored result was made.
typedef struct StoredSettings {
  const char *const *settings; // NAME=VALUE
  size_t count;
  const char *formulation; // of bodies, or NULL
} StoredSettings;

// The model's text and the values from outside with which the result was made; in the keep arena.
Status stored_model(Context *cx, const char *folder, const char **text, size_t *length,
                    StoredSettings *settings);

// Is there a result in the folder that belongs to this model? Plot and draw lines, blank lines and
// comments may differ, everything else must be as it was.
bool stored_belongs(Context *cx, const char *folder, const Model *model);

#endif
