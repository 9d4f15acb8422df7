// Every example's accelerations at random states: machine code, interpreter, the C export, and a
// dense solve of the reference values of all terms.
#include <dlfcn.h>
#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "export/export.h"
#include "expr/eval.h"
#include "sim/machine.h"
#include "solve/kkt.h"
#include "support/motion.h"

typedef struct Example {
  Motion motion;
  Equations *jit, *interp;
  double *values; // by symbol
  void (*exported)(double t, const double *q, const double *qd, const double *u, double *qdd,
                   double *lambda);
} Example;

static glob_t found;

static const char *examples_folder(Context *cx) {
  const char *root = getenv("QDOT_ROOT");
  return text_format(&cx->keep, "%s/examples", root ? root : ".");
}

static void fill_values(Example *e) {
  Context *cx = e->motion.cx;
  const Model *model = e->motion.system.model;
  e->values = arena_array(&cx->keep, double, cx->exprs->symbols.n + 1);
  for (uint32_t i = 0; i < model->parameters.n; i++)
    e->values[symbol_variable(cx, model->parameters.at[i].symbol)] =
        expr_eval(cx, model->parameters.at[i].value, e->values);
  for (uint32_t i = 0; i < model->inputs.n; i++)
    e->values[symbol_variable(cx, model->inputs.at[i].symbol)] =
        expr_eval(cx, model->inputs.at[i].value, e->values);
}

static void run_forward(Example *e, Equations *equations, double *out) {
  Context *cx = e->motion.cx;
  const System *s = &e->motion.system;
  const Compiled *forward = &equations->parts[PART_FORWARD];
  Mark mark = arena_mark(&cx->scratch);
  double *in = arena_array(&cx->scratch, double, equations->layout.count);
  double *work = arena_array(&cx->scratch, double, forward->work_size + 1);
  equations_set_values(equations, e->values, in);
  in[equations->layout.t] = e->values[symbol_variable(cx, s->t)];
  for (uint32_t i = 0; i < s->n; i++) {
    in[equations->layout.q + i] = e->values[symbol_variable(cx, s->q[i])];
    in[equations->layout.qd + i] = e->values[symbol_variable(cx, s->qd[i])];
  }
  compiled_prepare(forward, in, work);
  compiled_run(forward, in, out, work);
  arena_release(&cx->scratch, mark);
}

// q'' and lambda in the order of the programs, from expressions and LAPACK.
static void run_reference(Example *e, double *qdd, double *lambda) {
  Context *cx = e->motion.cx;
  const System *s = &e->motion.system;
  const Equations *order = e->jit;
  uint32_t n = s->n, m = order->m;
  Mark mark = arena_mark(&cx->scratch);
  double *M = arena_array(&cx->scratch, double, n *n), *f = arena_array(&cx->scratch, double, n);
  double *Phi_q = arena_array(&cx->scratch, double, m *n + 1);
  double *gamma = arena_array(&cx->scratch, double, m + 1);
  expr_eval_many(cx, s->M, (size_t)n * n, e->values, M);
  for (uint32_t i = 0; i < n; i++)
    f[i] = expr_eval(cx, s->Q[i], e->values) - expr_eval(cx, s->h[i], e->values) -
           expr_eval(cx, s->D[i], e->values) - expr_eval(cx, s->G[i], e->values);
  for (uint32_t r = 0; r < m; r++) {
    expr_eval_many(cx, order->rows[r]->phi_q, n, e->values, Phi_q + (size_t)r * n);
    gamma[r] = expr_eval(cx, order->rows[r]->gamma, e->values);
  }
  Kkt kkt;
  kkt_open(&kkt, &cx->keep, (int)n, (int)m, false);
  assert_int_equal(kkt_factor(&kkt, M, Phi_q, (int)m), QDOT_OK);
  kkt_solve(&kkt, Phi_q, f, gamma, qdd, lambda);
  arena_release(&cx->scratch, mark);
}

static void set_random_state(Example *e, Random *random, const double *start) {
  Context *cx = e->motion.cx;
  const System *s = &e->motion.system;
  e->values[symbol_variable(cx, s->t)] = random_real(random, 0, 2);
  for (uint32_t i = 0; i < s->n; i++) {
    double at = start[i], range = 0.2 * fmax(1, fabs(at));
    e->values[symbol_variable(cx, s->q[i])] = at + random_real(random, -range, range);
    e->values[symbol_variable(cx, s->qd[i])] = random_real(random, -1, 1);
  }
}

static void compare(const Equations *order, const double *expected, const double *lambda,
                    const double *got, double tolerance) {
  double scale = 1;
  for (uint32_t i = 0; i < order->n; i++) scale = fmax(scale, fabs(expected[i]));
  for (uint32_t i = 0; i < order->n; i++)
    CHECK_NEAR(got[i] / scale, expected[i] / scale, tolerance);
  for (uint32_t r = 0; r < order->m; r++) scale = fmax(scale, fabs(lambda[r]));
  for (uint32_t r = 0; r < order->m; r++)
    CHECK_NEAR(got[order->n + r] / scale, lambda[r] / scale, tolerance);
}

