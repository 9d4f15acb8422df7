// qdot run MODEL: the motion, its pictures, answers and its report in one folder.
#include <stdio.h>

#include "commands.h"
#include "ending.h"
#include "output.h"
#include "questions.h"
#include "reporting.h"
#include "running.h"
#include "stage_table.h"

static qdot_status tell(Session *session, const char *folder, qdot_result *result,
                        const Questions *questions) {
  qdot_write_options style = qdot_write_defaults();
  style.ascii = !session_has_unicode();
  bool tells = session_tells(session);
  qdot_status status = tells ? qdot_result_write(result, &style, output_sink()) : QDOT_OK;
  if (tells && status == QDOT_OK) status = questions_write(questions, &style);
  running_list_files(session, result);
  if (tells) questions_list_files(questions, folder);
  running_name_mat(session, folder);
  if (tells) questions_name_others(session, questions);
  return status;
}

// The report is made also where a question cannot be answered.
static qdot_status simulate_and_tell(Session *session, const char *folder, Stages *stages,
                                     int *ended) {
  qdot_result *result;
  qdot_run_options run = running_options_of_report(session->arguments);
  stages_begin(stages, QDOT_STAGE_SIMULATE);
  double began = running_seconds();
  qdot_status status = running_simulate(session, run, folder, &result);
  if (status != QDOT_OK) return status;
  *ended = running_status(result);
  session->must_tell = *ended != EXIT_DONE;
  Questions questions = {0};
  qdot_status answered = QDOT_OK;
  if (*ended == EXIT_DONE)
    answered = questions_answer(session, folder, running_seconds() - began, &questions);
  qdot_report_options options = reporting_options(session->arguments, stages);
  if (!ending_is_asked()) status = qdot_result_report(result, &options);
  stages_close(stages);
  qdot_status written = tell(session, folder, result, &questions);
  if (status == QDOT_OK) status = answered;
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
  if (done == QDOT_OK) stage_table_write(&session);
  status = session_close(&session, done);
  return status == EXIT_DONE ? ended : status;
}
