// What a page asks for: one message, read and checked.
#ifndef STUDIO_PAGE_REQUEST_H
#define STUDIO_PAGE_REQUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum Verb {
#define VERB(name, room) VERB_##name,
#include "verbs.def"
#undef VERB
  VERB_COUNT
} Verb;

// Where a request is answered.
typedef enum Room {
  ROOM_HERE,     // at once, by the connection
  ROOM_COMPUTE,  // equations and motion
  ROOM_LANGUAGE, // names and completions
  ROOM_EXPORT,
  ROOM_COUNT
} Room;

enum { LARGEST_TEXT = 1 << 20 };

typedef struct Request {
  Verb verb;
  int64_t id; // chosen by the page; answers carry it
  char *file; // NAME.qdot, or ""
  char *text; // of the model, or ""
  size_t text_length;
  char *kind;      // of an export, or the name of an example
  char *range;     // of a root locus: NAME=a..b
  size_t offset;   // a byte of the text
  uint32_t number; // of a mode
  bool is_slide;   // a number is being moved: the motion matters, the equations stay
} Request;

// Reads a message; NULL with *why where it is none. To be freed.
Request *request_read(const char *bytes, size_t length, const char **why);
void request_free(Request *request);
Room request_room(const Request *request);

#endif
