// JSON by jansson.
#include "result/json.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

#include "base/words/digits.h"

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

// ---- Printing
//
// As jansson prints with an indent of two, but for numbers: those in the fewest digits that read
// back, which it cannot do.

static void print_value(const json_t *value, int depth, Text *out);

static void new_line(int depth, Text *out) { text_addf(out, "\n%*s", 2 * depth, ""); }

// UTF-8 stays as it is.
static void print_string(const char *text, size_t length, Text *out) {
  static const char named[] = "\bb\tt\nn\ff\rr\"\"\\\\";
  text_add_char(out, '"');
  for (size_t i = 0; i < length; i++) {
    const char *name = NULL;
    for (const char *c = named; *c && !name; c += 2)
      if (*c == text[i]) name = c + 1;
    if (name)
      text_addf(out, "\\%c", *name);
    else if ((unsigned char)text[i] < 0x20)
      text_addf(out, "\\u%04x", (unsigned)text[i]);
    else
      text_add_char(out, text[i]);
  }
  text_add_char(out, '"');
}

// A real number stays one where it is read: 1.0.
static void print_real(double value, Text *out) {
  char digits[DIGITS_ROOM + 1];
  digits[digits_write(value, digits)] = 0;
  text_add(out, digits);
  if (!strpbrk(digits, ".e")) text_add(out, ".0");
}

static void print_object(const json_t *object, int depth, Text *out) {
  const char *before = "{", *key;
  json_t *value;
  json_object_foreach((json_t *)object, key, value) {
    text_add(out, before), before = ",";
    new_line(depth + 1, out);
    print_string(key, strlen(key), out);
    text_add(out, ": ");
    print_value(value, depth + 1, out);
  }
  new_line(depth, out);
  text_add_char(out, '}');
}

static void print_array(const json_t *array, int depth, Text *out) {
  for (size_t i = 0; i < json_array_size(array); i++) {
    text_add_char(out, i ? ',' : '[');
    new_line(depth + 1, out);
    print_value(json_array_get(array, i), depth + 1, out);
  }
  new_line(depth, out);
  text_add_char(out, ']');
}

static void print_value(const json_t *value, int depth, Text *out) {
  switch (json_typeof(value)) {
  case JSON_OBJECT:
    if (json_object_size(value) > 0)
      print_object(value, depth, out);
    else
      text_add(out, "{}");
    break;
  case JSON_ARRAY:
    if (json_array_size(value) > 0)
      print_array(value, depth, out);
    else
      text_add(out, "[]");
    break;
  case JSON_STRING: print_string(json_string_value(value), json_string_length(value), out); break;
  case JSON_INTEGER: text_addf(out, "%lld", (long long)json_integer_value(value)); break;
  case JSON_REAL: print_real(json_real_value(value), out); break;
  case JSON_TRUE: text_add(out, "true"); break;
  case JSON_FALSE: text_add(out, "false"); break;
  case JSON_NULL: text_add(out, "null"); break;
  }
}

void json_print(Json *json, Text *out) {
  print_value(inside(json->root), 0, out);
  text_add_char(out, '\n');
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
