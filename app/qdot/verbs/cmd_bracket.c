// qdot bracket MODEL F G: the Poisson bracket of two functions of coordinates and momenta.
#include "commands.h"
#include "output.h"
#include "session.h"

int cmd_bracket(const Arguments *arguments) {
  qdot_write_options style = session_style(arguments);
  Arguments own = *arguments;
  // the session reads the last operand
  const char *operands[3];
  for (int i = 0; own.operand_count == 3 && i < 3; i++)
    operands[i] = arguments->operand[(i + 1) % 3];
  if (own.operand_count == 3) own.operand = operands;
  Session session;
  int status = session_open(&own, &session);
  if (status != EXIT_DONE) return status;
  qdot_system *system;
  qdot_status done = qdot_system_derive(session.model, &system);
  if (done == QDOT_OK)
    done = qdot_system_bracket_write(system, operands[0], operands[1], &style, output_sink());
  return session_close(&session, done);
}
