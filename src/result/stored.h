// A stored result: results.csv, summary.json and model.qdot of a folder.
#ifndef QDOT_RESULT_STORED_H
#define QDOT_RESULT_STORED_H

#include "result/certificate.h"
#include "result/csv.h"
#include "result/recording.h"

typedef struct StoredResult {
  Context *cx;
  const char *folder;
  SimSummary summary;
  CsvReader reader;
  Recording recording; // its rows come from the file, one at a time
} StoredResult;

// Opens the result in a folder for a model that was read before. QDOT_IO when a file is missing,
// QDOT_BAD_FILE when the columns are not those of the model. Must be closed.
Status stored_open(Context *cx, const char *folder, const Model *model, StoredResult *out);
void stored_close(StoredResult *result);

// The model's text and the values from outside with which the result was made; in the keep arena.
Status stored_model(Context *cx, const char *folder, const char **text, size_t *length,
                    StoredSettings *settings);

// Is there a result in the folder that belongs to this model? Plot and draw lines, blank lines and
// comments may differ, everything else must be as it was.
bool stored_belongs(Context *cx, const char *folder, const Model *model);

#endif
