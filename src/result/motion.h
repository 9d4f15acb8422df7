// The motion between the rows of a result: stretches one after the other, from memory or a file,
// and rows that lie as close as a picture needs them.
// Sources: motion.c, motion_file.c
#ifndef QDOT_RESULT_MOTION_H
#define QDOT_RESULT_MOTION_H

#include <stdio.h>

#include "engine/stretch.h"
#include "result/rows.h"
#include "result/stream.h"

// Stretches in the order of time, as often as one likes.
typedef struct StretchSource {
  void *user;
  bool (*next)(void *user, Stretch *out); // its cells until the next call; false at the end
  void (*rewind)(void *user);
  Status (*status)(void *user); // why next answered false
} StretchSource;

// ---- In a file: motion.bin

// All numbers little-endian. "QDOTMOVE", then as 32 bits each the version (1) and the number of
// columns; then of every stretch, as 32 bits each, its nodes and 1 where it jumps, and its cells as
// doubles, node by node.
typedef struct MotionWriter {
  Stream stream;
  uint32_t columns;
  uint64_t most;    // bytes, for the caller to set; 0: no bound
  bool is_left_out; // it would have been larger, and is no more
} MotionWriter;

Status motion_writer_open(Context *cx, const char *path, uint32_t columns, MotionWriter *out);
// See stream_resume; 0 bytes of what was left out already.
Status motion_writer_resume(Context *cx, const char *path, uint32_t columns, uint64_t bytes,
                            MotionWriter *out);
Status motion_writer_add(MotionWriter *writer, const Stretch *stretch);
void motion_writer_leave_out(MotionWriter *writer);

typedef struct MotionReader {
  Context *cx;
  const char *path;
  FILE *stream;
  Handle handle;
  uint32_t columns;
  double *cells;
  Status status;
} MotionReader;

// QDOT_IO when there is no such file, without a word; QDOT_BAD_FILE when it is something else.
Status motion_reader_open(Context *cx, const char *path, uint32_t columns, MotionReader *out);
void motion_reader_close(MotionReader *reader);
StretchSource motion_reader_source(MotionReader *reader);

// ---- As rows

// Every stretch as rows: smooth to the eye, at most `spacing` apart, with two rows of the same time
// where an event makes values jump.
typedef struct MotionRows {
  StretchSource source;
  Stretch stretch;
  double spacing;
  uint32_t count, at; // of the present stretch; at > count: the next one
  bool has_begun;
  double *row;
} MotionRows;

RowSource motion_rows(MotionRows *rows, Arena *arena, StretchSource source, uint32_t columns,
                      double spacing);

#endif
