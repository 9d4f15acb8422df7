// JSON by jansson.
#include "result/json.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>

static json_t *inside(JsonValue *value) { return (json_t *)value; }

static const json_t *inside_const(const JsonValue *value) { return (const json_t *)value; }

static void drop(void *object) { json_decref(object); }

static void keep(Context *cx, json_t *root, Json *json) {
  json->cx = cx;
  json->root = (JsonValue *)root;
  guard_register(&cx->guard, &json->handle, root, drop);
}

void json_open(Context *cx, Json *json) {
  json_t *root = json_object();
  if (!root) guard_escape(&cx->guard, QDOT_NO_MEMORY);
  keep(cx, root, json);
  json_add_integer(json, json->root, "schema", 1);
}

void json_close(Json *json) { guard_close(&json->cx->guard, &json->handle); }

// The parent owns the value from here on, also when adding fails.
static JsonValue *add(Json *json, JsonValue *parent, const char *key, json_t *value) {
  int failed = key ? json_object_set_new(inside(parent), key, value)
                   : json_array_append_new(inside(parent), value);
  if (failed) guard_escape(&json->cx->guard, QDOT_NO_MEMORY);
  return (JsonValue *)value;
}

JsonValue *json_add_object(Json *json, JsonValue *parent, const char *key) {
  return add(json, parent, key, json_object());
}

JsonValue *json_add_array(Json *json, JsonValue *parent, const char *key) {
  return add(json, parent, key, json_array());
}

void json_add_text(Json *json, JsonValue *parent, const char *key, const char *text) {
  add(json, parent, key, json_string(text));
}

void json_add_number(Json *json, JsonValue *parent, const char *key, double value) {
  add(json, parent, key, isfinite(value) ? json_real(value) : json_null());
}

void json_add_integer(Json *json, JsonValue *parent, const char *key, int64_t value) {
  add(json, parent, key, json_integer(value));
}

void json_add_bool(Json *json, JsonValue *parent, const char *key, bool value) {
  add(json, parent, key, json_boolean(value));
}

void json_add_null(Json *json, JsonValue *parent, const char *key) {
  add(json, parent, key, json_null());
}

static void free_dump(void *text) { free(text); }

void json_print(Json *json, Text *out) {
  char *dump = json_dumps(inside(json->root), JSON_INDENT(2) | JSON_REAL_PRECISION(17));
  if (!dump) guard_escape(&json->cx->guard, QDOT_NO_MEMORY);
  Handle handle;
  guard_register(&json->cx->guard, &handle, dump, free_dump);
  text_add(out, dump);
  text_add_char(out, '\n');
  guard_close(&json->cx->guard, &handle);
}

Status json_read(Context *cx, const char *name, const char *text, size_t length, Json *out) {
  json_error_t problem;
  json_t *root = json_loadb(text, length, JSON_REJECT_DUPLICATES, &problem);
  if (!root)
    return diag_error_plain(cx, QDOT_BAD_FILE, "%s:%d:%d: %s", name, problem.line, problem.column,
                            problem.text);
  keep(cx, root, out);
  return QDOT_OK;
}

const JsonValue *json_get(const JsonValue *object, const char *key) {
  return (const JsonValue *)json_object_get(inside_const(object), key);
}

size_t json_count(const JsonValue *array) { return json_array_size(inside_const(array)); }

const JsonValue *json_at(const JsonValue *array, size_t i) {
  return (const JsonValue *)json_array_get(inside_const(array), i);
}

const char *json_text(const JsonValue *value) { return json_string_value(inside_const(value)); }

bool json_flag(const JsonValue *value) { return json_is_true(inside_const(value)); }

double json_number(const JsonValue *value) {
  return json_is_number(inside_const(value)) ? json_number_value(inside_const(value)) : NAN;
}
