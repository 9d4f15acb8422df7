// Results in a folder: results.csv, motion.bin, summary.json, model.qdot and its data.
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/host/folder.h"
#include "base/host/text_file.h"
#include "result/certificate.h"
#include "result/result.h"

// ---- Storing and loading

// Copies of the data files, so that the folder alone tells the whole story.
static Status store_data(const Result *r) {
  Context *cx = r->cx;
  Status status = QDOT_OK;
  for (uint32_t i = 0; i < r->model->data.n && status == QDOT_OK; i++) {
    const char *bytes, *path = r->model->data.at[i].path;
    size_t n;
    status = folder_read(cx, &cx->scratch, "", path, &bytes, &n);
    if (status == QDOT_OK)
      status = folder_write(cx, r->folder, r->model->data.at[i].stored, bytes, n);
  }
  return status;
}

// Are the copies what the model has read?
static bool is_same_data(Context *cx, const char *folder, const Model *model) {
  bool same = true;
  for (uint32_t i = 0; i < model->data.n && same; i++) {
    Mark mark = arena_mark(&cx->scratch);
    const ModelData *data = &model->data.at[i];
    const char *path = folder_path(&cx->scratch, folder, data->stored);
    TextFile copy = {.kind = "file", .name = data->stored, .path = path, .largest = SIZE_MAX};
    Diagnostics before = diag_mark(cx);
    same = text_file_read(cx, &cx->scratch, &copy) == QDOT_OK &&
           hash_bytes(copy.text, copy.length) == data->hash;
    diag_rollback(cx, before);
    arena_release(&cx->scratch, mark);
  }
  return same;
}

static Status store_model(const Result *r) {
  Context *cx = r->cx;
  if (!r->model) {
    unlink(folder_path(&cx->scratch, r->folder, "model.qdot"));
    return QDOT_OK;
  }
  const Source *source = &cx->sources.at[r->model->source];
  Status status = folder_write(cx, r->folder, "model.qdot", source->text, source->length);
  return status == QDOT_OK ? store_data(r) : status;
}

Status result_store(const Result *r, RunOrigin origin) {
  Context *cx = r->cx;
  Mark mark = arena_mark(&cx->scratch);
  Text summary = text_new(&cx->scratch);
  certificate_json(cx, origin, r, &summary);
  Status status = folder_write(cx, r->folder, "summary.json", summary.at, summary.n);
  if (status == QDOT_OK) status = store_model(r);
  arena_release(&cx->scratch, mark);
  return status;
}

static Status check_columns(const Result *r) {
  Context *cx = r->cx;
  const char *path = folder_path(&cx->keep, r->folder, "results.csv");
  if (result_column(r, "t") < 0)
    return diag_error_plain(cx, QDOT_BAD_FILE, "'%s' has no column 't'", path);
  for (uint32_t i = 0; i < r->model->coordinates.n; i++) {
    const char *name = symbol_text(cx, r->model->coordinates.at[i].name);
    if (result_column(r, name) < 0)
      return diag_error_plain(cx, QDOT_BAD_FILE, "'%s' has no column '%s'", path, name);
  }
  return QDOT_OK;
}

static Status load(Result *r) {
  Context *cx = r->cx;
  const char *text, *path = folder_path(&cx->keep, r->folder, "summary.json");
  size_t length;
  Status status = folder_read(cx, &cx->keep, r->folder, "summary.json", &text, &length);
  // the end of the motion says how close its rows lie, the columns whose extremes are there
  if (status == QDOT_OK) status = certificate_read(cx, r->model, path, text, length, &r->summary);
  if (status == QDOT_OK) status = result_open_rows(r);
  if (status == QDOT_OK) status = check_columns(r);
  if (status == QDOT_OK) certificate_read_numbers(r, path, text, length);
  return status;
}

Status result_load(Context *cx, const char *folder, const Model *model, Result **out) {
  Result *r = result_new(cx, model);
  r->folder = arena_copy(&cx->keep, folder, strlen(folder));
  Status status = load(r);
  if (status == QDOT_OK)
    *out = r;
  else
    result_close(r);
  return status;
}

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
  if (!is_same_text(settings.formulation, model_formulation(model)) ||
      settings.count != model->setting_count)
    return false;
  for (size_t i = 0; i < settings.count; i++)
    if (!is_same_text(settings.settings[i], model->settings[i])) return false;
  return is_same_system(text, cx->sources.at[model->source].text) &&
         is_same_data(cx, folder, model);
}
