// The model's own text, with remarks where something was set from outside.
#include <math.h>
#include <string.h>

#include "report/report.h"

// A margin note behind the line that ends at a byte of the text.
typedef struct MarginNote {
  size_t line_end;
  const char *text;
} MarginNote;

typedef VEC(MarginNote) MarginNotes;

static size_t line_end_of(const ReportContent *content, size_t at) {
  while (at < content->text_length && content->text[at] != '\n') at++;
  return at;
}

static void add_remark(Document *d, const ReportContent *content, Span span, const char *text,
                       MarginNotes *out) {
  bool here = span.source == content->system->model->source && span.end > span.begin;
  size_t end = line_end_of(content, here ? span.begin : content->text_length);
  MarginNote remark = {end, text};
  vec_push(&d->cx->scratch, out, remark);
}

// Behind the line that defines the name; behind the last where none does.
static void remark_settings(Document *d, const ReportContent *content, MarginNotes *out) {
  const Model *model = content->system->model;
  for (uint32_t i = 0; i < model->setting_count; i++) {
    const char *setting = model->settings[i];
    size_t n = strcspn(setting, "='~ ");
    const char *name = text_format(&d->cx->scratch, "%.*s", (int)n, setting);
    const NameEntry *entry = model_find_text(model, name);
    add_remark(d, content, entry ? entry->span : (Span){0}, setting, out);
  }
}

static void add_changed(Text *text, const char *word, double used, double stated) {
  if (isfinite(used) && used > 0 && used != stated)
    text_addf(text, "%s%s = %.9g", text->n ? ", " : "", word, used);
}

// What the command line said about the run instead of the model's 'simulate'.
static void remark_run(Document *d, const ReportContent *content, MarginNotes *out) {
  const Model *model = content->system->model;
  const SimSummary *used = report_summary(content);
  Symbol wish = model->requests.simulate.method.name;
  SimOptions stated;
  if (!used || !used->method || sim_options(d->cx, model, &stated) != QDOT_OK) return;
  // a method that the program chose has a reason, unless it is that of silence
  const char *method = wish ? symbol_text(d->cx, wish) : "rk853";
  bool chosen = remark_is_made(&used->reason) || strcmp(method, used->method) == 0;
  Text text = text_new(&d->cx->scratch);
  if (!chosen) text_addf(&text, "using %s", used->method);
  add_changed(&text, "to", used->t_asked, stated.t_end);
  add_changed(&text, "every", used->every, stated.every);
  if (used->fixed_step) {
    add_changed(&text, "step", used->step, chosen ? stated.method.step : NAN);
  } else {
    add_changed(&text, "rtol", used->rtol, stated.method.rtol);
    add_changed(&text, "atol", used->atol, stated.method.atol);
  }
  if (text.n) add_remark(d, content, model->requests.simulate.span, text.at, out);
}

static void remark_formulation(Document *d, const ReportContent *content, MarginNotes *out) {
  const Model *model = content->system->model;
  Symbol stated = model->requests.derive.formulation;
  const char *used = model_formulation(model);
  if (!used) return;
  const char *text = stated ? symbol_text(d->cx, stated) : "lagrange";
  if (strcmp(text, used) == 0) return;
  add_remark(d, content, model->requests.derive.span,
             text_format(&d->cx->scratch, "derive using %s", used), out);
}

static const char *text_with_remarks(Document *d, const ReportContent *content,
                                     const MarginNotes *remarks) {
  Text out = text_new(&d->cx->scratch);
  const char *words = language_say(d->language, SAY_MODEL_OUTSIDE);
  for (size_t at = 0; at <= content->text_length;) {
    size_t end = line_end_of(content, at);
    text_add_bytes(&out, content->text + at, end - at);
    for (uint32_t i = 0; i < remarks->n; i++)
      if (remarks->at[i].line_end == end)
        text_addf(&out, "%s# %s: %s", end > at ? "  " : "", words, remarks->at[i].text);
    if (end < content->text_length) text_add_char(&out, '\n');
    at = end + 1;
  }
  return out.at;
}

// The prefixes under which a file is used: "left, right"; "" where there is none.
static const char *prefixes_of(Document *d, const Model *model, const ModelData *part) {
  Text out = text_new(&d->cx->scratch);
  for (uint32_t i = 0; i < model->data.n; i++) {
    const ModelData *data = &model->data.at[i];
    if (data->is_part && data->source == part->source && data->prefix)
      text_addf(&out, "%s%s", out.n ? ", " : "", symbol_text(d->cx, data->prefix));
  }
  return out.at;
}

// The files that the model uses, each once.
static void list_parts(Document *d, const Model *model) {
  const ModelData *part;
  for (uint32_t at = 0; (part = model_next_part(model, &at));) {
    const Source *source = &d->cx->sources.at[part->source];
    const char *prefixes = prefixes_of(d, model, part);
    Insert about[] = {insert_text(part->name), insert_text(prefixes)};
    document_paragraph(d, *prefixes ? SAY_MODEL_PART : SAY_MODEL_FILE, about);
    document_listing(d, source->text, source->length);
  }
}

void report_model(Document *d, const ReportContent *content) {
  if (!content->text) return;
  MarginNotes remarks = {0};
  remark_settings(d, content, &remarks);
  remark_formulation(d, content, &remarks);
  remark_run(d, content, &remarks);
  document_heading(d, 1, SAY_H_MODEL, NULL);
  d->is_of_run = true;
  document_paragraph(d, remarks.n ? SAY_MODEL_CHANGED : SAY_MODEL, NULL);
  d->is_of_run = false;
  const char *text = remarks.n ? text_with_remarks(d, content, &remarks) : content->text;
  document_listing(d, text, remarks.n ? strlen(text) : content->text_length);
  list_parts(d, content->system->model);
}
