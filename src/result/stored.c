// A stored result: results.csv, summary.json and model.qdot of a folder.
#include "result/stored.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#include "base/folder.h"

// ---- Rows

static const double *next_row(void *user) { return csv_reader_next(user); }
static void rewind_rows(void *user) { csv_reader_rewind(user); }
static Status status_of_rows(void *user) { return ((CsvReader *)user)->status; }

// Of a contact: the next event behind number i, or NULL.
static const SimEvent *next_event(const SimSummary *summary, uint32_t i) {
  for (uint32_t k = i + 1; k < summary->events.n; k++)
    if (summary->events.at[k].number == summary->events.at[i].number) return &summary->events.at[k];
  return NULL;
}

// An impact without rebound closes the contact, unless the bodies only happen to move on together
// until they meet again, as in Newton's cradle.
static bool closes(const SimSummary *summary, uint32_t i) {
  const SimEvent *e = &summary->events.at[i];
  if (e->kind != SIM_IMPACT || fabs(e->after) > 1e-9 * fabs(e->before)) return false;
  const SimEvent *next = next_event(summary, i);
  if (next) return next->kind == SIM_RELEASE;
  for (uint32_t k = 0; k < i; k++) {
    const SimEvent *earlier = &summary->events.at[k];
    if (earlier->number != e->number || earlier->kind != SIM_IMPACT) continue;
    next = next_event(summary, k); // number i at the latest
    if (next && next->kind == SIM_IMPACT) return false;
  }
  return true;
}

static const RecordedEvent *events_from(Context *cx, const Model *model,
                                        const SimSummary *summary) {
  RecordedEvent *events = arena_array(&cx->keep, RecordedEvent, summary->events.n);
  for (uint32_t i = 0; i < summary->events.n; i++) {
    static const EventKind kinds[] = {
        [SIM_IMPACT] = EVENT_IMPACT, [SIM_CONTACT] = EVENT_CONTACT, [SIM_RELEASE] = EVENT_RELEASE};
    const SimEvent *e = &summary->events.at[i];
    const char *name = symbol_text(cx, model->contacts.at[e->number].name);
    events[i] = (RecordedEvent){e->t, name, kinds[e->kind], closes(summary, i)};
  }
  return events;
}

static Status check_columns(Context *cx, const Model *model, const Recording *recording,
                            const char *path) {
  if (recording_column(recording, "t") < 0)
    return diag_error_plain(cx, QDOT_BAD_FILE, "'%s' has no column 't'", path);
  for (uint32_t i = 0; i < model->coordinates.n; i++) {
    const char *name = symbol_text(cx, model->coordinates.at[i].name);
    if (recording_column(recording, name) < 0)
      return diag_error_plain(cx, QDOT_BAD_FILE, "'%s' has no column '%s'", path, name);
  }
  return QDOT_OK;
}

Status stored_open(Context *cx, const char *folder, const Model *model, StoredResult *out) {
  *out = (StoredResult){.cx = cx, .folder = folder};
  const char *text;
  size_t length;
  Status status = folder_read(cx, &cx->keep, folder, "summary.json", &text, &length);
  if (status == QDOT_OK)
    status = certificate_read(cx, model, folder_path(&cx->keep, folder, "summary.json"), text,
                              length, &out->summary);
  const char *path = folder_path(&cx->keep, folder, "results.csv");
  if (status == QDOT_OK) status = csv_reader_open(cx, path, &out->reader);
  if (status != QDOT_OK) return status;
  out->recording = (Recording){.model = model,
                               .column_count = out->reader.columns,
                               .columns = out->reader.names,
                               .rows = {&out->reader, next_row, rewind_rows, status_of_rows},
                               .event_count = out->summary.events.n,
                               .events = events_from(cx, model, &out->summary)};
  status = check_columns(cx, model, &out->recording, path);
  if (status != QDOT_OK) csv_reader_close(&out->reader);
  return status;
}

void stored_close(StoredResult *result) { csv_reader_close(&result->reader); }

// ---- Models

Status stored_model(Context *cx, const char *folder, const char **text, size_t *length,
                    StoredSettings *settings) {
  const char *summary;
  size_t n;
  Status status = folder_read(cx, &cx->keep, folder, "summary.json", &summary, &n);
  if (status == QDOT_OK)
    status = certificate_settings(cx, folder_path(&cx->keep, folder, "summary.json"), summary, n,
                                  settings);
  return status == QDOT_OK ? folder_read(cx, &cx->keep, folder, "model.qdot", text, length)
                           : status;
}

// The next line that matters for the motion, without comment and blanks at its ends.
static bool next_line(const char **at, const char **line, size_t *length) {
  while (**at) {
    const char *begin = *at;
    size_t n = strcspn(begin, "\n");
    *at = begin + n + (begin[n] == '\n');
    size_t skip = strspn(begin, " \t"), code = strcspn(begin, "#\n");
    begin += skip;
    size_t left = code > skip ? code - skip : 0;
    while (left && strchr(" \t\r", begin[left - 1])) left--;
    bool shows = strncmp(begin, "plot ", 5) == 0 || strncmp(begin, "draw ", 5) == 0;
    if (left == 0 || shows) continue;
    *line = begin, *length = left;
    return true;
  }
  return false;
}

static bool is_same_system(const char *a, const char *b) {
  for (;;) {
    const char *line_a, *line_b;
    size_t n_a, n_b;
    bool more_a = next_line(&a, &line_a, &n_a), more_b = next_line(&b, &line_b, &n_b);
    if (more_a != more_b) return false;
    if (!more_a) return true;
    if (n_a != n_b || memcmp(line_a, line_b, n_a) != 0) return false;
  }
}

static bool is_same_text(const char *a, const char *b) {
  return a && b ? strcmp(a, b) == 0 : a == b;
}

static bool has_file(Context *cx, const char *folder, const char *name) {
  return access(folder_path(&cx->keep, folder, name), R_OK) == 0;
}

bool stored_belongs(Context *cx, const char *folder, const Model *model) {
  static const char *const files[] = {"results.csv", "summary.json", "model.qdot"};
  for (size_t i = 0; i < sizeof files / sizeof *files; i++)
    if (!has_file(cx, folder, files[i])) return false;
  const char *text;
  size_t length;
  StoredSettings settings;
  if (stored_model(cx, folder, &text, &length, &settings) != QDOT_OK) return false;
  if (!is_same_text(settings.formulation, model->formulation) ||
      settings.count != model->setting_count)
    return false;
  for (size_t i = 0; i < settings.count; i++)
    if (!is_same_text(settings.settings[i], model->settings[i])) return false;
  return is_same_system(text, cx->sources.at[model->source].text);
}
