// The one place that runs gnuplot.
#include "chart/gnuplot.h"

#include "base/host/process.h"

static const char *program_of(const GnuplotOptions *options) {
  return options->program ? options->program : "gnuplot";
}

bool gnuplot_exists(const GnuplotOptions *options) { return process_exists(program_of(options)); }

static Status run_process(Context *cx, Process *process, const ProcessOptions *options,
                          double seconds) {
  const char *program = options->arguments[0];
  Status status = process_open(cx, process, options);
  if (status == QDOT_NO_PROGRAM) {
    diag_warning_plain(cx, "no plots: '%s' is not installed", program);
    diag_note(cx, "scripts and data are in '%s'; 'gnuplot NAME.gp' draws them later",
              options->folder);
  }
  if (status != QDOT_OK) return status;
  status = process_wait(cx, process, seconds);
  const char *complaints = process_complaints(cx, process);
  if (status == QDOT_TIMEOUT) {
    diag_warning_plain(cx, "no plots: '%s' did not end within %g s", program, seconds);
    return QDOT_NO_PROGRAM;
  }
  if (status != QDOT_OK)
    diag_warning_plain(cx, "%s failed: %s", program, complaints);
  else if (*complaints)
    log_line(&cx->log, QDOT_LOG_INFO, "gnuplot: %s", complaints);
  return status;
}

Status gnuplot_run(Context *cx, const GnuplotOptions *options, const char *folder,
                   const char *commands) {
  Mark mark = arena_mark(&cx->scratch);
  // -d: without the user's own settings.
  const char *arguments[] = {program_of(options), "-d", NULL};
  ProcessOptions how = {
      .arguments = arguments, .folder = *folder ? folder : ".", .commands = commands};
  Process process;
  Status status = run_process(cx, &process, &how, options->seconds > 0 ? options->seconds : 60);
  process_close(cx, &process);
  arena_release(&cx->scratch, mark);
  return status;
}
