// qdot check MODEL: reads it, tells what it says, checks the derivation and what it asks for.
#include "checked.h"
#include "commands.h"
#include "output.h"
#include "session.h"

static qdot_status check(Session *session, qdot_format format, bool *is_good) {
  qdot_system *system;
  qdot_selfcheck found = {.is_good = 1};
  qdot_status status = qdot_system_derive(session->model, &system);
  if (status == QDOT_OK) status = qdot_system_check(system, &found);
  *is_good = found.is_good;
  if (status != QDOT_OK) return status;
  if (format == QDOT_JSON) return qdot_system_write_check(system, output_sink());
  if (!session_is_quiet(session)) {
    status = qdot_model_write(session->model, session_has_unicode(), output_sink());
    if (status == QDOT_OK) checked_print(&found, "units");
  }
  return status == QDOT_OK ? qdot_system_check_requests(system) : status;
}

int cmd_check(const Arguments *arguments) {
  Session session;
  int status = session_open(arguments, &session);
  if (status != EXIT_DONE) return status;
  bool is_good;
  status = session_close(&session, check(&session, session_format(arguments), &is_good));
  return is_good ? status : EXIT_WRONG;
}
