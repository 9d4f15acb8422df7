// qdot compare MODEL: all formulations side by side.
#include <stdio.h>

#include "commands.h"
#include "output.h"
#include "running.h"
#include "vibration.h"

int cmd_compare(const Arguments *arguments) {
  qdot_run_options options = running_options(arguments);
  qdot_write_options style = session_style(arguments);
  Session session;
  int status = session_open(arguments, &session);
  if (status != EXIT_DONE) return status;
  char room[4096];
  const char *folder = vibration_folder(&session, &style, room, sizeof room);
  qdot_comparison *comparison;
  qdot_status done = running_compare(&session, options, folder, &comparison);
  if (done != QDOT_OK) return session_close(&session, done);
  bool stopped = qdot_comparison_is_stopped(comparison);
  bool proved = qdot_comparison_is_proved(comparison);
  if (!session_is_quiet(&session) || style.format == QDOT_FORMAT_JSON)
    done = qdot_comparison_write(comparison, &style, output_sink());
  bool drawn = qdot_comparison_is_drawn(comparison);
  if (done == QDOT_OK && drawn && style.format == QDOT_FORMAT_TEXT && !session_is_quiet(&session))
    printf("\n%s/compare.svg\n", folder);
  status = session_close(&session, done);
  if (status == EXIT_DONE && stopped) return EXIT_STOPPED;
  if (status == EXIT_DONE && !proved)
    fputs("qdot compare: not all formulations were proved to be equal\n", stderr);
  return status == EXIT_DONE && !proved ? EXIT_WRONG : status;
}
