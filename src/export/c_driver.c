// The driver of the C export: Dormand-Prince 5(4), projection onto the constraints, CSV.
#include "export/c.h"
#include "export/template.h"

static const char *const head =
    "/* @_main.c: integrates the equations of @.c and prints results as CSV.\n"
    " *\n"
    " *   cc -O2 @.c @_main.c -lm -o @ && ./@ > results.csv\n"
    " *   ./@ END EVERY\n"
    " */\n"
    "#include \"@.h\"\n\n"
    "#include <math.h>\n#include <stdio.h>\n#include <stdlib.h>\n\n"
    "enum {\n"
    "  N = @_coordinate_count,\n"
    "  M = @_constraint_count,\n"
    "  U = @_input_count,\n"
    "  Y = @_output_count,\n"
    "  C = @_contact_count,\n"
    "  STATES = 2 * N\n"
    "};\n\n";

static const char *const integrator =
    "/* One step of Dormand and Prince's method of order 5 with an estimate of order 4; k[0] is "
    "the\n"
    "   derivative at the start. Returns the error as a part of the tolerance, or -1. */\n"
    "static double try_step(const @_parameters *p, const double *u, double t, double h,\n"
    "                       const double *x, double k[7][STATES], double *next) {\n"
    "  static const double c[7] = {0, 0.2, 0.3, 0.8, 8.0 / 9, 1, 1};\n"
    "  static const double a[7][6] = {\n"
    "      {0},\n"
    "      {0.2},\n"
    "      {3.0 / 40, 9.0 / 40},\n"
    "      {44.0 / 45, -56.0 / 15, 32.0 / 9},\n"
    "      {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},\n"
    "      {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},\n"
    "      {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}};\n"
    "  static const double e[7] = {71.0 / 57600,      0,           -71.0 / 16695, 71.0 / 1920,\n"
    "                              -17253.0 / 339200, 22.0 / 525, -1.0 / 40};\n"
    "  double sum = 0;\n"
    "  int i, j, s;\n"
    "  for (s = 1; s < 7; s++) {\n"
    "    for (i = 0; i < STATES; i++) {\n"
    "      next[i] = x[i];\n"
    "      for (j = 0; j < s; j++) next[i] += h * a[s][j] * k[j][i];\n"
    "    }\n"
    "    if (@_rhs(p, t + c[s] * h, next, u, k[s])) return -1;\n"
    "  }\n"
    "  for (i = 0; i < STATES; i++) {\n"
    "    double error = 0, scale = fabs(x[i]) > fabs(next[i]) ? fabs(x[i]) : fabs(next[i]);\n"
    "    for (j = 0; j < 7; j++) error += h * e[j] * k[j][i];\n"
    "    error /= absolute_tolerance + relative_tolerance * scale;\n"
    "    sum += error * error;\n"
    "  }\n"
    "  return sqrt(sum / STATES);\n"
    "}\n\n";

