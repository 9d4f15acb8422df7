// qdot check MODEL: reads it, tells what it says, and checks the derivation.
#include <stdio.h>

#include "commands.h"
#include "output.h"
#include "session.h"

static qdot_status check(Session *session, qdot_format format) {
  qdot_system *system;
  qdot_selfcheck found;
  qdot_status status = qdot_system_derive(session->model, &system);
  if (status == QDOT_OK) status = qdot_system_check(system, &found);
  if (status != QDOT_OK || session_is_quiet(session)) return status;
  if (format == QDOT_JSON) return qdot_model_write_json(session->model, output_sink());
  status = qdot_model_write(session->model, session_has_unicode(), output_sink());
  if (status != QDOT_OK) return status;
  if (found.states && found.is_good)
    printf("checked: units, M symmetric, power balance at %d random states\n", found.states);
  else
    printf("checked: units; no state with finite values was found to check the equations at\n");
  return status;
}

int cmd_check(const Options *options) {
  Session session;
  int status = session_open(options, &session);
  if (status != EXIT_DONE) return status;
  return session_close(&session, check(&session, session_format(options)));
}
