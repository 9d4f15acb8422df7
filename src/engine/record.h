// What a record is made of, field by field, so that one writer and one reader serve all records of
// a plan. Numbers are little-endian; a text is its length, or NO_TEXT, and its bytes.
// Sources: record.c, record_read.c
#ifndef QDOT_ENGINE_RECORD_H
#define QDOT_ENGINE_RECORD_H

#include "base/arena.h"
#include "base/vec.h"
#include "program/table.h"

typedef enum FieldKind {
  FIELD_FLAG,    // bool, a byte
  FIELD_WHOLE,   // uint32_t, int or an enumeration: 4 bytes
  FIELD_SIZE,    // size_t, 8 bytes
  FIELD_REAL,    // double, 8 bytes
  FIELD_TEXT,    // const char *, or NULL
  FIELD_PART,    // a record within the record
  FIELD_POINTER, // a record of its own, or NULL
  FIELD_LIST,    // records one after the other
  FIELD_ROW,     // so many within the record
  FIELD_TABLE    // const TableData *: its place among the tables of the plan
} FieldKind;

typedef struct RecordType RecordType;

typedef struct Field {
  FieldKind kind;
  size_t offset;
  const RecordType *type;                                  // of parts, pointers and lists
  uint32_t (*count)(const void *record, const void *root); // of a list, by what stands before it
} Field;

struct RecordType {
  size_t size;
  const Field *fields;
  uint32_t count;
};

#define RECORD_TYPE(Name, name_fields)                                                             \
  { sizeof(Name), name_fields, sizeof name_fields / sizeof(Field) }

// The tables that fields of a plan point to.
typedef struct RecordTables {
  const TableData *const *at;
  uint32_t n;
} RecordTables;

// ---- Writing

typedef struct RecordWriter {
  Arena *arena;
  VEC(unsigned char) bytes;
  RecordTables tables;
  const void *root;
} RecordWriter;

void record_write(RecordWriter *writer, const RecordType *type, const void *record);

// ---- Reading

typedef struct RecordReader {
  Arena *arena;
  const unsigned char *at, *end;
  RecordTables tables;
  const void *root;
  bool is_bad; // there were fewer bytes than the records say, or a place that does not exist
} RecordReader;

// Into a record of zeros; every byte that it takes is there, or is_bad is set.
void record_read(RecordReader *reader, const RecordType *type, void *record);

#endif
