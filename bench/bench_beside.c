// Qdot's side of the comparison with the tools in bench/peers, where no other measurement has it:
// from text to the first right-hand side, mass matrix and slopes, IFToMM's rows of four-bars,
// sensitivities, poured discs, many runs, start and size.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "hand.h"
#include "measure.h"
#include "sim/equation_maker.h"
#include "sim/sim.h"
#include "support/equation_values.h"
#include "text_model.h"

static const char TOOL[] = "Qdot";

// ---- Programs of a chain

typedef struct Programs {
  int n;
  Equations *equations;
  const Compiled *program;
  Arena *arena;
  double *in, *out, *work;
  int calls;
} Programs;

static void call_program(void *argument) {
  const Programs *p = argument;
  for (int i = 0; i < p->calls; i++) compiled_run(p->program, p->in, p->out, p->work);
}

static void put_state(const Programs *p) {
  for (int i = 0; i < p->n; i++) {
    p->in[p->equations->layout.q + (uint32_t)i] = 0.3 + 0.37 * i;
    p->in[p->equations->layout.qd + (uint32_t)i] = 0.1 * i - 1;
  }
}

static void choose_program(Programs *p, EquationPart part, Arena *arena) {
  p->program = equations_part(p->equations, part);
  p->out = arena_array(arena, double, p->program->program->output_count + 1);
  p->work = arena_array(arena, double, p->program->work_size + 1);
  compiled_prepare(p->program, p->in, p->work);
  put_state(p);
  p->calls = 1;
  call_program(p);
  p->calls = 2000 / p->n + 1;
}

// M_ij = A_ij cos(q_i - q_j)
static double mass_error(const Programs *p) {
  static HandChain chain;
  hand_chain_open(&chain, p->n);
  double worst = 0;
  const double *M = geometry_blocks(&p->equations->extents, p->out).M, *q;
  q = p->in + p->equations->layout.q;
  for (int i = 0; i < p->n; i++)
    for (int j = 0; j < p->n; j++) {
      double expected = chain.A[i][j] * cos(q[i] - q[j]);
      worst = fmax(worst, fabs(M[i * p->n + j] - expected) / (1 + fabs(expected)));
    }
  return worst;
}

// Columns of slopes by what stands from `place` in the input array on, against differences.
static double slope_error(Programs *p, const double *slopes, uint32_t columns, uint32_t place) {
  const Compiled *forward = &p->equations->parts[PART_FORWARD];
  Arena *arena = p->arena;
  double *work = arena_array(arena, double, forward->work_size + 1), worst = 0;
  double *side[2];
  for (int k = 0; k < 2; k++)
    side[k] = arena_array(arena, double, forward->program->output_count + 1);
  for (uint32_t j = 0; j < columns; j++) {
    double kept = p->in[place + j], h = 1e-6 * fmax(1, fabs(kept));
    for (int k = 0; k < 2; k++) {
      p->in[place + j] = kept + (k ? h : -h);
      compiled_prepare(forward, p->in, work);
      compiled_run(forward, p->in, side[k], work);
    }
    p->in[place + j] = kept;
    for (int i = 0; i < p->n; i++) {
      double expected = (side[1][i] - side[0][i]) / (2 * h);
      worst =
          fmax(worst, fabs(slopes[(uint32_t)i * columns + j] - expected) / (1 + fabs(expected)));
    }
  }
  return worst;
}

static double seconds_of(Programs *p) { return measure_work(call_program, p) / p->calls; }

static Status measure_programs(TextModel *model, void *argument) {
  Programs *p = argument;
  Context *cx = model->cx;
  p->arena = &cx->keep;
  char job[40], remark[80];
  p->equations = equations_open(cx, &model->system, NULL, 0, BACKEND_BEST, &cx->keep);
  p->in = arena_array(&cx->keep, double, p->equations->layout.count);
  equations_set_values(p->equations, text_model_values(model), p->in);
  choose_program(p, PART_GEOMETRY, &cx->keep);
  snprintf(job, sizeof job, "mass/%d", p->n);
  measure_row(TOOL, job, seconds_of(p), mass_error(p), "its program for M");
  if (p->n > 10) return QDOT_OK;
  choose_program(p, PART_STATE_SLOPES, &cx->keep);
  double error = slope_error(p, p->out, 2 * (uint32_t)p->n, p->equations->layout.q);
  measure_row(TOOL, "slopes/10", seconds_of(p), error, "by state; error against differences");
  choose_program(p, PART_PARAMETER_SLOPES, &cx->keep);
  uint32_t count = model->system.model->parameters.n;
  error = slope_error(p, p->out, count, p->equations->layout.parameters);
  snprintf(remark, sizeof remark, "by all %u parameters; error against differences", count);
  measure_row(TOOL, "parameters/10", seconds_of(p), error, remark);
  return QDOT_OK;
}

static bool programs(void) {
  bool fine = true;
  for (int n = 10; n <= 100; n *= 10) {
    Programs p = {.n = n};
    TextModel model;
    fine = text_model_open(&model, "bench/models/chain.qdot", n, measure_programs, &p) && fine;
    if (p.equations) equations_close(p.equations);
    text_model_close(&model);
  }
  return fine;
}

// ---- From text to the first right-hand side

static Status evaluate_once(TextModel *model, void *argument) {
  Programs *p = argument;
  Context *cx = model->cx;
  p->equations = equations_open(cx, &model->system, NULL, 0, BACKEND_BEST, &cx->keep);
  p->in = arena_array(&cx->keep, double, p->equations->layout.count);
  equations_set_values(p->equations, text_model_values(model), p->in);
  choose_program(p, PART_FORWARD, &cx->keep);
  return QDOT_OK;
}

