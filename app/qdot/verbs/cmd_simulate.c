// qdot simulate MODEL|PLAN: results.csv and how far they can be trusted.
#include "commands.h"
#include "output.h"
#include "running.h"

int cmd_simulate(const Arguments *arguments) {
  qdot_run_options options = running_options(arguments);
  qdot_write_options style = session_style(arguments);
  Session session;
  qdot_plan *plan = NULL;
  int status = session_is_plan(arguments) ? session_open_plan(arguments, &session, &plan)
                                          : session_open(arguments, &session);
  if (status != EXIT_DONE) return status;
  char folder[4096];
  session_folder(&session, folder, sizeof folder);
  qdot_result *run;
  qdot_status done = plan ? running_plan(&session, plan, options, folder, &run)
                          : running_simulate(&session, options, folder, &run);
  int ended = done == QDOT_OK ? running_status(run) : EXIT_WRONG;
  session.must_tell = ended != EXIT_DONE;
  if (done == QDOT_OK && (!session_is_quiet(&session) || style.format == QDOT_FORMAT_JSON))
    done = qdot_result_write(run, &style, output_sink());
  if (done == QDOT_OK && style.format == QDOT_FORMAT_TEXT) running_name_mat(&session, folder);
  status = session_close(&session, done);
  return status == EXIT_DONE ? ended : status;
}
