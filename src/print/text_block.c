// Laying out blocks of lines.
#include "print/text_block.h"

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

static size_t sign_width(const char *cell) {
  return cell[0] == '-' || strncmp(cell, "−", 3) == 0 ? 1 : 0;
}

// A column: room for a minus in front, and the widest cell without it.
typedef struct Column {
  size_t sign, width;
} Column;

static Column *measure_columns(Arena *arena, const char *const *cells, uint32_t rows,
                               uint32_t columns) {
  Column *measured = arena_array(arena, Column, columns ? columns : 1);
  for (uint32_t i = 0; i < rows * columns; i++) {
    Column *column = &measured[i % columns];
    size_t sign = sign_width(cells[i]), width = width_of(cells[i]) - sign;
    if (sign) column->sign = 1;
    if (width > column->width) column->width = width;
  }
  return measured;
}

Block block_matrix(Arena *arena, const char *const *cells, uint32_t rows, uint32_t columns,
                   size_t gap, bool unicode) {
  const Column *measured = measure_columns(arena, cells, rows, columns);
  Block block = block_of(arena, rows);
  for (uint32_t r = 0; r < rows; r++) {
    Text line = text_new(arena);
    text_addf(&line, "%s ", bracket_piece(true, r, rows, unicode));
    for (uint32_t c = 0; c < columns; c++) {
      const char *cell = cells[r * columns + c];
      size_t indent = measured[c].sign - sign_width(cell);
      add_blanks(&line, (c ? gap : 0) + indent);
      text_add(&line, cell);
      add_blanks(&line, measured[c].sign + measured[c].width - indent - width_of(cell));
    }
    text_addf(&line, " %s", bracket_piece(false, r, rows, unicode));
    set_line(&block, r, &line);
  }
  return block;
}

Block block_column(Arena *arena, const char *const *lines, uint32_t n) {
  Block block = block_of(arena, n);
  for (uint32_t i = 0; i < n; i++) {
    Text line = text_new(arena);
    text_add(&line, lines[i]);
    set_line(&block, i, &line);
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

// How well a line can be broken at a blank: signs outside brackets best, then signs inside, then
// between factors; 0 where it must not.
static int break_quality(const char *at, int depth) {
  bool sign =
      strncmp(at, " + ", 3) == 0 || strncmp(at, " - ", 3) == 0 || strncmp(at, " − ", 5) == 0;
  int shallow = depth < 50 ? 50 - depth : 0;
  if (sign) return 100 + shallow;
  // A sign stays with its term.
  if (*at != ' ' || at[1] == ' ' || at[1] == '=') return 0;
  return 1 + shallow;
}

// Where to break a line that is wider than width: the best place, of equal ones the last; the end
// of the line when there is none.
static size_t break_place(const char *line, size_t width) {
  size_t best = 0, column = 0;
  int best_quality = 0, depth = 0;
  bool after_sign = true; // also at the start: no break before the first term
  for (size_t i = 0; line[i] && (column <= width || best == 0);) {
    if (line[i] == '(' || line[i] == '[') depth++;
    if (line[i] == ')' || line[i] == ']') depth--;
    int quality = i && !after_sign ? break_quality(line + i, depth) : 0;
    if (quality && quality >= best_quality && (column <= width || best == 0))
      best = i, best_quality = quality;
    if (line[i] != ' ') after_sign = line[i] == '=' || line[i] == '+' || line[i] == '-';
    uint32_t character;
    size_t used = utf8_decode(line + i, strlen(line + i), &character);
    if (character == 0x2212) after_sign = true;
    if (!used) used = 1;
    column += utf8_width(line + i, used);
    i += used;
  }
  return best ? best : strlen(line);
}

// The brackets that are open where a line was broken: how far in their content stands.
typedef struct OpenBrackets {
  size_t inside[50];
  size_t depth;
} OpenBrackets;

// Follows the brackets of a piece that is printed from a column on.
static void follow_brackets(OpenBrackets *open, const char *piece, size_t n, size_t column) {
  for (size_t i = 0; i < n;) {
    uint32_t character;
    size_t used = utf8_decode(piece + i, n - i, &character);
    if (!used) used = 1;
    column += utf8_width(piece + i, used);
    if (piece[i] == '(' || piece[i] == '[') {
      if (open->depth < sizeof open->inside / sizeof *open->inside)
        open->inside[open->depth] = column;
      open->depth++;
    }
    if ((piece[i] == ')' || piece[i] == ']') && open->depth) open->depth--;
    i += used;
  }
}

// What continues inside a bracket stands below its content, so that it is not taken for a term of
// the whole; where that leaves no room, two columns further in for each bracket.
static size_t indent_of(const OpenBrackets *open, size_t width, size_t indent) {
  size_t most = sizeof open->inside / sizeof *open->inside;
  if (open->depth == 0) return indent;
  size_t column = open->depth <= most ? open->inside[open->depth - 1] : width;
  if (column > indent && column <= width / 2) return column;
  column = indent + 2 * open->depth;
  return column <= width / 2 ? column : width / 2 > indent ? width / 2 : indent;
}

void print_wrapped(Text *out, const char *line, size_t width, size_t indent) {
  size_t room = width, column = 0;
  OpenBrackets open = {0};
  while (width_of(line) > room) {
    size_t place = break_place(line, room);
    text_add_bytes(out, line, place);
    follow_brackets(&open, line, place, column);
    line += place;
    while (*line == ' ') line++;
    if (!*line) break;
    text_add_char(out, '\n');
    column = indent_of(&open, width, indent);
    add_blanks(out, column);
    room = width > column + 20 ? width - column : 20;
  }
  text_addf(out, "%s\n", line);
}
