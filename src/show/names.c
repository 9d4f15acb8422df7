// Taking names apart.
#include "show/names.h"

#include <string.h>

NameParts name_parts(const char *name) {
  // A leading '_' belongs to the stem.
  size_t lead = name[0] == '_';
  NameParts parts = {.stem = name, .stem_length = lead + strcspn(name + lead, "_[.")};
  const char *at = name + parts.stem_length;
  if (*at == '_' || *at == '[') {
    parts.is_index = *at == '[';
    parts.subscript = at + 1;
    size_t length = strcspn(at + 1, ".");
    at += 1 + length;
    parts.subscript_length = parts.is_index && at[-1] == ']' ? length - 1 : length;
  }
  if (*at == '.') {
    parts.component = at + 1;
    parts.component_length = strlen(at + 1);
  }
  return parts;
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

NameParts name_parts_typeset(const char *name) {
  NameParts parts = name_parts(name);
  if (parts.subscript_length) return parts;
  size_t digits = 0;
  while (digits < parts.stem_length && is_digit(name[parts.stem_length - 1 - digits])) digits++;
  if (digits == parts.stem_length) return parts;
  parts.stem_length -= digits;
  parts.subscript = name + parts.stem_length;
  parts.subscript_length = digits;
  return parts;
}

size_t subscript_word(const char **at, size_t *left, const char **word) {
  while (*left && strchr("_[],. ", **at)) ++*at, --*left;
  size_t length = 0;
  while (length < *left && !strchr("_[],. ", (*at)[length])) length++;
  *word = *at;
  *at += length;
  *left -= length;
  return length;
}

Status notation_add(Context *cx, Notation *notation, const char *text) {
  const char *equals = strchr(text, '=');
  size_t name = equals ? (size_t)(equals - text) : 0;
  while (name && text[name - 1] == ' ') name--;
  const char *latex = equals ? equals + 1 + strspn(equals + 1, " ") : "";
  size_t length = strcspn(latex, "\r\n");
  if (!name || !length) {
    Status status = diag_error_plain(cx, QDOT_BAD_ARGUMENT, "'%s' is no notation", text);
    diag_note(cx, "a notation is NAME=LATEX, such as theta_1=\\varphi");
    return status;
  }
  NotationEntry entry = {arena_copy(&cx->keep, text, name), arena_copy(&cx->keep, latex, length)};
  vec_push(&cx->keep, notation, entry);
  return QDOT_OK;
}

Status notation_read(Context *cx, Notation *notation, const char *text) {
  Status status = QDOT_OK;
  while (*text && status == QDOT_OK) {
    text += strspn(text, " \t\r\n");
    size_t length = strcspn(text, "\n");
    if (*text && *text != '#')
      status = notation_add(cx, notation, arena_copy(&cx->keep, text, length));
    text += length;
  }
  return status;
}

const char *notation_find(const Notation *notation, const char *name) {
  for (uint32_t i = 0; notation && i < notation->n; i++)
    if (strcmp(notation->at[i].name, name) == 0) return notation->at[i].latex;
  return NULL;
}
