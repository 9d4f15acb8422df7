// Every example's accelerations at random states: machine code, interpreter, the C export, and a
// dense solve of the reference values of all terms; the same with contacts closed, and every term
// of the export.
#include <dlfcn.h>
#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "export/export.h"
#include "expr/value/eval.h"
#include "sim/run_source.h"
#include "solve/algebra/kkt.h"
#include "support/equation_values.h"
#include "support/motion.h"

typedef struct Example {
  Motion motion;
  Equations *jit, *interp;
  double *values; // by symbol
  void (*exported)(double t, const double *q, const double *qd, const double *u, double *qdd,
                   double *lambda);
  void (*exported_terms)(double t, const double *q, const double *qd, const double *u, double *M,
                         double *force, double *Phi_q, double *gamma);
} Example;

// The terms of M q'' + Phi_q^T lambda = f, Phi_q q'' = gamma.
typedef struct Terms {
  double *M, *f, *Phi_q, *gamma;
} Terms;

static Terms terms_new(Arena *arena, uint32_t n, uint32_t m) {
  return (Terms){arena_array(arena, double, n *n + 1), arena_array(arena, double, n + 1),
                 arena_array(arena, double, m *n + 1), arena_array(arena, double, m + 1)};
}

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

// Terms from expressions; rows in the order of the programs.
static Terms reference_terms(Example *e, const Equations *order) {
  Context *cx = e->motion.cx;
  const System *s = &e->motion.system;
  Terms terms = terms_new(&cx->keep, s->n, order->m);
  expr_eval_many(cx, s->M, (size_t)s->n * s->n, e->values, terms.M);
  for (uint32_t i = 0; i < s->n; i++)
    terms.f[i] = expr_eval(cx, s->Q[i], e->values) - expr_eval(cx, s->h[i], e->values) -
                 expr_eval(cx, s->D[i], e->values) - expr_eval(cx, s->G[i], e->values);
  for (uint32_t r = 0; r < order->m; r++) {
    expr_eval_many(cx, equations_row(order, r)->phi_q, s->n, e->values,
                   terms.Phi_q + (size_t)r * s->n);
    terms.gamma[r] = expr_eval(cx, equations_row(order, r)->gamma, e->values);
  }
  return terms;
}

