// Octave and MATLAB: a function file for each quantity, the equations of motion, and a driver with
// ode45 and plots. No toolbox is needed.
#include "export/octave.h"

#include <string.h>

#include "export/tables.h"
#include "export/template.h"
#include "qdot/qdot.h"

typedef struct Writer {
  const ExportContent *c;
  Arena *arena;
  ExportFiles *files;
} Writer;

static void add_file(Writer *w, const char *name, const Text *text) {
  ExportFile file = {text_format(w->arena, "%s.m", name), text->at};
  vec_push(w->arena, w->files, file);
}

// ---- parameters

static void write_parameters(Writer *w) {
  const ExportContent *c = w->c;
  const Model *model = c->system->model;
  Text body = text_new(w->arena), out = text_new(w->arena);
  const char **targets = arena_array(w->arena, const char *, model->parameters.n + 1);
  for (uint32_t i = 0; i < model->parameters.n; i++)
    targets[i] = text_format(w->arena, "p.%s", c->parameters[i]);
  content_write_defaults(c, DIALECT_OCTAVE, "  ", targets, &body);
  text_addf(&out, "function p = parameters()\n%% Parameters of \"%s\" in SI units.\n", c->title);
  text_addf(&out, "%% Written by Qdot %s%s%s.\n", QDOT_VERSION, c->source ? " from " : "",
            c->source ? c->source : "");
  for (uint32_t i = 0; i < model->parameters.n; i++)
    text_addf(&out, "%%   %s\n", parameter_text(c, i));
  text_addf(&out, "  p = struct();\n%send\n", body.at);
  add_file(w, "parameters", &out);
}

// ---- quantities

static void add_arguments(unsigned takes, Text *out) {
  text_add(out, "t, q");
  if (takes & TAKES_QD) text_add(out, ", qd");
  if (takes & TAKES_U) text_add(out, ", inputs");
  if (takes & TAKES_QDD) text_add(out, ", qdd");
  if (takes & TAKES_LAMBDA) text_add(out, ", lam");
  text_add(out, ", p");
}

static void write_quantity(Writer *w, const ExportQuantity *quantity) {
  const ExportContent *c = w->c;
  static const char *const taken[] = {"p", "t", "q", "qd", "inputs", "qdd", "lam", "value", NULL};
  FunctionBody body = content_body(c, DIALECT_OCTAVE, taken, quantity->takes);
  uint32_t columns = quantity->columns ? quantity->columns : 1, n = quantity->rows * columns;
  const char **targets = arena_array(w->arena, const char *, n + 1);
  for (uint32_t i = 0; i < n; i++)
    targets[i] = entry_text(w->arena, DIALECT_OCTAVE, "value", i / columns,
                            quantity->columns ? (int)(i % columns) : -1);
  Text out = text_new(w->arena);
  text_addf(&out, "function value = %s(", quantity->name);
  add_arguments(quantity->takes, &out);
  text_addf(&out, ")\n%% %s of \"%s\"\n  value = zeros(%u, %u);\n", quantity->meaning, c->title,
            quantity->rows, columns);
  content_write_program(c, DIALECT_OCTAVE, quantity->program, "  ", &body, targets, &out);
  text_add(&out, "end\n");
  if (strstr(out.at, "choose("))
    text_add(&out, "\nfunction value = choose(condition, yes, no)\n  if condition\n"
                   "    value = yes;\n  else\n    value = no;\n  end\nend\n");
  add_file(w, quantity->name, &out);
}

// ---- equations of motion

