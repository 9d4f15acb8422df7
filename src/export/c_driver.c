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

static const char *const derivative =
    "static int derivative(const @_parameters *p, const double *u, double t, const double *x,\n"
    "                      double *dx) {\n"
    "  return @_rhs(p, t, x, u, dx);\n"
    "}\n\n";

static const char *const constrained_derivative =
    "static @_rows rows; /* what the constraints have been like so far */\n\n"
    "static int derivative(const @_parameters *p, const double *u, double t, const double *x,\n"
    "                      double *dx) {\n"
    "  double lambda[M];\n"
    "  int i;\n"
    "  for (i = 0; i < N; i++) dx[i] = x[N + i];\n"
    "  return @_follow(p, &rows, t, x, x + N, u, dx + N, lambda);\n"
    "}\n\n";

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
    "    if (derivative(p, u, t + c[s] * h, next, k[s])) return -1;\n"
    "  }\n"
    "  for (i = 0; i < STATES; i++) {\n"
    "    double error = 0, scale = fabs(x[i]) > fabs(next[i]) ? fabs(x[i]) : fabs(next[i]);\n"
    "    for (j = 0; j < 7; j++) error += h * e[j] * k[j][i];\n"
    "    error /= absolute_tolerance + relative_tolerance * scale;\n"
    "    sum += error * error;\n"
    "  }\n"
    "  return sqrt(sum / STATES);\n"
    "}\n\n";

static const char *const run =
    "/* The last step, from x at t to `next` a time h later. */\n"
    "typedef struct Step {\n"
    "  double t, h, x[STATES], next[STATES], k[7][STATES];\n"
    "} Step;\n\n"
    "/* One step of x from t, at most to end. Returns 0 when it cannot go on. */\n"
    "static int advance(const @_parameters *p, const double *u, double *t, double end, double *x,\n"
    "                   double *h, Step *step) {\n"
    "  int i, is_last;\n"
    "  double error, to[STATES];\n"
    "  if (derivative(p, u, *t, x, step->k[0])) return 0;\n"
    "  for (;;) {\n"
    "    is_last = *t + 1.01 * *h >= end;\n"
    "    step->t = *t;\n"
    "    step->h = is_last ? end - *t : *h;\n"
    "    error = try_step(p, u, *t, step->h, x, step->k, step->next);\n"
    "    for (i = 0; i < STATES; i++) to[i] = step->next[i];\n";

static const char *const run_end =
    "    if (error >= 0 && error <= 1) break;\n"
    "    *h = step->h * (error > 1 ? fmax(0.2, 0.9 * pow(error, -0.2)) : 0.2);\n"
    "    if (!(*h > 1e-14 * fabs(end))) return 0;\n"
    "  }\n"
    "  *t = is_last ? end : *t + step->h;\n"
    "  for (i = 0; i < STATES; i++) step->x[i] = x[i], x[i] = to[i];\n"
    "  *h = step->h * fmin(5, 0.9 * pow(error + 1e-10, -0.2));\n"
    "  return 1;\n"
    "}\n\n"
    "/* The state at a time within the last step. */\n"
    "static void interpolate(const Step *step, double t, double *x) {\n"
    "  static const double d[7] = {-12715105075.0 / 11282082432,\n"
    "                              0,\n"
    "                              87487479700.0 / 32700410799,\n"
    "                              -10690763975.0 / 1880347072,\n"
    "                              701980252875.0 / 199316789632,\n"
    "                              -1453857185.0 / 822651844,\n"
    "                              69997945.0 / 29380423};\n"
    "  double part = (t - step->t) / step->h;\n"
    "  int i, j;\n"
    "  for (i = 0; i < STATES; i++) {\n"
    "    double rise = step->next[i] - step->x[i], bend = step->h * step->k[0][i] - rise;\n"
    "    double skew = rise - step->h * step->k[6][i] - bend, rest = 0;\n"
    "    for (j = 0; j < 7; j++) rest += step->h * d[j] * step->k[j][i];\n"
    "    x[i] = step->x[i] +\n"
    "           part * (rise + (1 - part) * (bend + part * (skew + (1 - part) * rest)));\n"
    "  }\n"
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
  template_add(out, "  int i;\n", c->name);
  template_add(out,
               c->system->row_count ? "  @_follow(p, &rows, t, x, x + N, u, qdd, lambda);\n"
                                    : "  @_accelerations(p, t, x, x + N, u, qdd, lambda);\n",
               c->name);
  template_add(out,
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
  text_add(out,
           ";\n  double t = 0, at = 0, h = 1e-3 * every, y[STATES];\n  Step step;\n  long row;\n");
  text_addf(out, "  puts(\"%s\");\n", content_csv_header(c, '"', "\\"));
  if (c->system->row_count) template_add(out, "  @_project(&p, &rows, t, x, x + N, u);\n", c->name);
  text_add(out, "  print_row(&p, u, t, x);\n"
                "  for (row = 1; at < end; row++) {\n"
                "    at = row * every < end * (1 - 1e-12) ? row * every : end;\n"
                "    while (t < at)\n"
                "      if (!advance(&p, u, &t, end, x, &h, &step)) {\n"
                "        fprintf(stderr, \"the equations cannot be solved beyond t = %g\\n\", t);\n"
                "        return 1;\n"
                "      }\n"
                "    interpolate(&step, at, y);\n");
  if (c->system->row_count)
    template_add(out, "    @_project(&p, &rows, at, y, y + N, u);\n", c->name);
  if (c->system->contact_count)
    template_add(
        out,
        "    {\n"
        "      double gap[C];\n"
        "      int i;\n"
        "      @_contacts(&p, at, y, gap);\n"
        "      for (i = 0; i < C; i++)\n"
        "        if (gap[i] > no_gap) {\n"
        "          fprintf(stderr, \"contact %d closes at t = %g; impacts are left to Qdot\\n\",\n"
        "                  i + 1, at);\n"
        "          return 1;\n"
        "        }\n"
        "    }\n",
        c->name);
  text_add(out, "    print_row(&p, u, at, y);\n");
  text_add(out, "  }\n  return 0;\n}\n");
}

void write_c_driver(const ExportContent *c, Text *out) {
  template_add(out, head, c->name);
  text_add(out, "static const double relative_tolerance = ");
  emit_number(DIALECT_C, c->rtol, out);
  text_add(out, ", absolute_tolerance = ");
  emit_number(DIALECT_C, c->atol, out);
  if (c->system->contact_count) {
    text_add(out, ", no_gap = ");
    emit_number(DIALECT_C, c->nothing, out);
  }
  text_add(out, ";\n\n");
  bool constrained = c->system->row_count > 0;
  template_add(out, constrained ? constrained_derivative : derivative, c->name);
  template_add(out, integrator, c->name);
  template_add(out, run, c->name);
  if (constrained)
    template_add(out,
                 "    if (error >= 0 && error <= 1 &&\n"
                 "        @_project(p, &rows, *t + step->h, to, to + N, u))\n"
                 "      error = -1;\n",
                 c->name);
  text_add(out, run_end);
  write_print_row(c, out);
  write_main(c, out);
}
