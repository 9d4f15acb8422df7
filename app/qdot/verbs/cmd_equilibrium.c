// qdot equilibrium MODEL: equilibria or steady motions, each with its stability.
#include "commands.h"
#include "output.h"
#include "session.h"

int cmd_equilibrium(const Arguments *arguments) {
  uint32_t starts = option_count(arguments, OPTION_STARTS, 0, 10000, 32);
  qdot_style style = session_style(arguments);
  Session session;
  int status = session_open(arguments, &session);
  if (status != EXIT_DONE) return status;
  qdot_system *system;
  qdot_status done = qdot_system_derive(session.model, &system);
  if (done == QDOT_OK) done = qdot_equilibria_write(system, starts, &style, output_sink());
  return session_close(&session, done);
}
