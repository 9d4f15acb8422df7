// JSON documents. Every jansson call is behind this; nothing of it leaks when a call is cut short.
#ifndef QDOT_RESULT_JSON_H
#define QDOT_RESULT_JSON_H

#include "base/context.h"

typedef struct JsonValue JsonValue; // an object or array of a document, or a value that was read

// A document under construction or read; close it before the function returns.
typedef struct Json {
  Context *cx;
  JsonValue *root;
  Handle handle;
} Json;

// ---- Writing

void json_open(Context *cx, Json *json); // the root holds its "schema" only
void json_close(Json *json);

// Into an object under a key; into an array with key NULL. Non-finite numbers become null.
JsonValue *json_add_object(Json *json, JsonValue *parent, const char *key);
JsonValue *json_add_array(Json *json, JsonValue *parent, const char *key);
void json_add_text(Json *json, JsonValue *parent, const char *key, const char *text);
void json_add_number(Json *json, JsonValue *parent, const char *key, double value);
void json_add_integer(Json *json, JsonValue *parent, const char *key, int64_t value);
void json_add_bool(Json *json, JsonValue *parent, const char *key, bool value);
void json_add_null(Json *json, JsonValue *parent, const char *key);

// 17 significant digits, keys in the order of adding, two blanks of indentation, a newline.
void json_print(Json *json, Text *out);

// ---- Reading

// Parses a text; a mistake is reported with the name of the text, and nothing needs closing.
Status json_read(Context *cx, const char *name, const char *text, size_t length, Json *out);
// NULL when it is not an object or has no such key.
const JsonValue *json_get(const JsonValue *object, const char *key);
size_t json_count(const JsonValue *array); // 0 for what is not an array
const JsonValue *json_at(const JsonValue *array, size_t i);
// NULL for what is not a string; valid until the document is closed.
const char *json_text(const JsonValue *value);
// False for what is not true.
bool json_flag(const JsonValue *value);
// NaN for what is not a number.
double json_number(const JsonValue *value);

#endif
