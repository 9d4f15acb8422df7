// qdot simulate MODEL: results.csv and how far they can be trusted.
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "commands.h"
#include "output.h"
#include "session.h"

static volatile int stop_asked;

static void ask_to_stop(int number) {
  (void)number;
  stop_asked = 1;
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// A bar on the terminal, ten times a second, for runs that take longer than a moment.
typedef struct Bar {
  double began, shown;
  bool visible;
} Bar;

static void show_progress(void *user, double t, double t_end, long steps) {
  Bar *bar = user;
  double time = now();
  if (time - bar->began < 0.3 || time - bar->shown < 0.1) return;
  bar->shown = time;
  bar->visible = true;
  enum { WIDTH = 24 };
  char cells[WIDTH + 1];
  double share = t_end > 0 ? t / t_end : 1, spent = time - bar->began;
  for (int i = 0; i < WIDTH; i++) cells[i] = i < share * WIDTH ? '#' : '.';
  cells[WIDTH] = 0;
  fprintf(stderr, "\r[%s] %.4g of %.4g s, %ld steps, %.0f s left \033[K", cells, t, t_end, steps,
          share > 0 ? spent * (1 - share) / share : 0);
  fflush(stderr);
}

static void hide_progress(const Bar *bar) {
  if (bar->visible) fputs("\r\033[K", stderr);
}

static qdot_run_options wishes_of(const Options *options) {
  qdot_run_options wishes = qdot_run_defaults();
  wishes.method = options->value[OPTION_METHOD];
  wishes.t_end = option_number(options, OPTION_TO, 0);
  wishes.every = option_number(options, OPTION_EVERY, 0);
  wishes.rtol = option_number(options, OPTION_RTOL, 0);
  wishes.atol = option_number(options, OPTION_ATOL, 0);
  wishes.step = option_number(options, OPTION_STEP, 0);
  wishes.event_rows = option_given(options, OPTION_EVENTS);
  wishes.checkpoint = option_given(options, OPTION_CHECKPOINT);
  wishes.resume = option_given(options, OPTION_RESUME);
  wishes.verify = option_given(options, OPTION_VERIFY);
  wishes.stop = &stop_asked;
  return wishes;
}

int cmd_simulate(const Options *options) {
  qdot_run_options wishes = wishes_of(options);
  qdot_format format = session_format(options);
  Session session;
  int status = session_open(options, &session);
  if (status != EXIT_DONE) return status;
  char folder[4096];
  session_folder(&session, folder, sizeof folder);
  wishes.folder = folder;
  Bar bar = {.began = now()};
  if (isatty(2) && !session_is_quiet(&session)) {
    wishes.progress = show_progress;
    wishes.progress_user = &bar;
  }
  struct sigaction action = {.sa_handler = ask_to_stop, .sa_flags = (int)SA_RESETHAND};
  sigaction(SIGINT, &action, NULL);
  qdot_run *run;
  qdot_status done = qdot_model_simulate(session.model, &wishes, &run);
  hide_progress(&bar);
  bool stopped = false;
  if (done == QDOT_OK) {
    const char *why = qdot_run_stopped(run);
    stopped = why && strcmp(why, "user") == 0;
    if (!session_is_quiet(&session) || format == QDOT_JSON)
      done = qdot_run_write(run, format, session_has_unicode(), output_sink());
  }
  status = session_close(&session, done);
  return status == EXIT_DONE && stopped ? EXIT_STOPPED : status;
}
