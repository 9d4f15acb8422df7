// Where an exported motion starts, in JavaScript (js/start.js).
#ifndef QDOT_EXPORT_JS_START_H
#define QDOT_EXPORT_JS_START_H

#include "export/content.h"

// What the model says of the start, as functions of the parameters.
void js_write_start(const ExportContent *content, Text *out);
// Its members of the record `model`: whether the functions that put bodies together are there.
void js_write_start_record(const ExportContent *content, bool with_assembly, Text *out);

#endif
