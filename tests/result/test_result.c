// Results: in memory, in a folder, and the motion between their rows.
#include "result/result.h"

#include <math.h>
#include <string.h>

#include "derive/system.h"
#include "lang/read.h"
#include "qdot/qdot.h"
#include "result/recorder.h"
#include "support/check.h"
#include "support/recordings.h"

static const char text[] = "param g = 9.81 [m/s^2], m = 1 [kg]\ncoord y = 1 [m], x = 0 [m]\n"
                           "coord x' = 3 [m/s]\nkinetic = 1/2*m*(y'^2 + x'^2)\n"
                           "potential = m*g*y + 1/2*(40 [N/m])*x^2\n"
                           "contact floor: y >= 0 restitution 0.6\n"
                           "simulate to 1.5 [s] every 0.4 [s]\n"
                           "measure landed = first(t, y <= 0), high = first(t, y > 2 [m])\n";

static Model *read_text(Context *cx, const char *of) {
  Model *model = NULL;
  assert_int_equal(model_read(cx, "ball.qdot", of, strlen(of), NULL, &model), QDOT_OK);
  return model;
}

static Model *read_model(Context *cx) { return read_text(cx, text); }

// A run whose result may have so many bytes in memory.
static Result *run(Context *cx, Model *model, const char *folder, size_t memory) {
  System *system;
  assert_int_equal(model_system(model, DERIVE_BASIC, &system), QDOT_OK);
  Result *result = result_new(cx, model);
  result->folder = folder;
  Columns columns = sim_columns(cx, system);
  const char **names = arena_array(&cx->keep, const char *, columns.n);
  for (uint32_t i = 0; i < columns.n; i++) names[i] = columns.at[i].name;
  result->columns = names, result->column_count = columns.n;
  SimOptions options;
  assert_int_equal(sim_options(cx, model, &options), QDOT_OK);
  Recorder recorder;
  RecorderOptions how = {.memory = memory};
  assert_int_equal(recorder_open(&recorder, result, &how), QDOT_OK);
  RowSink sink = recorder_sink(&recorder);
  assert_int_equal(sim_run(cx, system, &options, &sink, &result->summary), QDOT_OK);
  assert_int_equal(recorder_finish(&recorder), QDOT_OK);
  if (folder) assert_int_equal(result_store(result, origin_of_system(system)), QDOT_OK);
  return result;
}

static uint32_t check_equal_rows(const RowSource *a, const RowSource *b, uint32_t n) {
  uint32_t count = 0;
  a->rewind(a->user), b->rewind(b->user);
  for (const double *row; (row = a->next(a->user)); count++) {
    const double *other = b->next(b->user);
    assert_non_null(other);
    assert_memory_equal(row, other, n * sizeof *row);
  }
  assert_null(b->next(b->user));
  return count;
}

TEST(memory_and_files_hold_the_same) {
  const char *folder = scratch_folder(cx, "result");
  Model *model = read_model(cx);
  Result *live = run(cx, model, folder, (size_t)1 << 24), *stored;
  assert_int_equal(result_load(cx, folder, model, &stored), QDOT_OK);
  assert_int_equal(check_equal_rows(&live->rows, &stored->rows, live->column_count), 5);
  uint32_t points = check_equal_rows(&live->motion, &stored->motion, live->column_count);
  assert_true(points >= 2000);
  assert_int_equal(stored->summary.events.n, live->summary.events.n);
  for (uint32_t i = 0; i < live->summary.events.n; i++)
    assert_memory_equal(&stored->summary.events.at[i], &live->summary.events.at[i],
                        sizeof(SimEvent));
  for (uint32_t i = 1; i < live->column_count; i++)
    assert_memory_equal(&stored->summary.extremes[i], &live->summary.extremes[i], sizeof(Extremes));
  // what does not fit into memory comes from the files
  Result *small = run(cx, model, folder, 1000);
  assert_true(small->memory.is_full);
  assert_int_equal(check_equal_rows(&live->rows, &small->rows, live->column_count), 5);
  assert_int_equal(check_equal_rows(&live->motion, &small->motion, live->column_count), points);
  result_close(small), result_close(stored), result_close(live);
  remove_folder(folder);
}

