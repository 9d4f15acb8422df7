// Sweeps through the library: the same bytes for threads, shards and restarts; what fails is told.
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "qdot/qdot.h"
#include "support/check.h"

// Impacts, dry friction, and restitutions above 1, which are refused.
static const char text[] =
    "param m = 1 [kg], k = 20 [N/m], mu = 0.3, g = 9.81 [m/s^2], e = 0.6\n"
    "coord x = 1 [m], y = 0.5 [m]\nkinetic = m*(x'^2 + y'^2)/2\npotential = k*x^2/2 + m*g*y\n"
    "dissipation = mu*m*g*abs(x')\ncontact floor: y >= 0 restitution e\n"
    "measure rest = final(x), bounces = count(y <= 0), never = first(t, y > 9 [m])\n"
    "sweep e = 0.1..1.1 steps 5, k = 10..30 [N/m] steps 30: rest, bounces, never, keep rows where "
    "rest > 0.1 [m] and bounces > 6\n"
    "simulate to 1 [s] every 0.1 [s]\n";
enum { CASES = 150, FAILING = 30 };

static char base[64];

static int set_up(void **state) {
  (void)state;
  snprintf(base, sizeof base, "/tmp/qdot-sweep-XXXXXX");
  return mkdtemp(base) ? 0 : 1;
}

static int tear_down(void **state) {
  (void)state;
  char command[128];
  snprintf(command, sizeof command, "rm -rf '%s'", base);
  return system(command);
}

static const char *under(const char *name) {
  static char path[4][160];
  static int at;
  at = (at + 1) % 4;
  snprintf(path[at], sizeof path[at], "%s/%s", base, name);
  return path[at];
}

static char *whole(const char *folder, const char *name) {
  char path[512];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "rb");
  if (!file) return NULL;
  static char room[8][1 << 16];
  static int at;
  at = (at + 1) % 8;
  size_t n = fread(room[at], 1, sizeof room[at] - 1, file);
  room[at][n] = 0;
  fclose(file);
  return room[at];
}

typedef struct Seen {
  uint64_t cases, failed, calls;
  volatile int stop;
  uint64_t stop_behind;
} Seen;

static void look(void *user, const qdot_sweep_block *b) {
  Seen *seen = user;
  seen->cases += b->cases, seen->calls++;
  for (uint32_t i = 0; i < b->cases; i++) {
    seen->failed += b->reasons[i] != NULL;
    assert_true(b->values[2 * i] >= 0.1 && b->values[2 * i + 1] >= 10);
    assert_int_equal(isnan(b->results[3 * i]), b->reasons[i] != NULL);
    assert_true(isnan(b->results[3 * i + 2]));
  }
  if (seen->stop_behind && seen->cases >= seen->stop_behind) seen->stop = 1;
}

static qdot_status run(const char *folder, qdot_sweep_options options, Seen *seen,
                       uint64_t *failed) {
  qdot_context *cx = qdot_context_open(NULL);
  qdot_model *model;
  assert_int_equal(qdot_model_parse(cx, "drop.qdot", text, strlen(text), NULL, &model), QDOT_OK);
  qdot_run_options each = qdot_run_defaults();
  each.folder = folder;
  each.stop = &seen->stop;
  options.run = &each;
  options.block = look, options.user = seen;
  qdot_sweep *sweep;
  qdot_status status = qdot_model_sweep(model, &options, &sweep);
  if (status == QDOT_OK) {
    assert_int_equal(qdot_sweep_cases(sweep), CASES);
    if (failed) *failed = qdot_sweep_failed(sweep);
    const char *backend = qdot_sweep_backend(sweep);
    if (options.merge_count > 0)
      assert_string_equal(backend, "merged");
    else if (options.lanes == 1)
      assert_string_equal(backend, "scalar");
    else
      assert_true(!strcmp(backend, "scalar") || !strncmp(backend, "avx", 3));
    assert_int_equal(qdot_sweep_is_stopped(sweep), seen->stop);
  }
  qdot_context_close(cx);
  return status;
}

static void same_table(const char *folder) {
  const char *a = whole(under("one"), "table.csv"), *b = whole(folder, "table.csv");
  assert_non_null(b);
  assert_string_equal(a, b);
  assert_string_equal(whole(under("one"), "table.json"), whole(folder, "table.json"));
  for (int i = 1; i <= CASES; i++) {
    char name[64];
    snprintf(name, sizeof name, "rows/case-%d.csv", i);
    const char *x = whole(under("one"), name), *y = whole(folder, name);
    assert_int_equal(x != NULL, y != NULL);
    if (x) assert_string_equal(x, y);
  }
}

