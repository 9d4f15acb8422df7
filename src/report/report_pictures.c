// Pictures in a report, and the events of a run.
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "base/host/folder.h"
#include "base/utf8.h"
#include "base/words/digits.h"
#include "expr/define.h"
#include "expr/order.h"
#include "print/gnuplot_text.h"
#include "print/quantity.h"
#include "report/report.h"

static const char *say(const Document *d, Sentence sentence) {
  return language_say(d->language, sentence);
}

static bool has_file(const Document *d, const ReportContent *content, const char *name) {
  const char *path = folder_path(&d->cx->scratch, content->folder ? content->folder : ".", name);
  return access(path, R_OK) == 0;
}

static const char *with_ending(const Document *d, const char *name, const char *ending) {
  return text_format(&d->cx->scratch, "%s.%s", name, ending);
}

// ---- Content for HTML

// The svg element of a picture, without what stands before it in a file of its own.
static const char *svg_of(const Document *d, const ReportContent *content, const char *name) {
  const char *bytes, *file = with_ending(d, name, "svg");
  size_t n;
  if (!has_file(d, content, file) ||
      folder_read(d->cx, &d->cx->scratch, content->folder, file, &bytes, &n) != QDOT_OK)
    return NULL;
  return strstr(bytes, "<svg");
}

// ---- Figures

void report_figure(Document *d, const ReportContent *content, const char *name,
                   const char *caption) {
  bool is_html = d->medium == &html_medium;
  Figure figure = {.caption = caption};
  if (is_html) figure.content = svg_of(d, content, name);
  if (!is_html && has_file(d, content, with_ending(d, name, "pdf"))) figure.file = name;
  if (figure.content || figure.file) document_figure(d, &figure);
}

// What nobody has drawn is not called the mechanism.
static const char *still_caption(const Document *d, const ReportContent *content) {
  bool is_guess = content->system->model->requests.draws.n == 0;
  if (content->is_labelled)
    return say(d, is_guess ? SAY_CAPTION_GUESS_SYMBOLS : SAY_CAPTION_SYMBOLS);
  return say(d, is_guess ? SAY_CAPTION_GUESS_STILL : SAY_CAPTION_STILL);
}

enum { LONGEST_LEAD = 600 }; // bytes

// What the author says first: the comment at the head of the model's text.
static void write_lead(Document *d, const ReportContent *content) {
  const char *at = content->text, *end = at ? at + content->text_length : NULL;
  Text lead = text_new(&d->cx->scratch);
  while (at && at < end && *at == '#') {
    const char *line_end = memchr(at, '\n', (size_t)(end - at));
    if (!line_end) line_end = end;
    while (at < line_end && (*at == '#' || *at == ' ' || *at == '\t')) at++;
    size_t n = (size_t)(line_end - at);
    while (n && (at[n - 1] == ' ' || at[n - 1] == '\r')) n--;
    if (lead.n && n) text_add_char(&lead, ' ');
    text_add_bytes(&lead, at, n);
    at = line_end < end ? line_end + 1 : end;
  }
  if (lead.n == 0 || lead.n > LONGEST_LEAD) return;
  document_open_paragraph(d);
  d->medium->text(d, lead.at, lead.n);
  document_close_paragraph(d);
}

// In a page the scripts put the moving drawing in the place of the still one.
void report_opening(Document *d, const ReportContent *content) {
  write_lead(d, content);
  const char *still = content->still;
  const char *words = still_caption(d, content);
  if (d->medium != &html_medium) {
    if (still) report_figure(d, content, still, words);
    return;
  }
  const char *picture = still ? svg_of(d, content, still) : NULL;
  if (!picture && !content->result) return;
  Figure figure = {.caption = words};
  figure.content =
      text_format(&d->cx->scratch, "<div id=\"live\">%s</div>", picture ? picture : "");
  document_figure(d, &figure);
}

// ---- Events

enum { MOST_EVENTS = 30 };

