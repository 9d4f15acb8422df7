// Records from bytes that anybody may have written.
#include <string.h>

#include "base/utf8.h"
#include "engine/record.h"

static uint64_t take_bytes(RecordReader *r, uint32_t count) {
  uint64_t value = 0;
  if ((size_t)(r->end - r->at) < count) {
    r->is_bad = true;
    r->at = r->end;
    return 0;
  }
  for (uint32_t i = 0; i < count; i++) value |= (uint64_t)*r->at++ << (8 * i);
  return value;
}

// Texts are shown to people and stand in documents.
static bool is_readable(const char *text, uint32_t n) {
  uint32_t character;
  for (uint32_t i = 0; i < n;) {
    size_t used = utf8_decode(text + i, n - i, &character);
    if (!used || (utf8_is_control(character) && text[i] != '\n' && text[i] != '\t')) return false;
    i += (uint32_t)used;
  }
  return true;
}

static const char *take_text(RecordReader *r) {
  uint32_t length = (uint32_t)take_bytes(r, 4);
  if (r->is_bad || length == UINT32_MAX) return NULL;
  if ((size_t)(r->end - r->at) < length || !is_readable((const char *)r->at, length)) {
    r->is_bad = true;
    return NULL;
  }
  const char *text = arena_copy(r->arena, r->at, length);
  r->at += length;
  return text;
}

static const TableData *take_table(RecordReader *r) {
  uint32_t place = (uint32_t)take_bytes(r, 4);
  r->is_bad |= place > r->tables.n;
  return place == 0 || r->is_bad ? NULL : r->tables.at[place - 1];
}

// Each record takes a byte at least, so that a count beyond the bytes that are left is none.
static void *take_list(RecordReader *r, const RecordType *type, uint32_t count) {
  if (r->is_bad || (size_t)(r->end - r->at) < count) {
    r->is_bad = true;
    return NULL;
  }
  char *list = arena_alloc(r->arena, arena_size(r->arena, (size_t)count + 1, type->size));
  for (uint32_t i = 0; i < count && !r->is_bad; i++) record_read(r, type, list + i * type->size);
  return list;
}

static void read_field(RecordReader *r, const Field *field, void *record) {
  char *at = (char *)record + field->offset;
  uint64_t bits;
  uint32_t whole;
  switch (field->kind) {
  case FIELD_FLAG:
    bits = take_bytes(r, 1);
    r->is_bad |= bits > 1;
    *(bool *)at = bits == 1;
    break;
  case FIELD_WHOLE: whole = (uint32_t)take_bytes(r, 4), memcpy(at, &whole, sizeof whole); break;
  case FIELD_SIZE:
    bits = take_bytes(r, 8);
    r->is_bad |= bits > SIZE_MAX / 16;
    *(size_t *)at = (size_t)bits;
    break;
  case FIELD_REAL: bits = take_bytes(r, 8), memcpy(at, &bits, sizeof bits); break;
  case FIELD_TEXT: *(const char **)at = take_text(r); break;
  case FIELD_PART: record_read(r, field->type, at); break;
  case FIELD_TABLE: *(const TableData **)at = take_table(r); break;
  case FIELD_POINTER: *(void **)at = take_bytes(r, 1) ? take_list(r, field->type, 1) : NULL; break;
  case FIELD_ROW:
    for (uint32_t i = 0; i < field->count(record, r->root); i++)
      record_read(r, field->type, at + i * field->type->size);
    break;
  case FIELD_LIST: *(void **)at = take_list(r, field->type, field->count(record, r->root)); break;
  }
}

void record_read(RecordReader *r, const RecordType *type, void *record) {
  for (uint32_t i = 0; i < type->count && !r->is_bad; i++) read_field(r, &type->fields[i], record);
}
