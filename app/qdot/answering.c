// Verbs that answer what a line of the model asks.
#include "answering.h"

#include <stdio.h>

#include "output.h"
#include "running.h"
#include "vibration.h"

static qdot_status print(Session *session, qdot_answer *answer, const qdot_write_options *style,
                         const char *folder) {
  bool tells = !session_is_quiet(session);
  qdot_status done = QDOT_OK;
  if (tells || style->format == QDOT_FORMAT_JSON)
    done = qdot_answer_write(answer, style, output_sink());
  if (done != QDOT_OK || style->format != QDOT_FORMAT_TEXT || !tells) return done;
  for (size_t i = 0; qdot_answer_file_at(answer, i); i++)
    printf("%s%s/%s\n", i ? "" : "\n", folder, qdot_answer_file_at(answer, i));
  return done;
}

int answering(const Arguments *arguments, const char *question) {
  qdot_write_options style = session_style(arguments);
  qdot_run_options run = running_options(arguments);
  Session session;
  int status = session_open(arguments, &session);
  if (status != EXIT_DONE) return status;
  char room[4096];
  run.folder = vibration_folder(&session, &style, room, sizeof room);
  qdot_answer *answer;
  qdot_status done = running_ask(&session, question, run, &answer);
  if (done != QDOT_OK) return session_close(&session, done);
  bool stopped = qdot_answer_is_stopped(answer), found = qdot_answer_is_found(answer);
  done = print(&session, answer, &style, run.folder);
  status = session_close(&session, done);
  if (status != EXIT_DONE) return status;
  return stopped ? EXIT_STOPPED : found ? EXIT_DONE : EXIT_WRONG;
}
