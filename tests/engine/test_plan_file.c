// Plans as bytes: what is read is what was written, and bytes that somebody has changed are refused
// or harmless.
#include <glob.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "engine/run/run_whole.h"
#include "sim/plan_source.h"
#include "support/examples.h"
#include "support/motion.h"

enum { HEAD = 32 };

static PlanBytes bytes_of(Motion *motion) {
  PlanSource *source = plan_source_of(&motion->system, BACKEND_INTERP);
  StoredPlan stored;
  plan_fill_follow(source);
  plan_source_store(source, &motion->options, &stored);
  return plan_write(&motion->cx->keep, &stored);
}

// As who forges a plan would: the sum is right.
static void put_sum(unsigned char *bytes, size_t n) {
  uint64_t sum = UINT64_C(0xcbf29ce484222325);
  for (size_t i = HEAD; i < n; i++) sum = (sum ^ bytes[i]) * UINT64_C(0x100000001b3);
  for (int i = 0; i < 8; i++) {
    bytes[16 + i] = (unsigned char)((uint64_t)(n - HEAD) >> (8 * i));
    bytes[24 + i] = (unsigned char)(sum >> (8 * i));
  }
}

static Status read_bytes(Context *cx, Arena *arena, PlanBytes bytes, const StoredPlan **out) {
  return plan_read(cx, arena, "forged.plan", bytes.at, bytes.n, out);
}

// Evaluates all programs with all contacts open, at a state of ones.
static void evaluate(Context *cx, Arena *arena, const StoredPlan *stored) {
  Programs *programs = stored_programs(cx, arena, stored, BACKEND_INTERP);
  Equations *e = programs_for(programs, stored->sets[0].closed);
  double *in = arena_array(arena, double, e->layout.count);
  for (uint32_t i = 0; i < e->layout.count; i++) in[i] = 1;
  for (int part = 0; part < EQUATION_PARTS; part++) {
    const Compiled *compiled = equations_part(e, (EquationPart)part);
    if (!compiled) continue;
    double *work = arena_array(arena, double, compiled->work_size + 1);
    double *out = arena_array(arena, double, compiled->program->output_count + 1);
    compiled_prepare(compiled, in, work);
    compiled_run(compiled, in, out, work);
  }
  programs_close(programs);
}

static void reads_back(Context *cx, const char *path) {
  Motion motion = motion_load_file(cx, path, NULL);
  PlanBytes bytes = bytes_of(&motion), again;
  const StoredPlan *stored;
  assert_int_equal(read_bytes(cx, &cx->keep, bytes, &stored), QDOT_OK);
  again = plan_write(&cx->keep, stored);
  assert_int_equal(bytes.n, again.n);
  assert_memory_equal(bytes.at, again.at, bytes.n);
  evaluate(cx, &cx->keep, stored);
}

TEST(plans_of_all_examples_read_back) {
  (void)cx;
  with_every_example(reads_back);
}

// ---- Running what was read

typedef struct Rows {
  Context *cx;
  VEC(double) values;
} Rows;

static Status keep_row(void *user, const double *values, uint32_t n) {
  Rows *rows = user;
  for (uint32_t i = 0; i < n; i++) vec_push(&rows->cx->keep, &rows->values, values[i]);
  return QDOT_OK;
}

// What a run by the symbols has given.
static struct {
  Motion motion;
  PlanBytes bytes;
} known;

static void run_alike(Context *other);

static void runs_alike(Context *cx, const char *path) {
  Motion motion = motion_load_file(cx, path, NULL);
  if (!motion.system.model->requests.simulate.is_given) return;
  motion.options.backend = BACKEND_INTERP;
  PlanBytes bytes = bytes_of(&motion);
  motion_run(&motion);
  known.motion = motion, known.bytes = bytes;
  with_context(run_alike);
}

