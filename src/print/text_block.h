// Blocks of lines that stand beside each other: matrices and vectors on a terminal.
#ifndef QDOT_PRINT_TEXT_BLOCK_H
#define QDOT_PRINT_TEXT_BLOCK_H

#include "base/vec.h"
#include "print/typeset.h"

typedef struct Block {
  uint32_t height;
  size_t width;       // columns of the widest line
  const char **lines; // each ended by a zero byte, without blanks at its end
} Block;

// Cells row by row, in brackets, columns separated by a gap of blanks; unicode chooses tall
// brackets. Where a cell begins with a minus, the others of its column leave room for one.
Block block_matrix(Arena *arena, const char *const *cells, uint32_t rows, uint32_t columns,
                   size_t gap, bool unicode);
// Lines under each other.
Block block_column(Arena *arena, const char *const *lines, uint32_t n);
// Left and right, separated by a gap of blanks, the first lines level.
Block block_beside(Arena *arena, Block left, size_t gap, Block right);
// A label of one line before a block, at its first line.
Block block_labelled(Arena *arena, const char *label, Block block);
void block_print(const Block *block, Text *out);

// A long line broken where it would pass width: before a sign outside brackets, else before a sign
// inside, else between factors; what follows is indented.
void print_wrapped(Text *out, const char *line, size_t width, size_t indent);

#endif
