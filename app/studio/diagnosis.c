// Diagnostics of a context as members of an answer.
#include "diagnosis.h"

#include <string.h>

static int add_bytes(void *user, const char *bytes, size_t n) {
  bytes_add(user, bytes, n);
  return ((Bytes *)user)->is_lost;
}

qdot_sink bytes_sink(Bytes *bytes) { return (qdot_sink){add_bytes, bytes}; }

void diagnosis_add(Answer *answer, qdot_context *cx, const char *own) {
  answer_begin(answer, "diagnostics", '[');
  for (size_t i = 0; i < qdot_diagnostic_count(cx); i++) {
    const qdot_diagnostic *d = qdot_diagnostic_at(cx, i);
    if (!d) break;
    answer_begin(answer, NULL, '{');
    answer_text(answer, "severity", d->severity == QDOT_SEVERITY_ERROR ? "error" : "warning");
    if (d->file && strcmp(d->file, own) != 0) {
      answer_text(answer, "file", d->file);
      answer_number(answer, "line", d->line);
      answer_number(answer, "column", d->column);
    } else if (d->file) {
      answer_number(answer, "begin", (double)d->begin);
      answer_number(answer, "end", (double)d->end);
    }
    answer_text(answer, "text", d->text);
    answer_text(answer, "label", d->label);
    answer_text(answer, "note", d->note);
    answer_text(answer, "suggestion", d->suggestion);
    answer_end(answer, '}');
  }
  answer_end(answer, ']');
}
