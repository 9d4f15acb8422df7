// qdot animate MODEL: the mechanism in motion.
#include "commands.h"
#include "formats.h"
#include "running.h"

int cmd_animate(const Options *options) {
  static const FormatWord words[] = {{"gif", QDOT_GIF}, {"mp4", QDOT_MP4}, {"svg", QDOT_SVG},
                                     {"png", QDOT_PNG}, {"pdf", QDOT_PDF}, {0}};
  qdot_animate_options wishes = qdot_animate_defaults();
  wishes.formats = formats_of(options, words);
  wishes.speed = option_number(options, OPTION_SPEED, 0);
  wishes.language = options->value[OPTION_LANG];
  Session session;
  qdot_result *result;
  bool stopped;
  int status = running_open_result(options, &session, &result, &stopped);
  if (status != EXIT_DONE) return status;
  qdot_status done = qdot_result_animate(result, &wishes);
  running_list_files(&session, result);
  status = session_close(&session, done);
  return status == EXIT_DONE && stopped ? EXIT_STOPPED : status;
}