static void any_number_of_threads_gives_the_same(void **state) {
  (void)state;
  static const char *const folders[] = {"one", "two", "five", "lanes"};
  static const uint32_t threads[] = {1, 2, 5, 2};
  for (int i = 0; i < 4; i++) {
    qdot_sweep_options options = qdot_sweep_defaults();
    options.threads = threads[i];
    options.lanes = i == 3 ? 0 : 1;
    Seen seen = {0};
    uint64_t failed = 0;
    assert_int_equal(run(under(folders[i]), options, &seen, &failed), QDOT_OK);
    assert_int_equal(seen.cases, CASES);
    assert_int_equal(seen.failed, FAILING);
    assert_int_equal(failed, FAILING);
    same_table(under(folders[i]));
    assert_int_not_equal(access(under("one/blocks"), F_OK), 0);
  }
  const char *table = whole(under("one"), "table.csv");
  assert_int_equal(strncmp(table, "case,e,k,rest,bounces,never,status\n1,0.1", 38), 0);
  assert_non_null(strstr(table, ",ok\n"));
  assert_non_null(strstr(table, "restitution"));
  assert_non_null(whole(under("one"), "rows/case-1.csv") ? "" : strstr(table, "\n150,"));
}

static void without_a_folder_blocks_are_handed_over(void **state) {
  (void)state;
  Seen seen = {0};
  assert_int_equal(run(NULL, qdot_sweep_defaults(), &seen, NULL), QDOT_OK);
  assert_int_equal(seen.cases, CASES);
}

static void a_stop_goes_on(void **state) {
  (void)state;
  qdot_sweep_options options = qdot_sweep_defaults();
  options.threads = 2;
  Seen seen = {.stop_behind = 30};
  assert_int_equal(run(under("stopped"), options, &seen, NULL), QDOT_OK);
  assert_true(seen.cases >= 30 && seen.cases < CASES);
  assert_null(whole(under("stopped"), "table.csv"));
  seen = (Seen){0};
  assert_int_equal(run(under("stopped"), options, &seen, NULL), QDOT_OK);
  assert_int_equal(seen.cases, CASES);
  same_table(under("stopped"));
}

static void shards_are_joined(void **state) {
  (void)state;
  const char *const folders[] = {under("s1"), under("s2"), under("s3")};
  qdot_sweep_options options = qdot_sweep_defaults();
  options.shards = 3;
  uint64_t all = 0;
  for (uint32_t i = 0; i < 3; i++) {
    Seen seen = {0};
    options.shard = i + 1;
    assert_int_equal(run(folders[i], options, &seen, NULL), QDOT_OK);
    assert_null(whole(folders[i], "table.csv"));
    all += seen.cases;
  }
  assert_int_equal(all, CASES);
  options = qdot_sweep_defaults();
  options.merge = folders;
  options.merge_count = 2;
  Seen seen = {0};
  char joined[160];
  snprintf(joined, sizeof joined, "%s/joined", base);
  assert_int_equal(run(joined, options, &seen, NULL), QDOT_IO);
  assert_null(whole(joined, "table.csv"));
  options.merge_count = 3;
  assert_int_equal(run(joined, options, &seen, NULL), QDOT_OK);
  same_table(joined);
}

// Killed at any moment, by its own process, and begun again until it is done.
static void kills_lose_nothing(void **state) {
  (void)state;
  Random random = random_start("kills_lose_nothing");
  char folder[160];
  snprintf(folder, sizeof folder, "%s/killed", base);
  for (int round = 0; round < 12; round++) {
    pid_t child = fork();
    if (child == 0) {
      Seen seen = {0};
      qdot_sweep_options options = qdot_sweep_defaults();
      options.threads = 2;
      run(folder, options, &seen, NULL);
      _exit(0);
    }
    usleep((useconds_t)random_real(&random, 1e3, 6e4));
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
  }
  Seen seen = {0};
  assert_int_equal(run(folder, qdot_sweep_defaults(), &seen, NULL), QDOT_OK);
  assert_int_equal(seen.cases, CASES);
  same_table(folder);
}