// Every kind of event comes back from a folder as it was.
TEST(stored_events) {
  static const char *const texts[] = {
      // a drive that jumps drops what lies on it; it bounces, comes to rest and is released again
      "param g = 9.81 [m/s^2], m = 1 [kg]\ncoord y = 0.1 [m], z ~ 0 [m]\n"
      "kinetic = 1/2*m*(y'^2 + z'^2)\npotential = m*g*y\n"
      "constraint table: z' = if(t < 1 [s], 0 [m/s], -2 [m/s])\n"
      "contact floor: y >= z restitution 0.3\nforce y = if(t < 2 [s], 0 [N], 20 [N])\n"
      "simulate to 3 [s] every 0.1 [s]\n",
      // a given motion that jumps, without a constraint
      "param m = 1 [kg]\nlet z = max(0, (2 [m/s])*(t - 0.3 [s]))\ncoord a = 0 [m], y = 0 [m]\n"
      "kinetic = 1/2*m*(y' + z')^2 + 1/2*m*a'^2\nsimulate to 1 [s] every 0.1 [s]\n",
      // friction along a line and in a plane
      "param m = 1 [kg], F = 3 [N]\ncoord x = 0 [m], y = 0 [m], s = 0 [m]\ncoord y' = 1 [m/s]\n"
      "kinetic = 1/2*m*(x'^2 + y'^2 + s'^2)\ndissipation = F*norm((x', y')) + F*abs(s')\n"
      "force y = if(t < 1 [s], 0 [N], 5 [N])\nforce s = 6 [N]*sin(4 [rad/s]*t)\n"
      "simulate to 2 [s] every 0.1 [s]\n",
      // events of the model's own
      "coord x = 0 [m], x' = 1 [m/s]\nkinetic = 1/2*(1 [kg])*x'^2\nmemory n = 0\n"
      "when x = 0.5 [m]: n = 1\nstop when x > 0.8 [m] and n > 0.5\nforce x = n*(1 [N])\n"
      "simulate to 2 [s] every 0.1 [s]\n"};
  bool seen[SIM_EVENT_KINDS] = {false};
  for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
    const char *folder = scratch_folder(cx, "events");
    Model *model = read_text(cx, texts[k]);
    Result *live = run(cx, model, folder, (size_t)1 << 24), *stored;
    assert_int_equal(result_load(cx, folder, model, &stored), QDOT_OK);
    assert_true(live->summary.events.n > 0);
    assert_int_equal(stored->summary.events.n, live->summary.events.n);
    for (uint32_t i = 0; i < live->summary.events.n; i++) {
      const SimEvent *a = &live->summary.events.at[i], *b = &stored->summary.events.at[i];
      assert_true(a->t == b->t && a->kind == b->kind && a->number == b->number);
      assert_true(a->before == b->before && a->after == b->after && a->closes == b->closes);
      seen[a->kind] = true;
    }
    result_close(stored), result_close(live);
    remove_folder(folder);
  }
  for (int kind = 0; kind < SIM_EVENT_KINDS; kind++) assert_true(seen[kind]);
}

// Where the ball strikes, its speed has two values at one time; in between nothing jumps.
TEST(motion_is_dense_and_jumps_at_events) {
  Model *model = read_model(cx);
  Result *r = run(cx, model, NULL, (size_t)1 << 24);
  int speed = result_column(r, "y'"), height = result_column(r, "y");
  double t = 0, v = 0, lowest = 1;
  uint32_t jumps = 0;
  r->motion.rewind(r->motion.user);
  for (const double *row; (row = r->motion.next(r->motion.user));) {
    assert_true(row[0] >= t && row[0] - t <= 1.5 / 2000 * 1.0001);
    if (row[0] == t && row[0] > 0) {
      jumps++;
      assert_true(row[speed] > 0 && v < 0);
      CHECK_NEAR(row[speed], -0.6 * v, 1e-9);
    } else {
      CHECK_NEAR(row[speed], v - 9.81 * (row[0] - t), row[0] > 0 ? 1e-8 : 1e9);
    }
    t = row[0], v = row[speed], lowest = fmin(lowest, row[height]);
  }
  assert_int_equal(jumps, r->summary.events.n);
  assert_true(jumps >= 2 && lowest > -1e-9);
  CHECK_NEAR(t, 1.5, 0);
  result_close(r);
}

