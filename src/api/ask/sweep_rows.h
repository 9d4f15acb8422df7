// The rows of chosen cases of a sweep, each a file: folder/rows/case-N.csv.
#ifndef QDOT_API_ASK_SWEEP_ROWS_H
#define QDOT_API_ASK_SWEEP_ROWS_H

#include "ask/sweep_table.h"
#include "print/ask/sweep_text.h"

// Where the rows of a case are within the folder: rows/case-17.csv.
const char *sweep_rows_name(Arena *arena, uint64_t number);
// Runs the chosen cases of the worker's block again and keeps their rows.
Status sweep_keep_rows(const Sweep *sweep, SweepWorker *worker, const char *folder);
// Are the rows of all chosen cases of a block there?
bool sweep_rows_are_there(const char *folder, const SweepBlock *block);
// Goes through all blocks of several folders, counts, and copies the rows of chosen cases
// into `folder` unless it is NULL.
Status sweep_count_stored(const Sweep *sweep, const SweepStore *stores, const char *const *folders,
                          uint32_t count, const char *folder, SweepStory *story);

#endif
