// qdot conserved MODEL: first integrals, each with its symmetry and its proof.
#include "commands.h"
#include "output.h"
#include "session.h"

int cmd_conserved(const Arguments *arguments) {
  int degree = (int)option_count(arguments, OPTION_DEGREE, 1, 2, 1);
  qdot_write_options style = session_style(arguments);
  Session session;
  int status = session_open(arguments, &session);
  if (status != EXIT_DONE) return status;
  qdot_system *system;
  qdot_status done = qdot_system_derive(session.model, &system);
  if (done == QDOT_OK) done = qdot_system_conserved_write(system, degree, &style, output_sink());
  return session_close(&session, done);
}