static void compare_states(Example *e, Random *random) {
  Context *cx = e->motion.cx;
  const System *s = &e->motion.system;
  const Equations *order = e->jit;
  uint32_t outputs = order->parts[PART_FORWARD].program->output_count;
  double *jit = arena_array(&cx->keep, double, outputs);
  double *interp = arena_array(&cx->keep, double, outputs);
  double *exported = arena_array(&cx->keep, double, outputs), *forces = exported + s->n;
  double *qdd = arena_array(&cx->keep, double, s->n), *q = arena_array(&cx->keep, double, 2 * s->n);
  double *lambda = arena_array(&cx->keep, double, order->m + 1);
  double *u = arena_array(&cx->keep, double, s->model->inputs.n + 1);
  double *unordered = arena_array(&cx->keep, double, order->m + 1);
  const double *start = e->motion.values.at + 1; // the first row: t, q ...
  int compared = 0;
  for (int round = 0; round < 20; round++) {
    set_random_state(e, random, start);
    run_forward(e, e->jit, jit);
    run_forward(e, e->interp, interp);
    for (uint32_t i = 0; i < outputs; i++)
      if (!isnan(jit[i])) assert_memory_equal(&jit[i], &interp[i], sizeof *jit);
    // what is lost at the pivots is lost to the dense solve too
    if (!(jit[outputs - 1] < 1e3)) continue;
    run_reference(e, qdd, lambda);
    compare(order, qdd, lambda, jit, 1e-10);
    compared++;
    if (!e->exported) continue;
    for (uint32_t i = 0; i < s->n; i++) {
      q[i] = e->values[symbol_variable(cx, s->q[i])];
      q[s->n + i] = e->values[symbol_variable(cx, s->qd[i])];
    }
    for (uint32_t i = 0; i < s->model->inputs.n; i++)
      u[i] = e->values[symbol_variable(cx, s->model->inputs.at[i].symbol)];
    e->exported(e->values[symbol_variable(cx, s->t)], q, q + s->n, u, exported, unordered);
    for (uint32_t r = 0; r < order->m; r++) forces[r] = unordered[order->lambda[r]];
    compare(order, qdd, lambda, exported, 1e-10);
  }
  if (!compared) print_message("%s: no state is well conditioned\n", s->model->title);
}

// ---- the C export of all examples in one shared library

static void write_text(const char *folder, const char *name, const char *text) {
  char path[512];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fputs(text, file);
  fclose(file);
}

static void export_one(Context *cx, Motion *motion, const char *folder, size_t number) {
  ExportOptions options = export_defaults();
  ExportFiles files = {0};
  options.name = text_format(&cx->keep, "example_%zu", number);
  assert_int_equal(export_system(cx, &motion->system, EXPORT_C, &options, &cx->keep, &files),
                   QDOT_OK);
  write_text(folder, files.at[0].name, files.at[0].text);
  write_text(folder, files.at[1].name, files.at[1].text);
  write_text(
      folder, text_format(&cx->keep, "call_%zu.c", number),
      text_format(&cx->keep,
                  "#include \"%s.h\"\n"
                  "void call_%zu(double t, const double *q, const double *qd, const double *u,\n"
                  "  double *qdd, double *lambda);\n"
                  "void call_%zu(double t, const double *q, const double *qd, const double *u,\n"
                  "  double *qdd, double *lambda) {\n"
                  "  %s_parameters p = %s_defaults();\n"
                  "  %s_accelerations(&p, t, q, qd, u, qdd, lambda);\n}\n",
                  options.name, number, number, options.name, options.name, options.name));
}

static void *build_library(const char *folder) {
  char command[512];
  snprintf(command, sizeof command,
           "cd %s && cc -std=c99 -O0 -ffp-contract=off -Wall -Wextra -Wpedantic -Werror -shared "
           "-fPIC *.c -lm -o all.so",
           folder);
  if (system("command -v cc > /dev/null")) return NULL;
  assert_int_equal(system(command), 0);
  snprintf(command, sizeof command, "%s/all.so", folder);
  void *library = dlopen(command, RTLD_NOW);
  assert_non_null(library);
  return library;
}

static void load_example(Context *cx, size_t number, Example *e) {
  *e = (Example){.motion = motion_load_file(cx, found.gl_pathv[number], NULL)};
  e->motion.options.t_end = e->motion.options.every; // its first row is the start
  motion_run(&e->motion);
  derive_matrices(cx, &e->motion.system);
  fill_values(e);
}

TEST(all_backends_agree_on_every_example) {
  char folder[] = "/tmp/qdot-backends-XXXXXX", command[64];
  Random random = random_start("backends");
  assert_non_null(mkdtemp(folder));
  assert_int_equal(glob(text_format(&cx->keep, "%s/*.qdot", examples_folder(cx)), 0, NULL, &found),
                   0);
  Example *all = arena_array(&cx->keep, Example, found.gl_pathc);
  for (size_t i = 0; i < found.gl_pathc; i++) {
    load_example(cx, i, &all[i]);
    export_one(cx, &all[i].motion, folder, i);
  }
  void *library = build_library(folder);
  for (size_t i = 0; i < found.gl_pathc; i++) {
    Example *e = &all[i];
    void *function = library ? dlsym(library, text_format(&cx->keep, "call_%zu", i)) : NULL;
    memcpy(&e->exported, &function, sizeof function);
    e->jit = equations_open(cx, &e->motion.system, NULL, 0, BACKEND_JIT, &cx->keep);
    e->interp = equations_open(cx, &e->motion.system, NULL, 0, BACKEND_INTERP, &cx->keep);
    if (e->jit->has_forward)
      compare_states(e, &random);
    else
      print_message("%s has no fixed order\n", found.gl_pathv[i]);
    equations_close(e->interp);
    equations_close(e->jit);
  }
  print_message("%zu examples\n", found.gl_pathc);
  if (library) dlclose(library);
  globfree(&found);
  snprintf(command, sizeof command, "rm -r %s", folder);
  assert_int_equal(system(command), 0);
}

RUN_TESTS(cmocka_unit_test(all_backends_agree_on_every_example))
