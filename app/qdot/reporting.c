// Reports with their progress on the terminal.
#include "reporting.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "formats.h"
#include "patience.h"

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

Stages stages_open(const Arguments *arguments) {
  enum { MOST_LANGUAGES = 40 };
  const char *languages[MOST_LANGUAGES] = {0};
  for (size_t i = 0; i + 1 < MOST_LANGUAGES; i++)
    if (!(languages[i] = qdot_word_at(QDOT_WORDS_REPORT_LANGUAGES, i))) break;
  Stages stages = {.language = languages[option_choice(arguments, OPTION_LANG, languages)]};
  stages.visible = isatty(2) && !option_given(arguments, OPTION_QUIET);
  return stages;
}

static void end_stage(Stages *stages) {
  if (!stages->has_begun || !stages->visible) return;
  double spent = now() - stages->began;
  if (spent < 1)
    fprintf(stderr, "%.0f ms   ", 1e3 * spent);
  else
    fprintf(stderr, "%.1f s   ", spent);
}

void stages_begin(Stages *stages, qdot_stage stage) {
  patience_end();
  end_stage(stages);
  stages->has_begun = true;
  stages->now = stage;
  stages->began = now();
  if (!stages->visible) return;
  const char *dots = session_has_unicode() ? "…" : "...";
  fprintf(stderr, "%s %s ", qdot_stage_text(stage, stages->language), dots);
  fflush(stderr);
}

void stages_close(Stages *stages) {
  end_stage(stages);
  if (stages->has_begun && stages->visible) fputs("\n", stderr);
  stages->has_begun = false;
}

static void begin(void *user, qdot_stage stage) { stages_begin(user, stage); }

qdot_report_options reporting_options(const Arguments *arguments, Stages *stages) {
  enum { STAGES_DOCUMENT = 1 << 30 }; // on standard output, beside the files
  FormatWord words[] = {
      {"html", QDOT_FILE_HTML}, {"tex", QDOT_FILE_TEX}, {"pdf", QDOT_FILE_PDF}, {0}, {0}};
  if (option_given(arguments, OPTION_STAGES)) words[3] = (FormatWord){"json", STAGES_DOCUMENT};
  static const char *const details[] = {"textbook", "result", "every", NULL};
  qdot_report_options options = qdot_report_defaults();
  options.formats = formats_of(arguments, words) & ~(unsigned)STAGES_DOCUMENT;
  options.language = arguments->value[OPTION_LANG];
  options.detail = (qdot_detail)option_choice(arguments, OPTION_DETAIL, details);
  options.notation = arguments->value[OPTION_NOTATION];
  options.everything = option_given(arguments, OPTION_ALL);
  options.speed = option_number(arguments, OPTION_SPEED, 0);
  options.magnify = option_factor(arguments, OPTION_MAGNIFY);
  options.stage = begin;
  options.stage_user = stages;
  return options;
}
