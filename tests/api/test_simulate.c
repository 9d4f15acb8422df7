// Runs through the public API: files, rows, stop and resume with the same bytes.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "qdot/qdot.h"
#include "support/check.h"
#include "support/examples.h"

static const char *const bouncing =
    "model \"Two balls\"\nparam m = 1 [kg], g = 9.81 [m/s^2], L = 1 [m]\n"
    "coord y_1 = 1 [m], y_2 = 2.3 [m], theta = 1 [rad]\n"
    "kinetic = 1/2*m*(y_1'^2 + y_2'^2) + 1/2*m*L^2*theta'^2\n"
    "potential = m*g*(y_1 + y_2) - m*g*L*cos(theta)\n"
    "contact floor: y_1 >= 0 [m] restitution 0.7\ncontact ball: y_2 >= y_1 restitution 0.8\n"
    "force theta = if(theta' > 0, -0.3, 0.3)\n"
    "simulate to 8 [s] every 20 [ms]\n";

static char folder[] = "/tmp/qdot-simulate-XXXXXX";

static char *path_of(const char *name) {
  static char path[200];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return path;
}

static char *read_all(const char *name, size_t *size) {
  FILE *file = fopen(path_of(name), "rb");
  assert_non_null(file);
  char *bytes = calloc(1, 1 << 20);
  *size = fread(bytes, 1, 1 << 20, file);
  fclose(file);
  return bytes;
}

typedef struct Stopper {
  int stop, calls, after;
} Stopper;

static void count_calls(void *user, double t, double t_end, long steps) {
  Stopper *stopper = user;
  (void)t, (void)t_end, (void)steps;
  if (++stopper->calls == stopper->after) stopper->stop = 1;
}

// Runs once; stopped after so many steps when after > 0. Returns why it stopped.
static qdot_stop run(int after, int resume, char *json, size_t size) {
  qdot_context *cx = qdot_context_open(NULL);
  qdot_model *model;
  qdot_result *out = NULL;
  Stopper stopper = {.after = after};
  qdot_run_options o = qdot_run_defaults();
  o.folder = folder;
  o.checkpoint = 1;
  o.resume = resume;
  o.stop = &stopper.stop;
  o.progress = count_calls;
  o.progress_user = &stopper;
  assert_int_equal(qdot_model_parse(cx, "balls.qdot", bouncing, strlen(bouncing), NULL, &model),
                   QDOT_OK);
  qdot_status status = qdot_model_simulate(model, &o, &out);
  if (status != QDOT_OK) qdot_diagnostics_write(cx, NULL, qdot_sink_stream(stderr));
  assert_int_equal(status, QDOT_OK);
  qdot_stop why = qdot_result_stop(out);
  FILE *memory = fmemopen(json, size, "w");
  qdot_write_options style = qdot_write_defaults();
  style.format = QDOT_FORMAT_JSON;
  assert_int_equal(qdot_result_write(out, &style, qdot_sink_stream(memory)), QDOT_OK);
  fclose(memory);
  qdot_context_close(cx);
  return why;
}

static void test_same_bytes(void **state) {
  (void)state;
  assert_non_null(mkdtemp(folder));
  static char whole_json[400000], json[400000];
  assert_int_equal(run(0, 0, whole_json, sizeof whole_json), QDOT_STOP_NONE);
  size_t whole_size, motion_size, size;
  char *whole = read_all("results.csv", &whole_size);
  char *motion = read_all("motion.bin", &motion_size);
  assert_int_equal(access(path_of("checkpoint"), F_OK), -1);
  for (int after = 40; after < 160; after += 37) {
    assert_int_equal(run(after, 0, json, sizeof json), QDOT_STOP_USER);
    char *part = read_all("results.csv", &size);
    assert_true(size < whole_size && memcmp(part, whole, size) == 0);
    free(part);
    // interrupted a second time, then to the end
    assert_int_equal(run(20, 1, json, sizeof json), QDOT_STOP_USER);
    assert_int_equal(run(0, 1, json, sizeof json), QDOT_STOP_NONE);
    char *bytes = read_all("results.csv", &size);
    assert_int_equal(size, whole_size);
    assert_memory_equal(bytes, whole, size);
    free(bytes);
    bytes = read_all("motion.bin", &size);
    assert_int_equal(size, motion_size);
    assert_memory_equal(bytes, motion, size);
    free(bytes);
    // also what it says of itself, apart from the times it took
    char *a = strstr(json, "\"energy_drift\""), *b = strstr(whole_json, "\"energy_drift\"");
    assert_string_equal(a, b);
  }
  free(whole);
  free(motion);
  remove(path_of("results.csv"));
  remove(path_of("motion.bin"));
  remove(path_of("summary.json"));
  remove(path_of("model.qdot"));
  assert_int_equal(rmdir(folder), 0);
}

