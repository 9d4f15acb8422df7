// Octave and MATLAB: a function file for each quantity, the equations of motion, and a driver with
// ode45 and plots. No toolbox is needed.
#include "export/octave.h"

#include <string.h>

#include "export/octave_parts.h"
#include "export/tables.h"
#include "export/template.h"
#include "qdot/qdot.h"
#include "solve/algebra/kkt.h"

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

// The rule of solve/algebra/kkt.c.
static const char *const saddle_text =
    "function s = saddle(t, q, p, norm)\n"
    "% The constraints at a state: M = L L' and rows b = L^-1 Phi_q' over s.norm, the largest "
    "norms\n"
    "% that they have had; b = u*diag(sizes)*v', as far as their rank goes.\n"
    "  mass = M(t, q, p);\n"
    "  s.slope = Phi_q(t, q, p);\n"
    "  s.weight = zeros(size(norm));\n"
    "  [s.L, fine] = factor(mass);\n"
    "  if ~fine\n"
    "    % every row weighs like the masses that it moves\n"
    "    diagonal = diag(mass);\n"
    "    inverse = zeros(size(diagonal));\n"
    "    inverse(diagonal > 0) = 1./diagonal(diagonal > 0);\n"
    "    moved = s.slope.^2*inverse;\n"
    "    s.weight = mean(diagonal)./max(sum(s.slope.^2, 2), realmin);\n"
    "    s.weight(moved > 0) = 1./moved(moved > 0);\n"
    "    [s.L, fine] = factor(mass + s.slope'*diag(s.weight)*s.slope);\n"
    "  end\n"
    "  if ~fine, error('the mass matrix is singular at t = %g', t); end\n"
    "  s.b = (s.L \\ s.slope')';\n"
    "  s.norm = max(norm, sqrt(sum(s.b.^2, 2)));\n"
    "  s.norm(s.norm == 0) = 1;\n"
    "  s.b = diag(1./s.norm)*s.b;\n"
    "  rank = rank_of(s.slope, s.b);\n"
    "  [u, sizes, v] = svd(s.b, 'econ');\n"
    "  sizes = diag(sizes);\n"
    "  s.u = u(:, 1:rank);\n  s.sizes = sizes(1:rank);\n  s.v = v(:, 1:rank);\n"
    "end\n\n"
    "function [L, fine] = factor(a)\n"
    "  [L, lost] = chol(a, 'lower');\n"
    "  fine = lost == 0 && all(diag(L).^2 > @*diag(a));\n"
    "end\n\n";

static const char *const solve_text =
    "function [y, z] = meet(s, c)\n"
    "% y and z = s.b'*y with s.b*z = c, as far as the rank allows\n"
    "  along = (s.u'*c)./s.sizes;\n"
    "  y = s.u*(along./s.sizes);\n"
    "  z = s.v*along;\n"
    "end\n";

static const char *const project_text =
    "function [x, norm] = project(t, x, u, p, norm)\n"
    "% The state moved onto the constraints by the least mass-weighted change; norm: the largest\n"
    "% norms that their rows have had in this motion, zeros at its start.\n"
    "  n = @;\n"
    "  q = x(1:n);\n  qd = x(n+1:2*n);\n$"
    "  s = saddle(t, q, p, norm);\n"
    "  before = Inf;\n"
    "  for round = 1:12\n"
    "    [~, z] = meet(s, -Phi(t, q, p)./s.norm);\n"
    "    q = q + s.L' \\ z;\n"
    "    now = sqrt(z'*z);\n"
    "    if now == 0 || now > 0.5*before, break; end  % only rounding is left\n"
    "    before = now;\n"
    "  end\n"
    "  s = saddle(t, q, p, s.norm);\n"
    "  for round = 1:2\n"
    "    [~, z] = meet(s, -Phi_dot(t, q, qd, u, p)./s.norm);\n"
    "    qd = qd + s.L' \\ z;\n"
    "  end\n"
    "  norm = s.norm;\n"
    "  x = [q; qd; x(2*n+1:end)];\n"
    "end\n";