static void write_accelerations(Writer *w) {
  const ExportContent *c = w->c;
  Text out = text_new(w->arena);
  text_add(&out, "function [qdd, lam] = accelerations(t, q, qd, u, p)\n"
                 "% Accelerations and constraint forces:\n"
                 "%   M(q) q'' + h(q, q', t) + D + G = Q - Phi_q' lam,  Phi_q q'' = gamma\n"
                 "  f = Q(t, q, qd, u, p) - h(t, q, qd, p) - D(t, q, qd, u, p) - G(t, q, u, p);\n");
  if (!c->system->row_count) {
    text_add(&out, "  qdd = M(t, q, p) \\ f;\n  lam = zeros(0, 1);\nend\n");
  } else {
    text_addf(&out,
              "  n = %u;\n  m = %u;\n"
              "  slope = Phi_q(t, q, p);\n"
              "  %% Baumgarte's terms keep the constraints met; they vanish on the exact solution\n"
              "  rate = 5;\n"
              "  right = Gamma(t, q, qd, u, p) - 2*rate*Phi_dot(t, q, qd, u, p) ...\n"
              "          - rate^2*Phi(t, q, p);\n"
              "  A = [M(t, q, p), slope'; slope, zeros(m, m)];\n"
              "  b = [f; right];\n"
              "  %% the least-norm solution where constraints are redundant\n"
              "  if rcond(A) > 1e-12\n    x = A \\ b;\n  else\n    x = pinv(A, 1e-10) * b;\n  end\n"
              "  qdd = x(1:n);\n  lam = x(n+1:end);\nend\n",
              c->system->n, c->system->row_count);
  }
  add_file(w, "accelerations", &out);
}

static void write_rhs(Writer *w) {
  Text out = text_new(w->arena);
  text_addf(&out,
            "function dx = rhs(t, x, u, p)\n"
            "%% Right-hand side for ode45: x = [q; qd]\n"
            "  n = %u;\n"
            "  q = x(1:n);\n  qd = x(n+1:2*n);\n"
            "  dx = [qd; accelerations(t, q, qd, u, p)];\nend\n",
            w->c->system->n);
  add_file(w, "rhs", &out);
}

static void add_column(const double *values, uint32_t n, Text *out) {
  text_add_char(out, '[');
  for (uint32_t i = 0; i < n; i++) {
    text_add(out, i ? "; " : "");
    emit_number(DIALECT_OCTAVE, values[i], out);
  }
  text_add_char(out, ']');
}

static void write_simulate(Writer *w) {
  const ExportContent *c = w->c;
  Text out = text_new(w->arena);
  text_add(&out, "function [t, x] = simulate(p, u, final, every)\n"
                 "% The motion from the model's initial state; all arguments may be left out.\n"
                 "  if nargin < 1, p = parameters(); end\n  if nargin < 2, u = ");
  add_column(c->u, c->system->model->inputs.n, &out);
  text_add(&out, "; end\n  if nargin < 3, final = ");
  emit_number(DIALECT_OCTAVE, c->end, &out);
  text_add(&out, "; end\n  if nargin < 4, every = ");
  emit_number(DIALECT_OCTAVE, c->every, &out);
  text_add(&out, "; end\n  q = ");
  add_column(c->q, c->system->n, &out);
  text_add(&out, ";\n  qd = ");
  add_column(c->qd, c->system->n, &out);
  text_add(&out, ";\n  options = odeset('RelTol', ");
  emit_number(DIALECT_OCTAVE, c->rtol, &out);
  text_add(&out, ", 'AbsTol', ");
  emit_number(DIALECT_OCTAVE, c->atol, &out);
  text_add(&out, ");\n");
  if (c->system->contact_count)
    text_add(&out, "  % the first contact ends the run: impacts are left to Qdot\n"
                   "  options = odeset(options, 'Events', @(t, x) closing(t, x, p));\n");
  text_add(&out,
           "  times = unique([0:every:final, final]);\n"
           "  % two times alone would ask for every step of the solver\n"
           "  if numel(times) == 2, between = mean(times); else, between = []; end\n"
           "  [t, x] = ode45(@(t, x) rhs(t, x, u, p), sort([times, between]), [q; qd], options);\n"
           "  asked = ~ismember(t, between);\n"
           "  t = t(asked);\n  x = x(asked, :);\nend\n");
  if (c->system->contact_count)
    text_addf(
        &out,
        "\nfunction [value, terminal, direction] = closing(t, x, p)\n"
        "  value = max(contacts(t, x(1:%u), p)) - 1e-9;\n  terminal = 1;\n  direction = 1;\nend\n",
        c->system->n);
  add_file(w, "simulate", &out);
}

