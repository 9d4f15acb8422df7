// Diagnostics and the caret printer.
#include "base/diag.h"

#include <string.h>

#include "base/context.h"
#include "base/utf8.h"

#define WIDEST_LINE 160 // bytes of a source line that are shown

#define NO_PLACE UINT32_MAX

// An error takes the place of a warning where there is no other.
static uint32_t last_warning(const Diagnostics *all) {
  for (uint32_t i = all->list.n; i-- > 0;)
    if (all->list.at[i].severity == SEVERITY_WARNING) return i;
  return NO_PLACE;
}

// Counts it and finds its place in the list; NO_PLACE where that is full.
static uint32_t place_for(Diagnostics *all, Severity severity) {
  if (severity == SEVERITY_ERROR)
    all->errors++;
  else
    all->warnings++;
  uint32_t place = all->list.n;
  if (place >= MOST_DIAGNOSTICS) {
    all->dropped++;
    place = severity == SEVERITY_ERROR ? last_warning(all) : NO_PLACE;
  }
  all->newest = place == NO_PLACE ? 0 : place + 1;
  return place;
}

static void put(Arena *arena, Diagnostics *all, uint32_t place, Diagnostic d) {
  if (place < all->list.n)
    all->list.at[place] = d;
  else
    vec_push(arena, &all->list, d);
}

static void record(Context *cx, Diagnostic d, const char *format, va_list arguments) {
  uint32_t place = place_for(&cx->diagnostics, d.severity);
  if (place == NO_PLACE) return;
  Text message = text_new(&cx->keep);
  text_addv(&message, format, arguments);
  d.message = message.at;
  put(&cx->keep, &cx->diagnostics, place, d);
}

void diag_take(Context *cx, Arena *arena, Diagnostic diagnostic) {
  uint32_t place = place_for(&cx->diagnostics, diagnostic.severity);
  if (place != NO_PLACE) put(arena, &cx->diagnostics, place, diagnostic);
}

Status diag_error(Context *cx, Status status, Span span, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  record(cx,
         (Diagnostic){.severity = SEVERITY_ERROR, .status = status, .has_span = true, .span = span},
         format, arguments);
  va_end(arguments);
  return status;
}

void diag_warning(Context *cx, Span span, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  record(cx, (Diagnostic){.severity = SEVERITY_WARNING, .has_span = true, .span = span}, format,
         arguments);
  va_end(arguments);
}

void diag_own_mistake(Context *cx, Span span) {
  diag_error(cx, QDOT_BAD_MODEL, span, "Qdot cannot carry this out and does not know why");
  diag_note(cx, "this is a mistake in Qdot; please report it with the model");
}

Status diag_error_plain(Context *cx, Status status, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  record(cx, (Diagnostic){.severity = SEVERITY_ERROR, .status = status}, format, arguments);
  va_end(arguments);
  return status;
}

void diag_warning_plain(Context *cx, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  record(cx, (Diagnostic){.severity = SEVERITY_WARNING}, format, arguments);
  va_end(arguments);
}

Diagnostics diag_mark(Context *cx) {
  const Diagnostics *all = &cx->diagnostics;
  Diagnostics mark = *all;
  memset(&mark.list, 0, sizeof mark.list);
  for (uint32_t i = 0; i < all->list.n; i++) vec_push(&cx->keep, &mark.list, all->list.at[i]);
  return mark;
}

void diag_rollback(Context *cx, Diagnostics mark) { cx->diagnostics = mark; }

// The diagnostic that additions go to; a spare one when the list is full.
static Diagnostic *newest(Context *cx) {
  Diagnostics *all = &cx->diagnostics;
  bool there = all->newest > 0 && all->newest <= all->list.n;
  return there ? &all->list.at[all->newest - 1] : &all->spare;
}

static const char *format_text(Context *cx, const char *format, va_list arguments) {
  Text text = text_new(&cx->keep);
  text_addv(&text, format, arguments);
  return text.at;
}

void diag_label(Context *cx, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  newest(cx)->label = format_text(cx, format, arguments);
  va_end(arguments);
}

void diag_note(Context *cx, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  newest(cx)->note = format_text(cx, format, arguments);
  va_end(arguments);
}

void diag_second(Context *cx, Span span, const char *label) {
  Diagnostic *d = newest(cx);
  d->has_second = true;
  d->second = span;
  d->second_label = label ? arena_copy(&cx->keep, label, strlen(label)) : NULL;
}

void diag_suggest(Context *cx, const char *name) {
  if (!name) return;
  diag_label(cx, "did you mean '%s'?", name);
  newest(cx)->suggestion = arena_copy(&cx->keep, name, strlen(name));
}

void diag_soften(Context *cx, uint32_t from) {
  Diagnostics *all = &cx->diagnostics;
  for (uint32_t i = from; i < all->list.n; i++) {
    if (all->list.at[i].severity != SEVERITY_ERROR) continue;
    all->list.at[i].severity = SEVERITY_WARNING;
    all->errors--, all->warnings++;
  }
}

// Terminal sequences, all empty without colour.
typedef struct Paint {
  const char *place, *error, *warning, *caret, *plain;
} Paint;

static const Paint no_paint = {"", "", "", "", ""};
static const Paint terminal_paint = {"\033[1m", "\033[1;31m", "\033[1;33m", "\033[1;32m",
                                     "\033[0m"};

// A stretch of one line, in bytes from the start of the shown part.
typedef struct Stretch {
  uint32_t begin, end;
} Stretch;

