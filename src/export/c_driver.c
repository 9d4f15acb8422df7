// The driver of the C export: Dormand-Prince 5(4), projection onto the constraints, CSV.
#include <string.h>

#include "export/c.h"
#include "export/c_events.h"
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
    "  C = @_contact_count,\n";

static const char *const derivative =
    "static int derivative(const @_parameters *p, const double *u, double t, const double *x,\n"
    "                      double *dx) {\n"
    "  return @_rhs(p, t, x, u, dx);\n"
    "}\n\n";

static const char *const constrained_head =
    "static @_rows rows; /* what the constraints have been like so far */\n\n"
    "static int derivative(const @_parameters *p, const double *u, double t, const double *x,\n"
    "                      double *dx) {\n"
    "  double lambda[M];\n"
    "  int i;\n"
    "  for (i = 0; i < N; i++) dx[i] = x[N + i];\n";

// Where the model has states: they stand behind the inputs.
static const char *const with_states =
    "/* Inputs and, behind them, the states of x. */\n"
    "static const double *all_inputs(const double *u, const double *x) {\n"
    "  static double all[U + S];\n"
    "  int i;\n"
    "  for (i = 0; i < U; i++) all[i] = u[i];\n"
    "  for (i = 0; i < S; i++) all[U + i] = x[2 * N + i];\n"
    "  return all;\n"
    "}\n\n";

static const char *const sampler =
    "/* Samples: at k times its period a line takes values, which act after its delay. */\n"
    "typedef struct Line {\n"
    "  int first, count; /* of the values of @_samples */\n"
    "  double k;         /* the next sample */\n"
    "  int begin, end;   /* of what waits, in a ring */\n"
    "  double due[WAITING], waiting[WAITING][SAMPLES];\n"
    "} Line;\n\n"
    "/* What is due at t, by the state there. */\n"
    "static void act(const @_parameters *p, double t, const double *x, double *u) {\n"
    "  double times[2 * LINES], next[SAMPLES];\n"
    "  int i, k;\n"
    "  @_sample_times(p, t, x, times);\n"
    "  for (i = 0; i < LINES; i++) {\n"
    "    Line *line = &lines[i];\n"
    "    double period = times[2 * i], delay = times[2 * i + 1], until = t + 1e-9 * period;\n"
    "    for (; line->begin != line->end && line->due[line->begin] <= until;\n"
    "         line->begin = (line->begin + 1) % WAITING)\n"
    "      for (k = 0; k < line->count; k++)\n"
    "        u[target[line->first + k]] = line->waiting[line->begin][line->first + k];\n"
    "    if (line->k * period > until) continue;\n"
    "    @_samples(p, t, x, x + N, $, next);\n"
    "    for (k = line->first; k < line->first + line->count; k++)\n"
    "      *(delay > 0 ? &line->waiting[line->end][k] : &u[target[k]]) = next[k];\n"
    "    if (delay > 0) {\n"
    "      line->due[line->end] = line->k * period + delay;\n"
    "      line->end = (line->end + 1) % WAITING;\n"
    "    }\n"
    "    line->k++;\n"
    "  }\n"
    "}\n\n"
    "/* When something is due next. */\n"
    "static double next_moment(const @_parameters *p, double t, const double *x) {\n"
    "  double times[2 * LINES], next = HUGE_VAL;\n"
    "  int i;\n"
    "  @_sample_times(p, t, x, times);\n"
    "  for (i = 0; i < LINES; i++) {\n"
    "    next = fmin(next, lines[i].k * times[2 * i]);\n"
    "    if (lines[i].begin != lines[i].end) next = fmin(next, lines[i].due[lines[i].begin]);\n"
    "  }\n"
    "  return next;\n"
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

// @ stands for the name of the model, $ for the inputs at a state x.
static void put(const ExportContent *c, const char *text, Text *out) {
  Mark mark = arena_mark(&c->cx->scratch);
  Text named = text_new(&c->cx->scratch);
  template_add(&named, text, c->name);
  const char *inputs = c->system->states ? "all_inputs(u, x)" : "u";
  const char *at = named.at;
  for (const char *next; (next = strchr(at, '$')); at = next + 1) {
    text_add_bytes(out, at, (size_t)(next - at));
    text_add(out, inputs);
  }
  text_add(out, at);
  arena_release(&c->cx->scratch, mark);
}