// A block that a dying machine has left half written is made again; one of another model is not
// taken for one of this.
static void broken_blocks_are_made_again(void **state) {
  (void)state;
  char folder[160], path[256];
  snprintf(folder, sizeof folder, "%s/broken", base);
  qdot_sweep_options options = qdot_sweep_defaults();
  options.shard = 1, options.shards = 2;
  Seen seen = {0};
  assert_int_equal(run(folder, options, &seen, NULL), QDOT_OK);
  snprintf(path, sizeof path, "%s/blocks/%012d", folder, 0);
  assert_int_equal(truncate(path, 100), 0);
  snprintf(path, sizeof path, "%s/blocks/%012d", folder, 2);
  FILE *file = fopen(path, "r+b");
  fseek(file, 200, SEEK_SET);
  fputs("xx", file);
  fclose(file);
  seen = (Seen){0};
  assert_int_equal(run(folder, qdot_sweep_defaults(), &seen, NULL), QDOT_OK);
  same_table(folder);
}

// No file may be larger than a few bytes: what there is stays, and a later call goes on.
static void a_full_disk_is_told(void **state) {
  (void)state;
  char folder[160];
  snprintf(folder, sizeof folder, "%s/full", base);
  pid_t child = fork();
  if (child == 0) {
    struct rlimit small = {500, 500};
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &small);
    Seen seen = {0};
    _exit(run(folder, qdot_sweep_defaults(), &seen, NULL) == QDOT_IO ? 0 : 1);
  }
  int status;
  waitpid(child, &status, 0);
  assert_int_equal(status, 0);
  Seen seen = {0};
  assert_int_equal(run(folder, qdot_sweep_defaults(), &seen, NULL), QDOT_OK);
  same_table(folder);
}

// Four processes, of which one hangs with a block it has claimed and one dies.
static void a_job_shares_the_work(void **state) {
  (void)state;
  char folder[160], path[512];
  snprintf(folder, sizeof folder, "%s/job", base);
  snprintf(path, sizeof path, "mkdir -p '%s/blocks' && touch '%s/blocks/%012d.7'", folder, folder,
           3);
  assert_int_equal(system(path), 0); // claimed by who never comes back
  pid_t children[3];
  qdot_sweep_options options = qdot_sweep_defaults();
  options.job = "7", options.ranks = 4, options.threads = 1;
  for (uint32_t i = 0; i < 3; i++) {
    children[i] = fork();
    if (children[i] != 0) continue;
    Seen seen = {0};
    options.rank = i + 1;
    _exit(run(folder, options, &seen, NULL) != QDOT_OK);
  }
  usleep(5000);
  kill(children[2], SIGKILL);
  Seen seen = {0};
  uint64_t failed = 0;
  assert_int_equal(run(folder, options, &seen, &failed), QDOT_OK);
  for (int i = 0; i < 3; i++) waitpid(children[i], NULL, 0);
  assert_int_equal(failed, FAILING);
  same_table(folder);
}

static void nonsense_is_refused(void **state) {
  (void)state;
  Seen seen = {0};
  qdot_sweep_options options = qdot_sweep_defaults();
  options.shard = 4, options.shards = 3;
  assert_int_equal(run(under("none"), options, &seen, NULL), QDOT_BAD_ARGUMENT);
  options.shard = 1;
  assert_int_equal(run(NULL, options, &seen, NULL), QDOT_BAD_ARGUMENT);
  assert_int_equal(run("/proc/none", qdot_sweep_defaults(), &seen, NULL), QDOT_IO);
  qdot_context *cx = qdot_context_open(NULL);
  qdot_model *model;
  static const char plain[] = "param m = 1 [kg]\ncoord x = 1 [m]\nkinetic = m*x'^2/2\n"
                              "simulate to 1 [s]\n";
  assert_int_equal(qdot_model_parse(cx, "a.qdot", plain, strlen(plain), NULL, &model), QDOT_OK);
  qdot_sweep *sweep;
  assert_int_equal(qdot_model_sweep(model, NULL, &sweep), QDOT_BAD_MODEL);
  qdot_context_close(cx);
}

RUN_TESTS_BETWEEN(set_up, tear_down, cmocka_unit_test(any_number_of_threads_gives_the_same),
                  cmocka_unit_test(without_a_folder_blocks_are_handed_over),
                  cmocka_unit_test(a_stop_goes_on), cmocka_unit_test(shards_are_joined),
                  cmocka_unit_test(kills_lose_nothing),
                  cmocka_unit_test(broken_blocks_are_made_again),
                  cmocka_unit_test(a_full_disk_is_told), cmocka_unit_test(a_job_shares_the_work),
                  cmocka_unit_test(nonsense_is_refused))
