// Messages to pages.
#include "answer.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void bytes_add(Bytes *bytes, const void *more, size_t n) {
  if (bytes->is_lost) return;
  if (bytes->n + n + 1 > bytes->capacity) {
    size_t capacity = 2 * (bytes->n + n) + 256;
    char *at = realloc(bytes->at, capacity);
    if (!at) {
      bytes->is_lost = true;
      return;
    }
    bytes->at = at, bytes->capacity = capacity;
  }
  if (n > 0) memcpy(bytes->at + bytes->n, more, n);
  bytes->n += n;
  bytes->at[bytes->n] = 0;
}

void bytes_addf(Bytes *bytes, const char *format, ...) {
  char text[1024];
  va_list arguments;
  va_start(arguments, format);
  int n = vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  if (n > 0) bytes_add(bytes, text, (size_t)n < sizeof text ? (size_t)n : sizeof text - 1);
}

// ---- The head

static void add_string(Bytes *out, const char *text, size_t n) {
  bytes_add(out, "\"", 1);
  for (size_t i = 0; i < n; i++) {
    unsigned char c = (unsigned char)text[i];
    if (c < ' ' || c == 0x7F)
      bytes_addf(out, "\\u%04x", c);
    else if (c == '"' || c == '\\')
      bytes_addf(out, "\\%c", c);
    else
      bytes_add(out, &text[i], 1);
  }
  bytes_add(out, "\"", 1);
}

// A comma unless it is the first.
static void next_member(Answer *a, const char *key) {
  if (a->head.n > 0 && !strchr("{[", a->head.at[a->head.n - 1])) bytes_add(&a->head, ",", 1);
  if (!key) return;
  add_string(&a->head, key, strlen(key));
  bytes_add(&a->head, ":", 1);
}

void answer_open(Answer *a, const char *verb, int64_t id) {
  *a = (Answer){.verb = verb};
  bytes_add(&a->head, "{", 1);
  answer_text(a, "do", verb);
  answer_number(a, "id", (double)id);
}

void answer_bytes(Answer *a, const char *key, const char *text, size_t length) {
  next_member(a, key);
  add_string(&a->head, text, length);
}

void answer_text(Answer *a, const char *key, const char *text) {
  if (text) answer_bytes(a, key, text, strlen(text));
}

void answer_number(Answer *a, const char *key, double value) {
  next_member(a, key);
  if (!isfinite(value)) {
    bytes_add(&a->head, "null", 4);
    return;
  }
  char digits[32]; // as few as read back
  for (int count = 15; count <= 17; count++) {
    snprintf(digits, sizeof digits, "%.*g", count, value);
    if (strtod(digits, NULL) == value) break;
  }
  bytes_addf(&a->head, "%s", digits);
}

void answer_flag(Answer *a, const char *key, bool value) {
  next_member(a, key);
  bytes_addf(&a->head, "%s", value ? "true" : "false");
}

void answer_json(Answer *a, const char *key, const char *json) {
  next_member(a, key);
  bytes_add(&a->head, json, strlen(json));
}

void answer_begin(Answer *a, const char *key, char bracket) {
  next_member(a, key);
  bytes_add(&a->head, &bracket, 1);
}

void answer_end(Answer *a, char bracket) { bytes_add(&a->head, &bracket, 1); }

// ---- The body

static void fill_up(Bytes *bytes, size_t before, char with) {
  while (!bytes->is_lost && (before + bytes->n) % 8) bytes_add(bytes, &with, 1);
}

void answer_section(Answer *a, const char *name, const void *bytes, size_t n) {
  fill_up(&a->body, 0, 0);
  bytes_addf(&a->sections, "%s\"%s\":[%zu,%zu]", a->sections.n ? "," : "", name, a->body.n, n);
  bytes_add(&a->body, bytes, n);
}

char *answer_finish(Answer *a, size_t *length) {
  enum { PREFIX = 4 };
  Bytes whole = {0};
  answer_begin(a, "sections", '{');
  if (a->sections.n) bytes_add(&a->head, a->sections.at, a->sections.n);
  bytes_add(&a->head, "}}", 2);
  fill_up(&a->head, PREFIX, ' ');
  unsigned char prefix[PREFIX];
  for (int i = 0; i < PREFIX; i++) prefix[i] = (unsigned char)(a->head.n >> 8 * i);
  bytes_add(&whole, prefix, PREFIX);
  if (a->head.at) bytes_add(&whole, a->head.at, a->head.n);
  if (a->body.n) bytes_add(&whole, a->body.at, a->body.n);
  bool is_lost = whole.is_lost || a->head.is_lost || a->body.is_lost || a->sections.is_lost;
  free(a->head.at), free(a->body.at), free(a->sections.at);
  *a = (Answer){0};
  if (is_lost) free(whole.at), whole = (Bytes){0};
  *length = whole.n;
  return whole.at;
}