// q'' and lambda in the order of the programs, by LAPACK.
static void solve_terms(Example *e, const Terms *terms, uint32_t m, double *qdd, double *lambda) {
  Kkt kkt;
  kkt_open(&kkt, &e->motion.cx->keep, (int)e->motion.system.n, (int)m, false);
  assert_int_equal(kkt_factor(&kkt, terms->M, terms->Phi_q, (int)m), QDOT_OK);
  kkt_solve(&kkt, terms->Phi_q, terms->f, terms->gamma, qdd, lambda);
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

static void check_values(const double *got, const double *expected, size_t n) {
  double scale = 1;
  for (size_t i = 0; i < n; i++) scale = fmax(scale, fabs(expected[i]));
  for (size_t i = 0; i < n; i++) CHECK_NEAR(got[i] / scale, expected[i] / scale, 1e-12);
}

// What the exported functions say at the state.
static void compare_export(Example *e, const Equations *order, const Terms *terms,
                           const double *qdd, const double *lambda) {
  Context *cx = e->motion.cx;
  const System *s = &e->motion.system;
  uint32_t n = s->n, m = order->m, inputs = s->model->inputs.n;
  double *q = arena_array(&cx->keep, double, n + 1), *qd = arena_array(&cx->keep, double, n + 1);
  double *u = arena_array(&cx->keep, double, inputs + 1);
  double *got = arena_array(&cx->keep, double, n + m + 1);
  double *unordered = arena_array(&cx->keep, double, m + 1);
  double t = e->values[symbol_variable(cx, s->t)];
  for (uint32_t i = 0; i < n; i++) {
    q[i] = e->values[symbol_variable(cx, s->q[i])];
    qd[i] = e->values[symbol_variable(cx, s->qd[i])];
  }
  for (uint32_t i = 0; i < inputs; i++)
    u[i] = e->values[symbol_variable(cx, s->model->inputs.at[i].symbol)];
  e->exported(t, q, qd, u, got, unordered);
  for (uint32_t r = 0; r < m; r++) got[n + r] = unordered[order->lambda[r]];
  compare(order, qdd, lambda, got, 1e-10);
  Terms exported = terms_new(&cx->keep, n, m);
  e->exported_terms(t, q, qd, u, exported.M, exported.f, exported.Phi_q, exported.gamma);
  check_values(exported.M, terms->M, (size_t)n * n);
  check_values(exported.f, terms->f, n);
  for (uint32_t r = 0; r < m; r++) {
    check_values(exported.Phi_q + (size_t)order->lambda[r] * n, terms->Phi_q + (size_t)r * n, n);
    check_values(&exported.gamma[order->lambda[r]], &terms->gamma[r], 1);
  }
}

// Returns how many states were well conditioned.
static int compare_states(Example *e, Random *random, bool with_export) {
  Context *cx = e->motion.cx;
  const System *s = &e->motion.system;
  const Equations *order = e->jit;
  uint32_t outputs = order->parts[PART_FORWARD].program->output_count;
  double *jit = arena_array(&cx->keep, double, outputs);
  double *interp = arena_array(&cx->keep, double, outputs);
  double *qdd = arena_array(&cx->keep, double, s->n);
  double *lambda = arena_array(&cx->keep, double, order->m + 1);
  const double *start = e->motion.values.at + 1; // the first row: t, q ...
  int compared = 0;
  for (int round = 0; round < 20; round++) {
    set_random_state(e, random, start);
    run_forward(e, e->jit, jit);
    run_forward(e, e->interp, interp);
    for (uint32_t i = 0; i < outputs; i++)
      if (!isnan(jit[i])) assert_memory_equal(&jit[i], &interp[i], sizeof *jit);
    // what is lost at the pivots is lost to the dense solve too
    if (!(jit[s->n + order->m + POWER_KINDS] < 1e3) || !isfinite(jit[0])) continue;
    Terms terms = reference_terms(e, order);
    solve_terms(e, &terms, order->m, qdd, lambda);
    compare(order, qdd, lambda, jit, 1e-10);
    if (with_export && e->exported) compare_export(e, order, &terms, qdd, lambda);
    compared++;
  }
  return compared;
}

// The contacts in active hold as constraints. Returns whether any state was compared.
static bool compare_with_contacts(Example *e, Random *random, const uint32_t *active,
                                  uint32_t count) {
  Context *cx = e->motion.cx;
  e->jit = equations_open(cx, &e->motion.system, active, count, BACKEND_JIT, &cx->keep);
  e->interp = equations_open(cx, &e->motion.system, active, count, BACKEND_INTERP, &cx->keep);
  bool compared = e->jit->has_forward && compare_states(e, random, count == 0);
  equations_close(e->interp);
  equations_close(e->jit);
  return compared;
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

// A function that gathers what the exported ones compute: forces Q - h - D - G.
static void export_terms(Context *cx, const Motion *motion, const char *folder, const char *name,
                         size_t number) {
  const char *signature =
      text_format(&cx->keep,
                  "void terms_%zu(double t, const double *q, const double *qd, const double *u,\n"
                  "  double *M, double *f, double *Phi_q, double *gamma)",
                  number);
  Text text = text_new(&cx->keep);
  text_addf(&text, "#include \"%s.h\"\n%s;\n%s {\n", name, signature, signature);
  text_addf(&text,
            "  enum { n = %s_coordinate_count };\n"
            "  double part[n];\n"
            "  %s_parameters p = %s_defaults();\n"
            "  int i;\n"
            "  %s_M(&p, t, q, (double (*)[n])M);\n"
            "  %s_Q(&p, t, q, qd, u, f);\n",
            name, name, name, name, name);
  static const char *const parts[] = {"h(&p, t, q, qd", "D(&p, t, q, qd, u", "G(&p, t, q, u"};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    text_addf(&text, "  %s_%s, part);\n  for (i = 0; i < n; i++) f[i] -= part[i];\n", name,
              parts[i]);
  if (motion->system.row_count)
    text_addf(&text,
              "  %s_Phi_q(&p, t, q, (double (*)[n])Phi_q);\n"
              "  %s_Gamma(&p, t, q, qd, u, gamma);\n}\n",
              name, name);
  else
    text_add(&text, "  (void)Phi_q;\n  (void)gamma;\n}\n");
  write_text(folder, text_format(&cx->keep, "terms_%zu.c", number), text.at);
}

static void export_one(Context *cx, Motion *motion, const char *folder, size_t number) {
  ExportOptions options = export_defaults();
  ExportFiles files = {0};
  options.name = text_format(&cx->keep, "example_%zu", number);
  Status status = export_system(cx, &motion->system, EXPORT_C, &options, &cx->keep, &files);
  assert_int_equal(status, QDOT_OK);
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
  export_terms(cx, motion, folder, options.name, number);
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

static void load_example(Context *cx, const char *path, const char *const *set, Example *e) {
  *e = (Example){.motion = motion_load_file(cx, path, set)};
  e->motion.options.t_end = e->motion.options.every; // its first row is the start
  motion_run(&e->motion);
  derive_matrices(cx, &e->motion.system);
  fill_values(e);
}

static void bind_export(Context *cx, void *library, size_t number, Example *e) {
  if (!library) return;
  void *call = dlsym(library, text_format(&cx->keep, "call_%zu", number));
  void *terms = dlsym(library, text_format(&cx->keep, "terms_%zu", number));
  assert_true(call && terms);
  memcpy(&e->exported, &call, sizeof call);
  memcpy(&e->exported_terms, &terms, sizeof terms);
}

TEST(all_backends_agree_on_every_example) {
  static const char *const long_chain[] = {"N=40", NULL}; // exported in parts
  char folder[] = "/tmp/qdot-backends-XXXXXX", command[64];
  Random random = random_start("backends");
  assert_non_null(mkdtemp(folder));
  const char *examples = examples_folder(cx);
  assert_int_equal(glob(text_format(&cx->keep, "%s/*.qdot", examples), 0, NULL, &found), 0);
  size_t n = found.gl_pathc, closed = 0;
  Example *all = arena_array(&cx->keep, Example, n + 1);
  for (size_t i = 0; i < n; i++) load_example(cx, found.gl_pathv[i], NULL, &all[i]);
  load_example(cx, text_format(&cx->keep, "%s/n_link_pendulum.qdot", examples), long_chain,
               &all[n]);
  for (size_t i = 0; i <= n; i++) export_one(cx, &all[i].motion, folder, i);
  void *library = build_library(folder);
  for (size_t i = 0; i <= n; i++) {
    bind_export(cx, library, i, &all[i]);
    if (!compare_with_contacts(&all[i], &random, NULL, 0))
      fail_msg("%s: no state was compared", all[i].motion.system.model->title);
    for (uint32_t k = 0; k < all[i].motion.system.contact_count; k++)
      closed += compare_with_contacts(&all[i], &random, &k, 1);
  }
  print_message("%zu examples, %zu closed contacts\n", n, closed);
  assert_true(closed > 0);
  if (library) dlclose(library);
  globfree(&found);
  snprintf(command, sizeof command, "rm -r %s", folder);
  assert_int_equal(system(command), 0);
}

RUN_TESTS(cmocka_unit_test(all_backends_agree_on_every_example))
