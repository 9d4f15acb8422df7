// Requests of pages, which are JSON.
#include "page_request.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static const struct {
  const char *word;
  Room room;
} verbs[] = {
#define VERB(name, room) [VERB_##name] = {#name, room},
#include "verbs.def"
#undef VERB
};

Room request_room(const Request *request) { return verbs[request->verb].room; }

void request_free(Request *request) {
  if (!request) return;
  free(request->file);
  free(request->text);
  free(request->kind);
  free(request->range);
  free(request);
}

static bool find_verb(const json_t *root, Verb *out) {
  const char *word = json_string_value(json_object_get(root, "do"));
  for (size_t i = 0; word && i < VERB_COUNT; i++)
    if (strcmp(word, verbs[i].word) == 0) return *out = (Verb)i, true;
  return false;
}

// A string without zero bytes; "" where there is none. False for anything else.
static bool take_string(const json_t *root, const char *key, size_t most, char **out,
                        size_t *length) {
  const json_t *value = json_object_get(root, key);
  size_t n = value ? json_string_length(value) : 0;
  if (value && (!json_is_string(value) || n > most || strlen(json_string_value(value)) != n))
    return false;
  *out = strndup(value ? json_string_value(value) : "", n);
  if (length) *length = n;
  return *out != NULL;
}

// A whole number that is not negative; 0 where there is none.
static bool take_count(const json_t *root, const char *key, json_int_t most, json_int_t *out) {
  const json_t *value = json_object_get(root, key);
  *out = value ? json_integer_value(value) : 0;
  return !value || (json_is_integer(value) && *out >= 0 && *out <= most);
}

static bool take_members(const json_t *root, Request *r) {
  json_int_t id, offset, number;
  bool good = take_count(root, "id", (json_int_t)1 << 53, &id) &&
              take_count(root, "offset", LARGEST_TEXT, &offset) &&
              take_count(root, "number", 10000, &number) &&
              take_string(root, "file", 200, &r->file, NULL) &&
              take_string(root, "text", LARGEST_TEXT, &r->text, &r->text_length) &&
              take_string(root, "kind", 200, &r->kind, NULL) &&
              take_string(root, "range", 200, &r->range, NULL);
  if (!good) return false;
  r->id = id, r->offset = (size_t)offset, r->number = (uint32_t)number;
  r->is_slide = json_is_true(json_object_get(root, "slide"));
  return true;
}

Request *request_read(const char *bytes, size_t length, const char **why) {
  json_t *root = json_loadb(bytes, length, JSON_REJECT_DUPLICATES, NULL);
  Request *r = calloc(1, sizeof *r);
  *why = NULL;
  if (!r)
    *why = "there is not enough memory";
  else if (!json_is_object(root))
    *why = "a message is one JSON object";
  else if (!find_verb(root, &r->verb))
    *why = "unknown request";
  else if (!take_members(root, r))
    *why = "a member of the request is not what it should be";
  json_decref(root);
  if (!*why) return r;
  request_free(r);
  return NULL;
}
