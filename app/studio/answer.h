// A message to a page: a head of JSON, then bytes that it names.
//
//   4 bytes  length of the head, little-endian
//   head     one JSON object, filled up with blanks to a multiple of 8 from the beginning
//   body     sections; the head's "sections" say where: {"numbers": [first byte, length]}
#ifndef STUDIO_ANSWER_H
#define STUDIO_ANSWER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Bytes {
  char *at;
  size_t n, capacity;
  bool is_lost; // there was not enough memory
} Bytes;
void bytes_add(Bytes *bytes, const void *more, size_t n);
void bytes_addf(Bytes *bytes, const char *format, ...) __attribute__((format(printf, 2, 3)));

typedef struct Answer {
  const char *verb;
  Bytes head, body, sections;
} Answer;

void answer_open(Answer *answer, const char *verb, int64_t id);
// Members of the head, or with key NULL items of an array. Numbers that are not finite are null.
void answer_text(Answer *answer, const char *key, const char *text);
void answer_bytes(Answer *answer, const char *key, const char *text, size_t length);
void answer_number(Answer *answer, const char *key, double value);
void answer_flag(Answer *answer, const char *key, bool value);
void answer_json(Answer *answer, const char *key, const char *json);
// begin: "{" or "[", in which members follow until the same is ended with "}" or "]".
void answer_begin(Answer *answer, const char *key, char bracket);
void answer_end(Answer *answer, char bracket);
// A section of the body; it begins at a multiple of 8.
void answer_section(Answer *answer, const char *name, const void *bytes, size_t n);

// The whole message, to be freed; NULL without memory. The answer is then empty.
char *answer_finish(Answer *answer, size_t *length);

#endif
