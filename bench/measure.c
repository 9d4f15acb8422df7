// Clocks, child processes and tables for the measurements.
#include "measure.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double clock_now(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double measure_work(void (*work)(void *argument), void *argument) {
  double least = 1e300, total = 0;
  for (int calls = 0; calls < 3 || (total < 0.3 && calls < 100000); calls++) {
    double began = clock_now(CLOCK_PROCESS_CPUTIME_ID);
    work(argument);
    double took = clock_now(CLOCK_PROCESS_CPUTIME_ID) - began;
    if (took < least) least = took;
    total += took;
  }
  return least;
}

static bool run_once(const char *const *words, double *seconds) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
  extern char **environ;
  pid_t child;
  int status = -1;
  double began = clock_now(CLOCK_MONOTONIC);
  bool started = posix_spawnp(&child, words[0], &actions, NULL, (char *const *)words, environ) == 0;
  if (started) waitpid(child, &status, 0);
  *seconds = clock_now(CLOCK_MONOTONIC) - began;
  posix_spawn_file_actions_destroy(&actions);
  return started && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static int compare_doubles(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

bool measure_command(const char *const *words, int runs, CommandTime *out) {
  double *times = calloc((size_t)runs, sizeof *times);
  bool fine = times && runs > 0;
  for (int i = 0; fine && i < runs; i++) fine = run_once(words, &times[i]);
  if (fine) {
    qsort(times, (size_t)runs, sizeof *times, compare_doubles);
    *out = (CommandTime){times[0], times[runs / 2]};
  }
  free(times);
  return fine;
}

size_t measure_peer(const char *command, double *numbers, size_t most) {
  FILE *pipe = popen(command, "r");
  if (!pipe) return 0;
  size_t n = 0;
  while (n < most && fscanf(pipe, "%lf", &numbers[n]) == 1) n++;
  return pclose(pipe) == 0 ? n : 0;
}

size_t measure_peak_memory(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return (size_t)usage.ru_maxrss * 1024;
}

Sheet sheet_begin(const char *title, const char *const *names, const int *widths, int columns) {
  printf("\n%s\n", title);
  Sheet sheet = {widths, columns, 0};
  for (int i = 0; i < columns; i++) sheet_text(&sheet, names[i]);
  return sheet;
}

// The first column is flushed left, the others right.
void sheet_text(Sheet *sheet, const char *text) {
  int width = sheet->widths[sheet->at];
  if (sheet->at == 0)
    printf("  %-*s", width, text);
  else
    printf("  %*s", width, text);
  if (++sheet->at == sheet->columns) {
    sheet->at = 0;
    printf("\n");
  }
  fflush(stdout);
}

void sheet_seconds(Sheet *sheet, double seconds) {
  static const struct {
    double unit;
    const char *name;
  } units[] = {{1, "s"}, {1e-3, "ms"}, {1e-6, "us"}, {1e-9, "ns"}};
  size_t i = 0;
  while (i < 3 && seconds < units[i].unit) i++;
  char text[40];
  snprintf(text, sizeof text, "%.3g %s", seconds / units[i].unit, units[i].name);
  sheet_text(sheet, text);
}

void sheet_number(Sheet *sheet, const char *format, double value) {
  char text[40];
  snprintf(text, sizeof text, format, value);
  sheet_text(sheet, text);
}

void sheet_met(Sheet *sheet, bool met) { sheet_text(sheet, met ? "yes" : "NO"); }
