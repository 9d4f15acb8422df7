// Exported code, run in its own language, against the library's equations.
#include "export/export.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "expr/eval.h"
#include "lang/read.h"
#include "sim/equations.h"
#include "support/check.h"

typedef struct Sample {
  const char *name, *text;
} Sample;

static const Sample samples[] = {
    {"names",
     "model \"Names that clash\"\n"
     "param int = 2 [kg], lambda = 0.5 [m], np = 9.81 [m/s^2], for = int*lambda^2/3\n"
     "coord q = 0.3, theta[1] = 0.1, theta[2] = -0.2\n"
     "input u = 0.1 [N*m]\n"
     "let r = (lambda*sin(q) + lambda*sin(theta[1]), 0 [m])\n"
     "kinetic = 1/2*for*q'^2 + 1/2*int*r.x'^2 + 1/2*for*theta[1]'^2 + 1/2*for*theta[2]'^2\n"
     "potential = -int*np*lambda*(cos(q) + cos(theta[1])) + 1 [N*m]*(theta[2] - q)^2\n"
     "dissipation = 1/2*0.1 [N*m*s]*theta[2]'^2\n"
     "force q = u + if(t < 0.5 [s], 0.2 [N*m], 0)\n"
     "output p = r.x + max(q, 0)*lambda\n"
     "simulate to 1 [s] every 0.1 [s]\n"},
    {"crank", "model \"Crank\"\n"
              "param g = 9.81 [m/s^2], L = 1 [m], m = 2 [kg], J = m*L^2/12\n"
              "param c = 0.1 [N*m*s], tau = 2 [N*m], w = 3 [rad/s]\n"
              "coord x = 0.25 [m], y = 0.4330127018922193 [m], theta = 60 [deg]\n"
              "kinetic = 1/2*m*(x'^2 + y'^2) + 1/2*J*theta'^2\n"
              "potential = m*g*y\n"
              "dissipation = 1/2*c*theta'^2\n"
              "force theta = tau*sin(w*t)\n"
              "constraint A_x: x = L/2*cos(theta)\n"
              "constraint A_y: y = L/2*sin(theta)\n"
              "output F = lambda_A_x + x''*m\n"
              "simulate to 1 [s] every 0.1 [s]\n"},
    {"wall", "model \"Wall\"\n"
             "param m = 1 [kg], k = 100 [N/m], d = 0.2 [m]\n"
             "coord x = 0 [m]\n"
             "coord x' = 1 [m/s]\n"
             "kinetic = 1/2*m*x'^2\n"
             "potential = 1/2*k*x^2\n"
             "contact stop: x <= d restitution 0.5\n"
             "simulate to 0.1 [s] every 0.01 [s]\n"},
};

enum { MOST_ROWS = 64, MOST_COLUMNS = 64 };

typedef struct Table {
  int rows, columns;
  double at[MOST_ROWS][MOST_COLUMNS];
  char header[1024];
} Table;

static void write_files(const ExportFiles *files, const char *folder) {
  for (uint32_t i = 0; i < files->n; i++) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, files->at[i].name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(files->at[i].text, file);
    fclose(file);
  }
}

static void read_table(const char *path, Table *table) {
  static char line[8192];
  FILE *file = fopen(path, "r");
  assert_non_null(file);
  assert_non_null(fgets(table->header, sizeof table->header, file));
  for (table->rows = 0; fgets(line, sizeof line, file); table->rows++) {
    char *at = line;
    for (table->columns = 0; at && *at && *at != '\n'; table->columns++) {
      table->at[table->rows][table->columns] = strtod(at, &at);
      if (*at == ',') at++;
    }
  }
  fclose(file);
}

// Every row's accelerations and multipliers against forward dynamics at its state.
static void check_rows(Context *cx, System *s, const double *values, const Table *table) {
  Equations *e = equations_open(cx, s, NULL, 0, BACKEND_BEST, &cx->keep);
  const Compiled *forward = &e->parts[PART_FORWARD];
  double *in = arena_array(&cx->keep, double, e->layout.count);
  double *out = arena_array(&cx->keep, double, forward->program->output_count);
  double *work = arena_array(&cx->keep, double, forward->work_size + 1);
  equations_set_values(e, values, in);
  compiled_prepare(forward, in, work);
  uint32_t n = s->n;
  for (int r = 0; r < table->rows; r++) {
    const double *row = table->at[r];
    in[e->layout.t] = row[0];
    memcpy(in + e->layout.q, row + 1, 2 * n * sizeof *in);
    compiled_run(forward, in, out, work);
    for (uint32_t i = 0; i < n; i++) CHECK_NEAR(out[i], row[1 + 2 * n + i], 1e-6);
    for (uint32_t i = 0; i < e->m; i++) CHECK_NEAR(out[n + i], row[1 + 3 * n + e->lambda[i]], 1e-6);
  }
  equations_close(e);
}

