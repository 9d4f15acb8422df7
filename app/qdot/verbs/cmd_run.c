// qdot run MODEL: the motion, its pictures and its report in one folder.
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "output.h"
#include "reporting.h"
#include "running.h"

static bool asks_sensitivity(const Session *session) {
  for (size_t i = 0; qdot_model_question_at(session->model, i); i++)
    if (strcmp(qdot_model_question_at(session->model, i), "sensitivity") == 0) return true;
  return false;
}

// The others take many runs: their verbs answer them.
static void tell_questions(const Session *session) {
  for (size_t i = 0; qdot_model_question_at(session->model, i); i++) {
    const char *question = qdot_model_question_at(session->model, i);
    bool vibrates = strcmp(question, "random") == 0 || strcmp(question, "synchronous") == 0;
    const char *model = session_operand(session->arguments);
    if (strcmp(question, "sensitivity") != 0)
      printf("qdot %s %s answers its %s line; qdot report %s then includes it\n",
             vibrates ? "response" : question, model, question, model);
  }
}

static qdot_status simulate_and_tell(Session *session, const char *folder, Stages *stages,
                                     int *ended) {
  qdot_result *result;
  qdot_run_options run = running_options_of_report(session->arguments);
  stages_begin(stages, QDOT_STAGE_SIMULATE);
  qdot_status status = running_simulate(session, run, folder, &result);
  if (status != QDOT_OK) return status;
  *ended = running_status(result);
  qdot_answer *answer = NULL;
  if (*ended == EXIT_DONE && asks_sensitivity(session)) {
    qdot_run_options again = running_options(session->arguments);
    again.folder = folder;
    status = running_ask(session, "sensitivity", again, &answer);
    if (status != QDOT_OK) return status;
  }
  qdot_report_options options = reporting_options(session->arguments, stages);
  status = qdot_result_report(result, &options);
  stages_close(stages);
  qdot_status written = QDOT_OK;
  qdot_write_options style = qdot_write_defaults();
  style.ascii = !session_has_unicode();
  if (!session_is_quiet(session)) written = qdot_result_write(result, &style, output_sink());
  if (answer && !session_is_quiet(session) && written == QDOT_OK) {
    printf("\n");
    written = qdot_answer_write(answer, &style, output_sink());
    printf("\n");
  }
  running_list_files(session, result);
  size_t files = answer && !session_is_quiet(session) ? qdot_answer_file_count(answer) : 0;
  for (size_t i = 0; i < files; i++) printf("%s\n", qdot_answer_file_at(answer, i)->path);
  running_name_mat(session, folder);
  if (!session_is_quiet(session)) tell_questions(session);
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
