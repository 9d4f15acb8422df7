// One context per thread: models derived, simulated, drawn and told side by side give what they
// give alone.
#include <malloc.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "qdot/qdot.h"
#include "support/check.h"

enum { THREADS = 4 };

static const char chain[] = "count N = %d\n"
                            "param g = 9.81 [m/s^2], m = 1 [kg], L = 0.5 [m]\n"
                            "let x[0] = 0 [m]\n"
                            "let y[0] = 0 [m]\n"
                            "for i in 1..N\n"
                            "  coord q[i] = 0.3*i\n"
                            "  let x[i] = x[i-1] + L*sin(q[i])\n"
                            "  let y[i] = y[i-1] - L*cos(q[i])\n"
                            "  kinetic = 1/2*m*(x[i]'^2 + y[i]'^2)\n"
                            "  potential = m*g*y[i]\n"
                            "end\n"
                            "simulate to 1 [s] every 100 [ms]\n";

typedef struct Job {
  int links;
  qdot_status status;
  uint64_t hash; // of the equations' text and all rows
} Job;

static void mix(uint64_t *hash, const void *bytes, size_t n) {
  for (size_t i = 0; i < n; i++)
    *hash = (*hash ^ ((const unsigned char *)bytes)[i]) * 0x100000001B3u;
}

static int mix_text(void *user, const char *bytes, size_t n) {
  mix(user, bytes, n);
  return 0;
}

static int mix_row(void *user, const double *values, size_t n) {
  mix(user, values, n * sizeof *values);
  return 0;
}

// Eigenvalues by LAPACK, and a run in a loop of one's own.
static qdot_status analyse(Job *job, qdot_model *model, qdot_system *system) {
  qdot_linear *linear;
  qdot_simulation *simulation;
  qdot_status status = qdot_system_linearize(system, 0, &linear);
  if (status == QDOT_OK) status = qdot_modes_write(linear, NULL, (qdot_sink){mix_text, &job->hash});
  if (status == QDOT_OK) status = qdot_simulation_open(model, NULL, &simulation);
  if (status == QDOT_OK) status = qdot_simulation_advance(simulation, 0.3);
  if (status == QDOT_OK)
    mix_row(&job->hash, qdot_simulation_values(simulation),
            qdot_simulation_column_count(simulation));
  return status;
}

static void *work(void *argument) {
  Job *job = argument;
  char text[sizeof chain + 10];
  snprintf(text, sizeof text, chain, job->links);
  qdot_context *cx = qdot_context_open(NULL);
  qdot_model *model;
  qdot_system *system;
  qdot_result *run;
  job->hash = 1;
  job->status = qdot_model_parse(cx, "chain", text, strlen(text), NULL, &model);
  if (job->status == QDOT_OK) job->status = qdot_system_derive(model, &system);
  if (job->status == QDOT_OK)
    job->status = qdot_system_write(system, NULL, (qdot_sink){mix_text, &job->hash});
  qdot_run_options options = qdot_run_defaults();
  options.row = mix_row;
  options.row_user = &job->hash;
  if (job->status == QDOT_OK) job->status = qdot_model_simulate(model, &options, &run);
  if (job->status == QDOT_OK) job->status = analyse(job, model, system);
  qdot_context_close(cx);
  return NULL;
}

static void threads_do_not_disturb_each_other(void **state) {
  (void)state;
  Job alone[THREADS], together[THREADS];
  for (int i = 0; i < THREADS; i++) {
    alone[i] = together[i] = (Job){.links = 2 + i};
    work(&alone[i]);
    assert_int_equal(alone[i].status, QDOT_OK);
  }
  for (int round = 0; round < test_rounds(20); round++) {
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
      assert_int_equal(pthread_create(&threads[i], NULL, work, &together[i]), 0);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    for (int i = 0; i < THREADS; i++) {
      assert_int_equal(together[i].status, QDOT_OK);
      assert_true(together[i].hash == alone[i].hash);
    }
  }
}

// ---- The whole of a run, with pictures and reports

static const struct {
  const char *example, *method, *language;
  double t_end;
} tasks[THREADS] = {{"double_pendulum", "bdf", "en", 0.2},
                    {"four_bar", "dae", "de", 0.2},
                    {"bouncing_ball", NULL, "es", 1},
                    {"spinning_body", NULL, "pt", 0.2}};

typedef struct Telling {
  int task;
  char folder[40];
  qdot_status status;
  uint64_t hash; // of the derivation, the equilibria, the exported files and the drawn picture
} Telling;

static void mix_file(Telling *telling, const char *name) {
  char path[100], bytes[4096];
  snprintf(path, sizeof path, "%s/%s", telling->folder, name);
  FILE *file = fopen(path, "rb");
  if (!file) telling->status = QDOT_IO;
  for (size_t n = 1; file && n > 0;) {
    n = fread(bytes, 1, sizeof bytes, file);
    mix(&telling->hash, bytes, n);
  }
  if (file) fclose(file);
}

