// One run of a verb on a model: its context, its arguments and how it ends.
#ifndef QDOT_APP_SESSION_H
#define QDOT_APP_SESSION_H

#include "options.h"
#include "qdot/qdot.h"

typedef struct Session {
  const Arguments *arguments;
  qdot_context *cx;
  qdot_model *model;
  bool may_resume; // a run was stopped at a checkpoint
  bool must_tell;  // what is warned about is why the verb fails: also told to who wants quiet
} Session;

// Opens a context with the limits of the options and reads the model that the last operand names.
// When it returns anything but EXIT_DONE, everything is explained and the session is over.
int session_open(const Arguments *arguments, Session *out);
// The same without a model.
int session_begin(const Arguments *arguments, Session *out);
// The last operand: the model, or a folder.
const char *session_operand(const Arguments *arguments);
// The same with the plan that the last operand names, instead of a model.
int session_open_plan(const Arguments *arguments, Session *out, qdot_plan **plan);
// Does the last operand name a plan, by its ending?
bool session_is_plan(const Arguments *arguments);
// Explains what went wrong, or what was warned about, closes all, and returns the exit status.
int session_close(Session *session, qdot_status status);

bool session_is_quiet(const Session *session);
// Is standard output one JSON document of the stages, instead of words?
bool session_gives_stages(const Arguments *arguments);
// Neither: it may be told of in words.
bool session_tells(const Session *session);
// For text on stdout: does the terminal or the locale show UTF-8, and how wide is a line?
bool session_has_unicode(void);
size_t session_width(void);
// The folder that files go to: --out, or the model's name with -out in the current folder.
void session_folder(const Session *session, char *out, size_t size);
// text, json or latex; others end with a message.
qdot_format session_format(const Arguments *arguments);
// The same with what stdout can show.
qdot_write_options session_style(const Arguments *arguments);

#endif
