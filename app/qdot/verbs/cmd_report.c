// qdot report MODEL: one document that tells the whole story of a motion.
#include "commands.h"
#include "reporting.h"
#include "running.h"

int cmd_report(const Arguments *arguments) {
  Stages stages = stages_open(arguments);
  qdot_report_options options = reporting_options(arguments, &stages);
  Session session;
  qdot_result *result;
  bool stopped;
  int status = running_open_result(arguments, &session, &result, &stopped);
  if (status != EXIT_DONE) return status;
  qdot_status done = stopped ? QDOT_OK : qdot_result_report(result, &options);
  stages_close(&stages);
  running_list_files(&session, result);
  status = session_close(&session, done);
  return status == EXIT_DONE && stopped ? EXIT_STOPPED : status;
}
