// JavaScript: an ES module without dependencies, or the same as a function for a page.
#ifndef QDOT_EXPORT_JS_H
#define QDOT_EXPORT_JS_H

#include "export/content.h"

void export_js(const ExportContent *content, Arena *arena, ExportFiles *out);

// The same without a main program, as one expression whose value has all that the module exports.
// More quantities join: those that a page draws from t, q, qd, inputs, qdd, lam. Without equations
// it has these alone, and simulate is left out.
typedef struct JsExtra {
  const char *name, *meaning;
  const Expr *values;
  uint32_t count;
} JsExtra;
void js_expression(const ExportContent *content, Arena *arena, const JsExtra *extras, size_t n,
                   bool with_equations, Text *out);
// A string in double quotes that may stand in a page's script.
void js_string(Text *out, const char *text);

#endif
