// qdot plan MODEL: the motion as bytes, for 'qdot simulate' without the model.
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "commands.h"
#include "file.h"
#include "running.h"

// NAME.plan in the folder of the files, unless the command says where.
static void path_of_plan(const Session *session, char *out, size_t size) {
  if (option_given(session->arguments, OPTION_FILE)) {
    snprintf(out, size, "%s", session->arguments->value[OPTION_FILE]);
    return;
  }
  char folder[4096];
  session_folder(session, folder, sizeof folder);
  const char *path = session_operand(session->arguments), *slash = strrchr(path, '/');
  const char *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');
  int length = (int)(dot && dot > name ? (size_t)(dot - name) : strlen(name));
  mkdir(folder, 0777); // where it cannot be made, the file cannot be written, which is said
  snprintf(out, size, "%s/%.*s.plan", folder, length, name);
}

int cmd_plan(const Arguments *arguments) {
  qdot_run_options options = running_options(arguments);
  Session session;
  int status = session_open(arguments, &session);
  if (status != EXIT_DONE) return status;
  qdot_plan *plan;
  qdot_status done = qdot_model_plan(session.model, &options, &plan);
  if (done != QDOT_OK) return session_close(&session, done);
  char path[8300];
  size_t length;
  path_of_plan(&session, path, sizeof path);
  const char *bytes = qdot_plan_bytes(plan, &length);
  bool written = file_replace("plan", path, bytes, length);
  if (written && !session_is_quiet(&session)) printf("%s  %zu bytes\n", path, length);
  status = session_close(&session, QDOT_OK);
  return written ? status : EXIT_WRONG;
}
