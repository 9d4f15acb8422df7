// qdot animate MODEL: the mechanism in motion, or one of its modes.
#include "commands.h"
#include "formats.h"
#include "running.h"
#include "vibration.h"

static int animate_mode(const Arguments *arguments, unsigned formats) {
  size_t mode = option_count(arguments, OPTION_MODE, 1, 1000000, 1);
  Session session;
  int status = session_open(arguments, &session);
  if (status != EXIT_DONE) return status;
  qdot_system *system;
  qdot_linear *linear;
  qdot_status done = qdot_system_derive(session.model, &system);
  if (done == QDOT_OK) done = linearize_at_line(&session, system, &linear);
  if (done == QDOT_OK)
    done = draw_modes(&session, linear, mode, formats, !session_is_quiet(&session));
  return session_close(&session, done);
}

// Diagrams of one pose, as vectors.
static void refuse_beside_free_body(const Arguments *arguments, unsigned formats) {
  if (formats & ~(unsigned)QDOT_FILE_SVG)
    option_refuse(arguments, OPTION_FORMAT, "free-body diagrams are written as svg");
  if (option_given(arguments, OPTION_MODE))
    option_refuse(arguments, OPTION_FREE_BODY, "a mode has no forces of its own");
}

int cmd_animate(const Arguments *arguments) {
  static const FormatWord words[] = {{"gif", QDOT_FILE_GIF}, {"mp4", QDOT_FILE_MP4},
                                     {"svg", QDOT_FILE_SVG}, {"png", QDOT_FILE_PNG},
                                     {"pdf", QDOT_FILE_PDF}, {0}};
  qdot_animate_options options = qdot_animate_defaults();
  options.formats = formats_of(arguments, words);
  options.speed = option_number(arguments, OPTION_SPEED, 0);
  options.magnify = option_factor(arguments, OPTION_MAGNIFY);
  options.language = arguments->value[OPTION_LANG];
  options.labels = option_given(arguments, OPTION_LABELS);
  options.free_body = option_given(arguments, OPTION_FREE_BODY);
  if (options.free_body) refuse_beside_free_body(arguments, options.formats);
  if (option_given(arguments, OPTION_MODE) && option_given(arguments, OPTION_MAGNIFY))
    option_refuse(arguments, OPTION_MAGNIFY, "a mode has no size of its own");
  if (option_given(arguments, OPTION_MODE)) return animate_mode(arguments, options.formats);
  Session session;
  qdot_result *result;
  bool stopped;
  int status = running_open_result(arguments, &session, &result, &stopped);
  if (status != EXIT_DONE) return status;
  qdot_status done = stopped ? QDOT_OK : qdot_result_animate(result, &options);
  running_list_files(&session, result);
  status = session_close(&session, done);
  return status == EXIT_DONE && stopped ? EXIT_STOPPED : status;
}
