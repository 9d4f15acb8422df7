// Other programs: started with their input and their complaints in files, never through a shell.
#include "base/host/process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

#define WRITE_SECONDS 30 // a reader that takes nothing for so long is given up

bool process_exists(const char *program) {
  const char *folders = getenv("PATH");
  if (strchr(program, '/')) return access(program, X_OK) == 0;
  while (folders && *folders) {
    int length = (int)strcspn(folders, ":");
    char path[4096];
    int n = snprintf(path, sizeof path, "%.*s/%s", length, length ? folders : ".", program);
    if (n > 0 && (size_t)n < sizeof path && access(path, X_OK) == 0) return true;
    folders += length + (folders[length] == ':');
  }
  return false;
}

static void close_input(Process *process) {
  if (process->input >= 0) close(process->input);
  process->input = -1;
}

static void end_process(void *object) {
  Process *process = object;
  close_input(process);
  if (process->pid > 0) {
    kill(process->pid, SIGKILL);
    while (waitpid(process->pid, NULL, 0) < 0 && errno == EINTR) continue;
  }
  if (process->commands) fclose(process->commands);
  if (process->complaints) fclose(process->complaints);
}

// Waits, so that it writes nothing behind what is removed next.
static void kill_process(void *object) {
  Process *process = object;
  if (process->pid <= 0) return;
  kill(process->pid, SIGKILL);
  waitpid(process->pid, NULL, 0);
}

#if defined(__EMSCRIPTEN__)
// A page has no other programs.
static int spawn(Process *process, const ProcessOptions *options, int input) {
  (void)process, (void)options, (void)input;
  return ENOENT;
}
#else
// Whatever the host program does with signals, the other one starts with the usual ones.
static int spawn(Process *process, const ProcessOptions *options, int input) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  if (posix_spawn_file_actions_init(&actions) != 0) return ENOMEM;
  if (posix_spawnattr_init(&attributes) != 0) {
    posix_spawn_file_actions_destroy(&actions);
    return ENOMEM;
  }
  sigset_t all, none;
  sigfillset(&all);
  sigemptyset(&none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
  int complaints = fileno(process->complaints);
  // A list without memory for its entries must not start a program on our own streams.
  int error = input >= 0 ? posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
                         : posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null",
                                                            O_RDONLY, 0);
  if (!error) error = posix_spawn_file_actions_adddup2(&actions, complaints, STDOUT_FILENO);
  if (!error) error = posix_spawn_file_actions_adddup2(&actions, complaints, STDERR_FILENO);
  if (!error && options->folder && *options->folder)
    error = posix_spawn_file_actions_addchdir_np(&actions, options->folder);
  if (!error)
    error = posix_spawnp(&process->pid, process->program, &actions, &attributes,
                         (char *const *)options->arguments, environ);
  if (error) process->pid = 0;
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

#endif

// An unnamed file that other programs do not inherit.
static FILE *unnamed_file(void) {
  FILE *file = tmpfile();
  if (file) fcntl(fileno(file), F_SETFD, FD_CLOEXEC);
  return file;
}

// A pair of sockets instead of a pipe: writing to a reader that is gone raises no signal.
static bool make_input(Process *process, const ProcessOptions *options, int *input) {
  *input = -1;
  if (options->commands) {
    process->commands = unnamed_file();
    if (!process->commands || fputs(options->commands, process->commands) < 0 ||
        fflush(process->commands) != 0)
      return false;
    rewind(process->commands);
    *input = fileno(process->commands);
  } else if (options->takes_input) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return false;
    struct timeval patience = {.tv_sec = WRITE_SECONDS};
    setsockopt(ends[0], SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    process->input = ends[0];
    *input = ends[1];
  }
  return true;
}

Status process_open(Context *cx, Process *process, const ProcessOptions *options) {
  *process = (Process){.program = options->arguments[0], .input = -1};
  guard_register(&cx->guard, &process->handle, process, end_process);
  process->handle.abandon = kill_process;
  int input;
  process->complaints = unnamed_file();
  if (!process->complaints || !make_input(process, options, &input))
    return diag_error_plain(cx, QDOT_IO, "cannot start '%s': %s", process->program,
                            strerror(errno));
  int error = spawn(process, options, input);
  if (!options->commands && input >= 0) close(input);
  return error ? QDOT_NO_PROGRAM : QDOT_OK;
}

void process_close(Context *cx, Process *process) { guard_close(&cx->guard, &process->handle); }

bool process_write(Process *process, const void *bytes, size_t n) {
  const char *at = bytes;
  while (n > 0) {
    ssize_t done = send(process->input, at, n, MSG_NOSIGNAL);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return false;
    at += done, n -= (size_t)done;
  }
  return true;
}

Status process_wait(Context *cx, Process *process, double seconds) {
  close_input(process);
  double deadline = context_seconds() + seconds;
  for (long pause = 200 * 1000;; pause += pause < 4 * 1000 * 1000 ? pause / 4 : 0) {
    int status = 0;
    pid_t done = waitpid(process->pid, &status, WNOHANG);
    // A host program that does not wait for its children leaves nothing to ask for.
    if (done == process->pid || (done < 0 && errno == ECHILD)) {
      process->pid = 0;
      return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? QDOT_OK : QDOT_NO_PROGRAM;
    }
    if (context_seconds() > deadline) return QDOT_TIMEOUT;
    context_poll(cx);
    nanosleep(&(struct timespec){.tv_nsec = pause}, NULL);
  }
}

const char *process_complaints(Context *cx, Process *process) {
  char text[600];
  rewind(process->complaints);
  size_t n = fread(text, 1, sizeof text - 1, process->complaints);
  text[n] = 0;
  char *start = text + strspn(text, " \n\t^");
  for (char *c = start; *c; c++)
    if (*c == '\n' || *c == '\t') *c = ' ';
  for (n = strlen(start); n > 0 && start[n - 1] == ' '; n--) start[n - 1] = 0;
  return text_format(&cx->scratch, "%s", start);
}