static void pad_to(Text *out, size_t *column, size_t wanted) {
  for (; *column < wanted; ++*column) text_add_char(out, ' ');
}

static size_t column_of(const char *line, uint32_t bytes) { return utf8_width(line, bytes); }

// A tab becomes a blank; other control characters and invalid bytes must not reach a terminal.
static void add_printable(Text *out, const char *line, uint32_t n) {
  for (uint32_t i = 0; i < n;) {
    uint32_t character;
    size_t used = utf8_decode(line + i, n - i, &character);
    if (used && !utf8_is_control(character))
      text_add_bytes(out, line + i, used);
    else
      text_add_char(out, line[i] == '\t' ? ' ' : '?');
    i += used ? (uint32_t)used : 1;
  }
}

static void add_carets(Text *out, size_t *column, const char *line, Stretch s) {
  size_t from = column_of(line, s.begin), to = column_of(line, s.end);
  pad_to(out, column, from);
  text_add_char(out, '^'), ++*column;
  for (; *column < to; ++*column) text_add_char(out, '~');
}

static Stretch clip(Span span, const Place *place, uint32_t shift, uint32_t shown) {
  uint32_t begin = span.begin - place->line_begin - shift;
  uint32_t end = span.end > place->line_begin + shift ? span.end - place->line_begin - shift : 0;
  if (begin > shown) begin = shown;
  if (end > shown) end = shown;
  if (end <= begin) end = begin + 1;
  return (Stretch){begin, end};
}

static bool is_continuation(char c) { return ((unsigned char)c & 0xC0) == 0x80; }

// Very long lines are shown from a little before the caret.
static uint32_t window_start(const Place *place, uint32_t begin) {
  if (place->line_length <= WIDEST_LINE || begin < WIDEST_LINE / 2) return 0;
  uint32_t start = begin - WIDEST_LINE / 4;
  while (start > 0 && is_continuation(place->line_text[start])) start--;
  return start;
}

static void print_excerpt(const Sources *sources, const Diagnostic *d, const Paint *paint,
                          Text *out) {
  Place place = source_place(sources, d->span.source, d->span.begin);
  uint32_t start = window_start(&place, d->span.begin - place.line_begin);
  uint32_t shown = place.line_length - start;
  if (shown > WIDEST_LINE) shown = WIDEST_LINE;
  while (shown < place.line_length - start && shown > 0 &&
         is_continuation(place.line_text[start + shown]))
    shown--;
  const char *line = place.line_text + start;

  text_add(out, "    ");
  add_printable(out, line, shown);
  text_add(out, "\n    ");

  Stretch first = clip(d->span, &place, start, shown), second = {0};
  bool both = d->has_second && d->second.source == d->span.source &&
              d->second.begin >= d->span.end && d->second.begin < place.line_begin + start + shown;
  size_t column = 0;
  text_add(out, paint->caret);
  add_carets(out, &column, line, first);
  if (both) {
    second = clip(d->second, &place, start, shown);
    add_carets(out, &column, line, second);
  }
  if (d->label && !both) text_addf(out, " %s", d->label);
  text_addf(out, "%s\n", paint->plain);
  if (both && (d->label || d->second_label)) {
    column = 0;
    text_add(out, "    ");
    pad_to(out, &column, column_of(line, first.begin));
    if (d->label) text_add(out, d->label), column += utf8_width(d->label, strlen(d->label));
    if (d->second_label) {
      if (column && column >= column_of(line, second.begin)) text_add(out, "  ");
      pad_to(out, &column, column_of(line, second.begin));
      text_add(out, d->second_label);
    }
    text_add_char(out, '\n');
  }
  if (d->has_second && !both) {
    Place other = source_place(sources, d->second.source, d->second.begin);
    text_addf(out, "    %s:%u:%u: %s\n", sources->at[d->second.source].name, other.line,
              other.column, d->second_label ? d->second_label : "the other place");
  }
}

// Words beneath an excerpt, in lines of at most 100 columns.
static void print_note(const char *note, Text *out) {
  const size_t room = 96;
  while (*note) {
    size_t end = strcspn(note, "\n"), line = end;
    for (size_t i = 0; i < end && line == end; i++)
      if (note[i] == ' ' && utf8_width(note, i + 1 + strcspn(note + i + 1, " \n")) > room) line = i;
    text_addf(out, "    %.*s\n", (int)line, note);
    note += line + (note[line] != 0);
  }
}

void diag_print(const Sources *sources, const Diagnostic *d, bool colour, Text *out) {
  const Paint *paint = colour ? &terminal_paint : &no_paint;
  bool is_error = d->severity == SEVERITY_ERROR;
  bool has_line = d->has_span && !sources->at[d->span.source].has_no_text;
  if (d->has_span && !has_line)
    text_addf(out, "%s%s: ", paint->place, sources->at[d->span.source].name);
  if (has_line) {
    Place place = source_place(sources, d->span.source, d->span.begin);
    text_addf(out, "%s%s:%u:%u: ", paint->place, sources->at[d->span.source].name, place.line,
              place.column);
  }
  text_addf(out, "%s%s:%s %s\n", is_error ? paint->error : paint->warning,
            is_error ? "error" : "warning", paint->plain, d->message);
  if (has_line)
    print_excerpt(sources, d, paint, out);
  else if (d->label)
    print_note(d->label, out);
  if (d->note) print_note(d->note, out);
}
