// Rows and stretches in memory.
#include "result/result_memory.h"

#include <string.h>

enum { ROWS_A_BLOCK = 1024 };

void result_memory_open(ResultMemory *m, Arena *arena, uint32_t width, size_t most_bytes) {
  *m = (ResultMemory){.arena = arena, .width = width, .left = most_bytes};
  m->is_full = most_bytes == 0;
}

// Room for n numbers, or NULL: then nothing more is kept.
static double *take(ResultMemory *m, size_t n) {
  size_t bytes = n * sizeof(double);
  if (m->is_full || bytes > m->left) {
    m->is_full = true;
    return NULL;
  }
  m->left -= bytes;
  return arena_array(m->arena, double, n);
}

void result_memory_row(ResultMemory *m, const double *row) {
  uint64_t within = m->rows % ROWS_A_BLOCK;
  if (within == 0) {
    double *block = take(m, (size_t)ROWS_A_BLOCK * m->width);
    if (block) vec_push(m->arena, &m->blocks, block);
  }
  if (m->is_full) return;
  memcpy(m->blocks.at[m->blocks.n - 1] + within * m->width, row, m->width * sizeof *row);
  m->rows++;
}

void result_memory_stretch(ResultMemory *m, const Stretch *stretch) {
  size_t n = (size_t)stretch->nodes * stretch->columns;
  double *cells = take(m, n);
  if (!cells) return;
  Stretch kept = *stretch;
  memcpy(cells, stretch->cells, n * sizeof *cells);
  kept.cells = cells;
  vec_push(m->arena, &m->stretches, kept);
}

static const double *next_row(void *user) {
  ResultMemory *m = user;
  if (m->next_row == m->rows) return NULL;
  uint64_t i = m->next_row++;
  return m->blocks.at[i / ROWS_A_BLOCK] + i % ROWS_A_BLOCK * m->width;
}

static void rewind_rows(void *user) { ((ResultMemory *)user)->next_row = 0; }

RowSource result_memory_rows(ResultMemory *m) {
  return (RowSource){.user = m, .next = next_row, .rewind = rewind_rows};
}

static bool next_stretch(void *user, Stretch *out) {
  ResultMemory *m = user;
  if (m->next_stretch == m->stretches.n) return false;
  *out = m->stretches.at[m->next_stretch++];
  return true;
}

static void rewind_stretches(void *user) { ((ResultMemory *)user)->next_stretch = 0; }

StretchSource result_memory_motion(ResultMemory *m) {
  return (StretchSource){.user = m, .next = next_stretch, .rewind = rewind_stretches};
}
