// qdot check MODEL: reads it, tells what it says, checks the derivation and what it asks for.
#include <stdio.h>

#include "checked.h"
#include "commands.h"
#include "output.h"
#include "session.h"

static qdot_status check(Session *session, const qdot_write_options *style, bool *is_good) {
  qdot_system *system;
  const qdot_selfcheck *found = NULL;
  qdot_status status = qdot_system_derive(session->model, &system);
  if (status == QDOT_OK) status = qdot_system_check(system, &found);
  *is_good = !found || found->is_good;
  if (status != QDOT_OK) return status;
  if (style->format == QDOT_FORMAT_JSON)
    return qdot_system_check_write(system, style, output_sink());
  if (!session_is_quiet(session)) {
    status = qdot_model_write(session->model, style, output_sink());
    if (status == QDOT_OK) checked_print(system, found, "units");
  }
  return status == QDOT_OK ? qdot_system_check_requests(system) : status;
}

int cmd_check(const Arguments *arguments) {
  Session session;
  int status = session_open(arguments, &session);
  if (status != EXIT_DONE) return status;
  bool is_good;
  qdot_write_options style = session_style(arguments);
  status = session_close(&session, check(&session, &style, &is_good));
  if (!is_good) fputs("qdot check: the derivation fails its check\n", stderr);
  return is_good ? status : EXIT_WRONG;
}
