// qdot plot MODEL: curves of a result, simulated first where there is none yet.
#include "commands.h"
#include "formats.h"
#include "running.h"

int cmd_plot(const Arguments *arguments) {
  static const FormatWord words[] = {
      {"svg", QDOT_FILE_SVG}, {"png", QDOT_FILE_PNG}, {"pdf", QDOT_FILE_PDF}, {0}};
  qdot_plot_options options = qdot_plot_defaults();
  options.formats = formats_of(arguments, words);
  options.everything = option_given(arguments, OPTION_ALL);
  options.language = arguments->value[OPTION_LANG];
  Session session;
  qdot_result *result;
  bool stopped;
  int status = running_open_result(arguments, &session, &result, &stopped);
  if (status != EXIT_DONE) return status;
  qdot_status done = qdot_result_plot(result, &options);
  running_list_files(&session, result);
  status = session_close(&session, done);
  return status == EXIT_DONE && stopped ? EXIT_STOPPED : status;
}
