// qdot run MODEL: the motion, its pictures and its report in one folder.
#include <stdio.h>

#include "commands.h"
#include "output.h"
#include "reporting.h"
#include "running.h"

static qdot_status simulate_and_tell(Session *session, const char *folder, Stages *stages,
                                     int *ended) {
  qdot_result *result;
  qdot_run_options run = running_options(session->arguments);
  run.memory = RUNNING_MEMORY;
  stages_begin(stages, QDOT_STAGE_SIMULATE);
  qdot_status status = running_simulate(session, run, folder, &result);
  if (status != QDOT_OK) return status;
  *ended = running_status(result);
  qdot_report_options options = reporting_options(session->arguments, stages);
  status = qdot_result_report(result, &options);
  stages_close(stages);
  qdot_status written = QDOT_OK;
  qdot_write_options style = qdot_write_defaults();
  style.ascii = !session_has_unicode();
  if (!session_is_quiet(session)) written = qdot_result_write(result, &style, output_sink());
  running_list_files(session, result);
  running_name_mat(session, folder);
  for (size_t i = 0; !session_is_quiet(session) && qdot_model_question_at(session->model, i); i++)
    printf("qdot %s %s answers its %s line\n", qdot_model_question_at(session->model, i),
           session_operand(session->arguments), qdot_model_question_at(session->model, i));
  return status == QDOT_OK ? written : status;
}

int cmd_run(const Arguments *arguments) {
  Stages stages = stages_open(arguments);
  reporting_options(arguments, &stages); // mistakes come before the work
  Session session;
  int status = session_open(arguments, &session);
  if (status != EXIT_DONE) return status;
  char folder[4096];
  session_folder(&session, folder, sizeof folder);
  int ended = EXIT_DONE;
  qdot_status done = simulate_and_tell(&session, folder, &stages, &ended);
  stages_close(&stages);
  status = session_close(&session, done);
  return status == EXIT_DONE ? ended : status;
}
