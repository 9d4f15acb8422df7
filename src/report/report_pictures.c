// Pictures in a report, and the events of a run.
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "base/host/folder.h"
#include "base/words/digits.h"
#include "base/words/greek.h"
#include "print/quantity.h"
#include "report/captions.h"
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
  if (!content->has_ghosts) return say(d, is_guess ? SAY_CAPTION_GUESS_PLAIN : SAY_CAPTION_PLAIN);
  return say(d, is_guess ? SAY_CAPTION_GUESS_STILL : SAY_CAPTION_STILL);
}

enum { LONGEST_LEAD = 600 }; // bytes

// The comment at the head of the model's text, its lines joined; in the scratch arena.
static Text lead_of(Document *d, const ReportContent *content) {
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
  return lead;
}

static bool is_small(char c) { return c >= 'a' && c <= 'z'; }

static bool is_advice(const char *at) {
  bool is_option = strncmp(at, "--", 2) == 0 && is_small(at[2]);
  return is_option || (strncmp(at, "qdot ", 5) == 0 && is_small(at[5]));
}

static bool ends_sentence(const char *at) { return *at == '.' && (!at[1] || at[1] == ' '); }

// Without what tells to type a command, which nobody can do in a document: from the beginning of
// its sentence, or from the colon before it, to the end of the sentence.
static void drop_advice(Text *lead) {
  size_t begin = 0, colon = 0;
  for (size_t i = 0; i < lead->n; i++) {
    if (i > 1 && ends_sentence(lead->at + i - 2)) begin = i, colon = 0;
    if (lead->at[i] == ':') colon = i;
    bool is_new_word = i == 0 || strchr(" (", lead->at[i - 1]);
    if (!is_new_word || !is_advice(lead->at + i)) continue;
    size_t from = colon ? colon : begin, end = i;
    while (end < lead->n && !ends_sentence(lead->at + end)) end++;
    if (!colon && end < lead->n) end++;
    if (!colon && lead->at[end] == ' ') end++;
    memmove(lead->at + from, lead->at + end, lead->n - end + 1);
    lead->n -= end - from;
    i = from ? from - 1 : 0;
  }
  while (lead->n && lead->at[lead->n - 1] == ' ') lead->at[--lead->n] = 0;
  if (lead->n && !strchr(".!?:", lead->at[lead->n - 1])) text_add_char(lead, '.');
}

// Does a stretch without blanks read as a product or a power?
static bool is_product(const char *at) {
  for (size_t n = strcspn(at, " "), i = 1; i + 1 < n; i++)
    if (at[i] == '*' || at[i] == '^') return true;
  return false;
}

// Operators and functions of a formula as a book prints them; the length of what was taken, or 0.
static size_t write_as_printed(Document *d, const char *at) {
  static const char *const pairs[][2] = {{"*", "\u202f"}, {"sqrt", "√"}, {"pi", "π"},
                                         {"^2", "²"},     {"^3", "³"},   {"-", "−"}};
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
    size_t n = strlen(pairs[i][0]);
    bool is_word = is_small(pairs[i][0][0]);
    if (strncmp(at, pairs[i][0], n) != 0 || (is_word && written_name_length(at) > n)) continue;
    d->medium->text(d, pairs[i][1], strlen(pairs[i][1]));
    return n;
  }
  return 0;
}

// Is it a symbol of the model, and no word of a language? Letters alone, such as "a", may be both.
static bool is_symbol(const ReportContent *content, const char *name) {
  size_t stem = strcspn(name, "_[.'");
  bool is_word = !name[stem] && !greek_from_word(name, stem);
  return !is_word && model_find_text(content->system->model, name);
}

// What the author says first; symbols of the model in it are set as such.
static void write_lead(Document *d, const ReportContent *content) {
  Text lead = lead_of(d, content);
  drop_advice(&lead);
  if (lead.n == 0 || lead.n > LONGEST_LEAD) return;
  document_open_paragraph(d);
  bool in_product = false;
  for (const char *at = lead.at; *at;) {
    if (at == lead.at || at[-1] == ' ') in_product = is_product(at);
    size_t printed = in_product ? write_as_printed(d, at) : 0;
    at += printed;
    if (printed) continue;
    size_t n = written_name_length(at), plain = n ? n : 1;
    const char *name = arena_copy(&d->cx->scratch, at, n);
    if (n && is_symbol(content, name))
      d->medium->formula(d, insert_name(d, name).markup);
    else
      d->medium->text(d, at, plain);
    at += plain;
  }
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
  Figure figure = {.caption = still ? words : say(d, SAY_PAGE_CURVES)};
  figure.content =
      text_format(&d->cx->scratch, "<div id=\"live\">%s</div>", picture ? picture : "");
  document_figure(d, &figure);
}

