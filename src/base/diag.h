// The user's mistakes: recorded with a span, printed with a caret.
#ifndef QDOT_BASE_DIAG_H
#define QDOT_BASE_DIAG_H

#include <stdbool.h>

#include "base/source.h"
#include "base/text.h"

typedef struct qdot_context Context;

typedef enum Severity { SEVERITY_ERROR, SEVERITY_WARNING } Severity;

typedef struct Diagnostic {
  Severity severity;
  Status status;
  bool has_span, has_second;
  Span span, second; // second: another place on the same line or elsewhere
  const char *message;
  const char *label;        // beside or below the caret, or NULL
  const char *second_label; // below the second caret, or NULL
  const char *note;         // a last line, or NULL
  const char *suggestion;   // what to write in the place of the span, or NULL
} Diagnostic;

#define MOST_DIAGNOSTICS 100 // that are kept; an error may take the place of a warning

typedef struct Diagnostics {
  VEC(Diagnostic) list;
  uint32_t errors, warnings, dropped; // dropped: beyond the limit
  uint32_t newest;                    // the place of the last one + 1; 0 when it was dropped
  Diagnostic spare;                   // takes the additions to a dropped one
} Diagnostics;

// Record a mistake; diag_error returns its status so that a failing line is one line.
Status diag_error(Context *cx, Status status, Span span, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void diag_warning(Context *cx, Span span, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
// Our own mistake, found at this place: better an error than a line that is left out in silence.
void diag_own_mistake(Context *cx, Span span);
// An error that belongs to no place in a source.
Status diag_error_plain(Context *cx, Status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void diag_warning_plain(Context *cx, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Additions to the diagnostic recorded last.
void diag_label(Context *cx, const char *format, ...) __attribute__((format(printf, 2, 3)));
void diag_second(Context *cx, Span span, const char *label);
void diag_note(Context *cx, const char *format, ...) __attribute__((format(printf, 2, 3)));
// The errors from the place `from` of the list on become warnings.
void diag_soften(Context *cx, uint32_t from);
// One that another context has recorded, with texts that live long enough; the list is in the
// arena.
void diag_take(Context *cx, Arena *arena, Diagnostic diagnostic);
// What was recorded after the mark is forgotten, warnings that had to give way to it stand again.
// A mark serves once.
Diagnostics diag_mark(Context *cx);
void diag_rollback(Context *cx, Diagnostics mark);
// "did you mean 'name'?" beside the caret; nothing when name is NULL.
void diag_suggest(Context *cx, const char *name);

// file:line:column: error: message, the line, the caret, labels and note; colour for a terminal.
void diag_print(const Sources *sources, const Diagnostic *diagnostic, bool colour, Text *out);

#endif
