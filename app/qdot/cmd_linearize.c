// qdot linearize MODEL: exact linear equations about a point.
#include "commands.h"
#include "output.h"
#include "session.h"

int cmd_linearize(const Options *options) {
  qdot_style style = session_style(options);
  Session session;
  int status = session_open(options, &session);
  if (status != EXIT_DONE) return status;
  qdot_system *system;
  qdot_linear *linear;
  qdot_status done = qdot_system_derive(session.model, &system);
  if (done == QDOT_OK) done = qdot_system_linearize(system, &linear);
  if (done == QDOT_OK) done = qdot_linear_write(linear, &style, output_sink());
  return session_close(&session, done);
}
