// qdot tolerance MODEL: what tolerances of parameters do to the measures.
#include <stdio.h>

#include "commands.h"
#include "output.h"
#include "running.h"
#include "vibration.h"

int cmd_tolerance(const Arguments *arguments) {
  qdot_write_options style = session_style(arguments);
  qdot_tolerance_options options = qdot_tolerance_defaults();
  qdot_run_options run = running_options(arguments);
  if (option_given(arguments, OPTION_RUNS))
    options.runs = option_count(arguments, OPTION_RUNS, 2, 100000000, 2);
  if (option_given(arguments, OPTION_THREADS))
    options.threads = option_count(arguments, OPTION_THREADS, 1, 256, 1);
  options.has_seed = option_given(arguments, OPTION_SEED);
  if (options.has_seed) options.seed = option_whole(arguments, OPTION_SEED);
  Session session;
  int status = session_open(arguments, &session);
  if (status != EXIT_DONE) return status;
  char room[4096];
  run.folder = vibration_folder(&session, &style, room, sizeof room);
  qdot_tolerance *tolerance;
  qdot_status done = running_tolerance(&session, options, run, NULL, &tolerance);
  if (done != QDOT_OK) return session_close(&session, done);
  bool stopped = qdot_tolerance_is_stopped(tolerance);
  if (!session_is_quiet(&session) || style.format == QDOT_FORMAT_JSON)
    done = qdot_tolerance_write(tolerance, &style, output_sink());
  bool drawn = qdot_tolerance_is_drawn(tolerance);
  if (done == QDOT_OK && drawn && style.format == QDOT_FORMAT_TEXT && !session_is_quiet(&session))
    printf("\n%s/tolerance.svg\n", run.folder);
  status = session_close(&session, done);
  return status == EXIT_DONE && stopped ? EXIT_STOPPED : status;
}