TEST(files_that_are_not_the_motion) {
  const char *folder = scratch_folder(cx, "motion");
  Model *model = read_model(cx);
  result_close(run(cx, model, folder, 0));
  const char *path = text_format(&cx->keep, "%s/motion.bin", folder);
  FILE *file = fopen(path, "rb");
  static unsigned char bytes[1 << 20];
  size_t n = fread(bytes, 1, sizeof bytes, file);
  fclose(file);
  assert_true(n > 1000 && n < sizeof bytes);
  static const struct {
    size_t at;
    unsigned char value;
  } wrong[] = {{0, 'x'}, {8, 2}, {12, 1}, {16, 9}, {20, 3}};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong + 1; i++) {
    bool shorter = i == sizeof wrong / sizeof *wrong;
    unsigned char right = shorter ? 0 : bytes[wrong[i].at];
    if (!shorter) bytes[wrong[i].at] = wrong[i].value;
    file = fopen(path, "wb");
    assert_int_equal(fwrite(bytes, 1, n - shorter, file), n - shorter);
    fclose(file);
    if (!shorter) bytes[wrong[i].at] = right;
    Result *r;
    Status status = result_load(cx, folder, model, &r);
    if (status == QDOT_OK) {
      r->motion.rewind(r->motion.user);
      while (r->motion.next(r->motion.user)) continue;
      status = rows_status(&r->motion);
      result_close(r);
    }
    assert_int_equal(status, QDOT_BAD_FILE);
  }
  // a result of an earlier version has no such file
  remove(path);
  Result *r;
  assert_int_equal(result_load(cx, folder, model, &r), QDOT_OK);
  assert_ptr_equal(r->motion.user, r->rows.user);
  result_close(r);
  remove_folder(folder);
}

static void public_results_can_be_closed(void **state) {
  (void)state;
  qdot_context *cx = qdot_context_open(NULL);
  qdot_model *model;
  qdot_result *result;
  assert_int_equal(qdot_model_parse(cx, "ball.qdot", text, strlen(text), NULL, &model), QDOT_OK);
  for (int i = 0; i < 3; i++) {
    qdot_run_options how = qdot_run_defaults();
    how.memory = (size_t)1 << 20;
    assert_int_equal(qdot_model_simulate(model, &how, &result), QDOT_OK);
    assert_int_equal(qdot_result_stop(result), QDOT_STOP_NONE);
    assert_string_equal(qdot_result_column_at(result, 0), "t");
    size_t rows;
    const double *t = qdot_result_values(result, 0, &rows),
                 *y = qdot_result_values(result, 1, &rows);
    assert_int_equal(rows, 5);
    CHECK_NEAR(t[1], 0.4, 1e-15);
    CHECK_NEAR(y[1], 1 - 9.81 / 2 * 0.16, 1e-12);
    assert_null(qdot_result_values(result, 99, &rows));
    CHECK_NEAR(qdot_result_extremes_at(result, 1)->least, 0, 1e-9);
    assert_null(qdot_result_extremes_at(result, 99));
    assert_int_equal(qdot_result_measure_count(result), 2);
    const qdot_measure *landed = qdot_result_measure_at(result, 0);
    assert_string_equal(landed->name, "landed");
    assert_string_equal(landed->unit, "s");
    CHECK_NEAR(landed->value, sqrt(2 / 9.81), 1e-9);
    assert_true(isnan(qdot_result_measure_at(result, 1)->value));
    assert_null(qdot_result_measure_at(result, 2));
    assert_int_equal(qdot_result_event_count(result), 3);
    const qdot_event *strike = qdot_result_event_at(result, 0);
    assert_string_equal(strike->name, "floor");
    assert_int_equal(strike->kind, QDOT_EVENT_IMPACT);
    CHECK_NEAR(strike->t, sqrt(2 / 9.81), 1e-9);
    CHECK_NEAR(strike->before, sqrt(2 * 9.81), 1e-8);
    assert_null(qdot_result_event_at(result, 3));
    // pictures are files: without a folder they are refused with a word
    assert_int_equal(qdot_result_plot(result, NULL), QDOT_BAD_ARGUMENT);
    assert_int_equal(qdot_result_animate(result, NULL), QDOT_BAD_ARGUMENT);
    assert_int_equal(qdot_result_report(result, NULL), QDOT_BAD_ARGUMENT);
    assert_non_null(strstr(qdot_diagnostic_at(cx, 0)->text, "is in memory only"));
    qdot_diagnostics_clear(cx);
    qdot_result_close(result);
  }
  qdot_context_close(cx);
}

RUN_TESTS(cmocka_unit_test(memory_and_files_hold_the_same), cmocka_unit_test(stored_events),
          cmocka_unit_test(motion_is_dense_and_jumps_at_events),
          cmocka_unit_test(files_that_are_not_the_motion),
          cmocka_unit_test(public_results_can_be_closed))
