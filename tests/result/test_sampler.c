// Expressions on rows: what pictures show is what the run has written.
#include "result/sampler.h"

#include <math.h>
#include <string.h>

#include "derive/formulate.h"
#include "derive/system.h"
#include "expr/build.h"
#include "support/check.h"
#include "support/examples.h"
#include "support/recordings.h"

typedef struct Read {
  Signal asked;
  int column;     // with the same value, from the run
  int and_column; // that is added to it, or -1
  const char *name;
} Read;
typedef VEC(Read) Reads;

// Every signal on every row against its column; of the motion, both sides of every jump.
static void check_rows(Context *cx, const Result *result, const RowSource *rows, const Reads *reads,
                       double tolerance) {
  Signal *signals = arena_array(&cx->keep, Signal, reads->n + 1);
  double *values = arena_array(&cx->keep, double, reads->n + 1);
  double *size = arena_array(&cx->keep, double, result->column_count);
  for (uint32_t i = 0; i < reads->n; i++) signals[i] = reads->at[i].asked;
  Sampler sampler;
  sampler_open(&sampler, cx, result, signals, reads->n);
  rows->rewind(rows->user);
  for (const double *row; (row = rows->next(rows->user));) {
    sampler_read(&sampler, row, values);
    for (uint32_t i = 0; i < result->column_count; i++)
      if (isfinite(row[i])) size[i] = fmax(size[i], fabs(row[i]));
    for (uint32_t i = 0; i < reads->n; i++) {
      const Read *read = &reads->at[i];
      double wanted = row[read->column] + (read->and_column < 0 ? 0 : row[read->and_column]);
      double scale = size[read->column] + (read->and_column < 0 ? 0 : size[read->and_column]);
      if (!isfinite(wanted) || fabs(values[i] - wanted) <= tolerance * scale) continue;
      fail_msg("%s at %.17g: shown %.17g, computed %.17g", read->name, row[0], values[i], wanted);
    }
  }
  sampler_close(&sampler);
}

static void add_read(Context *cx, const Result *result, Reads *reads, Expr value, Symbol name) {
  const char *text = symbol_text(cx, name);
  Read read = {signal_from_expr(value), result_column(result, text), -1, text};
  assert_true(read.column >= 0);
  vec_push(&cx->keep, reads, read);
}

// The same with something else, so that it is not found as a whole.
static void add_hidden_read(Context *cx, const Result *result, Reads *reads) {
  Read read = reads->at[reads->n - 1];
  const Coordinate *c = &result->model->coordinates.at[0];
  read.asked.value = expr_add(cx, read.asked.value, c->q);
  read.and_column = result_column(result, symbol_text(cx, c->name));
  vec_push(&cx->keep, reads, read);
}

static Reads reads_of(Context *cx, const Result *result, bool hidden) {
  const Model *model = result->model;
  Reads reads = {0};
  for (uint32_t i = 0; i < model->outputs.n + model->members.n; i++) {
    const Output *o =
        i < model->outputs.n ? &model->outputs.at[i] : &model->members.at[i - model->outputs.n];
    add_read(cx, result, &reads, o->value, o->name);
    if (hidden) add_hidden_read(cx, result, &reads);
  }
  return reads;
}

// ---- What samples and events assign

// A mass with a sampled controller, a relay, or both; some of it written out, some not.
static const char *random_model(Context *cx, Random *random) {
  Text t = text_new(&cx->keep);
  text_addf(&t,
            "param m = %.3g [kg], k = %.3g [N/m], F = %.3g [N], T = %.3g [ms]\n"
            "coord x = %.3g [m], x' = 0.3 [m/s]\ninput u = %.3g [N]\nmemory e = 0.2 [m]\n"
            "memory s = -1\nkinetic = 1/2*m*x'^2\npotential = 1/2*k*x^2\nforce x = u + s*F\n",
            random_real(random, 0.5, 2), random_real(random, 0, 20), random_real(random, 0.5, 2),
            random_real(random, 3, 40), random_real(random, -0.05, 0.05),
            random_real(random, -1, 1));
  int kind = random_below(random, 3);
  if (kind != 0)
    text_addf(&t,
              "sample every T%s: u = (3 [N])*cos(t/(50 [ms])) - (2 [N/m])*e, e = x - e/2\n"
              "limit u in -2..2 [N]\n",
              random_below(random, 2) ? " delay T/3" : "");
  if (kind != 1) text_add(&t, "when x >= 0.02 [m]: s = -1\nwhen x <= -0.02 [m]: s = 1\n");
  static const char *const outputs[] = {"output u\n", "output command = u\n",
                                        "output both = 3*u + s*F\n", "output e, s\n",
                                        "output whole = u*x/(1 [m]) + k*e\n"};
  for (size_t i = 0; i < sizeof outputs / sizeof *outputs; i++)
    if (random_below(random, 2)) text_add(&t, outputs[i]);
  text_add(&t, "simulate to 0.5 [s] every 7 [ms]\n");
  return t.at;
}