static const char *const projection =
    "/* Corrections of least mass-weighted size that remove residuals of the constraints, by\n"
    "   elimination on the saddle point; directions that the constraints leave open stay. */\n"
    "static void correct(const @_parameters *p, double t, const double *q, const double "
    "*residual,\n"
    "                    double *x) {\n"
    "  double a[N + M][N + M + 1], mass[N][N], slope[M][N];\n"
    "  int column[N + M];\n"
    "  int i, j, k;\n"
    "  @_M(p, t, q, mass);\n"
    "  @_Phi_q(p, t, q, slope);\n"
    "  for (i = 0; i < N + M; i++)\n"
    "    for (j = 0; j <= N + M; j++) a[i][j] = 0;\n"
    "  for (i = 0; i < N; i++)\n"
    "    for (j = 0; j < N; j++) a[i][j] = mass[i][j];\n"
    "  for (i = 0; i < M; i++) {\n"
    "    for (j = 0; j < N; j++) a[N + i][j] = a[j][N + i] = slope[i][j];\n"
    "    a[N + i][N + M] = -residual[i];\n"
    "  }\n"
    "  for (i = 0; i < N + M; i++) column[i] = -1;\n"
    "  for (k = 0; k < N + M; k++) {\n"
    "    int row = -1, best = -1;\n"
    "    for (i = k; i < N + M; i++)\n"
    "      for (j = 0; j < N + M; j++)\n"
    "        if (row < 0 || fabs(a[i][j]) > fabs(a[row][best])) row = i, best = j;\n"
    "    if (!(fabs(a[row][best]) > 1e-10)) break;\n"
    "    for (j = 0; j <= N + M; j++) {\n"
    "      double held = a[k][j];\n"
    "      a[k][j] = a[row][j], a[row][j] = held;\n"
    "    }\n"
    "    column[k] = best;\n"
    "    for (i = 0; i < N + M; i++) {\n"
    "      double f = a[i][best] / a[k][best];\n"
    "      if (i == k || f == 0) continue;\n"
    "      for (j = 0; j <= N + M; j++) a[i][j] -= f * a[k][j];\n"
    "      a[i][best] = 0;\n"
    "    }\n"
    "  }\n"
    "  for (k = 0; k < N + M && column[k] >= 0; k++)\n"
    "    if (column[k] < N) x[column[k]] += a[k][N + M] / a[k][column[k]];\n"
    "}\n\n"
    "/* Back onto the constraints, positions first, then velocities. */\n"
    "static void project(const @_parameters *p, const double *u, double t, double *x) {\n"
    "  double residual[M];\n"
    "  int i, round;\n"
    "  for (round = 0; round < 3; round++) {\n"
    "    double worst = 0;\n"
    "    @_Phi(p, t, x, residual);\n"
    "    for (i = 0; i < M; i++)\n"
    "      if (fabs(residual[i]) > worst) worst = fabs(residual[i]);\n"
    "    if (worst < 1e-14) break;\n"
    "    correct(p, t, x, residual, x);\n"
    "  }\n"
    "  @_Phi_dot(p, t, x, x + N, u, residual);\n"
    "  correct(p, t, x, residual, x + N);\n"
    "}\n\n";

static const char *const run =
    "/* Integrates x from t to end. Returns 0 when it cannot go on. */\n"
    "static int advance(const @_parameters *p, const double *u, double *t, double end, double *x,\n"
    "                   double *h) {\n"
    "  double k[7][STATES], next[STATES];\n"
    "  int i;\n"
    "  while (*t < end) {\n"
    "    double step = *h, error;\n"
    "    if (*t + 1.01 * step >= end) step = end - *t;\n"
    "    if (@_rhs(p, *t, x, u, k[0])) return 0;\n"
    "    error = try_step(p, u, *t, step, x, k, next);\n"
    "    if (error < 0 || !(error <= 1)) {\n"
    "      *h = step * (error > 1 ? fmax(0.2, 0.9 * pow(error, -0.2)) : 0.2);\n"
    "      if (*h < 1e-14 * (1 + fabs(*t))) return 0;\n"
    "      continue;\n"
    "    }\n"
    "    *t = step == end - *t ? end : *t + step;\n"
    "    for (i = 0; i < STATES; i++) x[i] = next[i];\n";

static const char *const run_end =
    "    /* a step that was cut short to meet an output says little about the next */\n"
    "    if (step >= *h) *h = step * fmin(5, 0.9 * pow(error + 1e-10, -0.2));\n"
    "  }\n"
    "  return 1;\n"
    "}\n\n";

static void write_print_row(const ExportContent *c, Text *out) {
  template_add(
      out,
      "static void print_row(const @_parameters *p, const double *u, double t, const double *x) {\n"
      "  double qdd[N], lambda[M + 1], energy[3];\n",
      c->name);
  bool has_outputs = c->system->model->outputs.n > 0;
  bool has_members = c->system->model->members.n > 0;
  if (has_outputs) text_add(out, "  double y[Y];\n");
  if (has_members) template_add(out, "  double member[@_member_count];\n", c->name);
  template_add(out,
               "  int i;\n"
               "  @_accelerations(p, t, x, x + N, u, qdd, lambda);\n"
               "  @_energies(p, t, x, x + N, u, energy);\n"
               "  printf(\"%.17g\", t);\n"
               "  for (i = 0; i < STATES; i++) printf(\",%.17g\", x[i]);\n"
               "  for (i = 0; i < N; i++) printf(\",%.17g\", qdd[i]);\n"
               "  for (i = 0; i < M; i++) printf(\",%.17g\", lambda[i]);\n",
               c->name);
  if (c->system->contact_count)
    text_add(out, "  for (i = 0; i < C; i++) printf(\",0\"); /* contacts are open */\n");
  if (has_outputs)
    template_add(out,
                 "  @_outputs(p, t, x, x + N, u, qdd, lambda, y);\n"
                 "  for (i = 0; i < Y; i++) printf(\",%.17g\", y[i]);\n",
                 c->name);
  text_add(out, "  for (i = 0; i < 3; i++) printf(\",%.17g\", energy[i]);\n");
  if (has_members)
    template_add(out,
                 "  @_members(p, t, x, x + N, u, qdd, lambda, member);\n"
                 "  for (i = 0; i < @_member_count; i++) printf(\",%.17g\", member[i]);\n",
                 c->name);
  text_add(out, "  printf(\"\\n\");\n}\n\n");
}

