// qdot equilibrium MODEL: equilibria or steady motions, each with its stability.
#include "commands.h"
#include "output.h"
#include "session.h"

int cmd_equilibrium(const Arguments *arguments) {
  qdot_equilibria_options options = qdot_equilibria_defaults();
  options.starts = option_count(arguments, OPTION_STARTS, 0, 10000, 32);
  options.only_initial_state = options.starts == 0;
  qdot_write_options style = session_style(arguments);
  Session session;
  int status = session_open(arguments, &session);
  if (status != EXIT_DONE) return status;
  qdot_system *system;
  qdot_status done = qdot_system_derive(session.model, &system);
  qdot_equilibria *equilibria;
  if (done == QDOT_OK) done = qdot_system_equilibria(system, &options, &equilibria);
  if (done == QDOT_OK) done = qdot_equilibria_write(equilibria, &style, output_sink());
  return session_close(&session, done);
}
