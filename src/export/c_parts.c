// Cuts statements into functions of a few hundred lines. A value that a later part uses is a member
// of a struct; the parts copy such members into locals of the same name, so statements stay as they
// are.
#include "export/c_parts.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "base/intern.h"

enum { PART_LINES = 250 };

typedef struct Line {
  const char *text;
  uint32_t length;
  uint32_t part;
  Symbol name;      // of the value that it declares; 0: none
  bool is_unpacked; // an argument's entry, which every part takes out for itself
  bool is_shared;   // used by another part
} Line;

typedef struct Cutter {
  const LongBody *body;
  Arena *arena;
  VEC(Line) lines;
  VEC(uint32_t) declared; // line of each name
  VEC(uint32_t) order;    // lines as they are written
  Interner names;
  uint32_t part_count;
  uint32_t *taken; // by name: 1 + the part that took it last
} Cutter;

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

// ---- reading statements

static const char declaration[] = "const double ";

// theta = q[3]; an entry of an argument under a name.
static bool is_entry(const char *text, const char *end) {
  while (text < end && is_word(*text)) text++;
  if (text == end || *text++ != '[') return false;
  while (text < end && isdigit((unsigned char)*text)) text++;
  return end - text == 2 && text[0] == ']' && text[1] == ';';
}

static void read_line(Cutter *c, const char *text, const char *end) {
  Line line = {.text = text, .length = (uint32_t)(end - text)};
  text += strspn(text, " ");
  if (strncmp(text, declaration, sizeof declaration - 1) == 0) {
    text += sizeof declaration - 1;
    size_t length = strcspn(text, " ");
    line.name = intern_bytes(&c->names, text, length);
    line.is_unpacked = is_entry(text + length + strlen(" = "), end);
    vec_push(c->arena, &c->declared, c->lines.n);
  }
  vec_push(c->arena, &c->lines, line);
}

static void read_statements(Cutter *c) {
  interner_open(&c->names, c->arena);
  vec_push(c->arena, &c->declared, 0); // no name
  for (const char *at = c->body->statements; *at;) {
    const char *end = strchr(at, '\n');
    read_line(c, at, end);
    at = end + 1;
  }
  c->taken = arena_array(c->arena, uint32_t, c->declared.n + 1);
}

// The next name of a value in a statement; members of structs are none. *at moves behind it.
static Symbol next_name(const Cutter *c, const char **at, const char *end) {
  while (*at < end) {
    const char *start = *at;
    if (!is_word(*start)) {
      ++*at;
      continue;
    }
    while (*at < end && is_word(**at)) ++*at;
    if (start > c->body->statements && (start[-1] == '.' || start[-1] == '>')) continue;
    Symbol name = intern_find(&c->names, start, (size_t)(*at - start));
    if (name) return name;
  }
  return 0;
}

// ---- order: what an assignment needs stands before it, as late as possible, so that few values
// have to be handed on

typedef struct Visit {
  uint32_t line;
  const char *at; // how far its text was read
} Visit;

static void visit(Cutter *c, uint32_t first, bool *seen) {
  VEC(Visit) open = {0};
  Visit start = {first, c->lines.at[first].text};
  seen[first] = true;
  vec_push(c->arena, &open, start);
  while (open.n) {
    Visit *top = &open.at[open.n - 1];
    const Line *line = &c->lines.at[top->line];
    Symbol name = next_name(c, &top->at, line->text + line->length);
    if (!name) {
      if (!line->is_unpacked) vec_push(c->arena, &c->order, top->line);
      open.n--;
      continue;
    }
    uint32_t needed = c->declared.at[name];
    if (seen[needed]) continue;
    seen[needed] = true;
    Visit next = {needed, c->lines.at[needed].text};
    vec_push(c->arena, &open, next);
  }
}

static void order_lines(Cutter *c) {
  bool *seen = arena_array(c->arena, bool, c->lines.n + 1);
  for (uint32_t i = 0; i < c->lines.n; i++)
    if (!c->lines.at[i].name) visit(c, i, seen);
  for (uint32_t i = 0; i < c->order.n; i++) c->lines.at[c->order.at[i]].part = i / PART_LINES;
  c->part_count = (c->order.n + PART_LINES - 1) / PART_LINES;
}

static void find_shared(Cutter *c) {
  for (uint32_t i = 0; i < c->lines.n; i++) {
    const Line *line = &c->lines.at[i];
    const char *at = line->text;
    for (Symbol name; (name = next_name(c, &at, line->text + line->length));) {
      Line *from = &c->lines.at[c->declared.at[name]];
      if (!from->is_unpacked && from->part != line->part) from->is_shared = true;
    }
  }
}

