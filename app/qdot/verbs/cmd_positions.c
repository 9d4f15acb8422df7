// qdot positions MODEL: kinematics and inverse dynamics of a driven mechanism.
#include "commands.h"
#include "output.h"
#include "session.h"

static qdot_format format_of(const Arguments *arguments) {
  static const char *const names[] = {"text", "json", "csv", NULL};
  static const qdot_format formats[] = {QDOT_FORMAT_TEXT, QDOT_FORMAT_JSON, QDOT_FORMAT_CSV};
  return formats[option_choice(arguments, OPTION_FORMAT, names)];
}

int cmd_positions(const Arguments *arguments) {
  qdot_write_options style = qdot_write_defaults();
  style.format = format_of(arguments);
  qdot_positions_options options = qdot_positions_defaults();
  options.steps = option_count(arguments, OPTION_STEP_COUNT, 2, 10000000, 360);
  options.to = option_number(arguments, OPTION_TO, 0);
  if (option_given(arguments, OPTION_TO) && !(options.to > 0))
    option_refuse(arguments, OPTION_TO, "expected a number greater than 0");
  Session session;
  int status = session_open(arguments, &session);
  if (status != EXIT_DONE) return status;
  qdot_positions *positions;
  qdot_status done = qdot_positions_open(session.model, &options, &positions);
  if (done != QDOT_OK) return session_close(&session, done);
  if (!session_is_quiet(&session) || style.format != QDOT_FORMAT_TEXT)
    done = qdot_positions_write(positions, &style, output_sink());
  qdot_positions_close(positions);
  return session_close(&session, done);
}
