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

Stages stages_open(const Options *options) {
  enum { MOST_LANGUAGES = 40 };
  const char *languages[MOST_LANGUAGES] = {0};
  for (size_t i = 0; i + 1 < MOST_LANGUAGES; i++)
    if (!(languages[i] = qdot_word_at(QDOT_REPORT_LANGUAGES, i))) break;
  Stages stages = {.language = languages[option_choice(options, OPTION_LANG, languages)]};
  stages.visible = isatty(2) && !option_given(options, OPTION_QUIET);
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

qdot_report_options reporting_wishes(const Options *options, Stages *stages) {
  static const FormatWord words[] = {
      {"html", QDOT_HTML}, {"tex", QDOT_TEX}, {"pdf", QDOT_PDF}, {0}};
  static const char *const details[] = {"textbook", "result", "every", NULL};
  qdot_report_options wishes = qdot_report_defaults();
  wishes.formats = formats_of(options, words);
  wishes.language = options->value[OPTION_LANG];
  wishes.detail = (qdot_detail)option_choice(options, OPTION_DETAIL, details);
  wishes.notation = options->value[OPTION_NOTATION];
  wishes.everything = option_given(options, OPTION_ALL);
  wishes.speed = option_number(options, OPTION_SPEED, 0);
  wishes.stage = begin;
  wishes.stage_user = stages;
  return wishes;
}
