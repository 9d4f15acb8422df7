// Sinks, and diagnostics written to them.
#include "api/api_options.h"
#include "base/room.h"
#include "expr/node.h"
#include "qdot/qdot.h"

static int write_to_stream(void *user, const char *bytes, size_t n) {
  return fwrite(bytes, 1, n, user) == n ? 0 : -1;
}

qdot_sink qdot_sink_stream(FILE *stream) { return (qdot_sink){write_to_stream, stream}; }

uint32_t qdot_error_count(const qdot_context *cx) {
  if (!cx) return 0;
  return cx->diagnostics.errors;
}

uint32_t qdot_warning_count(const qdot_context *cx) {
  if (!cx) return 0;
  return cx->diagnostics.warnings;
}

// The limit that ended a call; NULL where it is not one of the context's.
static const char *limit_reached(const Context *cx, Status why, Arena *arena) {
  const Limits *limits = &cx->limits;
  bool has_all_nodes =
      cx->is_full || (limits->nodes && cx->exprs && expr_count(cx) >= limits->nodes);
  if (why == QDOT_NO_MEMORY && cx->memory.is_refused)
    return text_format(arena, "of the system, behind %.3g GiB; that of Qdot is %.3g GiB",
                       (double)cx->memory.peak / (1 << 30),
                       (double)limits->memory_bytes / (1 << 30));
  if (why == QDOT_NO_MEMORY && limits->memory_bytes)
    return text_format(arena, "the limit is %.3g GiB", (double)limits->memory_bytes / (1 << 30));
  if (why == QDOT_TOO_LARGE && has_all_nodes)
    return text_format(arena, "the limit is %u nodes of the expression graph", limits->nodes);
  return NULL;
}

typedef struct Writing {
  const Context *cx;
  bool colour;
  qdot_sink sink;
  Arena *arena;
} Writing;

static void add_count(const Context *cx, Text *out) {
  const Diagnostics *all = &cx->diagnostics;
  if (all->errors == 0) return;
  if (all->errors == 1 && cx->sources.n == 0) return; // nothing was read
  if (cx->sources.n) text_addf(out, "%s: ", cx->sources.at[0].name);
  text_addf(out, "%u error%s", all->errors, all->errors == 1 ? "" : "s");
  if (all->dropped) text_add(out, ", of which only the first are shown");
  text_add_char(out, '\n');
}

static bool comes_before(const Diagnostic *a, const Diagnostic *b) {
  if (!a->has_span || !b->has_span) return a->has_span && !b->has_span;
  if (a->span.source != b->span.source) return a->span.source < b->span.source;
  return a->span.begin < b->span.begin;
}

// ---- As data

size_t qdot_diagnostic_count(const qdot_context *cx) {
  if (!cx) return 0;
  return cx->diagnostics.list.n;
}

// The one with i others before it in the order of the text.
static const Diagnostic *diagnostic_at(const Context *cx, size_t i) {
  uint32_t n = cx->diagnostics.list.n;
  const Diagnostic *all = cx->diagnostics.list.at;
  for (uint32_t k = 0; k < n; k++) {
    size_t before = 0;
    for (uint32_t m = 0; m < n; m++)
      before += comes_before(&all[m], &all[k]) || (m < k && !comes_before(&all[k], &all[m]));
    if (before == i) return &all[k];
  }
  return NULL;
}

static qdot_diagnostic as_data(const Context *cx, const Diagnostic *d) {
  qdot_diagnostic out = {0};
  out.severity = d->severity == SEVERITY_ERROR ? QDOT_SEVERITY_ERROR : QDOT_SEVERITY_WARNING;
  out.status = d->status;
  out.text = d->message, out.label = d->label, out.note = d->note;
  out.suggestion = d->suggestion;
  if (!d->has_span) return out;
  out.file = cx->sources.at[d->span.source].name;
  if (cx->sources.at[d->span.source].has_no_text) return out;
  Place place = source_place(&cx->sources, d->span.source, d->span.begin);
  out.begin = d->span.begin, out.end = d->span.end;
  out.line = place.line, out.column = place.column;
  return out;
}

const qdot_diagnostic *qdot_diagnostic_at(qdot_context *cx, size_t i) {
  if (!cx) return NULL;
  const Diagnostic *d = diagnostic_at(cx, i);
  if (!d || i >= MOST_DIAGNOSTICS) return NULL;
  if (!cx->shown) cx->shown = memory_take(&cx->memory, MOST_DIAGNOSTICS * sizeof *cx->shown);
  if (!cx->shown) return NULL;
  cx->shown[i] = as_data(cx, d);
  return &cx->shown[i];
}

void qdot_diagnostics_clear(qdot_context *cx) {
  if (!cx) return;
  room_forget_reports(cx);
}

// ---- As text

// In the order of the text, whichever pass found them; what has no place comes last.
static const Diagnostic **in_order(const Context *cx, Arena *arena) {
  uint32_t n = cx->diagnostics.list.n;
  const Diagnostic **list = arena_array(arena, const Diagnostic *, n);
  for (uint32_t i = 0; i < n; i++) {
    uint32_t at = i;
    const Diagnostic *next = &cx->diagnostics.list.at[i];
    for (; at > 0 && comes_before(next, list[at - 1]); at--) list[at] = list[at - 1];
    list[at] = next;
  }
  return list;
}

static Status write_diagnostics(void *argument) {
  Writing *writing = argument;
  const Context *cx = writing->cx;
  Text out = text_new(writing->arena);
  const Diagnostic **list = in_order(cx, writing->arena);
  for (uint32_t i = 0; i < cx->diagnostics.list.n; i++)
    diag_print(&cx->sources, list[i], writing->colour, &out);
  Status tripped = cx->guard.status;
  if (tripped != QDOT_OK) {
    Diagnostic end = {.status = tripped, .message = qdot_status_text(tripped)};
    end.note = limit_reached(cx, tripped, writing->arena);
    diag_print(&cx->sources, &end, writing->colour, &out);
  }
  add_count(cx, &out);
  return writing->sink.write(writing->sink.user, out.at, out.n) == 0 ? QDOT_OK : QDOT_IO;
}

qdot_status qdot_diagnostics_write(const qdot_context *cx, const qdot_write_options *options,
                                   qdot_sink sink) {
  if (!cx) return QDOT_BAD_ARGUMENT;
  qdot_write_options own;
  if (!sink.write || !api_options(options, &own, sizeof own)) return QDOT_BAD_ARGUMENT;
  if (own.format != QDOT_FORMAT_TEXT) return QDOT_UNSUPPORTED;
  // With separate memory and guard, because the context may have run out of memory.
  Memory memory = memory_defaults();
  Guard guard = {0};
  Arena arena;
  arena_open(&arena, &memory, &guard);
  Writing writing = {cx, own.colour != 0, sink, &arena};
  Status status = guard_run(&guard, write_diagnostics, &writing);
  arena_close(&arena);
  return status;
}