static double *values_of(Context *cx, const Model *model) {
  double *values = arena_array(&cx->keep, double, cx->exprs->symbols.n + 1);
  for (uint32_t i = 0; i < model->parameters.n; i++)
    values[symbol_variable(cx, model->parameters.at[i].symbol)] =
        expr_eval(cx, model->parameters.at[i].value, values);
  for (uint32_t i = 0; i < model->inputs.n; i++)
    values[symbol_variable(cx, model->inputs.at[i].symbol)] =
        expr_eval(cx, model->inputs.at[i].value, values);
  return values;
}

typedef struct Language {
  ExportLanguage language;
  const char *test, *command;
} Language;

static const Language languages[] = {
    {EXPORT_C, "command -v cc",
     "cc -std=c99 -O1 -Wall -Wextra -Wpedantic -Werror *.c -lm -o it && ./it > results.csv"},
    {EXPORT_PYTHON, "/usr/bin/python3 -c 'import scipy.integrate'",
     "/usr/bin/python3 *.py > results.csv"},
    {EXPORT_OCTAVE, "command -v octave-cli",
     "octave-cli -qf --eval \"p = parameters(); u = [0.1]; [t, x] = simulate(p, u); "
     "write_results('results.csv', t, x, u, p);\" 2> /dev/null"},
};

static bool run_in_language(Context *cx, System *s, const Language *language, Table *table) {
  char command[1024], folder[] = "/tmp/qdot-export-XXXXXX";
  snprintf(command, sizeof command, "%s > /dev/null 2>&1", language->test);
  if (system(command)) return false;
  assert_non_null(mkdtemp(folder));
  ExportFiles files = {0};
  assert_int_equal(export_system(cx, s, language->language, NULL, &cx->keep, &files), QDOT_OK);
  write_files(&files, folder);
  snprintf(command, sizeof command, "cd %s && %s", folder, language->command);
  assert_int_equal(system(command), 0);
  snprintf(command, sizeof command, "%s/results.csv", folder);
  read_table(command, table);
  snprintf(command, sizeof command, "rm -r %s", folder);
  assert_int_equal(system(command), 0);
  return true;
}

static void check_language(Context *cx, const Language *language) {
  for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
    static Table table, reference;
    Model *model;
    System s;
    const char *text = samples[i].text;
    if (model_read(cx, samples[i].name, text, strlen(text), NULL, &model) != QDOT_OK) {
      Text errors = text_new(&cx->keep);
      for (uint32_t k = 0; k < cx->diagnostics.list.n; k++)
        diag_print(&cx->sources, &cx->diagnostics.list.at[k], false, &errors);
      fail_msg("%s", errors.at);
    }
    assert_int_equal(derive_system(cx, model, DERIVE_MATRICES, &s), QDOT_OK);
    if (!run_in_language(cx, &s, language, &table)) skip();
    assert_int_equal(table.rows, 11);
    check_rows(cx, &s, values_of(cx, model), &table);
    if (!run_in_language(cx, &s, &languages[0], &reference)) continue;
    assert_string_equal(table.header, reference.header);
    assert_int_equal(table.columns, reference.columns);
    for (int r = 0; r < table.rows; r++)
      for (int k = 0; k < table.columns; k++) CHECK_NEAR(table.at[r][k], reference.at[r][k], 1e-5);
  }
}

TEST(runs_as_c) { check_language(cx, &languages[0]); }
TEST(runs_as_python) { check_language(cx, &languages[1]); }
TEST(runs_as_octave) { check_language(cx, &languages[2]); }

RUN_TESTS(cmocka_unit_test(runs_as_c), cmocka_unit_test(runs_as_python),
          cmocka_unit_test(runs_as_octave))
