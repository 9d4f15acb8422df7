// qdot derive MODEL: the equations of motion.
#include <math.h>
#include <stdio.h>

#include "checked.h"
#include "commands.h"
#include "output.h"
#include "session.h"

static qdot_status derive(Session *session, const qdot_system_write_options *options) {
  qdot_system *system;
  qdot_status status = qdot_system_derive(session->model, &system);
  if (status == QDOT_OK) status = qdot_system_write(system, options, output_sink());
  if (status != QDOT_OK || options->format != QDOT_FORMAT_TEXT || options->only ||
      session_is_quiet(session))
    return status;
  const qdot_selfcheck *check;
  status = qdot_system_check(system, &check);
  if (status != QDOT_OK) return status;
  double ms = 1e3 * qdot_system_seconds(system);
  bool is_checked = qdot_system_name_count(system, QDOT_PART_COORDINATES) > 0;
  printf("\nderived in %.*g ms%s", ms < 10 ? 2 : 9, ms < 10 ? ms : round(ms),
         is_checked ? "; " : "\n");
  checked_print(system, check, "");
  return status;
}

int cmd_derive(const Arguments *arguments) {
  static const char *const simplifications[] = {"normal", "none", "full", NULL};
  qdot_system_write_options options = qdot_system_write_defaults();
  options.format = session_format(arguments);
  options.simplify = (qdot_simplify)option_choice(arguments, OPTION_SIMPLIFY, simplifications);
  static const char *const details[] = {"textbook", "result", "every", NULL};
  options.only = arguments->value[OPTION_ONLY];
  options.steps = option_given(arguments, OPTION_STEPS);
  options.detail = QDOT_DETAIL_EVERY;
  if (option_given(arguments, OPTION_DETAIL))
    options.detail = (qdot_detail)option_choice(arguments, OPTION_DETAIL, details);
  if (!options.steps) option_needs(arguments, OPTION_LANG, OPTION_STEPS);
  if (option_given(arguments, OPTION_LANG)) options.language = arguments->value[OPTION_LANG];
  options.notation = arguments->value[OPTION_NOTATION];
  options.ascii = !session_has_unicode();
  options.width = session_width();
  Session session;
  int status = session_open(arguments, &session);
  if (status != EXIT_DONE) return status;
  return session_close(&session, derive(&session, &options));
}
