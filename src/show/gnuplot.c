// The one place that runs gnuplot.
#include "show/gnuplot.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

// A process with its commands and its complaints in unnamed files, so that no pipe can fill up.
typedef struct Child {
  FILE *commands, *complaints;
  pid_t pid; // 0 when it does not run
} Child;

static void close_child(void *object) {
  Child *child = object;
  if (child->pid > 0) {
    kill(child->pid, SIGKILL);
    while (waitpid(child->pid, NULL, 0) < 0 && errno == EINTR) continue;
  }
  if (child->commands) fclose(child->commands);
  if (child->complaints) fclose(child->complaints);
}

static int spawn(Child *child, const char *program, const char *folder) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  if (posix_spawn_file_actions_init(&actions) != 0) return ENOMEM;
  if (posix_spawnattr_init(&attributes) != 0) {
    posix_spawn_file_actions_destroy(&actions);
    return ENOMEM;
  }
  // Whatever the host program does with signals, gnuplot starts with the usual ones.
  sigset_t all, none;
  sigfillset(&all);
  sigemptyset(&none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
  posix_spawn_file_actions_adddup2(&actions, fileno(child->commands), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, fileno(child->complaints), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, fileno(child->complaints), STDERR_FILENO);
  posix_spawn_file_actions_addchdir_np(&actions, folder);
  char *arguments[] = {(char *)program, "-d", NULL};
  int error = posix_spawnp(&child->pid, program, &actions, &attributes, arguments, environ);
  if (error) child->pid = 0;
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

// True when it ended in time; polls so that a cancelled context does not wait.
static bool wait_for(Context *cx, Child *child, double seconds, int *status) {
  double deadline = context_seconds() + seconds;
  long pause = 200 * 1000;
  for (;;) {
    pid_t done = waitpid(child->pid, status, WNOHANG);
    if (done == child->pid || (done < 0 && errno == ECHILD)) {
      if (done < 0) *status = 0; // the host program does not wait for its children
      child->pid = 0;
      return true;
    }
    if (context_seconds() > deadline) return false;
    context_poll(cx);
    nanosleep(&(struct timespec){.tv_nsec = pause}, NULL);
    if (pause < 4 * 1000 * 1000) pause += pause / 4;
  }
}

// The first lines of what gnuplot said, in one.
static const char *read_complaints(Context *cx, FILE *file) {
  char text[600];
  rewind(file);
  size_t n = fread(text, 1, sizeof text - 1, file);
  text[n] = 0;
  char *start = text + strspn(text, " \n\t^");
  for (char *c = start; *c; c++)
    if (*c == '\n' || *c == '\t') *c = ' ';
  for (n = strlen(start); n > 0 && start[n - 1] == ' '; n--) start[n - 1] = 0;
  return text_format(&cx->scratch, "%s", start);
}

static Status run_child(Context *cx, Child *child, const GnuplotOptions *options,
                        const char *folder, const char *commands) {
  const char *program = options->program ? options->program : "gnuplot";
  double seconds = options->seconds > 0 ? options->seconds : 60;
  child->commands = tmpfile();
  child->complaints = tmpfile();
  if (!child->commands || !child->complaints || fputs(commands, child->commands) < 0 ||
      fflush(child->commands) != 0)
    return diag_error_plain(cx, QDOT_IO, "no temporary file for gnuplot: %s", strerror(errno));
  rewind(child->commands);
  int error = spawn(child, program, folder);
  if (error) {
    diag_warning_plain(
        cx, error == ENOENT ? "no plots: '%s' is not installed" : "no plots: '%s' does not start",
        program);
    diag_note(cx, "scripts and data are in '%s'; 'gnuplot NAME.gp' draws them later", folder);
    return QDOT_NO_PROGRAM;
  }
  int status = 0;
  if (!wait_for(cx, child, seconds, &status)) {
    diag_warning_plain(cx, "no plots: '%s' did not end within %g s", program, seconds);
    return QDOT_NO_PROGRAM;
  }
  const char *complaints = read_complaints(cx, child->complaints);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
      diag_warning_plain(cx, "no plots: '%s' is not installed", program);
    else
      diag_warning_plain(cx, "%s failed: %s", program, complaints);
    return QDOT_NO_PROGRAM;
  }
  if (*complaints) log_line(&cx->log, QDOT_LOG_INFO, "gnuplot: %s", complaints);
  return QDOT_OK;
}

Status gnuplot_run(Context *cx, const GnuplotOptions *options, const char *folder,
                   const char *commands) {
  Mark mark = arena_mark(&cx->scratch);
  Child child = {0};
  Handle handle;
  guard_register(&cx->guard, &handle, &child, close_child);
  Status status = run_child(cx, &child, options, *folder ? folder : ".", commands);
  guard_close(&cx->guard, &handle);
  arena_release(&cx->scratch, mark);
  return status;
}