static void write_numbers(Text *out, const double *values, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) {
    text_add(out, i ? ", " : "");
    emit_number(DIALECT_C, values[i], out);
  }
  if (!n) text_add(out, "0");
}

static void write_states(const ExportContent *c, const double *values, const char *prime,
                         Text *out) {
  for (uint32_t i = 0; i < c->system->n; i++) {
    text_add(out, "      ");
    emit_number(DIALECT_C, values[i], out);
    text_addf(out, ", /* %s%s */\n", symbol_text(c->cx, c->system->model->coordinates.at[i].name),
              prime);
  }
}

static void write_main(const ExportContent *c, Text *out) {
  text_add(out, "int main(int count, char **words) {\n");
  template_add(out, "  @_parameters p = @_defaults(); /* change them here: p.NAME = ...; */\n",
               c->name);
  text_add(out, "  double x[STATES] = {\n");
  write_states(c, c->q, "", out);
  write_states(c, c->qd, "'", out);
  text_add(out, "  };\n  const double u[U + 1] = {");
  write_numbers(out, c->u, c->system->model->inputs.n);
  text_add(out, "};\n  const double end = count > 1 ? atof(words[1]) : ");
  emit_number(DIALECT_C, c->end, out);
  text_add(out, ";\n  const double every = count > 2 ? atof(words[2]) : ");
  emit_number(DIALECT_C, c->every, out);
  text_add(out, ";\n  double t = 0, h = 1e-3 * every;\n  long row;\n");
  text_addf(out, "  puts(\"%s\");\n", content_csv_header(c, '"', "\\"));
  if (c->system->row_count) text_add(out, "  project(&p, u, t, x);\n");
  text_add(out, "  print_row(&p, u, t, x);\n"
                "  for (row = 1; t < end; row++) {\n"
                "    double next = row * every < end * (1 - 1e-12) ? row * every : end;\n"
                "    if (!advance(&p, u, &t, next, x, &h)) {\n"
                "      fprintf(stderr, \"the equations cannot be solved beyond t = %g\\n\", t);\n"
                "      return 1;\n"
                "    }\n");
  if (c->system->contact_count)
    template_add(
        out,
        "    {\n"
        "      double gap[C];\n"
        "      int i;\n"
        "      @_contacts(&p, t, x, gap);\n"
        "      for (i = 0; i < C; i++)\n"
        "        if (gap[i] > 1e-9) {\n"
        "          fprintf(stderr, \"contact %d closes at t = %g; impacts are left to Qdot\\n\",\n"
        "                  i + 1, t);\n"
        "          return 1;\n"
        "        }\n"
        "    }\n",
        c->name);
  text_add(out, "    print_row(&p, u, t, x);\n");
  text_add(out, "  }\n  return 0;\n}\n");
}

void write_c_driver(const ExportContent *c, Text *out) {
  template_add(out, head, c->name);
  text_add(out, "static const double relative_tolerance = ");
  emit_number(DIALECT_C, c->rtol, out);
  text_add(out, ", absolute_tolerance = ");
  emit_number(DIALECT_C, c->atol, out);
  text_add(out, ";\n\n");
  template_add(out, integrator, c->name);
  if (c->system->row_count) template_add(out, projection, c->name);
  template_add(out, run, c->name);
  if (c->system->row_count) text_add(out, "    project(p, u, *t, x);\n");
  text_add(out, run_end);
  write_print_row(c, out);
  write_main(c, out);
}
