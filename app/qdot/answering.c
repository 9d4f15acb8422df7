// Verbs that answer what a line of the model asks.
#include "answering.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "output.h"
#include "running.h"
#include "vibration.h"

static qdot_status print(Session *session, qdot_answer *answer, const qdot_write_options *style) {
  bool tells = !session_is_quiet(session);
  qdot_status done = QDOT_OK;
  if (tells || style->format == QDOT_FORMAT_JSON)
    done = qdot_answer_write(answer, style, output_sink());
  if (done != QDOT_OK || style->format != QDOT_FORMAT_TEXT || !tells) return done;
  for (size_t i = 0; i < qdot_answer_file_count(answer); i++)
    printf("%s%s\n", i ? "" : "\n", qdot_answer_file_at(answer, i)->path);
  return done;
}

// ---- The model written anew

typedef struct Kept {
  char *text;
  size_t n, room;
} Kept;

static int keep(void *user, const char *bytes, size_t n) {
  Kept *kept = user;
  if (kept->n + n > kept->room) {
    size_t room = 2 * (kept->n + n) + 1024;
    char *text = realloc(kept->text, room);
    if (!text) return 1;
    kept->text = text, kept->room = room;
  }
  memcpy(kept->text + kept->n, bytes, n);
  kept->n += n;
  return 0;
}

static int write_model(Session *session, const char *question, qdot_answer *answer) {
  const char *path = session_operand(session->arguments);
  Kept kept = {0};
  qdot_status status = qdot_answer_rewrite(answer, (qdot_sink){keep, &kept});
  int ended = status == QDOT_OK && !file_replace(question, path, kept.text, kept.n) ? EXIT_WRONG
                                                                                    : EXIT_DONE;
  free(kept.text);
  if (status != QDOT_OK) return session_close(session, status);
  if (ended == EXIT_DONE && !session_is_quiet(session)) printf("%s has these values now\n", path);
  int closed = session_close(session, QDOT_OK);
  return closed == EXIT_DONE ? ended : closed;
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
  qdot_status done = running_ask(&session, question, run, NULL, &answer);
  if (done != QDOT_OK) return session_close(&session, done);
  bool stopped = qdot_answer_is_stopped(answer), found = qdot_answer_is_found(answer);
  done = print(&session, answer, &style);
  bool writes = option_given(arguments, OPTION_WRITE);
  if (writes && done == QDOT_OK && found) return write_model(&session, question, answer);
  if (writes && done == QDOT_OK)
    fprintf(stderr, "qdot %s: %s stays as it is\n", question, session_operand(arguments));
  status = session_close(&session, done);
  if (status != EXIT_DONE) return status;
  if (!stopped && !found) fprintf(stderr, "qdot %s: nothing was found\n", question);
  return stopped ? EXIT_STOPPED : found ? EXIT_DONE : EXIT_WRONG;
}