static void write_saddle(Writer *w) {
  const ExportContent *c = w->c;
  Text out = text_new(w->arena), meet = text_new(w->arena), project = text_new(w->arena);
  template_add(&out, saddle_text, text_format(w->arena, "%g", KKT_MASS_PIVOT));
  text_add(
      &out,
      "function rank = rank_of(slope, b)\n"
      "% How many directions the constraints determine: a matter of geometry, not of masses. Of\n"
      "% slope in units of the coordinates, with rows as small as they have become in b, those\n"
      "% singular values are cut that lie far below the largest and a gap below the last one.\n"
      "  unit = ");
  add_octave_column(c->unit, c->system->n, &out);
  text_addf(&out,
            ";\n  a = slope*diag(unit);\n"
            "  a = diag(sqrt(sum(b.^2, 2))./max(sqrt(sum(a.^2, 2)), realmin))*a;\n"
            "  sizes = svd(a);\n"
            "  rank = 0;\n"
            "  while rank < numel(sizes) && sizes(rank+1) > 0 && (rank == 0 || ...\n"
            "        sizes(rank+1) > %g*sizes(1) || sizes(rank+1) > %g*sizes(rank))\n"
            "    rank = rank + 1;\n  end\nend\n",
            KKT_CUT_BELOW, KKT_CUT_BEHIND);
  text_add(&meet, solve_text);
  const char *states = strchr(project_text, '$');
  template_add(&project,
               text_format(w->arena, "%.*s%s%s", (int)(states - project_text), project_text,
                           c->system->states
                               ? text_format(w->arena, "  u = [u(1:%u); x(2*n+1:end)];\n",
                                             c->system->model->inputs.n)
                               : "",
                           states + 1),
               text_format(w->arena, "%u", c->system->n));
  add_file(w, "saddle", &out);
  add_file(w, "meet", &meet);
  add_file(w, "project", &project);
}

static void write_accelerations(Writer *w) {
  const ExportContent *c = w->c;
  bool constrained = c->system->row_count > 0;
  Text out = text_new(w->arena);
  if (c->system->n == 0) { // states alone
    text_add(&out, "function [qdd, lam] = accelerations(t, q, qd, u, p)\n"
                   "% There are no coordinates to accelerate.\n"
                   "  qdd = zeros(0, 1);\n  lam = zeros(0, 1);\nend\n");
    add_file(w, "accelerations", &out);
    return;
  }
  text_addf(&out,
            "function [qdd, lam] = accelerations(t, q, qd, u, p%s)\n"
            "%% Accelerations and constraint forces:\n"
            "%%   M(q) q'' + h(q, q', t) + D + G = Q - Phi_q' lam,  Phi_q q'' = gamma\n%s"
            "  f = Q(t, q, qd, u, p) - h(t, q, qd, p) - D(t, q, qd, u, p) - G(t, q, u, p);\n",
            constrained ? ", norm" : "",
            constrained ? "% norm, which may be left out: see project; dead positions need it\n"
                        : "");
  if (constrained)
    text_addf(&out,
              "  if nargin < 6, norm = zeros(%u, 1); end\n"
              "  s = saddle(t, q, p, norm);\n"
              "  right = Gamma(t, q, qd, u, p);\n"
              "  x = s.L \\ (f + s.slope'*(s.weight.*right));\n"
              "  [y, z] = meet(s, right./s.norm - s.b*x);\n"
              "  qdd = s.L' \\ (x + z);\n"
              "  lam = -y./s.norm;\nend\n",
              c->system->row_count);
  else
    text_add(&out, "  qdd = M(t, q, p) \\ f;\n  lam = zeros(0, 1);\nend\n");
  add_file(w, "accelerations", &out);
}

static void write_rhs(Writer *w) {
  const char *norm = w->c->system->row_count ? ", norm" : "";
  Text out = text_new(w->arena);
  bool states = w->c->system->states > 0;
  text_addf(&out,
            "function dx = rhs(t, x, u, p%s)\n"
            "%% Right-hand side for %s: x = [q; qd%s]\n"
            "  n = %u;\n"
            "  q = x(1:n);\n  qd = x(n+1:2*n);\n%s"
            "  dx = [qd; accelerations(t, q, qd, u, p%s)%s];\nend\n",
            norm, *norm || octave_holds_inputs(w->c) ? "simulate" : "ode45",
            states ? "; states" : "", w->c->system->n,
            states ? text_format(w->arena,
                                 "  u = [u(1:%u); x(2*n+1:end)];  %% states stand behind inputs\n",
                                 w->c->system->model->inputs.n)
                   : "",
            norm, states ? "; rates(t, q, qd, u, p)" : "");
  add_file(w, "rhs", &out);
}

