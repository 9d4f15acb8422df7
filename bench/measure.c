// Clocks, child processes and tables for the measurements.
#include "measure.h"

#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double clock_now(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double measure_work(void (*work)(void *argument), void *argument) {
  double least = INFINITY, next = INFINITY, total = 0;
  for (int calls = 0; calls < 3 || (total < 0.3 && calls < 100000); calls++) {
    double began = clock_now(CLOCK_PROCESS_CPUTIME_ID);
    work(argument);
    double took = clock_now(CLOCK_PROCESS_CPUTIME_ID) - began;
    if (took > 0 && took < least)
      next = least, least = took;
    else if (took > 0 && took < next)
      next = took;
    total += took;
  }
  // clocks of virtual machines lose time now and then: one that stands alone does not count
  return least < 0.7 * next && isfinite(next) ? next : least;
}

static double seconds_of(struct timeval time) {
  return (double)time.tv_sec + 1e-6 * (double)time.tv_usec;
}

static bool run_once(const char *const *words, double *wall, double *cpu) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
  extern char **environ;
  pid_t child;
  int status = -1;
  struct rusage usage = {0};
  double began = clock_now(CLOCK_MONOTONIC);
  bool started = posix_spawnp(&child, words[0], &actions, NULL, (char *const *)words, environ) == 0;
  if (started) wait4(child, &status, 0, &usage);
  *wall = clock_now(CLOCK_MONOTONIC) - began;
  *cpu = seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
  posix_spawn_file_actions_destroy(&actions);
  return started && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static int compare_doubles(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

bool measure_command(const char *const *words, int runs, CommandTime *out) {
  enum { MOST = 100 };
  double wall[MOST], cpu[MOST];
  bool fine = runs > 0;
  if (runs > MOST) runs = MOST;
  for (int i = 0; fine && i < runs; i++) fine = run_once(words, &wall[i], &cpu[i]);
  if (!fine) return false;
  qsort(wall, (size_t)runs, sizeof *wall, compare_doubles);
  qsort(cpu, (size_t)runs, sizeof *cpu, compare_doubles);
  *out = (CommandTime){wall[0], wall[runs / 2], cpu[runs / 2]};
  return true;
}

size_t measure_peer(const char *command, double *numbers, size_t most) {
  FILE *pipe = popen(command, "r");
  if (!pipe) return 0;
  size_t n = 0;
  // NOLINTNEXTLINE(cert-err34-c): a peer prints plain numbers
  while (n < most && fscanf(pipe, "%lf", &numbers[n]) == 1) n++;
  return pclose(pipe) == 0 ? n : 0;
}

size_t measure_peak_memory(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return (size_t)usage.ru_maxrss * 1024;
}

// Appends to the file that an environment variable names, if there is one.
__attribute__((format(printf, 2, 3))) static void append(const char *variable, const char *format,
                                                         ...) {
  const char *path = getenv(variable);
  FILE *file = path ? fopen(path, "a") : NULL;
  if (!file) return;
  va_list arguments;
  va_start(arguments, format);
  vfprintf(file, format, arguments);
  va_end(arguments);
  fclose(file);
}

void measure_row(const char *tool, const char *job, double value, double error,
                 const char *remark) {
  append("QDOT_BENCH_ROWS", "%s\t%s\t%.6g\t%.3g\t%s\n", tool, job, value, error, remark);
}

enum { MOST_INSTRUCTIONS = 400000 };

// Steps the child until it stops itself; -1 where it ends, or takes too many.
static long steps_to_stop(pid_t child) {
  for (long count = 0; count < MOST_INSTRUCTIONS; count++) {
    int status;
    if (ptrace(PTRACE_SINGLESTEP, child, NULL, NULL) != 0) return -1;
    if (waitpid(child, &status, 0) != child || !WIFSTOPPED(status)) return -1;
    if (WSTOPSIG(status) == SIGSTOP) return count;
  }
  return -1;
}

double measure_instructions(void (*work)(void *argument), void *argument) {
  fflush(NULL);
  pid_t child = fork();
  if (child < 0) return NAN;
  if (child == 0) {
    if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0) _exit(1);
    work(argument);
    raise(SIGSTOP);
    work(argument);
    raise(SIGSTOP);
    work(argument), work(argument);
    raise(SIGSTOP);
    _exit(0);
  }
  int status;
  long once = -1, twice = -1;
  if (waitpid(child, &status, 0) == child && WIFSTOPPED(status)) {
    once = steps_to_stop(child);
    if (once >= 0) twice = steps_to_stop(child);
    kill(child, SIGKILL);
    waitpid(child, &status, 0);
  }
  return twice > once && once > 0 ? (double)(twice - once) : NAN;
}