static Random *of_round;

static void check_one(Context *cx) {
  const char *text = random_model(cx, of_round);
  Result *result = recording_of_run(cx, "held.qdot", text, INFINITY);
  Reads reads = reads_of(cx, result, true);
  // nothing is lost, whether a line asks for it or not
  const Model *model = result->model;
  for (uint32_t i = 0; i < model->inputs.n; i++) {
    bool shown = !model->inputs.at[i].is_assigned;
    for (uint32_t k = 0; k < reads.n; k++)
      shown = shown || reads.at[k].asked.value == model->inputs.at[i].symbol;
    if (!shown) fail_msg("%s has no column:\n%s", model->inputs.at[i].description, text);
  }
  check_rows(cx, result, &result->rows, &reads, 1e-12);
  check_rows(cx, result, &result->motion, &reads, 1e-6);
}

TEST(what_samples_and_events_assign_is_shown_as_it_was_held) {
  Random random = random_start("what_samples_and_events_assign_is_shown_as_it_was_held");
  of_round = &random;
  for (int round = 0; round < test_rounds(60); round++) with_context(check_one);
}

// ---- What sticks

// A block on a spring that is pushed to and fro on ground or on a belt; its plots, or outputs of
// the same.
typedef struct Block {
  double m, k, F, w, N, v;
  int law;
  int written; // the plot that is an output, too
} Block;
enum { SHOWN = 4, RESIDUAL = SHOWN - 1, LAWS = 3 };

static const char *text_of(Context *cx, const Block *b, bool are_plots) {
  static const char *const frictions[LAWS] = {"-mu*N*sign(x')", "-mu*N*sign(x')",
                                              "-mu*N*sign(x' - v)"};
  const char *friction = frictions[b->law], *load = "F*sin(w*t) - k*x";
  Text t = text_new(&cx->keep);
  text_addf(&t,
            "param m = %.3g [kg], k = %.3g [N/m], F = %.3g [N], w = %.3g [rad/s], mu = 0.4\n"
            "param N = %.3g [N], v = %.3g [m/s]\ncoord x = 0 [m]\nkinetic = 1/2*m*x'^2\n",
            b->m, b->k, b->F, b->w, b->N, b->v);
  if (b->law == 1)
    text_addf(&t, "dissipation = mu*N*abs(x')\nforce x = %s\n", load);
  else
    text_addf(&t, "force x = %s + (%s)\n", load, friction);
  text_add(&t, "simulate to 3 [s] every 17 [ms]\n");
  const char *shown[SHOWN] = {friction, text_format(&cx->keep, "(%s) - F/10", friction),
                              text_format(&cx->keep, "3*x*(%s)^2", friction),
                              text_format(&cx->keep, "m*x'' - (%s) - (%s)", load, friction)};
  for (int i = 0; i < SHOWN; i++)
    if (are_plots)
      text_addf(&t, i == b->written ? "output whole = %s\nplot whole\n" : "plot %s\n", shown[i]);
    else
      text_addf(&t, "output shown_%d = %s\n", i, shown[i]);
  return t.at;
}

static uint32_t stuck_rows;

// The plots of one run, in other units, against the outputs of another, and against the balance of
// forces.
static void check_block(Context *cx) {
  Block block = {.m = random_real(of_round, 0.5, 2),
                 .k = random_real(of_round, 0, 20),
                 .F = random_real(of_round, 2, 9),
                 .w = random_real(of_round, 1, 5),
                 .N = random_real(of_round, 5, 12),
                 .v = random_real(of_round, -0.5, 0.5),
                 .law = random_below(of_round, LAWS),
                 .written = random_below(of_round, SHOWN + 1)};
  const char *text = text_of(cx, &block, true);
  Result *drawn = recording_of_run(cx, "drawn.qdot", text, INFINITY);
  Result *written = recording_of_run(cx, "written.qdot", text_of(cx, &block, false), INFINITY);
  Signal signals[SHOWN];
  for (int i = 0; i < SHOWN; i++) {
    Expr value = drawn->model->requests.plots.at[i].curves.at[0].value;
    signals[i] = signal_from_expr(expr_scale(cx, number_int(cx, 1000), value));
  }
  Sampler sampler;
  sampler_open(&sampler, cx, drawn, signals, SHOWN);
  int first = result_column(written, "shown_0"), speed = result_column(drawn, "x'");
  drawn->rows.rewind(drawn->rows.user);
  written->rows.rewind(written->rows.user);
  double last = NAN, size = block.F + block.N;
  for (const double *row, *other; (row = drawn->rows.next(drawn->rows.user));) {
    assert_non_null(other = written->rows.next(written->rows.user));
    double values[SHOWN];
    sampler_read(&sampler, row, values);
    for (int i = 0; i < SHOWN; i++)
      if (!(fabs(values[i] / 1000 - other[first + i]) <= 1e-7 * size))
        fail_msg("shown_%d at %g: %.17g, written %.17g:\n%s", i, row[0], values[i] / 1000,
                 other[first + i], text);
    if (!(fabs(values[RESIDUAL]) <= 1e-4 * size))
      fail_msg("at %g: a force of %g is missing:\n%s", row[0], values[RESIDUAL] / 1000, text);
    stuck_rows += row[speed] == last;
    last = row[speed];
  }
  sampler_close(&sampler);
}

