// What a run says of itself at the end: its JSON, written and read.
// Sources: certificate_json.c, certificate_read.c
#ifndef QDOT_RESULT_CERTIFICATE_H
#define QDOT_RESULT_CERTIFICATE_H

#include "result/json.h"
#include "result/origin.h"
#include "result/result.h"

// The document of the contract: method, steps ... stopped.
void certificate_json(Context *cx, RunOrigin origin, const Result *result, Text *out);

// One field of it under its key; it stands in no object of its own. The origin is empty where
// no coordinate is to be named.
void certificate_add_field(Json *json, JsonValue *into, RunOrigin origin, const SimSummary *summary,
                           const SummaryField *field);

// ---- Reading it again

// Reads the document of a run of this model; name is what messages call the text.
Status certificate_read(Context *cx, const Model *model, const char *name, const char *text,
                        size_t length, SimSummary *out);

// The extremes of the result's columns; NULL where the document has none.
void certificate_read_numbers(Result *result, const char *name, const char *text, size_t length);
Status certificate_settings(Context *cx, const char *name, const char *text, size_t length,
                            StoredSettings *out);

#endif
