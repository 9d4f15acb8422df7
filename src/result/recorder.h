// Takes a run's rows and stretches as they come: into memory, into the files of a folder, or both.
#ifndef QDOT_RESULT_RECORDER_H
#define QDOT_RESULT_RECORDER_H

#include "result/result.h"

typedef struct RecorderOptions {
  size_t memory;        // bytes of rows and stretches that may stay in memory
  bool may_go_on;       // checkpoints are made: what is unfinished is kept
  bool rows_alone;      // in memory, the motion between them is not wanted
  bool no_motion;       // nor in a file
  uint64_t most_motion; // bytes of the motion's file, which is left out beyond that; 0: no bound
  // Who else wants the rows; a status other than QDOT_OK ends the run.
  Status (*row)(void *user, const double *values, uint32_t n);
  void *user;
} RecorderOptions;

typedef struct Recorder {
  Result *result;
  RecorderOptions options;
  CsvWriter rows;
  MotionWriter motion;
  bool has_files;
} Recorder;

// The result has its columns; its folder, unless NULL, exists.
Status recorder_open(Recorder *recorder, Result *result, const RecorderOptions *options);
// Goes on behind what was on disk at a checkpoint.
Status recorder_resume(Recorder *recorder, Result *result, const RecorderOptions *options,
                       SinkPosition position);
RowSink recorder_sink(Recorder *recorder);

// The motion would have been larger than it may be: pictures show the rows.
bool recorder_left_out(const Recorder *recorder);

// The run is over: the files get their names, and the result its rows.
Status recorder_finish(Recorder *recorder);
// The run was stopped and can be resumed: its unfinished files stay, and what they hold so far is
// there to be read.
Status recorder_pause(Recorder *recorder);
// The run failed.
void recorder_leave(Recorder *recorder);

#endif
