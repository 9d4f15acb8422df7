// The chapter on many runs: how many were made, percentiles of what is drawn, and the picture.
#include <string.h>
#include <unistd.h>

#include "base/host/folder.h"
#include "print/measure_text.h"
#include "report/report.h"

// Where a sweep of the model has left its files, as seen from the folder of results: NAME-sweep
// beside NAME-out, or the folder itself, "". NULL: nowhere.
static const char *place_of(Context *cx, const char *folder) {
  const char *slash = strrchr(folder, '/'), *name = slash ? slash + 1 : folder;
  size_t n = strlen(name);
  const char *places[2] = {NULL, ""};
  if (n > 4 && strcmp(name + n - 4, "-out") == 0)
    places[0] = text_format(&cx->scratch, "../%.*s-sweep/", (int)(n - 4), name);
  for (int i = 0; i < 2; i++) {
    if (!places[i]) continue;
    const char *file = text_format(&cx->scratch, "%stable.json", places[i]);
    if (access(folder_path(&cx->scratch, folder, file), R_OK) == 0) return places[i];
  }
  return NULL;
}

// The texts of the parts, and the marks of the data.
static bool has_same_files(Context *cx, const Model *model, const JsonValue *about) {
  const JsonValue *parts = json_get(about, "parts"), *data = json_get(about, "data");
  const ModelData *part;
  size_t count = 0, marks = 0;
  bool same = true;
  for (uint32_t at = 0; same && (part = model_next_part(model, &at)); count++) {
    const char *stored = json_text(json_get(json_at(parts, count), "text"));
    same = stored && strcmp(stored, cx->sources.at[part->source].text) == 0;
  }
  for (uint32_t i = 0; i < model->data.n && same; i++) {
    if (model->data.at[i].is_part) continue;
    same = json_number(json_get(json_at(data, marks++), "mark")) == model->data.at[i].hash;
  }
  return same && json_count(parts) == count && json_count(data) == marks;
}

// Is the table of this text, these files and these settings?
static bool is_of(Context *cx, const Model *model, const JsonValue *about) {
  const Source *source = &cx->sources.at[model->source];
  const char *text = json_text(json_get(about, "model"));
  const JsonValue *settings = json_get(about, "settings");
  bool same = text && strlen(text) == source->length &&
              memcmp(text, source->text, source->length) == 0 &&
              json_count(settings) == model->setting_count;
  for (size_t i = 0; i < model->setting_count && same; i++) {
    const char *setting = json_text(json_at(settings, i));
    same = setting && strcmp(setting, model->settings[i]) == 0;
  }
  return same && has_same_files(cx, model, about);
}

bool report_sweep_load(Context *cx, const Model *model, const char *folder, const char *question,
                       Json *out, const JsonValue **answer) {
  (void)question;
  const char *place = folder ? place_of(cx, folder) : NULL, *text;
  size_t n;
  Diagnostics before = cx->diagnostics;
  if (!place) return false;
  const char *file = text_format(&cx->scratch, "%stable.json", place);
  bool good = folder_read(cx, &cx->scratch, folder, file, &text, &n) == QDOT_OK &&
              json_read(cx, file, text, n, out) == QDOT_OK;
  cx->diagnostics = before;
  if (!good) return false;
  *answer = out->root;
  if (is_of(cx, model, *answer)) return true;
  json_close(out);
  return false;
}

static void tell_percentiles(Document *d, const Model *model, const JsonValue *all) {
  static const char *const keys[] = {"5", "50", "95"};
  static const Sentence words[] = {SAY_WORD_SYMBOL, SAY_WORD_PERCENTILE_5, SAY_WORD_PERCENTILE_50,
                                   SAY_WORD_PERCENTILE_95};
  const SweepRequest *request = &model->requests.sweep;
  Table table = {.alignment = "lrrr"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    table_text(d, &table, language_say(d->language, words[i]));
  for (uint32_t i = 0; i < request->measures.n; i++) {
    const Measurement *m = &model->requests.measurements.at[request->measures.at[i]];
    const char *name = symbol_text(d->cx, m->name);
    const char *unit = quantity_unit(&d->cx->scratch, quantity_of_measurement(d->cx, model, m));
    table_formula(d, &table, insert_name(d, name).markup);
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
      double value = json_number(json_get(json_get(all, name), keys[k]));
      if (value == value)
        table_formula(d, &table, document_quantity(d, value, unit));
      else
        table_text(d, &table, language_say(d->language, SAY_WORD_NO_VALUE));
    }
  }
  document_table(d, &table);
}

void report_sweep_tell(Document *d, const ReportContent *content, const JsonValue *answer) {
  Insert inserts[] = {insert_count(d, (unsigned)json_number(json_get(answer, "cases"))),
                      insert_count(d, (unsigned)json_number(json_get(answer, "failed")))};
  const JsonValue *percentiles = json_get(answer, "percentiles");
  document_paragraph(d, SAY_ANSWER_SWEEP, inserts);
  if (percentiles) tell_percentiles(d, content->model, percentiles);
  report_figure(d, content,
                text_format(&d->cx->scratch, "%ssweep", place_of(d->cx, content->folder)),
                language_say(d->language, SAY_CAPTION_SWEEP));
}
