// Records as bytes.
#include "engine/record.h"

#include <string.h>

static const uint32_t NO_TEXT = UINT32_MAX;

static void put_bytes(RecordWriter *w, uint64_t value, int count) {
  for (int i = 0; i < count; i++)
    vec_push(w->arena, &w->bytes, (unsigned char)(value >> (8 * i) & 0xff));
}

static void put_text(RecordWriter *w, const char *text) {
  uint32_t length = text ? (uint32_t)strlen(text) : NO_TEXT;
  put_bytes(w, length, 4);
  for (uint32_t i = 0; text && i < length; i++)
    vec_push(w->arena, &w->bytes, (unsigned char)text[i]);
}

// From 1; 0 for none.
static uint32_t place_of_table(const RecordWriter *w, const TableData *table) {
  for (uint32_t i = 0; i < w->tables.n; i++)
    if (w->tables.at[i] == table) return i + 1;
  return 0;
}

static void write_field(RecordWriter *w, const Field *field, const void *record) {
  const char *at = (const char *)record + field->offset;
  uint64_t bits;
  switch (field->kind) {
  case FIELD_FLAG: put_bytes(w, *(const bool *)at, 1); break;
  case FIELD_WHOLE: put_bytes(w, *(const uint32_t *)at, 4); break;
  case FIELD_SIZE: put_bytes(w, *(const size_t *)at, 8); break;
  case FIELD_REAL: memcpy(&bits, at, sizeof bits), put_bytes(w, bits, 8); break;
  case FIELD_TEXT: put_text(w, *(const char *const *)at); break;
  case FIELD_PART: record_write(w, field->type, at); break;
  case FIELD_TABLE: put_bytes(w, place_of_table(w, *(const TableData *const *)at), 4); break;
  case FIELD_POINTER: {
    const void *other = *(const void *const *)at;
    put_bytes(w, other != NULL, 1);
    if (other) record_write(w, field->type, other);
    break;
  }
  case FIELD_ROW:
    for (uint32_t i = 0; i < field->count(record, w->root); i++)
      record_write(w, field->type, at + i * field->type->size);
    break;
  case FIELD_LIST: {
    const char *list = *(const char *const *)at;
    uint32_t count = field->count(record, w->root);
    for (uint32_t i = 0; i < count; i++) record_write(w, field->type, list + i * field->type->size);
    break;
  }
  }
}

void record_write(RecordWriter *w, const RecordType *type, const void *record) {
  for (uint32_t i = 0; i < type->count; i++) write_field(w, &type->fields[i], record);
}