static int sum_rows(void *user, const double *values, size_t n) {
  double *sum = user;
  *sum += values[0];
  return n == 10 ? 0 : 1;
}

static void test_rows_without_files(void **state) {
  (void)state;
  qdot_context *cx = qdot_context_open(NULL);
  const char *text = "param m = 1, k = 1\ncoord x = 1\nkinetic = 1/2*m*x'^2\npotential = "
                     "1/2*k*x^2\noutput y = 2*x\n"
                     "output z = x'\noutput a = x''\nsimulate to 1 every 0.1\n";
  qdot_model *model;
  qdot_result *out;
  double sum = 0;
  qdot_run_options o = qdot_run_defaults();
  o.row = sum_rows;
  o.row_user = &sum;
  assert_int_equal(qdot_model_parse(cx, "x", text, strlen(text), NULL, &model), QDOT_OK);
  assert_int_equal(qdot_model_simulate(model, &o, &out), QDOT_OK);
  CHECK_NEAR(sum, 5.5, 1e-12);
  assert_string_equal(qdot_result_column_at(out, 2), "x'");
  assert_int_equal(qdot_result_column_count(out), 10);
  assert_null(qdot_result_column_at(out, 10));
  qdot_context_close(cx);
}

// The certificate of a run that is compared with a sharper one.
static const char *verified(const char *text, int event_rows) {
  static char said[20000];
  qdot_context *cx = qdot_context_open(NULL);
  qdot_model *model;
  qdot_result *out;
  qdot_run_options o = qdot_run_defaults();
  o.verify = 1;
  o.event_rows = event_rows;
  o.folder = strcpy(folder, "/tmp/qdot-simulate-XXXXXX");
  assert_non_null(mkdtemp(folder));
  assert_int_equal(qdot_model_parse(cx, "x", text, strlen(text), NULL, &model), QDOT_OK);
  assert_int_equal(qdot_model_simulate(model, &o, &out), QDOT_OK);
  memset(said, 0, sizeof said);
  FILE *memory = fmemopen(said, sizeof said, "w");
  qdot_write_options style = qdot_write_defaults();
  style.ascii = 1;
  assert_int_equal(qdot_result_write(out, &style, qdot_sink_stream(memory)), QDOT_OK);
  fclose(memory);
  qdot_context_close(cx);
  remove(path_of("results.csv"));
  remove(path_of("motion.bin"));
  remove(path_of("summary.json"));
  remove(path_of("model.qdot"));
  assert_int_equal(rmdir(folder), 0);
  return said;
}

// A step that keeps the energy and loses the phase is found out; rows at events do not disturb.
static void test_verified(void **state) {
  (void)state;
  const char *said = verified("param m = 1, k = 4\ncoord x = 1\nkinetic = 1/2*m*x'^2\n"
                              "potential = 1/2*k*x^2\n"
                              "simulate to 40 every 0.1 using variational(step = 0.1)\n",
                              0);
  assert_non_null(
      strstr(said, "the result does not meet its tolerance: it differs by 2.5e-01 from"));
  static const char ball[] = "param m = 1, g = 9.81\ncoord y = 1\nkinetic = 1/2*m*y'^2\n"
                             "potential = m*g*y\ncontact floor: y >= 0 restitution 0.8\n"
                             "simulate to 2 every 0.1\n";
  for (int event_rows = 0; event_rows < 2; event_rows++) {
    const char *at = strstr(verified(ball, event_rows), "differs by ");
    assert_non_null(at);
    assert_true(strtod(at + strlen("differs by "), NULL) < 1e-10);
  }
}

