// qdot derive MODEL: the equations of motion.
#include <math.h>
#include <stdio.h>

#include "checked.h"
#include "commands.h"
#include "output.h"
#include "session.h"

static qdot_status derive(Session *session, const qdot_system_options *wishes) {
  qdot_system *system;
  qdot_status status = qdot_system_derive(session->model, &system);
  if (status == QDOT_OK) status = qdot_system_write(system, wishes, output_sink());
  if (status != QDOT_OK || wishes->format != QDOT_TEXT || wishes->only || session_is_quiet(session))
    return status;
  qdot_selfcheck check = {0};
  status = qdot_system_check(system, &check);
  if (status != QDOT_OK) return status;
  double ms = 1e3 * qdot_system_seconds(system);
  printf("\nderived in %.*g ms; ", ms < 10 ? 2 : 9, ms < 10 ? ms : round(ms));
  checked_print(&check, "");
  return status;
}

int cmd_derive(const Options *options) {
  static const char *const simplifications[] = {"normal", "none", "full", NULL};
  qdot_system_options wishes = qdot_system_defaults();
  wishes.format = session_format(options);
  wishes.simplify = (qdot_simplify)option_choice(options, OPTION_SIMPLIFY, simplifications);
  static const char *const details[] = {"textbook", "result", "every", NULL};
  wishes.only = options->value[OPTION_ONLY];
  wishes.steps = option_given(options, OPTION_STEPS);
  if (option_given(options, OPTION_DETAIL))
    wishes.detail = (qdot_detail)option_choice(options, OPTION_DETAIL, details);
  if (!wishes.steps) option_needs(options, OPTION_LANG, OPTION_STEPS);
  if (option_given(options, OPTION_LANG)) wishes.language = options->value[OPTION_LANG];
  wishes.notation = options->value[OPTION_NOTATION];
  wishes.unicode = session_has_unicode();
  wishes.width = session_width();
  Session session;
  int status = session_open(options, &session);
  if (status != EXIT_DONE) return status;
  return session_close(&session, derive(&session, &wishes));
}