static void run_alike(Context *other) {
  const Motion motion = known.motion;
  Arena arena;
  arena_open(&arena, &other->memory, &other->guard);
  const StoredPlan *stored;
  assert_int_equal(read_bytes(other, &arena, known.bytes, &stored), QDOT_OK);
  Programs *programs = stored_programs(other, &arena, stored, BACKEND_INTERP);
  SimOptions options = {.t_end = stored->run.t_end,
                        .every = stored->run.every,
                        .method = stored->run.method,
                        .has_step = stored->run.has_step,
                        .backend = BACKEND_INTERP};
  Rows rows = {.cx = other};
  RowSink sink = {.user = &rows, .row = keep_row};
  SimSummary summary;
  assert_int_equal(run_plan(programs, &options, &sink, &summary, false), motion.status);
  assert_int_equal(rows.values.n, motion.values.n);
  assert_memory_equal(rows.values.at, motion.values.at, rows.values.n * sizeof(double));
  assert_int_equal(summary.steps, motion.summary.steps);
  assert_int_equal(summary.events.n, motion.summary.events.n);
  for (uint32_t i = 0; i < stored->plan.measures.measure_count; i++)
    assert_memory_equal(&summary.measures[i], &motion.summary.measures[i], sizeof(double));
  programs_close(programs);
  arena_close(&arena);
}

// To the last bit, in a context that has never seen the model.
TEST(plans_run_as_their_models) {
  (void)cx;
  with_every_example(runs_alike);
}

static const char *const names[] = {"woodpecker", "four_bar", "toggle_press", "crank_rocker",
                                    "van_der_pol"};

static char *path_of(Context *cx, const char *name) {
  return text_format(&cx->keep, "%s/examples/%s.qdot", getenv("QDOT_ROOT"), name);
}

// Where a plan is cut off, or a byte of it is another one, it is refused; a sum that has been put
// right does not help who changes counts and places.
TEST(forged_plans_are_refused_or_harmless) {
  Random random = random_start("forged plans");
  uint32_t accepted = 0, refused = 0;
  for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
    Motion motion = motion_load_file(cx, path_of(cx, names[k]), NULL);
    PlanBytes bytes = bytes_of(&motion);
    for (int round = 0; round < test_rounds(60); round++) {
      Mark mark = arena_mark(&cx->scratch);
      Diagnostics before = diag_mark(cx);
      unsigned char *forged = (unsigned char *)arena_copy(&cx->scratch, bytes.at, bytes.n);
      size_t n = round % 4 ? bytes.n : (size_t)random_below(&random, (int)bytes.n);
      int changes = round % 4 ? 1 + random_below(&random, 4) : 0;
      for (int i = 0; i < changes; i++) {
        size_t at = HEAD + (size_t)random_below(&random, (int)(bytes.n - HEAD));
        forged[at] = (unsigned char)random_below(&random, 256);
      }
      if (n >= HEAD && round % 8) put_sum(forged, n);
      const StoredPlan *stored;
      Arena arena;
      arena_open(&arena, &cx->memory, &cx->guard);
      Status status = read_bytes(cx, &arena, (PlanBytes){forged, n}, &stored);
      assert_true(status == QDOT_OK || status == QDOT_BAD_FILE);
      assert_true(n == bytes.n || status == QDOT_BAD_FILE);
      if (status == QDOT_OK) evaluate(cx, &arena, stored);
      *(status == QDOT_OK ? &accepted : &refused) += 1;
      arena_close(&arena);
      arena_release(&cx->scratch, mark);
      diag_rollback(cx, before);
    }
  }
  assert_true(refused > accepted / 10 && refused > 10);
}

// The same file on another version of the program, or another file.
TEST(other_files_are_named) {
  Motion motion = motion_load_file(cx, path_of(cx, "four_bar"), NULL);
  PlanBytes bytes = bytes_of(&motion);
  unsigned char *other = (unsigned char *)arena_copy(&cx->keep, bytes.at, bytes.n);
  const StoredPlan *stored;
  other[12] ^= 1;
  assert_int_equal(read_bytes(cx, &cx->keep, (PlanBytes){other, bytes.n}, &stored), QDOT_BAD_FILE);
  assert_non_null(strstr(cx->diagnostics.list.at[0].message, "another version"));
  other[0] = 'q';
  assert_int_equal(read_bytes(cx, &cx->keep, (PlanBytes){other, bytes.n}, &stored), QDOT_BAD_FILE);
  assert_non_null(strstr(cx->diagnostics.list.at[1].message, "is no plan"));
}

RUN_TESTS(cmocka_unit_test(plans_of_all_examples_read_back),
          cmocka_unit_test(plans_run_as_their_models),
          cmocka_unit_test(forged_plans_are_refused_or_harmless),
          cmocka_unit_test(other_files_are_named))
