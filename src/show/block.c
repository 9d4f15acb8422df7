// Laying out blocks of lines.
#include "show/block.h"

#include <string.h>

#include "base/utf8.h"

static size_t width_of(const char *text) { return utf8_width(text, strlen(text)); }

static void add_blanks(Text *out, size_t n) {
  while (n-- > 0) text_add_char(out, ' ');
}

static Block block_of(Arena *arena, uint32_t height) {
  return (Block){.height = height, .lines = arena_array(arena, const char *, height)};
}

static void set_line(Block *block, uint32_t i, Text *line) {
  while (line->n && line->at[line->n - 1] == ' ') line->at[--line->n] = 0;
  block->lines[i] = line->at;
  size_t width = width_of(line->at);
  if (width > block->width) block->width = width;
}

// The piece of a tall bracket for line i of n.
static const char *bracket_piece(bool left, uint32_t i, uint32_t n, bool unicode) {
  static const char *const pieces[2][4] = {{"[", "⎡", "⎢", "⎣"}, {"]", "⎤", "⎥", "⎦"}};
  int which = !unicode || n == 1 ? 0 : i == 0 ? 1 : i + 1 < n ? 2 : 3;
  return pieces[left ? 0 : 1][which];
}

Block block_matrix(Arena *arena, const char *const *cells, uint32_t rows, uint32_t columns,
                   bool unicode) {
  size_t *widths = arena_array(arena, size_t, columns ? columns : 1);
  for (uint32_t i = 0; i < rows * columns; i++) {
    size_t width = width_of(cells[i]);
    if (width > widths[i % columns]) widths[i % columns] = width;
  }
  Block block = block_of(arena, rows);
  for (uint32_t r = 0; r < rows; r++) {
    Text line = text_new(arena);
    text_addf(&line, "%s ", bracket_piece(true, r, rows, unicode));
    for (uint32_t c = 0; c < columns; c++) {
      const char *cell = cells[r * columns + c];
      if (c) text_add(&line, "   ");
      text_add(&line, cell);
      add_blanks(&line, widths[c] - width_of(cell));
    }
    text_addf(&line, " %s", bracket_piece(false, r, rows, unicode));
    set_line(&block, r, &line);
  }
  return block;
}

Block block_beside(Arena *arena, Block left, size_t gap, Block right) {
  Block block = block_of(arena, left.height > right.height ? left.height : right.height);
  for (uint32_t i = 0; i < block.height; i++) {
    Text line = text_new(arena);
    const char *first = i < left.height ? left.lines[i] : "";
    text_add(&line, first);
    if (i < right.height) {
      add_blanks(&line, left.width - width_of(first) + gap);
      text_add(&line, right.lines[i]);
    }
    set_line(&block, i, &line);
  }
  return block;
}

Block block_labelled(Arena *arena, const char *label, Block block) {
  Block front = {.height = 1, .width = width_of(label), .lines = &label};
  return block_beside(arena, front, 0, block);
}

void block_print(const Block *block, Text *out) {
  for (uint32_t i = 0; i < block->height; i++) text_addf(out, "%s\n", block->lines[i]);
}

// The last place up to width columns where a line may be broken, or its end.
static size_t break_place(const char *line, size_t width) {
  size_t best = 0, column = 0;
  int depth = 0;
  for (size_t i = 0; line[i];) {
    if (line[i] == '(') depth++;
    if (line[i] == ')') depth--;
    bool sign = strncmp(line + i, " + ", 3) == 0 || strncmp(line + i, " - ", 3) == 0 ||
                strncmp(line + i, " − ", 5) == 0;
    // A break inside brackets only where there is none outside.
    if (sign && i && (depth == 0 || best == 0) && column < width) best = i;
    uint32_t character;
    size_t used = utf8_decode(line + i, strlen(line + i), &character);
    if (!used) used = 1;
    column += utf8_width(line + i, used);
    i += used;
    if (column > width && best) return best;
  }
  return strlen(line);
}

void print_wrapped(Text *out, const char *line, size_t width, size_t indent) {
  size_t room = width;
  while (width_of(line) > room) {
    size_t place = break_place(line, room);
    text_add_bytes(out, line, place);
    line += place;
    while (*line == ' ') line++;
    if (!*line) break;
    text_add_char(out, '\n');
    add_blanks(out, indent);
    room = width > indent + 20 ? width - indent : 20;
  }
  text_addf(out, "%s\n", line);
}
