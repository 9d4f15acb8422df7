// Remarks in words.
#include "base/remark.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"

static const struct {
  const char *key, *formats, *english;
} remarks[] = {
    [REMARK_NONE] = {"", "", ""},
#define REMARK(id, formats, english) [REMARK_##id] = {#id, formats, english},
#include "base/remarks.def"
#undef REMARK
};

const char *remark_key(RemarkId id) { return remarks[id].key; }

RemarkId remark_from_key(const char *key) {
  for (int i = REMARK_NONE + 1; key && i < REMARK_COUNT; i++)
    if (strcmp(remarks[i].key, key) == 0) return (RemarkId)i;
  return REMARK_NONE;
}

int remark_number_count(RemarkId id) {
  int count = 0;
  for (const char *at = remarks[id].formats; *at; at++) count += *at == '%';
  return count;
}

static void add_number(Text *out, const Remark *remark, int which, char decimal) {
  char format[16] = "", number[64];
  const char *at = remarks[remark->id].formats;
  for (int i = 0; i < which && *at; at++) i += *at == ' ';
  size_t n = strcspn(at, " ");
  if (n == 0 || n >= sizeof format) return;
  memcpy(format, at, n);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral" // formats stand in remarks.def alone
  snprintf(number, sizeof number, format, remark->number[which]);
#pragma GCC diagnostic pop
  for (char *c = number; *c; c++) text_add_char(out, *c == '.' ? decimal : *c);
}

const char *remark_text(const Remark *remark, const char *sentence, char decimal, Arena *arena) {
  if (!remark_is_made(remark)) return NULL;
  Text out = text_new(arena);
  for (const char *at = sentence; *at; at++) {
    bool is_hole = at[0] == '{' && at[1] >= '0' && at[1] < '0' + REMARK_NUMBERS && at[2] == '}';
    if (is_hole) {
      add_number(&out, remark, at[1] - '0', decimal);
      at += 2;
    } else {
      text_add_char(&out, *at);
    }
  }
  return out.at;
}

const char *remark_english(const Remark *remark, Arena *arena) {
  return remark_text(remark, remarks[remark->id].english, '.', arena);
}