static void multiply_in_turn(void *argument) {
  unsigned long value = 3;
  for (int i = 0; i < 1000; i++) {
#ifdef __x86_64__
    __asm__ volatile("imul %0, %0\n\timul %0, %0\n\timul %0, %0\n\timul %0, %0\n\t"
                     "imul %0, %0\n\timul %0, %0\n\timul %0, %0\n\timul %0, %0"
                     : "+r"(value));
#else
    for (int k = 0; k < 8; k++) {
      value *= value;
      __asm__ volatile("" : "+r"(value));
    }
#endif
  }
  *(volatile unsigned long *)argument = value;
}

double measure_cycle(void) {
  unsigned long kept;
  return measure_work(multiply_in_turn, &kept) / (3.0 * 8 * 1000);
}

Sheet sheet_begin(const char *title, const char *const *names, const int *widths, int columns) {
  printf("\n%s\n", title);
  append("QDOT_BENCH_SHEETS", "\n**%s**\n\n", title);
  Sheet sheet = {.widths = widths, .columns = columns};
  for (int i = 0; i < columns; i++) sheet_text(&sheet, names[i]);
  return sheet;
}

// The first column is flushed left, the others right.
void sheet_text(Sheet *sheet, const char *text) {
  int width = sheet->widths[sheet->at];
  printf("  %*s", sheet->at == 0 ? -width : width, text);
  append("QDOT_BENCH_SHEETS", "| %s ", text);
  if (++sheet->at == sheet->columns) {
    sheet->at = 0;
    printf("\n");
    append("QDOT_BENCH_SHEETS", "|\n");
    if (sheet->rows++ == 0) {
      for (int i = 0; i < sheet->columns; i++)
        append("QDOT_BENCH_SHEETS", "%s", i == 0 ? "|---" : "|---:");
      append("QDOT_BENCH_SHEETS", "|\n");
    }
  }
  fflush(stdout);
}

static void write_seconds(double seconds, char text[40]) {
  static const struct {
    double unit;
    const char *name;
  } units[] = {{1, "s"}, {1e-3, "ms"}, {1e-6, "us"}, {1e-9, "ns"}};
  size_t i = 0;
  while (i < 3 && seconds < units[i].unit) i++;
  snprintf(text, 40, "%.3g %s", seconds / units[i].unit, units[i].name);
}

void sheet_seconds(Sheet *sheet, double seconds) {
  char text[40];
  write_seconds(seconds, text);
  sheet_text(sheet, text);
}

void measure_summary(const char *job, double ours, const char *peer, double theirs,
                     const char *promise, bool met) {
  char mine[40], other[40] = "", ratio[40] = "";
  write_seconds(ours, mine);
  if (peer && theirs > 0) {
    write_seconds(theirs, other);
    snprintf(ratio, sizeof ratio, theirs < 10 * ours ? "%.1f" : "%.0f", theirs / ours);
  }
  append("QDOT_BENCH_SUMMARY", "| %s | %s | %s%s%s | %s | %s | %s |\n", job, mine, other,
         *other ? " " : "", *other ? peer : "", ratio, promise, met ? "yes" : "**no**");
}

void sheet_number(Sheet *sheet, const char *format, double value) {
  char text[40];
  snprintf(text, sizeof text, format, value);
  sheet_text(sheet, text);
}

void sheet_met(Sheet *sheet, bool met) { sheet_text(sheet, met ? "yes" : "NO"); }