static void write_print_row(const ExportContent *c, Text *out) {
  template_add(out,
               "static void print_row(const @_parameters *p, const double *u, double t, const "
               "double *x) {\n",
               c->name);
  text_addf(out, "  double qdd[N%s], lambda[M + 1], energy[3];\n", c->system->n ? "" : " + 1");
  bool has_outputs = c->system->model->outputs.n > 0;
  bool has_members = c->system->model->members.n > 0;
  if (has_outputs) text_add(out, "  double y[Y];\n");
  if (has_members) template_add(out, "  double member[@_member_count];\n", c->name);
  template_add(out, "  int i;\n", c->name);
  put(c,
      c->system->row_count ? "  @_follow(p, &rows, t, x, x + N, $, qdd, lambda);\n"
                           : "  @_accelerations(p, t, x, x + N, $, qdd, lambda);\n",
      out);
  put(c,
      "  @_energies(p, t, x, x + N, $, energy);\n"
      "  printf(\"%.17g\", t);\n"
      "  for (i = 0; i < STATES; i++) printf(\",%.17g\", x[i]);\n"
      "  for (i = 0; i < N; i++) printf(\",%.17g\", qdd[i]);\n"
      "  for (i = 0; i < M; i++) printf(\",%.17g\", lambda[i]);\n",
      out);
  if (c->system->contact_count)
    text_add(out, "  for (i = 0; i < C; i++) printf(\",0\"); /* contacts are open */\n");
  if (has_outputs)
    put(c,
        "  @_outputs(p, t, x, x + N, $, qdd, lambda, y);\n"
        "  for (i = 0; i < Y; i++) printf(\",%.17g\", y[i]);\n",
        out);
  text_add(out, "  for (i = 0; i < 3; i++) printf(\",%.17g\", energy[i]);\n");
  if (has_members)
    put(c,
        "  @_members(p, t, x, x + N, $, qdd, lambda, member);\n"
        "  for (i = 0; i < @_member_count; i++) printf(\",%.17g\", member[i]);\n",
        out);
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

static void write_projection(const ExportContent *c, const char *indent, const char *t,
                             const char *x, Text *out) {
  if (!c->system->row_count) return;
  text_addf(out, "%s%s_project(&p, &rows, %s, %s, %s + N, ", indent, c->name, t, x, x);
  if (c->system->states)
    text_addf(out, "all_inputs(u, %s));\n", x);
  else
    text_add(out, "u);\n");
}

// Rows before a moment of samples or events show what was held, the row at it what they have
// assigned.
static void write_acting_loop(const ExportContent *c, Text *out) {
  bool samples = content_samples(c), events = content_has_events(c);
  if (samples) text_add(out, "  next = next_moment(&p, t, x);\n");
  text_add(out, "  for (row = 1; t < end * (1 - 1e-12);) {\n");
  text_addf(out, "    const double until = %s, soon = 1e-9 * every;\n",
            samples ? "next < end ? next : end" : "end");
  if (events) text_add(out, "    int hit[EVENTS], happens;\n");
  text_add(out, "    if (!advance(&p, u, &t, until, x, &h, &step)) {\n"
                "      fprintf(stderr, \"the equations cannot be solved beyond t = %g\\n\", t);\n"
                "      return 1;\n"
                "    }\n");
  if (events) {
    text_add(out, "    happens = find_event(&p, u, &step, t, &moment, hit);\n"
                  "    if (happens && moment < t) {\n"
                  "      t = moment;\n"
                  "      interpolate(&step, t, x);\n");
    write_projection(c, "      ", "t", "x", out);
    text_add(out, "    }\n");
  }
  text_add(out, "    for (;; row++) {\n"
                "      at = row * every < end * (1 - 1e-12) ? row * every : end;\n"
                "      if (at > t - soon) break;\n"
                "      interpolate(&step, at, y);\n");
  write_projection(c, "      ", "at", "y", out);
  text_add(out, "      print_row(&p, u, at, y);\n"
                "    }\n");
  if (events) text_add(out, "    if (happens) outcome = treat(&p, u, t, x, hit, every);\n");
  if (events && samples)
    text_add(out, "    if (outcome == GOES_ON && t >= next - soon) {\n"
                  "      act(&p, t, x, u), next = next_moment(&p, t, x);\n"
                  "      outcome = treat(&p, u, t, x, NULL, every);\n"
                  "    }\n");
  else if (samples)
    text_add(out, "    if (t >= next - soon) act(&p, t, x, u), next = next_moment(&p, t, x);\n");
  if (events)
    text_add(out, "    if (outcome == FAILS) {\n"
                  "      fprintf(stderr, \"events cannot be carried out at t = %g\\n\", t);\n"
                  "      return 1;\n"
                  "    }\n"
                  "    if (outcome == ENDS) {\n"
                  "      print_row(&p, u, t, x);\n"
                  "      return 0;\n"
                  "    }\n");
  text_add(out, "    if (at < t + soon) print_row(&p, u, at, x), row++;\n"
                "  }\n  return 0;\n}\n");
}

static void write_main(const ExportContent *c, Text *out) {
  text_add(out, "int main(int count, char **words) {\n");
  template_add(out, "  @_parameters p = @_defaults(); /* change them here: p.NAME = ...; */\n",
               c->name);
  text_add(out, "  double x[STATES] = {\n");
  write_states(c, c->q, "", out);
  write_states(c, c->qd, "'", out);
  for (uint32_t i = 0; i < c->system->states; i++) {
    text_add(out, "      ");
    emit_number(DIALECT_C, c->states[i], out);
    text_addf(out, ", /* %s */\n", symbol_text(c->cx, c->system->model->states.at[i].name));
  }
  bool samples = content_samples(c), events = content_has_events(c);
  text_addf(out, "  };\n  %sdouble u[U + 1] = {", samples || events ? "" : "const ");
  write_numbers(out, c->u, c->system->model->inputs.n);
  text_add(out, "};\n  const double end = count > 1 ? atof(words[1]) : ");
  emit_number(DIALECT_C, c->end, out);
  text_add(out, ";\n  const double every = count > 2 ? atof(words[2]) : ");
  emit_number(DIALECT_C, c->every, out);
  text_add(out,
           ";\n  double t = 0, at = 0, h = 1e-3 * every, y[STATES];\n  Step step;\n  long row;\n");
  if (samples) text_add(out, "  double next;\n");
  if (events) text_add(out, "  double moment;\n  int outcome = GOES_ON;\n");
  text_addf(out, "  puts(\"%s\");\n", content_csv_header(c, '"', "\\"));
  write_projection(c, "  ", "t", "x", out);
  if (samples) text_add(out, "  act(&p, t, x, u);\n");
  if (events) text_add(out, "  settle(&p, u, t, x, every);\n");
  text_add(out, "  print_row(&p, u, t, x);\n");
  if (samples || events) {
    write_acting_loop(c, out);
    return;
  }
  text_add(out, "  for (row = 1; at < end; row++) {\n"
                "    at = row * every < end * (1 - 1e-12) ? row * every : end;\n"
                "    while (t < at)\n"
                "      if (!advance(&p, u, &t, end, x, &h, &step)) {\n"
                "        fprintf(stderr, \"the equations cannot be solved beyond t = %g\\n\", t);\n"
                "        return 1;\n"
                "      }\n"
                "    interpolate(&step, at, y);\n");
  write_projection(c, "    ", "at", "y", out);
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

// What the lines assign, and how much may wait at once.
static void write_sampler(const ExportContent *c, Text *out) {
  const Model *model = c->system->model;
  text_add(out, "static const int target[SAMPLES] = {");
  for (uint32_t i = 0; i < model->assignments.n; i++)
    text_addf(out, "%s%u", i ? ", " : "", c->sample_target[i]);
  text_add(out, "};\n\n");
  const char *end = strstr(sampler, "} Line;\n\n") + strlen("} Line;\n\n");
  Mark mark = arena_mark(&c->cx->scratch);
  put(c, text_format(&c->cx->scratch, "%.*s", (int)(end - sampler), sampler), out);
  arena_release(&c->cx->scratch, mark);
  text_add(out, "static Line lines[LINES] = {");
  for (uint32_t i = 0; i < model->samplings.n; i++)
    text_addf(out, "%s{%u, %u, 0, 0, 0, {0}, {{0}}}", i ? ", " : "", model->samplings.at[i].first,
              model->samplings.at[i].count);
  text_add(out, "};\n\n");
  put(c, end, out);
}

static void write_sizes(const ExportContent *c, Text *out) {
  const Model *model = c->system->model;
  if (c->system->states) template_add(out, "  S = @_state_count,\n", c->name);
  if (content_samples(c))
    text_addf(out, "  LINES = %u,\n  SAMPLES = %u,\n  WAITING = 1024,\n", model->samplings.n,
              model->assignments.n);
  write_c_event_sizes(c, out);
  text_addf(out, "  STATES = 2 * N%s\n};\n\n", c->system->states ? " + S" : "");
}

static void write_constrained_derivative(const ExportContent *c, Text *out) {
  template_add(out, constrained_head, c->name);
  if (c->system->states) put(c, "  @_rates(p, t, x, x + N, $, dx + 2 * N);\n", out);
  put(c, "  return @_follow(p, &rows, t, x, x + N, $, dx + N, lambda);\n}\n\n", out);
}

void write_c_driver(const ExportContent *c, Text *out) {
  template_add(out, head, c->name);
  write_sizes(c, out);
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
  if (c->system->states) text_add(out, with_states);
  if (constrained)
    write_constrained_derivative(c, out);
  else
    template_add(out, derivative, c->name);
  template_add(out, integrator, c->name);
  template_add(out, run, c->name);
  if (constrained)
    template_add(out,
                 c->system->states
                     ? "    if (error >= 0 && error <= 1 &&\n"
                       "        @_project(p, &rows, *t + step->h, to, to + N, all_inputs(u, to)))\n"
                       "      error = -1;\n"
                     : "    if (error >= 0 && error <= 1 &&\n"
                       "        @_project(p, &rows, *t + step->h, to, to + N, u))\n"
                       "      error = -1;\n",
                 c->name);
  text_add(out, run_end);
  write_print_row(c, out);
  if (content_samples(c)) write_sampler(c, out);
  if (content_has_events(c)) write_c_events(c, put, out);
  write_main(c, out);
}
