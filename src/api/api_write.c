// The one way in which objects are printed.
#include "api/api_write.h"

#include "api/api_call.h"
#include "api/api_options.h"

typedef struct Writing {
  Context *cx;
  void *object;
  Printer *print;
  qdot_write_options options;
  qdot_sink sink;
} Writing;

static Status write(void *argument) {
  const Writing *w = argument;
  Text out = text_new(&w->cx->scratch);
  Status status = w->print(w->cx, w->object, &w->options, &out);
  if (out.n > 0 && w->sink.write(w->sink.user, out.at, out.n) != 0) return QDOT_IO;
  return status;
}

Status api_write(Context *cx, void *object, Printer *print, const qdot_write_options *options,
                 qdot_sink sink) {
  Writing writing = {.cx = cx, .object = object, .print = print, .sink = sink};
  if (!sink.write || !api_options(options, &writing.options, sizeof writing.options))
    return QDOT_BAD_ARGUMENT;
  if (writing.options.width == 0) writing.options.width = 100;
  return api_call(cx, write, &writing);
}

TextStyle api_text_style(const qdot_write_options *options) {
  return (TextStyle){!options->ascii, options->width};
}

Status api_only_text_and_json(Context *cx, const char *what) {
  return diag_error_plain(cx, QDOT_UNSUPPORTED, "%s can be written as text or JSON", what);
}
