// Rows and stretches that are kept in memory as long as they are not too many.
#ifndef QDOT_RESULT_RESULT_MEMORY_H
#define QDOT_RESULT_RESULT_MEMORY_H

#include "result/motion.h"

typedef struct ResultMemory {
  Arena *arena;
  uint32_t width;
  size_t left;             // bytes that may still be taken
  bool is_full;            // something did not fit: what is here is not all
  VEC(double *) blocks;    // of rows
  uint64_t rows, next_row; // next_row: of the reader
  VEC(Stretch) stretches;
  uint32_t next_stretch;
} ResultMemory;

void result_memory_open(ResultMemory *memory, Arena *arena, uint32_t width, size_t most_bytes);
void result_memory_row(ResultMemory *memory, const double *row);
void result_memory_stretch(ResultMemory *memory, const Stretch *stretch);
RowSource result_memory_rows(ResultMemory *memory);
StretchSource result_memory_motion(ResultMemory *memory);

#endif
