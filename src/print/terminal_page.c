// Laying out matrices on a terminal.
#include "print/terminal_page.h"

#include <string.h>

#include "base/utf8.h"

#define BETWEEN_COLUMNS 5
#define BETWEEN_BLOCKS 6

TerminalPage terminal_open(Context *cx, const TextStyle *style, const PartNames *names, Text *out) {
  const Typeface *face = style->unicode ? &terminal_face : &ascii_face;
  return (TerminalPage){.cx = cx, .style = style, .face = face, .names = names, .out = out};
}

static const char *set_in(TerminalPage *p, Expr e, NumberStyle numbers) {
  Text text = text_new(&p->cx->scratch);
  Typesetter t = {
      .cx = p->cx, .face = p->face, .names = p->names, .numbers = numbers, .out = &text};
  typeset_expr(&t, e);
  return text.at;
}

const char *terminal_set(TerminalPage *p, Expr e) { return set_in(p, e, NUMBERS_OPEN); }

const char *terminal_name(TerminalPage *p, const char *name) {
  Text text = text_new(&p->cx->scratch);
  typeset_name(p->cx, name, 0, p->face, &text);
  return text.at;
}

void terminal_sentence(TerminalPage *p, const char *sentence) {
  print_wrapped(p->out, sentence, p->style->width, 2);
}

void terminal_equation(TerminalPage *p, const char *left, const char *right) {
  print_wrapped(p->out, text_format(&p->cx->scratch, "%s = %s", left, right), p->style->width, 4);
}

void terminal_gap(TerminalPage *p) {
  const Text *out = p->out;
  bool there = out->n >= 2 && out->at[out->n - 1] == '\n' && out->at[out->n - 2] == '\n';
  if (out->n && !there) text_add_char(p->out, '\n');
}

void terminal_end_line(TerminalPage *p) {
  if (p->line.height == 0) return;
  terminal_gap(p);
  block_print(&p->line, p->out);
  p->line = (Block){0};
}

static void place(TerminalPage *p, Block block) {
  size_t width = p->line.width + BETWEEN_BLOCKS + block.width;
  if (p->line.height && width <= p->style->width) {
    p->line = block_beside(&p->cx->scratch, p->line, BETWEEN_BLOCKS, block);
    return;
  }
  terminal_end_line(p);
  p->line = block;
}

// ---- Entry by entry

// name_12, or name[10,3] where digits could be misread.
static const char *entry_name(TerminalPage *p, const Grid *grid, uint32_t row, uint32_t column) {
  Arena *arena = &p->cx->scratch;
  const char *name = grid->name;
  bool plain = grid->rows <= 9 && grid->columns <= 9 && !strchr(name, '_');
  const char *text;
  if (grid->columns == 1)
    text = text_format(arena, plain ? "%s_%u" : "%s[%u]", name, row + 1);
  else
    text = text_format(arena, plain ? "%s_%u%u" : "%s[%u,%u]", name, row + 1, column + 1);
  return terminal_name(p, text);
}

// Entries one after the other, several on a line where they are short.
typedef struct Entries {
  TerminalPage *page;
  size_t column; // where the line ends so far
} Entries;

static void add_entry(Entries *list, const char *name, const char *value) {
  TerminalPage *p = list->page;
  const char *item = text_format(&p->cx->scratch, "%s = %s", name, value);
  size_t width = utf8_width(item, strlen(item)), gap = 4, room = p->style->width;
  bool is_short = width <= room / 3;
  if (list->column && is_short && list->column + gap + width <= room) {
    text_addf(p->out, "%*s%s", (int)gap, "", item);
    list->column += gap + width;
    return;
  }
  if (list->column) text_add_char(p->out, '\n');
  list->column = is_short ? width : 0;
  if (is_short)
    text_add(p->out, item);
  else
    terminal_equation(p, name, value);
}

static void list_entries(TerminalPage *p, const Grid *grid, const char *const *cells) {
  terminal_end_line(p);
  terminal_gap(p);
  Entries list = {p, 0};
  bool left_out = false;
  for (uint32_t i = 0; i < grid->rows; i++) {
    for (uint32_t j = grid->is_symmetric ? i : 0; j < grid->columns; j++) {
      uint32_t k = i * grid->columns + j;
      if (expr_is_zero(p->cx, grid->values[k]))
        left_out = true;
      else
        add_entry(&list, entry_name(p, grid, i, j), cells[k]);
    }
  }
  if (list.column) text_add_char(p->out, '\n');
  if (grid->is_symmetric || left_out) {
    const char *sign = !left_out ? "" : grid->is_symmetric ? ";" : ":";
    terminal_sentence(p, text_format(&p->cx->scratch, "(%s%s%s%s)", terminal_name(p, grid->name),
                                     grid->is_symmetric ? " is symmetric" : "", sign,
                                     left_out ? " what is not listed is 0" : ""));
  }
}

// ---- As a matrix

// With wide or tight columns, whichever fits; height 0 when none does.
static Block fitting_block(TerminalPage *p, const Grid *grid, const char *const *cells) {
  Arena *arena = &p->cx->scratch;
  const char *label = text_format(arena, "%s = ", terminal_name(p, grid->name));
  for (size_t gap = BETWEEN_COLUMNS; gap >= 2; gap--) {
    // A single number needs no brackets.
    Block block =
        grid->rows * grid->columns == 1
            ? block_column(arena, cells, 1)
            : block_matrix(arena, cells, grid->rows, grid->columns, gap, p->style->unicode);
    block = block_labelled(arena, label, block);
    if (grid->row_names)
      block = block_beside(arena, block, 2, block_column(arena, grid->row_names, grid->rows));
    if (block.width <= p->style->width) return block;
  }
  return (Block){0};
}

void terminal_grid(TerminalPage *p, const Grid *grid) {
  uint32_t n = grid->rows * grid->columns;
  if (n == 0) return;
  const char **cells = arena_array(&p->cx->scratch, const char *, n);
  NumberStyle numbers =
      p->face == &ascii_face ? NUMBERS_AS_THEY_ARE : number_style(p->cx, grid->values, n, p->names);
  for (uint32_t i = 0; i < n; i++) cells[i] = set_in(p, grid->values[i], numbers);
  Block block = fitting_block(p, grid, cells);
  if (block.height)
    place(p, block);
  else
    list_entries(p, grid, cells);
}
