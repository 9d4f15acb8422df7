// The table of the stages.
#include "stage_table.h"

#include <stdio.h>

static void write_json(const Session *session) {
  qdot_stage_time stage;
  printf("{\"schema\": 1, \"stages\": [");
  for (size_t i = 0; qdot_context_stage(session->cx, i, &stage); i++)
    printf("%s\n  {\"stage\": \"%s\", \"times\": %u, \"seconds\": %.6f}", i ? "," : "", stage.stage,
           (unsigned)stage.times, stage.seconds);
  printf("\n]}\n");
}

static void write_text(const Session *session) {
  qdot_stage_time stage;
  printf("\n%-12s %6s %10s\n", "stage", "times", "ms");
  for (size_t i = 0; qdot_context_stage(session->cx, i, &stage); i++)
    printf("%-12s %6u %10.2f\n", stage.stage, (unsigned)stage.times, 1e3 * stage.seconds);
}

void stage_table_write(const Session *session) {
  if (!option_given(session->arguments, OPTION_STAGES)) return;
  if (session_gives_stages(session->arguments))
    write_json(session);
  else
    write_text(session);
}
