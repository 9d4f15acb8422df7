// The order of a report's chapters.
#include "report/report.h"

#include "report/live.h"

ReportOptions report_defaults(void) {
  return (ReportOptions){
      .language = language_at(0), .detail = DETAIL_TEXTBOOK, .simplify = SIMPLIFY_NORMAL};
}

// The first row of the motion: t, q, q' ...
static const double *starts_of(Context *cx, const ReportContent *content) {
  const System *rows_of = content->played ? content->played : content->system;
  if (rows_of->n != content->system->n) return NULL; // a run of reduced equations
  uint32_t n = 2 * content->system->n;
  if (!content->result || content->result->column_count < 1 + n) return NULL;
  const RowSource *rows = &content->result->motion;
  rows->rewind(rows->user);
  const double *row = rows->next(rows->user);
  double *starts = arena_array(&cx->scratch, double, n + 1);
  for (uint32_t i = 0; row && i < n; i++) starts[i] = row[1 + i];
  return row ? starts : NULL;
}

// The chapters before that of the abbreviations.
static void tell_derivation(Story *story) {
  story_summary(story);
  document_contents(story->document);
  story_chapters(story);
}

// All that uses abbreviations.
static void tell_formulas(Story *story, const void *content) {
  tell_derivation(story);
  report_vibrations(story->document, content);
  report_quantities(story, content);
}

// What else there is to abbreviate.
static ExprList shown_later(Context *cx, const ReportContent *content) {
  ExprList list = report_linear_shown(cx, content);
  report_quantities_shown(cx, content, &list);
  return list;
}

Status report_write(Context *cx, const ReportContent *content, const ReportOptions *options,
                    const Medium *medium, Text *out) {
  Mark mark = arena_mark(&cx->scratch);
  ListingOptions listed = {options->simplify, NULL, true};
  Listing listing;
  Status status = listing_open(content->system, &listed, &listing);
  if (status != QDOT_OK) return status;
  Document d = {.cx = cx,
                .medium = medium,
                .language = options->language,
                .notation = options->notation,
                .out = out,
                .width = 100,
                .most_entries = 45};
  Story story;
  story_open(&d, &listing, options->detail, shown_later(cx, content), &story);
  story.starts = starts_of(cx, content);
  story_settle(&story, tell_formulas, content);
  document_begin(&d, content->system->model->title);
  report_opening(&d, content);
  // before the chapters: the drawing moves while the rest is still read
  System *played = content->played ? content->played : content->system;
  if (medium == &html_medium) {
    Live live = {.cx = cx, .system = played, .result = content->result, .language = d.language};
    live.magnify = content->magnify;
    live_write(&live, out);
  }
  tell_derivation(&story);
  story_parts(&story);
  report_roads(&d, content);
  report_vibrations(&d, content);
  report_computation(&d, content);
  report_results(&story, content);
  story_close(&story);
  report_answers(&d, content);
  report_trust(&d, content);
  report_model(&d, content);
  document_end(&d);
  if (out->arena != &cx->scratch) arena_release(&cx->scratch, mark);
  return QDOT_OK;
}