static void read_and_evaluate(void *argument) {
  Programs p = {.n = *(const int *)argument};
  TextModel model;
  text_model_open(&model, "bench/models/chain.qdot", p.n, evaluate_once, &p);
  if (p.equations) equations_close(p.equations);
  text_model_close(&model);
}

static void first(void) {
  static int sizes[] = {2, 5, 10, 100};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    char job[40];
    snprintf(job, sizeof job, "first/%d", sizes[i]);
    measure_row(TOOL, job, measure_work(read_and_evaluate, &sizes[i]), NAN,
                "from its text: derived, and compiled to machine code");
  }
}

// ---- IFToMM's rows of four-bars

typedef struct Motion {
  TextModel *model;
  SimOptions options;
  SimSummary summary;
  double seconds, angle;
} Motion;

static Status keep_angle(void *user, const double *values, uint32_t count) {
  (void)count;
  ((Motion *)user)->angle = values[1];
  return QDOT_OK;
}

static void run_motion(void *argument) {
  Motion *m = argument;
  RowSink sink = {.user = m, .row = keep_angle};
  sim_run(m->model->cx, &m->model->system, &m->options, &sink, &m->summary);
}

static Status ten_seconds(TextModel *model, void *argument) {
  Motion *m = argument;
  m->model = model;
  Status status = sim_options(model->cx, model->system.model, &m->options);
  m->options.t_end = m->options.every = 10;
  m->options.method.rtol = m->options.method.atol = 1e-8;
  if (status == QDOT_OK) m->seconds = measure_work(run_motion, m);
  return status;
}

// All cranks turn alike: the row is one pendulum.
static void one_crank(const void *user, double t, const double *y, double *dy) {
  (void)t;
  double n = *(const double *)user;
  dy[0] = y[1];
  dy[1] = (5 - 9.81 * ((n + 1) / 2 + n) * cos(y[0])) / ((n + 1) / 3 + n);
}

static double row_angle(double n) {
  HandProblem problem = {2, one_crank, &n};
  double y[2] = {acos(0.0), 0}, t = 0, h = 1e-3;
  hand_integrate_to(&problem, y, &t, 10, &h, 1e-12);
  return y[0];
}

static bool rows_of_loops(void) {
  static const int sizes[] = {1, 10, 40};
  bool fine = true;
  for (int i = 0; i < 3; i++) {
    static Motion m;
    TextModel model;
    char job[40];
    bool good = text_model_open(&model, "bench/models/four_bars.qdot", sizes[i], ten_seconds, &m);
    text_model_close(&model);
    snprintf(job, sizeof job, "row/%d", sizes[i]);
    if (good) measure_row(TOOL, job, m.seconds, fabs(m.angle - row_angle(sizes[i])), "1e-8");
    fine = fine && good;
  }
  return fine;
}

// ---- Discs

enum { MANY = 3000 }; // contacts of a model that is run only once

static Status pour(TextModel *model, void *argument) {
  Motion *m = argument;
  m->model = model;
  Status status = sim_options(model->cx, model->system.model, &m->options);
  if (status != QDOT_OK) return status;
  if (model->system.contact_count < MANY) {
    m->seconds = measure_work(run_motion, m);
  } else {
    clock_t began = clock();
    run_motion(m);
    m->seconds = (double)(clock() - began) / CLOCKS_PER_SEC;
  }
  return status;
}

static void piles(void) {
  static const int rows[] = {6, 12, 25, 50};
  for (int i = 0; i < 4; i++) {
    static Motion m;
    TextModel model;
    char job[40], remark[160];
    bool good = text_model_open(&model, "bench/models/funnel.qdot", rows[i], pour, &m);
    unsigned contacts = good ? (unsigned)model.system.contact_count : 0;
    text_model_close(&model);
    snprintf(job, sizeof job, "pile/%d", 4 * rows[i]);
    snprintf(
        remark, sizeof remark,
        "steps of 1 ms; rigid, laws of contact met to %.0e; %u contacts, every pair is looked at",
        m.summary.complementarity, contacts);
    if (good) measure_row(TOOL, job, m.seconds, NAN, remark);
  }
}

// ---- Many runs, start, size

static CommandTime time_of(const char *command) {
  CommandTime time = {NAN, NAN, NAN};
  measure_command((const char *const[]){"sh", "-c", command, NULL}, 3, &time);
  return time;
}

static double size_of(const char *folder, const char *name) {
  char path[4200];
  struct stat about;
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return stat(path, &about) == 0 ? (double)about.st_size : 0;
}

static void commands(const char *build) {
  char command[5000];
  snprintf(
      command, sizeof command,
      "rm -rf %s/bench/many && exec %s/qdot sweep bench/models/swept_pendulum.qdot --shard 1/10 "
      "--rtol 1e-8 --atol 1e-8 --threads 2 --quiet --out %s/bench/many",
      build, build, build);
  measure_row(TOOL, "many", time_of(command).cpu, NAN,
              "rk853 at 1e-8, the whole command, a row every 10 ms looked at");
  snprintf(command, sizeof command, "exec %s/qdot --version", build);
  measure_row(TOOL, "start", time_of(command).least, NAN, "the command");
  measure_row(TOOL, "size", size_of(build, "qdot") + size_of(build, "libqdot.so"), NAN,
              "command and library, without the libraries of the system");
}

int main(int count, char **words) {
  bool fine = programs();
  first();
  fine = rows_of_loops() && fine;
  piles();
  commands(count > 1 ? words[1] : "build");
  measure_row("machine", "cycle", measure_cycle(), NAN, "");
  return fine ? 0 : 1;
}
