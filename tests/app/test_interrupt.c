// The command under signals: killed at any moment and resumed it gives the same bytes; asked to
// stop it keeps what it has; its progress is for terminals alone; its memory does not grow.
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "support/check.h"

static char folder[] = "/tmp/qdot-interrupt-XXXXXX";

static const char *path_of(const char *name) {
  static char paths[4][300];
  static int at;
  char *path = paths[at++ % 4];
  snprintf(path, sizeof paths[0], "%s/%s", folder, name);
  return path;
}

static const char *example(const char *name) {
  static char path[600];
  const char *root = getenv("QDOT_ROOT");
  snprintf(path, sizeof path, "%s/examples/%s.qdot", root ? root : ".", name);
  return path;
}

static bool exists(const char *name) { return access(path_of(name), F_OK) == 0; }

static char *contents(const char *name, size_t *size) {
  FILE *file = fopen(path_of(name), "rb");
  if (!file) print_error("no %s\n", name);
  assert_non_null(file);
  fseek(file, 0, SEEK_END);
  *size = (size_t)ftell(file);
  rewind(file);
  char *bytes = malloc(*size + 1);
  assert_int_equal(fread(bytes, 1, *size, file), *size);
  bytes[*size] = 0;
  fclose(file);
  return bytes;
}

static void remove_all(void) {
  static const char *const names[] = {
      "results.csv",    "results.csv.part", "summary.json",      "model.qdot", "checkpoint",
      "checkpoint.new", "stderr",           "summary.json.part", "motion.bin", "motion.bin.part"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) remove(path_of(names[i]));
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void sleep_for(double seconds) {
  struct timespec t = {(time_t)seconds, (long)(1e9 * fmod(seconds, 1))};
  while (nanosleep(&t, &t) != 0 && errno == EINTR) continue;
}

// ---- Starting and ending the command

// qdot simulate MODEL --out FOLDER and what `words` adds; in the child.
static void become(const char *model, const char *const *words) {
  const char *command = getenv("QDOT_COMMAND"), *all[24] = {"qdot", "simulate", model, "--out"};
  int n = 4;
  all[n++] = folder;
  for (int i = 0; words[i]; i++) all[n++] = words[i];
  execv(command ? command : "build/qdot", (char *const *)all);
  _exit(99);
}

static pid_t start(const char *model, const char *const *words) {
  pid_t child = fork();
  if (child != 0) return child;
  int to = open(path_of("stderr"), O_WRONLY | O_CREAT | O_TRUNC, 0666);
  dup2(to, 2);
  dup2(open("/dev/null", O_WRONLY), 1);
  become(model, words);
  return 0;
}

// Exit status, or 1000 and the signal.
static int end_of(pid_t child, long *peak) {
  int status;
  struct rusage usage;
  assert_int_equal(wait4(child, &status, 0, &usage), child);
  if (peak) *peak = usage.ru_maxrss;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

static int run(const char *model, const char *const *words) {
  return end_of(start(model, words), NULL);
}

// The process is there, and its rows begin to come.
static void wait_for_rows(long bytes) {
  struct stat about;
  double began = now();
  while (stat(path_of("results.csv.part"), &about) != 0 || about.st_size < bytes) {
    assert_true(now() - began < 60);
    sleep_for(0.001);
  }
}

// ---- Killed and resumed

// A summary without the times that it took.
static char *timeless(char *json) {
  for (char *at = json; (at = strstr(at, "_seconds\":"));) {
    char *end = strchr(at, '\n');
    memmove(at, end, strlen(end) + 1);
  }
  return json;
}

static void check_same(const char *rows, size_t size, const char *summary) {
  size_t n, n_summary;
  char *found = contents("results.csv", &n), *json = contents("summary.json", &n_summary);
  assert_int_equal(n, size);
  assert_memory_equal(found, rows, size);
  assert_string_equal(timeless(json), summary);
  assert_false(exists("checkpoint"));
  assert_false(exists("checkpoint.new"));
  assert_false(exists("results.csv.part"));
  free(found);
  free(json);
}

typedef struct Case {
  const char *example, *to, *every, *method;
} Case;

// Constraints, contacts that pile up, and methods with and without history.
static const Case cases[] = {{"four_bar", "20", "0.01", "rk853"},
                             {"bouncing_ball", "8", "0.002", "rk45"},
                             {"newtons_cradle", "20", "0.01", "rk853"},
                             {"double_pendulum", "20", "0.005", "bdf"},
                             {"slider_crank", "10", "0.01", "alpha"}};

static int kills(void) {
  const char *wish = getenv("QDOT_KILLS");
  return wish ? atoi(wish) : 5;
}

static void check_killed(const Case *c, int count, Random *random) {
  const char *const words[] = {"--to",    c->to,          "--every",  c->every, "--method",
                               c->method, "--checkpoint", "--resume", NULL};
  size_t size, summary_size;
  remove_all();
  double began = now();
  assert_int_equal(run(example(c->example), words), 0);
  double whole = now() - began;
  char *rows = contents("results.csv", &size);
  char *summary = timeless(contents("summary.json", &summary_size));
  remove_all();
  int killed = 0;
  for (int i = 0; i < count; i++) {
    pid_t child = start(example(c->example), words);
    sleep_for(whole * random_real(random, 0, 0.7));
    kill(child, SIGKILL);
    killed += end_of(child, NULL) == 1000 + SIGKILL;
  }
  assert_int_equal(run(example(c->example), words), 0);
  check_same(rows, size, summary);
  print_message("%-16s %-6s killed %d times, %zu bytes\n", c->example, c->method, killed, size);
  free(rows);
  free(summary);
}

static void test_killed(void **state) {
  (void)state;
  Random random = random_start("interrupt");
  int number = (int)(sizeof cases / sizeof *cases), all = kills();
  for (int i = 0; i < number; i++)
    check_killed(&cases[i], all * (i + 1) / number - all * i / number, &random);
}

// Killed after the rows had got their name: they are taken back and end as before.
static void test_killed_at_the_end(void **state) {
  (void)state;
  const char *const words[] = {"--to", "20", "--every", "0.005", "--checkpoint", NULL};
  const char *const resume[] = {"--to", "20", "--every", "0.005", "--resume", NULL};
  remove_all();
  assert_int_equal(run(example("four_bar"), words), 0);
  size_t size, n;
  char *rows = contents("results.csv", &size), *summary = timeless(contents("summary.json", &n));
  pid_t child = start(example("four_bar"), words);
  while (!exists("checkpoint")) sleep_for(0.001);
  kill(child, SIGKILL);
  assert_int_equal(end_of(child, NULL), 1000 + SIGKILL);
  assert_int_equal(rename(path_of("results.csv.part"), path_of("results.csv")), 0);
  assert_int_equal(run(example("four_bar"), resume), 0);
  check_same(rows, size, summary);
  // nothing is left to be resumed
  assert_int_equal(run(example("four_bar"), resume), 1);
  char *said = contents("stderr", &n);
  assert_non_null(strstr(said, "there is no checkpoint"));
  free(said);
  free(rows);
  free(summary);
}

static void test_leftovers(void **state) {
  (void)state;
  const char *const words[] = {"--to", "200", "--every", "0.001", "--checkpoint", NULL};
  const char *const others[] = {"--to", "1", "--every", "0.1", NULL};
  remove_all();
  pid_t child = start(example("four_bar"), words);
  while (!exists("checkpoint")) sleep_for(0.001);
  kill(child, SIGKILL);
  end_of(child, NULL);
  assert_true(exists("results.csv.part"));
  // other options: refused, and nothing is touched
  const char *const wrong[] = {"--to", "300", "--every", "0.001", "--resume", NULL};
  assert_int_equal(run(example("four_bar"), wrong), 1);
  size_t n;
  char *said = contents("stderr", &n);
  assert_non_null(strstr(said, "of another model or other options"));
  free(said);
  assert_true(exists("checkpoint") && exists("results.csv.part"));
  // a new run removes them
  assert_int_equal(run(example("four_bar"), others), 0);
  assert_false(exists("checkpoint"));
  assert_false(exists("results.csv.part"));
}

// ---- Asked to stop

static void check_stopped(int number, bool checkpoint) {
  const char *const words[] = {
      "--to", "100000", "--every", "0.01", checkpoint ? "--checkpoint" : "--events", NULL};
  remove_all();
  pid_t child = start(example("double_pendulum"), words);
  wait_for_rows(200000);
  kill(child, number);
  assert_int_equal(end_of(child, NULL), 128 + number);
  size_t size, n;
  char *rows = contents("results.csv", &size), *said = contents("stderr", &n);
  char *summary = contents("summary.json", &n);
  assert_true(size > 100000 && rows[size - 1] == '\n');
  assert_non_null(strstr(summary, "\"stopped\": \"user\""));
  assert_non_null(strstr(said, "warning: stopped at t = "));
  assert_non_null(strstr(said, " s of 100000 s; what was computed is kept"));
  assert_null(strchr(said, '\r'));
  assert_false(exists("results.csv.part"));
  free(rows);
  free(said);
  free(summary);
}

static void test_stopped(void **state) {
  (void)state;
  check_stopped(SIGINT, false);
  check_stopped(SIGTERM, true); // before the first checkpoint: nothing to resume
  check_stopped(SIGHUP, false);
}

// Stopped behind a checkpoint: the message says from where it can go on.
static void test_stopped_and_resumed(void **state) {
  (void)state;
  const char *const words[] = {"--to", "100", "--every", "0.002", "--checkpoint", NULL};
  const char *const resume[] = {"--to", "100", "--every", "0.002", "--resume", NULL};
  remove_all();
  assert_int_equal(run(example("double_pendulum"), words), 0);
  size_t size, n;
  char *rows = contents("results.csv", &size), *summary = timeless(contents("summary.json", &n));
  remove_all();
  pid_t child = start(example("double_pendulum"), words);
  while (!exists("checkpoint")) sleep_for(0.001);
  kill(child, SIGINT);
  int ended = end_of(child, NULL);
  if (ended == 130) {
    char *said = contents("stderr", &n);
    assert_non_null(strstr(said, "it can be resumed from t = "));
    assert_true(exists("results.csv.part") && exists("results.csv"));
    free(said);
    assert_int_equal(run(example("double_pendulum"), resume), 0);
  } else {
    assert_int_equal(ended, 0); // it was faster than we
  }
  check_same(rows, size, summary);
  free(rows);
  free(summary);
}

// ---- Ended at any moment

typedef struct Job {
  const char *verb, *example, *set; // set: or NULL
} Job;

// Reading, deriving, runs (also stiff ones), questions, drawing, searching.
static const Job jobs[] = {{"run", "swing", NULL},
                           {"run", "swing", "g=1e15 [m/s^2]"},
                           {"report", "four_bar", NULL},
                           {"animate", "quarter_car", NULL},
                           {"run", "engine", NULL},
                           {"equilibrium", "n_link_chain", "N=200"},
                           {"derive", "n_link_pendulum", "N=40"},
                           {"check", "n_link_pendulum", "N=150"}};

static pid_t start_job(const Job *job, const char *limit) {
  const char *command = getenv("QDOT_COMMAND"), *words[12] = {"qdot", job->verb};
  int n = 2;
  words[n++] = example(job->example), words[n++] = "--out", words[n++] = path_of("made");
  if (job->set) words[n++] = "--set", words[n++] = job->set;
  if (limit) words[n++] = "--time-limit", words[n++] = limit, words[n++] = "--quiet";
  pid_t child = fork();
  if (child != 0) return child;
  dup2(open(path_of("stderr"), O_WRONLY | O_CREAT | O_TRUNC, 0666), 2);
  dup2(open("/dev/null", O_WRONLY), 1);
  execv(command ? command : "build/qdot", (char *const *)words);
  _exit(99);
}

// Removes what a job has made; how many of its files are half written.
static int remove_made(void) {
  int parts = 0;
  DIR *listing = opendir(path_of("made"));
  for (struct dirent *entry; listing && (entry = readdir(listing));) {
    const char *ending = strrchr(entry->d_name, '.');
    if (ending && strcmp(ending, ".part") == 0) parts++, print_error("%s\n", entry->d_name);
    if (entry->d_name[0] != '.') unlinkat(dirfd(listing), entry->d_name, 0);
  }
  if (listing) closedir(listing);
  rmdir(path_of("made"));
  return parts;
}

// A tenth of a second is promised where nobody else works; ten of them on a machine of tests.
static const double PROMPT = 1;

static void test_ended_anywhere(void **state) {
  (void)state;
  Random random = random_start("ended anywhere");
  int rounds = test_rounds(16), ended = 0;
  double longest = 0;
  // a fast machine is done with many jobs before the signal comes
  for (int i = 0; i < rounds || (ended <= rounds / 3 && i < 10 * rounds); i++) {
    const Job *job = &jobs[random_below(&random, sizeof jobs / sizeof *jobs)];
    int number = random_below(&random, 2) ? SIGINT : SIGTERM;
    bool twice = random_below(&random, 4) == 0;
    pid_t child = start_job(job, NULL);
    sleep_for(0.05 + random_real(&random, 0, 0.7));
    double began = now();
    kill(child, number);
    if (twice) sleep_for(0.001), kill(child, number);
    int status = end_of(child, NULL);
    if (status != 0) longest = fmax(longest, now() - began);
    // with status 0 it was faster than we; a signal before all else ends a process by itself
    if (status != 0 && status != 1000 + number) {
      ended++;
      assert_int_equal(status, 128 + number);
      size_t n;
      char *said = contents("stderr", &n);
      assert_non_null(strstr(said, number == SIGINT ? "ended by SIGINT" : "ended by SIGTERM"));
      free(said);
    }
    assert_int_equal(remove_made(), 0);
  }
  print_message("%d of %d ended, the slowest after %.3f s\n", ended, rounds, longest);
  assert_true(ended > rounds / 3);
  assert_true(longest < PROMPT);
}

static void test_time_limit(void **state) {
  (void)state;
  static const Job slow[] = {{"equilibrium", "n_link_chain", "N=300"},
                             {"check", "n_link_pendulum", "N=300"},
                             {"run", "swing", "g=1e15 [m/s^2]"},
                             {"report", "engine", NULL}};
  for (size_t i = 0; i < sizeof slow / sizeof *slow; i++) {
    double began = now();
    pid_t child = start_job(&slow[i], "0.2");
    assert_int_equal(end_of(child, NULL), 1);
    assert_true(now() - began < 0.2 + PROMPT);
    size_t n;
    char *said = contents("stderr", &n);
    assert_non_null(strstr(said, "error: the time limit is reached\n    the limit is 0.2 s\n"));
    assert_non_null(strstr(said, "raise it with --time-limit S\n"));
    free(said);
    assert_int_equal(remove_made(), 0);
  }
}

// ---- Progress

// What the command writes to a terminal until it has shown its bar, and then until its end.
static int watch_terminal(const char *const *words, char *shown, size_t most) {
  int terminal;
  pid_t child = forkpty(&terminal, NULL, NULL, NULL);
  if (child < 0) skip(); // a place without terminals
  if (child == 0) become(example("double_pendulum"), words);
  size_t n = 0;
  bool asked = false;
  for (ssize_t got; n < most - 1 && (got = read(terminal, shown + n, most - 1 - n)) > 0;) {
    n += (size_t)got;
    shown[n] = 0;
    if (!asked && strstr(shown, "s left")) asked = kill(child, SIGINT) == 0;
  }
  shown[n] = 0;
  close(terminal);
  return end_of(child, NULL);
}

static void test_progress(void **state) {
  (void)state;
  static char shown[100000];
  const char *const words[] = {"--to", "1000000", "--every", "1000", NULL};
  remove_all();
  assert_int_equal(watch_terminal(words, shown, sizeof shown), 130);
  assert_non_null(strstr(shown, "\r["));
  assert_non_null(strstr(shown, " of 1e+06 s, "));
  assert_non_null(strstr(shown, " steps, "));
  // the bar is wiped away before anything else is said
  char *wiped = strstr(shown, "\r\033[K");
  assert_non_null(wiped);
  assert_true(strstr(shown, "Double pendulum") > wiped);
  // a short run shows none
  const char *const quick[] = {"--to", "1", "--every", "0.1", NULL};
  assert_int_equal(watch_terminal(quick, shown, sizeof shown), 0);
  assert_null(strstr(shown, "\r["));
}

// Work that has no bar counts its seconds, on a terminal alone.
static void test_patience(void **state) {
  (void)state;
  char shown[4000] = "";
  int terminal;
  pid_t child = forkpty(&terminal, NULL, NULL, NULL);
  if (child < 0) skip(); // a place without terminals
  if (child == 0) {
    setenv("TERM", "xterm", 1);
    const char *command = getenv("QDOT_COMMAND");
    execl(command ? command : "build/qdot", "qdot", "equilibrium", example("n_link_chain"), "--set",
          "N=200", (char *)NULL);
    _exit(99);
  }
  size_t n = 0;
  for (ssize_t got; n < sizeof shown - 1 && !strstr(shown, " 1 s") &&
                    (got = read(terminal, shown + n, sizeof shown - 1 - n)) > 0;)
    shown[n += (size_t)got] = 0;
  kill(child, SIGKILL);
  close(terminal);
  end_of(child, NULL);
  assert_string_equal(shown, "\rworking ...    1 s\033[K");
}

// ---- Memory

static long peak_of(const char *to) {
  const char *const words[] = {"--to", to, "--every", "0.001", "--quiet", NULL};
  long peak;
  assert_int_equal(end_of(start(example("bouncing_ball"), words), &peak), 0);
  return peak;
}

static void test_flat_memory(void **state) {
  (void)state;
  remove_all();
  const char *seconds = getenv("QDOT_ROW_SECONDS");
  long few = peak_of("10"), many = peak_of(seconds ? seconds : "200");
  print_message("%ld KiB for 10 s of rows, %ld KiB for %s s\n", few, many,
                seconds ? seconds : "200");
  assert_true(many < few + 1024);
}

static int make_folder(void **state) {
  (void)state;
  return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state) {
  (void)state;
  remove_all();
  return rmdir(folder);
}

RUN_TESTS_BETWEEN(make_folder, remove_folder, cmocka_unit_test(test_killed),
                  cmocka_unit_test(test_killed_at_the_end), cmocka_unit_test(test_leftovers),
                  cmocka_unit_test(test_stopped), cmocka_unit_test(test_stopped_and_resumed),
                  cmocka_unit_test(test_ended_anywhere), cmocka_unit_test(test_time_limit),
                  cmocka_unit_test(test_progress), cmocka_unit_test(test_patience),
                  cmocka_unit_test(test_flat_memory))
