// The head of an HTTP request: its first line and its headers. Strict: what a browser would not
// send is refused, and so is a body.
#ifndef STUDIO_HTTP_HEAD_H
#define STUDIO_HTTP_HEAD_H

#include <stdbool.h>
#include <stddef.h>

enum { LONGEST_HEAD = 16 << 10, MOST_HEADERS = 64 };

typedef struct Header {
  const char *name, *value;
} Header;

typedef struct Head {
  const char *method, *path, *query; // the query without its '?', "" where there is none
  Header headers[MOST_HEADERS];
  size_t header_count;
} Head;

// The length of the head in the bytes so far, with the empty line at its end; 0 while it is
// missing.
size_t head_length(const char *bytes, size_t n);
// Reads a whole head, whose bytes it changes and refers to. False where it is not one.
bool head_read(char *bytes, size_t length, Head *out);
// The value of a header; NULL where there is none, or more than one.
const char *head_find(const Head *head, const char *name);
// Is the word in a list of words with commas? Whatever its letters' size.
bool head_lists(const char *list, const char *word);

#endif