static qdot_status tell_system(Telling *telling, qdot_system *system) {
  qdot_sink sink = {mix_text, &telling->hash};
  qdot_system_write_options steps = qdot_system_write_defaults();
  steps.format = QDOT_FORMAT_LATEX, steps.steps = 1, steps.language = tasks[telling->task].language;
  qdot_export_options files = qdot_export_defaults();
  files.folder = telling->folder, files.name = "exported";
  qdot_equilibria_options few = qdot_equilibria_defaults();
  few.starts = 2;
  qdot_equilibria *equilibria;
  qdot_status status = qdot_system_write(system, &steps, sink);
  // what falls for ever has none
  if (status == QDOT_OK && qdot_system_equilibria(system, &few, &equilibria) == QDOT_OK)
    (void)qdot_equilibria_write(equilibria, NULL, sink);
  if (status == QDOT_OK) status = qdot_system_export(system, "c", &files);
  if (status == QDOT_OK) mix_file(telling, "exported.c");
  return status;
}

static qdot_status tell_run(Telling *telling, qdot_context *cx, qdot_model *model) {
  qdot_result *run;
  qdot_result *result;
  qdot_run_options running = qdot_run_defaults();
  running.folder = telling->folder;
  running.method = tasks[telling->task].method, running.t_end = tasks[telling->task].t_end;
  qdot_animate_options drawing = qdot_animate_defaults();
  drawing.formats = QDOT_FILE_PNG;
  qdot_report_options report = qdot_report_defaults();
  report.formats = QDOT_FILE_HTML, report.language = tasks[telling->task].language;
  report.gnuplot = "/nowhere/gnuplot";
  qdot_status status = qdot_model_simulate(model, &running, &run);
  if (status == QDOT_OK) status = qdot_result_open(cx, telling->folder, model, &result);
  if (status == QDOT_OK) status = qdot_result_animate(result, &drawing);
  if (status == QDOT_OK) mix_file(telling, "mechanism.png");
  if (status == QDOT_OK) status = qdot_result_report(result, &report);
  return status;
}

// In room for 400 bytes.
static const char *example_path(char *room, const char *name) {
  const char *root = getenv("QDOT_ROOT");
  snprintf(room, 400, "%s/examples/%s.qdot", root ? root : ".", name);
  return room;
}

static void *tell(void *argument) {
  Telling *telling = argument;
  char path[400];
  qdot_context *cx = qdot_context_open(NULL);
  qdot_model *model;
  qdot_system *system;
  telling->hash = 1;
  telling->status =
      qdot_model_load(cx, example_path(path, tasks[telling->task].example), NULL, &model);
  if (telling->status == QDOT_OK) telling->status = qdot_system_derive(model, &system);
  if (telling->status == QDOT_OK) telling->status = tell_system(telling, system);
  if (telling->status == QDOT_OK) telling->status = tell_run(telling, cx, model);
  qdot_context_close(cx);
  return NULL;
}

static Telling telling_of(int task) {
  Telling telling = {.task = task, .folder = "/tmp/qdot-threads-XXXXXX"};
  assert_non_null(mkdtemp(telling.folder));
  return telling;
}

static void forget(const Telling *telling) {
  char line[80];
  snprintf(line, sizeof line, "rm -r %s", telling->folder);
  assert_int_equal(system(line), 0);
}

static void threads_draw_and_tell_beside_each_other(void **state) {
  (void)state;
  Telling alone[THREADS], together[THREADS];
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++) {
    together[i] = telling_of(i), alone[i] = telling_of(i);
    assert_int_equal(pthread_create(&threads[i], NULL, tell, &together[i]), 0);
  }
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  for (int i = 0; i < THREADS; i++) {
    tell(&alone[i]);
    assert_int_equal(alone[i].status, QDOT_OK);
    assert_int_equal(together[i].status, QDOT_OK);
    assert_true(together[i].hash == alone[i].hash);
    forget(&alone[i]), forget(&together[i]);
  }
}

// ---- What is left of a thread

static size_t bytes_in_use(void) {
  struct mallinfo2 memory = mallinfo2();
  return memory.uordblks + memory.hblkhd;
}

// Frequencies in closed form, which FLINT factors.
static void *find_modes(void *argument) {
  Job *job = argument;
  char path[400];
  qdot_context *cx = qdot_context_open(NULL);
  qdot_model *model;
  qdot_system *system;
  qdot_linear *linear;
  job->status = qdot_model_load(cx, example_path(path, "double_pendulum"), NULL, &model);
  if (job->status == QDOT_OK) job->status = qdot_system_derive(model, &system);
  if (job->status == QDOT_OK) job->status = qdot_system_linearize(system, 0, &linear);
  if (job->status == QDOT_OK)
    job->status = qdot_modes_write(linear, NULL, (qdot_sink){mix_text, &job->hash});
  qdot_context_close(cx);
  return NULL;
}

// Foreign libraries keep tables for each thread, which must go with its context.
static void a_thread_that_ends_leaves_nothing_behind(void **state) {
  (void)state;
  size_t before = 0;
  for (int i = 0; i < 8; i++) {
    Job job = {0};
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, find_modes, &job), 0);
    pthread_join(thread, NULL);
    assert_int_equal(job.status, QDOT_OK);
    if (i == 1) before = bytes_in_use();
  }
  assert_true(bytes_in_use() < before + 100000);
}

RUN_TESTS(cmocka_unit_test(threads_do_not_disturb_each_other),
          cmocka_unit_test(a_thread_that_ends_leaves_nothing_behind),
          cmocka_unit_test(threads_draw_and_tell_beside_each_other))
