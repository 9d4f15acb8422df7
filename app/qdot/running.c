// A run with its progress on the terminal, which Ctrl-C or a request to end stops with what it has.
#include "running.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "ending.h"
#include "patience.h"

static double seconds_of(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double now(void) { return seconds_of(CLOCK_MONOTONIC); }

double running_seconds(void) { return seconds_of(CLOCK_PROCESS_CPUTIME_ID); }

// A bar on the terminal, ten times a second, for runs that take longer than a moment.
typedef struct Bar {
  double began, shown;
  bool visible;
  bool is_under_way;        // of the run that is shown, where and when it was first seen:
  double from, since;       // simulated and real seconds
  const char *what, *whose; // the stage of a comparison, or NULL
  bool is_silent;           // it only looks at the time
  TimeLimit *limit;         // or NULL
  double limit_began;       // seconds that had been computed then
} Bar;

static void show_progress(void *user, double t, double t_end, int64_t steps) {
  Bar *bar = user;
  double time = now();
  if (!bar->is_under_way) bar->is_under_way = true, bar->from = t, bar->since = time;
  if (time - bar->began < 0.3 || time - bar->shown < 0.1) return;
  bar->shown = time;
  bar->visible = true;
  enum { WIDTH = 24 };
  char cells[WIDTH + 1];
  double share = t_end > 0 ? t / t_end : 1;
  for (int i = 0; i < WIDTH; i++) cells[i] = i < share * WIDTH ? '#' : '.';
  cells[WIDTH] = 0;
  fputs("\r", stderr);
  if (bar->what) fprintf(stderr, "%s %s ", bar->what, bar->whose);
  fprintf(stderr, "[%s] %.4g of %.4g s, %" PRId64 " step%s", cells, t, t_end, steps,
          steps == 1 ? "" : "s");
  // The first steps are smaller than the others and tell nothing about them.
  if (time - bar->since >= 1 && t > bar->from)
    fprintf(stderr, ", %.0f s left", (time - bar->since) * (t_end - t) / (t - bar->from));
  fputs(" \033[K", stderr);
  fflush(stderr);
}

static void begin_run(void) {
  ending_spare_run(true);
  patience_end();
}

static void end_run(const Bar *bar) {
  ending_spare_run(false);
  if (bar->visible) fputs("\r\033[K", stderr);
}

// A number above zero, 0 if not given.
static double positive(const Arguments *arguments, OptionId id) {
  double value = option_number(arguments, id, 0);
  if (option_given(arguments, id) && !(value > 0))
    option_refuse(arguments, id, "expected a number greater than 0");
  return value;
}

qdot_run_options running_options(const Arguments *arguments) {
  qdot_run_options options = qdot_run_defaults();
  options.method = arguments->value[OPTION_METHOD];
  options.t_end = positive(arguments, OPTION_TO);
  options.every = positive(arguments, OPTION_EVERY);
  options.rtol = positive(arguments, OPTION_RTOL);
  options.atol = option_number(arguments, OPTION_ATOL, 0);
  options.step = positive(arguments, OPTION_STEP);
  options.event_rows = option_given(arguments, OPTION_EVENTS);
  options.checkpoint = option_given(arguments, OPTION_CHECKPOINT);
  options.resume = option_given(arguments, OPTION_RESUME);
  options.verify = option_given(arguments, OPTION_VERIFY) ? QDOT_VERIFY_ALWAYS : QDOT_VERIFY_NEVER;
  options.mat = option_given(arguments, OPTION_MAT);
  if (option_given(arguments, OPTION_NO_MOTION)) {
    if (option_given(arguments, OPTION_MOTION))
      option_refuse(arguments, OPTION_MOTION, "--no-motion says the opposite");
    options.motion = QDOT_MOTION_NONE;
  } else if (option_given(arguments, OPTION_MOTION)) {
    const char *const names[] = {"full", NULL};
    option_choice(arguments, OPTION_MOTION, names);
    options.motion = QDOT_MOTION_FULL;
  }
  options.stop = ending_stop();
  return options;
}

qdot_run_options running_options_of_report(const Arguments *arguments) {
  qdot_run_options options = running_options(arguments);
  options.memory = RUNNING_MEMORY;
  if (options.verify == QDOT_VERIFY_NEVER) options.verify = QDOT_VERIFY_IF_CHEAP;
  return options;
}

// Of the model, or of a plan where there is one.
static qdot_status run_either(Session *session, qdot_plan *plan, qdot_run_options options,
                              qdot_result **out) {
  Bar bar = {.began = now()};
  if (isatty(2) && !session_is_quiet(session)) {
    options.progress = show_progress;
    options.progress_user = &bar;
  }
  begin_run();
  qdot_status status = plan ? qdot_plan_run(plan, &options, out)
                            : qdot_model_simulate(session->model, &options, out);
  end_run(&bar);
  if (!session_is_quiet(session)) patience_begin();
  session->may_resume = status == QDOT_OK && options.checkpoint && running_was_stopped(*out);
  return status;
}

qdot_status running_simulate(Session *session, qdot_run_options options, const char *folder,
                             qdot_result **out) {
  options.folder = folder;
  return run_either(session, NULL, options, out);
}

qdot_status running_plan(Session *session, qdot_plan *plan, qdot_run_options options,
                         const char *folder, qdot_result **out) {
  options.folder = folder;
  return run_either(session, plan, options, out);
}

// What takes longer than a second says what it is.
static void show_stage(void *user, const char *formulation, qdot_stage stage) {
  Bar *bar = user;
  const char *what = qdot_stage_text(stage, NULL);
  bar->what = what, bar->whose = formulation, bar->is_under_way = false;
  if (now() - bar->began < 1) return;
  bar->visible = true;
  fprintf(stderr, "\r%s %s ... \033[K", what, formulation);
  fflush(stderr);
}

qdot_status running_compare(Session *session, qdot_run_options run, const char *folder,
                            qdot_comparison **out) {
  qdot_compare_options options = qdot_compare_defaults();
  Bar bar = {.began = now()};
  options.run = &run;
  run.folder = folder;
  if (isatty(2) && !session_is_quiet(session)) {
    run.progress = show_progress;
    options.stage = show_stage;
    run.progress_user = options.stage_user = &bar;
  }
  begin_run();
  qdot_status status = qdot_model_compare(session->model, &options, out);
  end_run(&bar);
  return status;
}

// Gives up what will not be done in time; `part` of it is done, 0 where nobody knows. The first
// runs tell little about the others.
static void keep_limit(const Bar *bar, double part) {
  TimeLimit *limit = bar->limit;
  double passed = running_seconds() - bar->limit_began;
  if (!limit || *ending_stop() || passed < 0.1 * limit->seconds) return;
  if (passed < limit->seconds && !(part > 0 && passed / part > 2 * limit->seconds)) return;
  limit->is_exceeded = true;
  limit->expected = part > 0 ? (now() - bar->began) / part : 0;
  *ending_stop() = 1;
}

// A limit that ends the work is no request of the user.
static void end_limit(const Bar *bar) {
  end_run(bar);
  if (bar->limit && bar->limit->is_exceeded && !ending_is_asked()) *ending_stop() = 0;
}

// What takes longer than a second says how far it has come.
static void show_runs(void *user, uint32_t done, uint32_t runs) {
  Bar *bar = user;
  double time = now();
  keep_limit(bar, (double)done / runs);
  if (bar->is_silent || time - bar->began < 1 || time - bar->shown < 0.1) return;
  bar->shown = time;
  bar->visible = true;
  fprintf(stderr, "\r%u of %u runs, %.0f s left \033[K", done, runs,
          (time - bar->began) * (runs - done) / done);
  fflush(stderr);
}

qdot_status running_tolerance(Session *session, qdot_tolerance_options options,
                              qdot_run_options run, TimeLimit *limit, qdot_tolerance **out) {
  Bar bar = {.began = now(), .limit = limit, .limit_began = running_seconds()};
  bar.is_silent = !isatty(2) || session_is_quiet(session);
  options.run = &run;
  options.only_whole = limit != NULL;
  if (!bar.is_silent || limit) {
    options.progress = show_runs;
    options.progress_user = &bar;
  }
  begin_run();
  qdot_status status = qdot_model_tolerance(session->model, &options, out);
  end_limit(&bar);
  return status;
}

// ---- Sweeps

static void show_cases(void *user, uint64_t done, uint64_t cases) {
  Bar *bar = user;
  double time = now();
  if (time - bar->began < 1 || time - bar->shown < 0.1) return;
  bar->shown = time;
  bar->visible = true;
  fprintf(stderr, "\r%llu of %llu cases, %.0f s left \033[K", (unsigned long long)done,
          (unsigned long long)cases,
          (time - bar->began) * (double)(cases - done) / (double)(done + 1));
  fflush(stderr);
}

// What will take longer than a minute, or more than a hundred megabytes, is said beforehand.
static void show_estimate(void *user, uint64_t cases, double seconds, double bytes) {
  Bar *bar = user;
  bar->began = now();
  if (seconds < 60 && bytes < 1e8) return;
  fprintf(stderr, "%.3g cases: about %.2g %s, a table of %.2g MB; Ctrl-C keeps what is done\n",
          (double)cases, seconds < 7200 ? seconds / 60 : seconds / 3600,
          seconds < 7200 ? "min" : "hours", bytes / 1e6);
}

qdot_status running_sweep(Session *session, qdot_sweep_options options, qdot_run_options run,
                          qdot_sweep **out) {
  Bar bar = {.began = now()};
  options.run = &run;
  options.user = &bar;
  bool tells = !session_is_quiet(session);
  if (tells) options.estimate = show_estimate;
  if (tells && isatty(2)) options.progress = show_cases;
  begin_run();
  qdot_status status = qdot_model_sweep(session->model, &options, out);
  end_run(&bar);
  return status;
}

static void show_search(void *user, uint32_t runs, double best) {
  Bar *bar = user;
  double time = now();
  keep_limit(bar, 0);
  if (bar->is_silent || time - bar->began < 1 || time - bar->shown < 0.1) return;
  bar->shown = time;
  bar->visible = true;
  if (runs == 0) // one run, and the part of it that is done
    fprintf(stderr, "\r%.0f %%", 100 * best);
  else
    fprintf(stderr, "\r%u runs", runs);
  if (runs > 0 && best == best) fprintf(stderr, ", %.6g so far", best);
  fprintf(stderr, " \033[K");
  fflush(stderr);
}

qdot_status running_ask(Session *session, const char *question, qdot_run_options run,
                        TimeLimit *limit, qdot_answer **out) {
  Bar bar = {.began = now(), .limit = limit, .limit_began = running_seconds()};
  bar.is_silent = !isatty(2) || session_is_quiet(session);
  qdot_question_options options = qdot_question_defaults();
  options.run = &run;
  options.only_whole = limit != NULL;
  if (!bar.is_silent || limit) {
    options.progress = show_search;
    options.progress_user = &bar;
  }
  begin_run();
  qdot_status status = qdot_model_ask(session->model, question, &options, out);
  end_limit(&bar);
  return status;
}

int running_status(const qdot_result *run) {
  if (running_was_stopped(run)) return EXIT_STOPPED;
  return qdot_result_stop(run) != QDOT_STOP_NONE ? EXIT_WRONG : EXIT_DONE;
}

bool running_was_stopped(const qdot_result *run) { return qdot_result_stop(run) == QDOT_STOP_USER; }

bool is_result_folder(const char *path) {
  struct stat about;
  return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

static int open_folder(const Arguments *arguments, Session *session, qdot_result **out) {
  int status = session_begin(arguments, session);
  if (status != EXIT_DONE) return status;
  qdot_status done = qdot_result_open(session->cx, session_operand(arguments), NULL, out);
  return done == QDOT_OK ? EXIT_DONE : session_close(session, done);
}

// Whoever asks for another method or end wants another run.
static bool asks_for_run(const Arguments *arguments) {
  static const OptionId ids[] = {OPTION_METHOD, OPTION_TO,   OPTION_EVERY, OPTION_RTOL,
                                 OPTION_ATOL,   OPTION_STEP, OPTION_EVENTS};
  for (size_t i = 0; i < sizeof ids / sizeof *ids; i++)
    if (option_given(arguments, ids[i])) return true;
  return false;
}

int running_open_result(const Arguments *arguments, Session *session, qdot_result **out,
                        bool *stopped) {
  *stopped = false;
  if (arguments->operand_count && is_result_folder(session_operand(arguments)))
    return open_folder(arguments, session, out);
  int status = session_open(arguments, session);
  if (status != EXIT_DONE) return status;
  char folder[4096];
  session_folder(session, folder, sizeof folder);
  qdot_status done = QDOT_OK;
  if (asks_for_run(arguments) || !qdot_result_exists(session->model, folder)) {
    done = running_simulate(session, running_options_of_report(arguments), folder, out);
    if (done == QDOT_OK) *stopped = running_was_stopped(*out);
  } else {
    done = qdot_result_open(session->cx, folder, session->model, out);
  }
  return done == QDOT_OK ? EXIT_DONE : session_close(session, done);
}

void running_name_mat(const Session *session, const char *folder) {
  if (option_given(session->arguments, OPTION_MAT) && session_tells(session))
    printf("%s/results.mat  the results for MATLAB and Octave\n", folder);
}

// A description that would be longer than the line is cut.
static void list_file(const char *file, size_t widest, const char *description) {
  size_t line = session_width() > 100 ? 100 : session_width(), length = strlen(description);
  size_t room = widest + 22 < line ? line - widest - 2 : 20;
  bool is_cut = length > room;
  if (is_cut) length = room - 3;
  while (is_cut && ((unsigned char)description[length] & 0xC0) == 0x80) length--;
  printf("%-*s  %.*s%s\n", (int)widest, file, (int)length, description, is_cut ? "..." : "");
}

void running_list_files(const Session *session, const qdot_result *result) {
  size_t widest = 0;
  patience_end();
  const qdot_file *file;
  for (size_t i = 0; (file = qdot_result_file_at(result, i)); i++) {
    size_t length = strlen(file->path);
    widest = length > widest ? length : widest;
  }
  for (size_t i = 0; session_tells(session) && (file = qdot_result_file_at(result, i)); i++)
    list_file(file->path, widest, file->description);
}