// ---- writing

static const char *text_of(const Cutter *c, Symbol name) { return c->names.names.at[name].text; }

// Is a word used in a text?
static bool mentions(const char *text, const char *word) {
  size_t length = strlen(word);
  for (const char *at = text; (at = strstr(at, word)); at += length)
    if (!is_word(at[length]) &&
        (at == text || (!is_word(at[-1]) && at[-1] != '.' && at[-1] != '>')))
      return true;
  return false;
}

static const char *argument_name(Arena *arena, const char *declared) {
  size_t end = strcspn(declared, "["), start = end;
  while (start > 0 && is_word(declared[start - 1])) start--;
  return text_format(arena, "%.*s", (int)(end - start), declared + start);
}

static uint32_t part_end(const Cutter *c, uint32_t part) {
  uint32_t end = (part + 1) * PART_LINES;
  return end < c->order.n ? end : c->order.n;
}

// Locals for what earlier parts or the arguments have.
static void take_values(Cutter *c, uint32_t part, Text *out) {
  for (uint32_t i = part * PART_LINES; i < part_end(c, part); i++) {
    const Line *line = &c->lines.at[c->order.at[i]];
    const char *at = line->text;
    for (Symbol name; (name = next_name(c, &at, line->text + line->length));) {
      const Line *from = &c->lines.at[c->declared.at[name]];
      if (c->taken[name] == part + 1 || (!from->is_unpacked && from->part == part)) continue;
      c->taken[name] = part + 1;
      if (from->is_unpacked)
        text_addf(out, "%.*s\n", (int)from->length, from->text);
      else
        text_addf(out, "  const double %s = s->%s;\n", text_of(c, name), text_of(c, name));
    }
  }
}

static void write_part(Cutter *c, uint32_t part, Text *out) {
  Text inside = text_new(c->arena);
  take_values(c, part, &inside);
  for (uint32_t i = part * PART_LINES; i < part_end(c, part); i++) {
    const Line *line = &c->lines.at[c->order.at[i]];
    text_addf(&inside, "%.*s\n", (int)line->length, line->text);
  }
  for (uint32_t i = part * PART_LINES; i < part_end(c, part); i++) {
    const Line *line = &c->lines.at[c->order.at[i]];
    if (line->is_shared)
      text_addf(&inside, "  s->%s = %s;\n", text_of(c, line->name), text_of(c, line->name));
  }
  text_addf(out, "PART %s_part_%u(struct %s_terms *s", c->body->function, part + 1,
            c->body->function);
  for (const Argument *a = c->body->arguments; a->declared; a++)
    text_addf(out, ",\n    %s", a->declared);
  text_add(out, ") {\n");
  if (!mentions(inside.at, "s")) text_add(out, "  (void)s;\n");
  for (const Argument *a = c->body->arguments; a->declared; a++) {
    const char *name = argument_name(c->arena, a->declared);
    if (!mentions(inside.at, name)) text_addf(out, "  (void)%s;\n", name);
  }
  text_addf(out, "%s}\n\n", inside.at);
}

static void write_struct(Cutter *c, Text *out) {
  text_addf(out, "/* What the parts of %s hand on. */\nstruct %s_terms {\n", c->body->function,
            c->body->function);
  bool empty = true;
  for (uint32_t i = 0; i < c->lines.n; i++) {
    if (!c->lines.at[i].is_shared) continue;
    text_addf(out, "  double %s;\n", text_of(c, c->lines.at[i].name));
    empty = false;
  }
  text_addf(out, "%s};\n\n", empty ? "  double none;\n" : "");
}

void write_in_parts(const LongBody *body, Arena *arena, Text *parts, Text *calls) {
  Cutter c = {.body = body, .arena = arena};
  read_statements(&c);
  order_lines(&c);
  find_shared(&c);
  write_struct(&c, parts);
  for (uint32_t part = 0; part < c.part_count; part++) write_part(&c, part, parts);
  text_addf(calls, "  struct %s_terms s;\n", body->function);
  for (uint32_t part = 0; part < c.part_count; part++) {
    text_addf(calls, "  %s_part_%u(&s", body->function, part + 1);
    for (const Argument *a = body->arguments; a->declared; a++) text_addf(calls, ", %s", a->passed);
    text_add(calls, ");\n");
  }
}

void write_parts_head(Text *out) {
  text_add(out, "/* Parts of long functions stay parts: compilers that join them take minutes. */\n"
                "#if defined(__GNUC__)\n"
                "#define PART static __attribute__((noinline)) void\n"
                "#else\n"
                "#define PART static void\n"
                "#endif\n\n");
}
