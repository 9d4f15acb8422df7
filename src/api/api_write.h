// What all printers share: qdot_X_write(x, options, sink).
#ifndef QDOT_API_WRITE_H
#define QDOT_API_WRITE_H

#include "base/context.h"
#include "base/text.h"
#include "print/listing_text.h"
#include "qdot/qdot.h"

// Prints an object to a text in scratch memory; inside a guarded call.
typedef Status Printer(Context *cx, void *object, const qdot_write_options *options, Text *out);

// Calls the printer and hands the text to the sink, also what was printed before a failure.
Status api_write(Context *cx, void *object, Printer *print, const qdot_write_options *options,
                 qdot_sink sink);
TextStyle api_text_style(const qdot_write_options *options);
// QDOT_UNSUPPORTED with a message; what: "modes", with its verb "can be written".
Status api_only_text_and_json(Context *cx, const char *what);

#endif