// ---- Events

enum { MOST_EVENTS = 30, LAST_EVENTS = 6, TIME_DIGITS = 6 };

// Of many events the first and the last are listed.
static bool is_listed(const SimSummary *summary, uint32_t i) {
  return summary->events.n <= MOST_EVENTS || i < MOST_EVENTS - LAST_EVENTS ||
         i + LAST_EVENTS >= summary->events.n;
}

// Decimals that give the latest of the times so many digits.
static int time_decimals(const SimSummary *summary) {
  double latest = 0;
  for (uint32_t i = 0; i < summary->events.n; i++)
    latest = fmax(latest, fabs(summary->events.at[i].t));
  int whole = latest > 0 ? (int)floor(log10(latest)) + 1 : 1;
  return whole < TIME_DIGITS ? TIME_DIGITS - whole : 0;
}

static bool any_impact(const SimSummary *summary) {
  for (uint32_t i = 0; i < summary->events.n; i++)
    if (is_listed(summary, i) && summary->events.at[i].kind == SIM_IMPACT) return true;
  return false;
}

// The speeds of an impact; of anything else nothing.
static void speed_cells(Document *d, const Model *model, const SimEvent *event, Table *table) {
  bool impact = event->kind == SIM_IMPACT;
  const Contact *contact = impact ? &model->contacts.at[event->number] : NULL;
  const char *unit =
      impact ? quantity_unit(&d->cx->scratch, quantity_of_contact(d->cx, model, contact, 1)) : "";
  double after = fabs(event->after) < 1e-9 * fabs(event->before) ? 0 : event->after;
  table_formula(d, table,
                impact ? document_quantity(d, digits_rounded(event->before, 4), unit) : "");
  table_formula(d, table, impact ? document_quantity(d, digits_rounded(after, 4), unit) : "");
}

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
  bool has_speeds = any_impact(summary);
  int decimals = time_decimals(summary);
  Table table = {.alignment = has_speeds ? "rllrr" : "rll"};
  for (size_t i = 0; i < strlen(table.alignment); i++) table_text(d, &table, say(d, heads[i]));
  for (uint32_t i = 0; i < summary->events.n; i++) {
    const SimEvent *event = &summary->events.at[i];
    if (!is_listed(summary, i)) {
      for (size_t k = 0; k < strlen(table.alignment) && is_listed(summary, i - 1); k++)
        table_formula(d, &table, k ? "" : d->medium->face->dots);
      continue;
    }
    table_formula(d, &table, document_fixed(d, event->t, decimals));
    table_text(d, &table, say(d, kinds[event->kind]));
    const char *name = sim_event_name(content->system, event);
    if (sim_event_is_of_model(event->kind)) // its condition, as it was written
      table_text(d, &table, name);
    else
      table_formula(d, &table, insert_name(d, name).markup);
    if (has_speeds) speed_cells(d, content->system->model, event, &table);
  }
  document_paragraph(d, SAY_EVENTS, NULL);
  document_table(d, &table);
  Insert inserts[] = {insert_count(d, summary->events.n + (uint32_t)summary->events_left_out)};
  if (summary->events.n > MOST_EVENTS) document_paragraph(d, SAY_EVENTS_MORE, inserts);
  if (!(summary->event_step > 0)) return;
  Insert step[] = {{.markup = document_quantity(d, digits_rounded(summary->event_step, 4), "s")}};
  document_paragraph(d, SAY_EVENTS_STEP, step);
}

void report_results(Story *story, const ReportContent *content) {
  Document *d = story->document;
  if (!content->result) return;
  document_heading(d, 1, SAY_H_RESULTS, NULL);
  if (content->picture_count) document_paragraph(d, SAY_RESULTS, NULL);
  d->is_of_run = true;
  report_until(d, content, SAY_RESULTS_UNTIL);
  d->is_of_run = false;
  report_quantities(story, content);
  d->is_of_run = true;
  for (uint32_t i = 0; i < content->picture_count; i++)
    report_figure(d, content, content->pictures[i].name, content->pictures[i].caption);
  list_events(d, content);
  d->is_of_run = false;
  report_ranges(d, content);
}