static void write_results(Writer *w) {
  const ExportContent *c = w->c;
  Text out = text_new(w->arena);
  const char *open = "", *outputs = "", *members = "";
  if (c->system->contact_count)
    open = text_format(w->arena, "; zeros(%u, 1)", c->system->contact_count);
  if (c->system->model->outputs.n) outputs = "; outputs(t(k), q, qd, u, qdd, lam, p)";
  if (c->system->model->members.n) members = "; members(t(k), q, qd, u, qdd, lam, p)";
  text_addf(&out,
            "function write_results(file, t, x, u, p)\n"
            "%% Coordinates, velocities, accelerations, constraint forces, outputs and energies.\n"
            "  n = %u;\n  out = fopen(file, 'w');\n  fprintf(out, '%%s\\n', '%s');\n"
            "  for k = 1:numel(t)\n"
            "    q = x(k, 1:n)';\n    qd = x(k, n+1:2*n)';\n"
            "    [qdd, lam] = accelerations(t(k), q, qd, u, p);\n"
            "    row = [t(k); q; qd; qdd; lam%s%s; energies(t(k), q, qd, u, p)%s];\n"
            "    fprintf(out, '%%.17g', row(1));\n    fprintf(out, ',%%.17g', row(2:end));\n"
            "    fprintf(out, '\\n');\n  end\n  fclose(out);\nend\n",
            c->system->n, content_csv_header(c, '\'', "'"), open, outputs, members);
  add_file(w, "write_results", &out);
}

static void write_main(Writer *w) {
  const ExportContent *c = w->c;
  const Model *model = c->system->model;
  Text out = text_new(w->arena);
  text_addf(&out, "%% %s: integrates the equations of motion, writes octave.csv and plots.\n",
            c->title);
  text_addf(&out,
            "%%   M(q) q'' + h(q, q', t) + D + G = Q - Phi_q' lam,  Phi_q q'' = gamma\n"
            "%% Written by Qdot %s%s%s. SI units, angles in radians. Runs in Octave and in "
            "MATLAB.\n",
            QDOT_VERSION, c->source ? " from " : "", c->source ? c->source : "");
  text_add(&out, "p = parameters();\nu = ");
  add_column(c->u, model->inputs.n, &out);
  text_add(&out, ";\n[t, x] = simulate(p, u);\nwrite_results('octave.csv', t, x, u, p);\n\n");
  text_addf(&out, "figure;\nplot(t, x(:, 1:%u));\nxlabel('t [s]');\nlegend({", c->system->n);
  for (uint32_t i = 0; i < c->system->n; i++)
    text_addf(&out, "%s'%s'", i ? ", " : "", symbol_text(c->cx, model->coordinates.at[i].name));
  text_addf(&out, "}, 'Interpreter', 'none');\ntitle('%s', 'Interpreter', 'none');\ngrid on;\n",
            c->quoted);
  add_file(w, "main", &out);
}

void export_octave(const ExportContent *c, Arena *arena, ExportFiles *out) {
  Writer w = {c, arena, out};
  if (content_has_tables(c)) {
    Text text = text_new(arena);
    write_tables(c, DIALECT_OCTAVE, &text);
    add_file(&w, "table_value", &text);
  }
  write_parameters(&w);
  for (uint32_t i = 0; i < c->quantities.n; i++) write_quantity(&w, &c->quantities.at[i]);
  write_accelerations(&w);
  write_rhs(&w);
  write_simulate(&w);
  write_results(&w);
  write_main(&w);
}