// In a plane, with a load that it holds.
static void check_plane(Context *cx) {
  double F = random_real(of_round, 1, 3.5);
  bool is_loss = random_below(of_round, 2);
  const char *rubs = is_loss ? "" : " - R*x'/norm((x', y'))";
  const char *text = text_format(
      &cx->keep,
      "param m = 1 [kg], R = 4 [N], F = %.17g [N], w = 3 [rad/s]\ncoord x = 0 [m], y = 0 [m]\n"
      "kinetic = 1/2*m*(x'^2 + y'^2)\nforce x = F*sin(w*t)%s\n%s"
      "simulate to 0.5 [s] every 20 [ms]\nplot -R*x'/norm((x', y')) - F/10\n",
      F, rubs, is_loss ? "dissipation = R*norm((x', y'))\n" : "force y = -R*y'/norm((x', y'))\n");
  Result *result = recording_of_run(cx, "plane.qdot", text, INFINITY);
  Expr value = result->model->requests.plots.at[0].curves.at[0].value;
  Signal signal = signal_from_expr(expr_scale(cx, number_int(cx, 1000), value));
  Sampler sampler;
  sampler_open(&sampler, cx, result, &signal, 1);
  result->rows.rewind(result->rows.user);
  for (const double *row; (row = result->rows.next(result->rows.user));) {
    double shown;
    sampler_read(&sampler, row, &shown);
    CHECK_NEAR(shown / 1000, -F * sin(3 * row[0]) - F / 10, 1e-9);
  }
  sampler_close(&sampler);
}

TEST(friction_that_holds_in_a_plane_is_shown) {
  Random random = random_start("friction_that_holds_in_a_plane_is_shown");
  of_round = &random;
  for (int round = 0; round < test_rounds(10); round++) with_context(check_plane);
}

TEST(friction_that_sticks_is_shown_as_it_holds) {
  Random random = random_start("friction_that_sticks_is_shown_as_it_holds");
  of_round = &random;
  stuck_rows = 0;
  int rounds = test_rounds(60);
  for (int round = 0; round < rounds; round++) with_context(check_block);
  assert_true(stuck_rows > 5 * (uint32_t)rounds);
}

// ---- Numbers under names

// Readers see m_rod and gravity.g where the run has numbers: both say the same.
TEST(named_numbers_of_a_mechanism_are_known) {
  const char *text = "gravity (0, -9.81 [m/s^2])\nbody rod: rod 0.4 [m], mass 2 [kg]\n"
                     "joint A: revolute ground (0, 0), rod (-0.2 [m], 0)\n"
                     "spring s: ground (0.5 [m], 0), rod (0.2 [m], 0), stiffness 30 [N/m], "
                     "length 0.1 [m]\nsimulate to 0.3 [s] every 10 [ms]\n";
  Result *result = recording_of_run(cx, "named.qdot", text, INFINITY);
  Model *model = (Model *)result->model;
  model->formulation = formulation_text(FORMULATION_LAGRANGE);
  Model *named = model_named(model);
  System *system;
  assert_int_equal(model_system(named, DERIVE_BASIC, &system), QDOT_OK);
  Signal signals[] = {signal_from_expr(system->energy), signal_from_column(result, "E_tot")};
  Sampler sampler;
  sampler_open(&sampler, cx, result, signals, 2);
  result->rows.rewind(result->rows.user);
  assert_true(named->parameters.n > result->model->parameters.n);
  for (const double *row; (row = result->rows.next(result->rows.user));) {
    double values[2];
    sampler_read(&sampler, row, values);
    CHECK_NEAR(values[0], values[1], 1e-9);
  }
  sampler_close(&sampler);
}

// ---- Examples

static void check_example(Context *cx, const char *path) {
  Result *result = recording_of_run(cx, path, example_text(cx, path), 0.3);
  Reads reads = reads_of(cx, result, false);
  check_rows(cx, result, &result->rows, &reads, 1e-9);
}

TEST(outputs_of_examples_are_shown_as_they_were_written) { with_every_example(check_example); }

RUN_TESTS(cmocka_unit_test(what_samples_and_events_assign_is_shown_as_it_was_held),
          cmocka_unit_test(friction_that_sticks_is_shown_as_it_holds),
          cmocka_unit_test(friction_that_holds_in_a_plane_is_shown),
          cmocka_unit_test(named_numbers_of_a_mechanism_are_known),
          cmocka_unit_test(outputs_of_examples_are_shown_as_they_were_written))