// Of an example that touches something: with rows at events the same things happen at the same
// times, every row of the grid is there, and times never go back.
static void compare_with_event_rows(Context *cx, const char *path) {
  const char *text = example_text(cx, path);
  if (!strstr(text, "\ncontact ")) return;
  qdot_context *own[2];
  qdot_result *results[2];
  for (int event_rows = 0; event_rows < 2; event_rows++) {
    qdot_model *model;
    qdot_run_options o = qdot_run_defaults();
    o.memory = (size_t)1 << 28;
    o.event_rows = event_rows;
    own[event_rows] = qdot_context_open(NULL);
    assert_int_equal(qdot_model_parse(own[event_rows], path, text, strlen(text), NULL, &model),
                     QDOT_OK);
    assert_int_equal(qdot_model_simulate(model, &o, &results[event_rows]), QDOT_OK);
  }
  size_t events = qdot_result_event_count(results[0]), plain, more;
  assert_int_equal(qdot_result_event_count(results[1]), events);
  for (size_t i = 0; i < events; i++) {
    const qdot_event *a = qdot_result_event_at(results[0], i);
    const qdot_event *b = qdot_result_event_at(results[1], i);
    CHECK_NEAR(a->t, b->t, 1e-7);
    assert_int_equal(a->kind, b->kind);
  }
  const double *t = qdot_result_values(results[0], 0, &plain);
  const double *with = qdot_result_values(results[1], 0, &more);
  assert_true(more >= plain && more <= plain + 2 * events + 60);
  for (size_t i = 0, k = 0; i < plain; i++, k++) {
    while (k < more && with[k] != t[i]) {
      assert_true(k == 0 || with[k] >= with[k - 1]);
      k++;
    }
    assert_true(k < more);
  }
  for (int i = 0; i < 2; i++) qdot_context_close(own[i]);
}

static void test_event_rows(void **state) {
  (void)state;
  with_every_example(compare_with_event_rows);
}

// ---- The motion between the rows

static long motion_size(void) {
  struct stat file;
  return stat(path_of("motion.bin"), &file) == 0 ? (long)file.st_size : -1;
}

static bool is_left_out(double t_end, int motion) {
  static const char text[] = "model \"Fast\"\ncoord x = 1 [mm]\nkinetic = (1 [kg])*x'^2/2\n"
                             "potential = (1e6 [N/m])*x^2/2\nsimulate to 9 [s] every 1 [s]\n";
  qdot_context *cx = qdot_context_open(NULL);
  qdot_model *model;
  qdot_result *out = NULL;
  qdot_run_options o = qdot_run_defaults();
  o.folder = folder, o.t_end = t_end, o.motion = motion;
  assert_int_equal(qdot_model_parse(cx, "fast.qdot", text, sizeof text - 1, NULL, &model), QDOT_OK);
  assert_int_equal(qdot_model_simulate(model, &o, &out), QDOT_OK);
  char json[20000] = "";
  FILE *memory = fmemopen(json, sizeof json, "w");
  qdot_write_options style = qdot_write_defaults();
  style.format = QDOT_FORMAT_JSON;
  assert_int_equal(qdot_result_write(out, &style, qdot_sink_stream(memory)), QDOT_OK);
  fclose(memory);
  qdot_context_close(cx);
  return strstr(json, "\"motion_left_out\": true") != NULL;
}

// What is larger than 10 MB is left out and told; all of it and none of it are as asked for.
static void test_bounded_motion(void **state) {
  (void)state;
  enum { MOST = 10000000 };
  Random random = random_start("test_bounded_motion");
  int left_out = 0, rounds = 4;
  for (int i = 0; i < rounds; i++) {
    double t_end = random_real(&random, i % 2 ? 1 : 14, i % 2 ? 6 : 18);
    assert_false(is_left_out(t_end, QDOT_MOTION_FULL));
    long full = motion_size();
    assert_true(full > 0);
    assert_int_equal(is_left_out(t_end, QDOT_MOTION_BOUNDED), full > MOST);
    assert_int_equal(motion_size(), full > MOST ? -1 : full);
    left_out += full > MOST;
    assert_false(is_left_out(t_end, QDOT_MOTION_NONE));
    assert_int_equal(motion_size(), -1);
  }
  assert_in_range(left_out, 1, rounds - 1);
}

RUN_TESTS(cmocka_unit_test(test_same_bytes), cmocka_unit_test(test_event_rows),
          cmocka_unit_test(test_verified), cmocka_unit_test(test_rows_without_files),
          cmocka_unit_test(test_bounded_motion))