static void write_results(Writer *w) {
  const ExportContent *c = w->c;
  Text out = text_new(w->arena);
  const char *open = "", *outputs = "", *members = "", *zeros = "";
  const char *norm = c->system->row_count ? ", norm" : "";
  bool holds = octave_holds_inputs(c), states = c->system->states > 0;
  const char *inputs = holds && states ? "    u = [held(k, :)'; x(k, 2*n+1:end)'];\n"
                       : holds         ? "    u = held(k, :)';\n"
                       : states
                           ? text_format(w->arena, "    u = [inputs(1:%u); x(k, 2*n+1:end)'];\n",
                                         c->system->model->inputs.n)
                           : "";
  if (*norm)
    zeros =
        text_format(w->arena, "  if nargin < 6, norm = zeros(%u, 1); end\n", c->system->row_count);
  if (c->system->contact_count)
    open = text_format(w->arena, "; zeros(%u, 1)", c->system->contact_count);
  if (c->system->model->outputs.n) outputs = "; outputs(t(k), q, qd, u, qdd, lam, p)";
  if (c->system->model->members.n) members = "; members(t(k), q, qd, u, qdd, lam, p)";
  text_addf(&out,
            "function write_results(file, t, x, %s, p%s)\n"
            "%% Coordinates, velocities, accelerations, constraint forces, outputs and energies.\n"
            "%s  n = %u;\n  out = fopen(file, 'w');\n  fprintf(out, '%%s\\n', '%s');\n"
            "  for k = 1:numel(t)\n"
            "    q = x(k, 1:n)';\n    qd = x(k, n+1:2*n)';\n%s"
            "    [qdd, lam] = accelerations(t(k), q, qd, u, p%s);\n"
            "    row = [t(k); x(k, :)'; qdd; lam%s%s; energies(t(k), q, qd, u, p)%s];\n"
            "    fprintf(out, '%%.17g', row(1));\n    fprintf(out, ',%%.17g', row(2:end));\n"
            "    fprintf(out, '\\n');\n  end\n  fclose(out);\nend\n",
            holds    ? "held"
            : states ? "inputs"
                     : "u",
            norm, zeros, c->system->n, content_csv_header(c, '\'', "'"), inputs, norm, open,
            outputs, members);
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
  add_octave_column(c->u, model->inputs.n, &out);
  uint32_t n = c->system->n;
  const char *norm = c->system->row_count ? ", norm" : "";
  const char *held = octave_holds_inputs(c) ? ", held" : "";
  text_addf(&out,
            ";\n[t, x%s%s] = simulate(p, u);\nwrite_results('octave.csv', t, x, %s, p%s);\n\n",
            norm, held, *held ? "held" : "u", norm);
  text_addf(&out,
            "has_display = ispc() || ismac() || ~isempty([getenv('DISPLAY') "
            "getenv('WAYLAND_DISPLAY')]);\nif has_display\n  figure;\n  plot(t, x(:, 1:%u));\n"
            "  xlabel('t [s]');\n  legend({",
            n ? n : c->system->states);
  for (uint32_t i = 0; i < (n ? n : c->system->states); i++)
    text_addf(&out, "%s'%s'", i ? ", " : "",
              symbol_text(c->cx, n ? model->coordinates.at[i].name : model->states.at[i].name));
  text_addf(&out,
            "}, 'Interpreter', 'none');\n  title('%s', 'Interpreter', 'none');\n  grid on;\nelse\n"
            "  disp('no display to plot on: the motion is in octave.csv');\nend\n",
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
  if (c->system->row_count) write_saddle(&w);
  write_accelerations(&w);
  write_rhs(&w);
  Text simulate = text_new(arena);
  write_octave_simulate(c, &simulate);
  add_file(&w, "simulate", &simulate);
  write_results(&w);
  write_main(&w);
}
