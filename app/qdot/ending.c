// Signals and the time limit of the command.
//
//   a signal, or time is over     a run: its stop is set; other work: its context is cancelled
//   4 ticks of 10 ms later        the context of a run that goes on all the same is cancelled, too
//   9 ticks later, or a second    half-written files and programs that were started are removed,
//   signal                        and the process ends
//
// Ticks are counted where they are delivered: a process that gets no time from a busy machine is
// not ended for it.
#include "ending.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "patience.h"

enum { TICK_MS = 10, CANCEL_AT = 4, END_AT = 9 };
enum { BY_TIME = -1 }; // beside the numbers of signals

static const struct {
  int number;
  const char *name;
} heard[] = {{SIGINT, "SIGINT"}, {SIGTERM, "SIGTERM"}, {SIGHUP, "SIGHUP"}};
enum { HEARD = sizeof heard / sizeof *heard };

static volatile int stop; // of runs
static volatile sig_atomic_t asked, ticks, is_run;
static qdot_context *volatile context;
static timer_t deadline, ticker;
static bool has_timers;
static char limit_line[200]; // what is said of the time limit
static const char *verb;

// ---- What a handler may do

static void say(const char *text) {
  for (size_t n = strlen(text); n > 0;) {
    ssize_t done = write(2, text, n);
    if (done <= 0) return;
    text += done, n -= (size_t)done;
  }
}

static const char *name_of(int number) {
  for (int i = 0; i < HEARD; i++)
    if (heard[i].number == number) return heard[i].name;
  return "a signal";
}

static void say_why(void) {
  if (asked == BY_TIME) {
    say(limit_line);
    return;
  }
  say("qdot "), say(verb), say(": ended by "), say(name_of(asked));
  say("; what was finished is kept\n");
}

static int status_of(int why) { return why == BY_TIME ? EXIT_WRONG : 128 + why; }

static _Noreturn void end_now(void) {
  if (context) qdot_context_abandon(context);
  patience_end();
  say_why();
  _exit(status_of(asked));
}

static void start_ticking(void) {
  struct timespec tick = {.tv_nsec = TICK_MS * 1000000L};
  struct itimerspec every = {tick, tick};
  if (!has_timers || timer_settime(ticker, 0, &every, NULL) != 0) end_now();
}

static void ask(int why) {
  if (asked) end_now(); // whoever asks again means it
  asked = why;
  stop = 1;
  if (!context) end_now();
  if (!is_run) qdot_context_cancel(context);
  start_ticking();
}

static void hear(int number) { ask(number); }

static void run_out_of_time(int number) {
  (void)number;
  if (!asked) ask(BY_TIME);
}

static void tick(int number) {
  (void)number;
  ticks = ticks + 1;
  if (ticks == CANCEL_AT && is_run && context) qdot_context_cancel(context);
  if (ticks >= END_AT) end_now();
}

// ---- Outside of handlers

static void handle(int number, void (*handler)(int)) {
  struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
  sigfillset(&action.sa_mask); // one at a time
  sigaction(number, &action, NULL);
}

static bool make_timer(int number, timer_t *timer) {
  struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = number};
  return timer_create(CLOCK_MONOTONIC, &event, timer) == 0;
}

void ending_begin(const Arguments *arguments, qdot_context *cx, double seconds) {
  verb = arguments->command->name;
  context = cx;
  if (!has_timers) {
    handle(SIGRTMIN, run_out_of_time), handle(SIGRTMIN + 1, tick);
    has_timers = make_timer(SIGRTMIN, &deadline) && make_timer(SIGRTMIN + 1, &ticker);
    for (int i = 0; i < HEARD; i++) {
      struct sigaction before;
      sigaction(heard[i].number, NULL, &before);
      // nohup, and commands in the background of a script
      if (before.sa_handler != SIG_IGN) handle(heard[i].number, hear);
    }
  }
  if (!(seconds > 0) || !has_timers) return;
  snprintf(limit_line, sizeof limit_line,
           "error: the time limit is reached\n    the limit is %.6g s\n"
           "  raise it with --time-limit S\n",
           seconds);
  const double longest = 1e9;
  double whole = seconds < longest ? seconds : longest;
  struct itimerspec once = {.it_value = {.tv_sec = (time_t)whole}};
  once.it_value.tv_nsec = (long)(1e9 * (whole - (double)once.it_value.tv_sec));
  if (once.it_value.tv_sec == 0 && once.it_value.tv_nsec == 0) once.it_value.tv_nsec = 1;
  timer_settime(deadline, 0, &once, NULL);
}

void ending_end(void) { context = NULL; }

volatile int *ending_stop(void) { return &stop; }

void ending_spare_run(bool goes_on) { is_run = goes_on; }

bool ending_is_asked(void) { return asked != 0; }
bool ending_is_by_time(void) { return asked == BY_TIME; }

int ending_status(int status) {
  if (!asked || status == EXIT_USAGE) return status;
  say_why();
  return status_of(asked);
}