static void list_events(Document *d, const ReportContent *content) {
  static const Sentence heads[] = {SAY_WORD_TIME, SAY_WORD_EVENT, SAY_WORD_CONTACT, SAY_WORD_BEFORE,
                                   SAY_WORD_AFTER};
  static const Sentence kinds[] = {
      [SIM_IMPACT] = SAY_EVENT_IMPACT,   [SIM_CONTACT] = SAY_EVENT_CONTACT,
      [SIM_RELEASE] = SAY_EVENT_RELEASE, [SIM_JUMP] = SAY_EVENT_JUMP,
      [SIM_STICK] = SAY_EVENT_STICK,     [SIM_SLIP] = SAY_EVENT_SLIP,
      [SIM_RESET] = SAY_EVENT_RESET,     [SIM_STOP] = SAY_EVENT_STOP};
  const SimSummary *summary = report_summary(content);
  if (summary->events.n == 0) return;
  Table table = {.alignment = "rllrr"};
  for (size_t i = 0; i < 5; i++) table_text(d, &table, say(d, heads[i]));
  for (uint32_t i = 0; i < summary->events.n && i < MOST_EVENTS; i++) {
    const SimEvent *event = &summary->events.at[i];
    bool impact = event->kind == SIM_IMPACT;
    table_formula(d, &table, document_number(d, event->t));
    table_text(d, &table, say(d, kinds[event->kind]));
    const char *name = sim_event_name(content->system, event);
    table_formula(d, &table, insert_name(d, name).markup);
    const Model *model = content->system->model;
    const Contact *contact = impact ? &model->contacts.at[event->number] : NULL;
    const char *unit =
        impact ? quantity_unit(&d->cx->scratch, quantity_of_contact(d->cx, model, contact, 1)) : "";
    double after = fabs(event->after) < 1e-9 * fabs(event->before) ? 0 : event->after;
    table_formula(d, &table,
                  impact ? document_quantity(d, digits_rounded(event->before, 4), unit) : "");
    table_formula(d, &table, impact ? document_quantity(d, digits_rounded(after, 4), unit) : "");
  }
  document_paragraph(d, SAY_EVENTS, NULL);
  document_table(d, &table);
  Insert inserts[] = {insert_count(d, summary->events.n + (uint32_t)summary->events_left_out)};
  if (summary->events.n > MOST_EVENTS) document_paragraph(d, SAY_EVENTS_MORE, inserts);
  if (!(summary->event_step > 0)) return;
  Insert step[] = {{.markup = document_quantity(d, digits_rounded(summary->event_step, 4), "s")}};
  document_paragraph(d, SAY_EVENTS_STEP, step);
}

// ---- What curves and tables show beside coordinates

enum { MOST_QUANTITIES = 24, WIDEST_QUANTITY = 240, WIDEST_TERM = 44 }; // columns

typedef struct Told {
  Document *d;
  const ReportContent *content;
  VEC(const char *) names;
} Told;

// Lines break between terms alone.
static bool can_be_read(Context *cx, Expr value) {
  TermList terms = expr_terms(cx, value);
  size_t all = 0;
  for (uint32_t i = 0; i < terms.n; i++) {
    Text plain = text_new(&cx->scratch);
    typeset(cx, terms.at[i], &terminal_face, NULL, &plain);
    size_t width = utf8_width(plain.at, plain.n);
    all += width;
    if (width > WIDEST_TERM || all > WIDEST_QUANTITY) return false;
  }
  return true;
}

// Its formula, once, where that says more than its name and can be read.
static void tell_quantity(Told *told, const char *name, Expr value) {
  Document *d = told->d;
  Context *cx = d->cx;
  Op op = op_of(cx, value);
  Symbol own = op == OP_SYMBOL                 ? symbol_name(cx, value)
               : expr_is_definition(cx, value) ? definition_name(cx, value)
                                               : 0;
  if ((own && strcmp(symbol_text(cx, own), name) == 0) || told->names.n == MOST_QUANTITIES) return;
  for (uint32_t i = 0; i < told->names.n; i++)
    if (strcmp(told->names.at[i], name) == 0) return;
  if (!can_be_read(cx, value)) return;
  if (told->names.n == 0) document_paragraph(d, SAY_QUANTITIES, NULL);
  vec_push(&cx->scratch, &told->names, name);
  document_equation(d, name, value);
}

static void tell_quantities(Document *d, const ReportContent *content) {
  Told told = {d, content, {0}};
  const Model *model = content->system->model;
  for (uint32_t i = 0; i < model->outputs.n; i++)
    tell_quantity(&told, symbol_text(d->cx, model->outputs.at[i].name), model->outputs.at[i].value);
  for (uint32_t i = 0; i < model->requests.plots.n; i++) {
    const PlotRequest *plot = &model->requests.plots.at[i];
    for (uint32_t k = 0; k < plot->curves.n; k++)
      if (written_is_name(d->cx, plot->curves.at[k].label) &&
          !strchr(plot->curves.at[k].label, '\''))
        tell_quantity(&told, plot->curves.at[k].label, plot->curves.at[k].value);
  }
}

void report_results(Document *d, const ReportContent *content) {
  if (!content->result) return;
  document_heading(d, 1, SAY_H_RESULTS, NULL);
  if (content->picture_count) document_paragraph(d, SAY_RESULTS, NULL);
  tell_quantities(d, content);
  for (uint32_t i = 0; i < content->picture_count; i++)
    report_figure(d, content, content->pictures[i].name, content->pictures[i].caption);
  list_events(d, content);
  report_ranges(d, content);
}
