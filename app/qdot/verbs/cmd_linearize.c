// qdot linearize MODEL: exact linear equations about the points of its linearize lines.
#include "commands.h"
#include "vibration.h"

int cmd_linearize(const Arguments *arguments) {
  qdot_write_options style = session_style(arguments);
  Session session;
  int status = session_open(arguments, &session);
  if (status != EXIT_DONE) return status;
  qdot_system *system;
  qdot_linear *linear;
  qdot_status done = qdot_system_derive(session.model, &system);
  if (done == QDOT_OK) done = write_points(&session, system, qdot_linear_write, &style, &linear);
  return session_close(&session, done);
}
