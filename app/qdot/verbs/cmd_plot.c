// qdot plot MODEL: curves of a result, simulated first where there is none yet; or of several
// results in the same pictures.
#include <stdio.h>

#include "commands.h"
#include "formats.h"
#include "running.h"

enum { MOST_RESULTS = 8 };

// The results behind the first one, all of them folders.
static qdot_status open_others(const Arguments *arguments, Session *session, qdot_result **out) {
  for (int i = 1; i < arguments->operand_count; i++) {
    qdot_status status = qdot_result_open(session->cx, arguments->operand[i], NULL, &out[i - 1]);
    if (status != QDOT_OK) return status;
  }
  return QDOT_OK;
}

// Does whatever follows the first result look like one?
static bool are_folders(const Arguments *arguments) {
  for (int i = 0; i < arguments->operand_count; i++)
    if (!is_result_folder(arguments->operand[i])) return false;
  return arguments->operand_count <= MOST_RESULTS;
}

int cmd_plot(const Arguments *arguments) {
  static const FormatWord words[] = {
      {"svg", QDOT_FILE_SVG}, {"png", QDOT_FILE_PNG}, {"pdf", QDOT_FILE_PDF}, {0}};
  qdot_plot_options options = qdot_plot_defaults();
  options.formats = formats_of(arguments, words);
  options.everything = option_given(arguments, OPTION_ALL);
  options.language = arguments->value[OPTION_LANG];
  Session session;
  qdot_result *result, *others[MOST_RESULTS];
  bool stopped, several = arguments->operand_count > 1 && are_folders(arguments);
  Arguments first = *arguments;
  if (several) first.operand_count = 1;
  int status = running_open_result(&first, &session, &result, &stopped);
  if (status != EXIT_DONE) return status;
  qdot_status done = several ? open_others(arguments, &session, others) : QDOT_OK;
  if (several) {
    options.others = others;
    options.other_count = (size_t)arguments->operand_count - 1;
  }
  if (done == QDOT_OK && !stopped) done = qdot_result_plot(result, &options);
  running_list_files(&session, result);
  status = session_close(&session, done);
  return status == EXIT_DONE && stopped ? EXIT_STOPPED : status;
}
