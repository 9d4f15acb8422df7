// Octave and MATLAB: a function file for each quantity, the equations of motion, and a driver with
// ode45 and plots. No toolbox is needed.
#include "export/octave.h"

#include <string.h>

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

static void add_column(const double *values, uint32_t n, Text *out) {
  text_add_char(out, '[');
  for (uint32_t i = 0; i < n; i++) {
    text_add(out, i ? "; " : "");
    emit_number(DIALECT_OCTAVE, values[i], out);
  }
  text_add_char(out, ']');
}

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
  add_column(c->unit, c->system->n, &out);
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
            norm, *norm || content_samples(w->c) ? "simulate" : "ode45", states ? "; states" : "",
            w->c->system->n,
            states ? text_format(w->arena,
                                 "  u = [u(1:%u); x(2*n+1:end)];  %% states stand behind inputs\n",
                                 w->c->system->model->inputs.n)
                   : "",
            norm, states ? "; rates(t, q, qd, u, p)" : "");
  add_file(w, "rhs", &out);
}

static void write_simulate_head(Writer *w, Text *out) {
  const ExportContent *c = w->c;
  text_addf(out, "function [t, x%s%s] = simulate(p, u, final, every)\n",
            c->system->row_count ? ", norm" : "", content_samples(c) ? ", held" : "");
  text_add(out, "% The motion from the model's initial state; all arguments may be left out.\n"
                "  if nargin < 1, p = parameters(); end\n  if nargin < 2, u = ");
  add_column(c->u, c->system->model->inputs.n, out);
  text_add(out, "; end\n  if nargin < 3, final = ");
  emit_number(DIALECT_OCTAVE, c->end, out);
  text_add(out, "; end\n  if nargin < 4, every = ");
  emit_number(DIALECT_OCTAVE, c->every, out);
  text_add(out, "; end\n  q = ");
  add_column(c->q, c->system->n, out);
  text_add(out, ";\n  qd = ");
  add_column(c->qd, c->system->n, out);
  if (c->system->states) {
    text_add(out, ";\n  states = ");
    add_column(c->states, c->system->states, out);
  }
  text_addf(out, ";\n  first = [q; qd%s];\n  times = unique([0:every:final, final]);\n",
            c->system->states ? "; states" : "");
}

static const char *const tell_contact =
    "\nfunction tell_contact(gaps, t)\n"
    "  [~, i] = max(gaps);\n"
    "  fprintf(stderr, 'contact %d closes at t = %g; impacts are left to Qdot\\n', i, t);\n"
    "end\n";

static void write_free_run(Writer *w, Text *out) {
  const ExportContent *c = w->c;
  text_add(out, "  options = odeset('RelTol', ");
  emit_number(DIALECT_OCTAVE, c->rtol, out);
  text_add(out, ", 'AbsTol', ");
  emit_number(DIALECT_OCTAVE, c->atol, out);
  text_add(out, ");\n");
  if (c->system->contact_count)
    text_add(out, "  % the first contact ends the run: impacts are left to Qdot\n"
                  "  options = odeset(options, 'Events', @(t, x) closing(t, x, p));\n");
  text_add(out,
           "  % two times alone would ask for every step of the solver\n"
           "  if numel(times) == 2, between = mean(times); else, between = []; end\n"
           "  [t, x] = ode45(@(t, x) rhs(t, x, u, p), sort([times, between]), first, options);\n"
           "  asked = ~ismember(t, between);\n"
           "  t = t(asked);\n  x = x(asked, :);\n");
  if (c->system->contact_count == 0) {
    text_add(out, "end\n");
    return;
  }
  text_addf(out,
            "  if t(end) < final, tell_contact(contacts(t(end), x(end, 1:%u)', p), t(end)); end\n"
            "end\n\nfunction [value, terminal, direction] = closing(t, x, p)\n"
            "  value = max(contacts(t, x(1:%u), p)) - ",
            c->system->n, c->system->n);
  emit_number(DIALECT_OCTAVE, c->nothing, out);
  text_addf(out, ";\n  terminal = 1;\n  direction = 1;\nend\n%s", tell_contact);
}

static const char *const constrained_run =
    "  [y, norm] = project(0, first, u, p, norm);\n"
    "  t = times(:);\n"
    "  x = zeros(numel(times), numel(y));\n"
    "  x(1, :) = y';\n"
    "  at = 0;\n  h = 1e-3*every;\n  row = 2;\n"
    "  while row <= numel(times)\n"
    "    last = at + 1.01*h >= final;\n"
    "    if last, h = final - at; end\n"
    "    [next, k, wrong] = attempt(at, y, h, u, p, norm, rtol, atol);\n"
    "    if ~(wrong <= 1)\n"
    "      h = h*max(0.2, 0.9*max(wrong, 1)^-0.2);\n"
    "      if ~(h > 1e-14*abs(final)), error('the equations cannot be solved beyond t = %g', at); "
    "end\n"
    "      continue\n"
    "    end\n"
    "    while row <= numel(times) && (last || times(row) <= at + h)\n"
    "      state = project(times(row), within((times(row) - at)/h, y, next, h, k), u, p, norm);\n";

static const char *const constrained_run_end = "      x(row, :) = state';\n"
                                               "      row = row + 1;\n"
                                               "    end\n"
                                               "    at = at + h;\n"
                                               "    [y, norm] = project(at, next, u, p, norm);\n"
                                               "    h = h*min(5, 0.9*(wrong + 1e-10)^-0.2);\n"
                                               "  end\nend\n\n";

static const char *const steps =
    "function [next, k, wrong] = attempt(t, x, h, u, p, norm, rtol, atol)\n"
    "% One step of Dormand and Prince's method of order 5; wrong: its error as a part of the "
    "tolerance.\n"
    "  c = [0, 0.2, 0.3, 0.8, 8/9, 1, 1];\n"
    "  a = [0, 0, 0, 0, 0, 0; 0.2, 0, 0, 0, 0, 0; 3/40, 9/40, 0, 0, 0, 0; ...\n"
    "       44/45, -56/15, 32/9, 0, 0, 0; ...\n"
    "       19372/6561, -25360/2187, 64448/6561, -212/729, 0, 0; ...\n"
    "       9017/3168, -355/33, 46732/5247, 49/176, -5103/18656, 0; ...\n"
    "       35/384, 0, 500/1113, 125/192, -2187/6784, 11/84];\n"
    "  e = [71/57600, 0, -71/16695, 71/1920, -17253/339200, 22/525, -1/40]';\n"
    "  k = zeros(numel(x), 7);\n"
    "  for s = 1:7\n"
    "    next = x + h*(k(:, 1:6)*a(s, :)');\n"
    "    k(:, s) = rhs(t + c(s)*h, next, u, p, norm);\n"
    "  end\n"
    "  wrong = sqrt(mean((h*(k*e)./(atol + rtol*max(abs(x), abs(next)))).^2));\n"
    "end\n\n"
    "function x = within(part, x, next, h, k)\n"
    "% The state at a part of a step.\n"
    "  d = [-12715105075/11282082432, 0, 87487479700/32700410799, -10690763975/1880347072, ...\n"
    "       701980252875/199316789632, -1453857185/822651844, 69997945/29380423]';\n"
    "  rise = next - x;\n"
    "  bend = h*k(:, 1) - rise;\n"
    "  skew = rise - h*k(:, 7) - bend;\n"
    "  x = x + part*(rise + (1 - part)*(bend + part*(skew + (1 - part)*h*(k*d))));\n"
    "end\n";

// Rows before a moment of samples show what was held, the row at it what they have assigned.
static const char *const sampled_run =
    "  t = times(:);\n"
    "  x = zeros(numel(times), numel(y));\n"
    "  held = zeros(numel(times), numel(u));\n"
    "  soon = 1e-9*every;\n"
    "  moments = sampler(p);\n"
    "  [u, moments] = act(moments, 0, y, u, p);\n"
    "  x(1, :) = y';\n  held(1, :) = u';\n"
    "  at = 0;\n  h = 1e-3*every;\n  row = 2;\n"
    "  while row <= numel(times)\n"
    "    limit = min(next_moment(moments), final);\n"
    "    last = at + 1.01*h >= limit;\n"
    "    step = h;\n"
    "    if last, step = limit - at; end\n"
    "    [next, k, wrong] = attempt(at, y, step, u, p@, rtol, atol);\n"
    "    if ~(wrong <= 1)\n"
    "      h = step*max(0.2, 0.9*max(wrong, 1)^-0.2);\n"
    "      if ~(h > 1e-14*abs(final)), error('the equations cannot be solved beyond t = %g', at); "
    "end\n"
    "      continue\n"
    "    end\n"
    "    to = at + step;\n"
    "    if last, to = limit; end\n"
    "    while row <= numel(times) && times(row) < to - soon\n"
    "      state = within((times(row) - at)/step, y, next, step, k);\n"
    "$      x(row, :) = state';\n      held(row, :) = u';\n"
    "      row = row + 1;\n"
    "    end\n"
    "    at = to;\n"
    "    y = next;\n"
    "&    if at >= next_moment(moments) - soon\n"
    "      [u, moments] = act(moments, at, y, u, p);\n"
    "    end\n"
    "    if row <= numel(times) && times(row) <= at + soon\n"
    "      x(row, :) = y';\n      held(row, :) = u';\n"
    "      row = row + 1;\n"
    "    end\n"
    "    h = max(h, step*min(5, 0.9*(wrong + 1e-10)^-0.2));\n"
    "    if step == h, h = step*min(5, 0.9*(wrong + 1e-10)^-0.2); end\n"
    "  end\nend\n\n";

static const char *const sampler =
    "function s = sampler(p)\n"
    "% Samples: at k times its period a line takes values, which act after its delay.\n"
    "  s.times = reshape(sample_times(0, [], p), 2, [])';\n"
    "  s.k = zeros(size(s.times, 1), 1);\n"
    "  s.waiting = cell(size(s.k));\n"
    "end\n\n"
    "function [u, s] = act(s, t, x, u, p)\n"
    "% What is due at t, by the state there.\n"
    "  n = @;\n"
    "  for i = 1:numel(s.k)\n"
    "    these = lines(i, 1) + (1:lines(i, 2));\n"
    "    limit = t + 1e-9*s.times(i, 1);\n"
    "    while ~isempty(s.waiting{i}) && s.waiting{i}(1, 1) <= limit\n"
    "      u(targets(these)) = s.waiting{i}(2:end, 1);\n"
    "      s.waiting{i}(:, 1) = [];\n"
    "    end\n"
    "    if s.k(i)*s.times(i, 1) > limit, continue; end\n"
    "    values = samples(t, x(1:n), x(n+1:2*n), [u; x(2*n+1:end)], p);\n"
    "    if s.times(i, 2) > 0\n"
    "      s.waiting{i}(:, end+1) = [s.k(i)*s.times(i, 1) + s.times(i, 2); values(these)];\n"
    "    else\n"
    "      u(targets(these)) = values(these);\n"
    "    end\n"
    "    s.k(i) = s.k(i) + 1;\n"
    "  end\n"
    "end\n\n"
    "function next = next_moment(s)\n"
    "% When something is due next.\n"
    "  next = min(s.k.*s.times(:, 1));\n"
    "  for i = 1:numel(s.k)\n"
    "    if ~isempty(s.waiting{i}), next = min(next, s.waiting{i}(1, 1)); end\n"
    "  end\n"
    "end\n";

// A text with what its marks stand for.
static const char *with_marks(Writer *w, const char *text, const char *marks,
                              const char *const *meanings) {
  Text out = text_new(w->arena);
  for (; *text; text++) {
    const char *mark = strchr(marks, *text);
    if (mark)
      text_add(&out, meanings[mark - marks]);
    else
      text_add_char(&out, *text);
  }
  return out.at;
}

static const char *sampler_text(Writer *w) {
  const Model *model = w->c->system->model;
  Text lines = text_new(w->arena), targets = text_new(w->arena);
  for (uint32_t i = 0; i < model->samplings.n; i++)
    text_addf(&lines, "%s%u, %u", i ? "; " : "", model->samplings.at[i].first,
              model->samplings.at[i].count);
  for (uint32_t i = 0; i < model->assignments.n; i++)
    text_addf(&targets, "%s%u", i ? ", " : "", w->c->sample_target[i] + 1);
  const char *n = text_format(w->arena, "%u;\n  lines = [%s];\n  targets = [%s]", w->c->system->n,
                              lines.at, targets.at);
  return with_marks(w, sampler, "@", (const char *const[]){n});
}

static void write_sampled_run(Writer *w, Text *out) {
  const ExportContent *c = w->c;
  bool constrained = c->system->row_count > 0;
  if (constrained) text_addf(out, "  norm = zeros(%u, 1);\n", c->system->row_count);
  text_add(out, "  rtol = ");
  emit_number(DIALECT_OCTAVE, c->rtol, out);
  text_add(out, ";\n  atol = ");
  emit_number(DIALECT_OCTAVE, c->atol, out);
  text_add(out,
           constrained ? ";\n  [y, norm] = project(0, first, u, p, norm);\n" : ";\n  y = first;\n");
  const char *const meanings[] = {
      constrained ? ", norm" : "",
      constrained ? "      state = project(times(row), state, u, p, norm);\n" : "",
      constrained ? "    [y, norm] = project(at, y, u, p, norm);\n" : ""};
  // the text has && of its own: its marks are single ones at the beginning of a line
  const char *text = sampled_run;
  for (const char *at = text; *at; at++) {
    bool begins = at == text || at[-1] == '\n';
    if (*at == '@')
      text_add(out, meanings[0]);
    else if (*at == '$' && begins)
      text_add(out, meanings[1]);
    else if (*at == '&' && begins)
      text_add(out, meanings[2]);
    else
      text_add_char(out, *at);
  }
  const char *norm = constrained ? ", norm" : "";
  for (const char *at = steps; *at; at++) {
    size_t length = strlen(", norm");
    if (strncmp(at, ", norm", length) == 0) {
      text_add(out, norm);
      at += length - 1;
    } else {
      text_add_char(out, *at);
    }
  }
  text_addf(out, "\n%s", sampler_text(w));
}

// ode45 cannot put a step's end onto the constraints.
static void write_constrained_run(Writer *w, Text *out) {
  const ExportContent *c = w->c;
  text_addf(out, "  norm = zeros(%u, 1);\n  rtol = ", c->system->row_count);
  emit_number(DIALECT_OCTAVE, c->rtol, out);
  text_add(out, ";\n  atol = ");
  emit_number(DIALECT_OCTAVE, c->atol, out);
  text_addf(out, ";\n%s", constrained_run);
  if (c->system->contact_count) {
    text_addf(out,
              "      %% impacts are left to Qdot\n"
              "      gaps = contacts(times(row), state(1:%u), p);\n      if max(gaps) > ",
              c->system->n);
    emit_number(DIALECT_OCTAVE, c->nothing, out);
    text_add(out,
             "\n        tell_contact(gaps, times(row));\n"
             "        t = t(1:row-1);\n        x = x(1:row-1, :);\n        return\n      end\n");
  }
  text_addf(out, "%s%s", constrained_run_end, steps);
  if (c->system->contact_count) text_add(out, tell_contact);
}

static void write_simulate(Writer *w) {
  Text out = text_new(w->arena);
  write_simulate_head(w, &out);
  if (content_samples(w->c))
    write_sampled_run(w, &out);
  else if (w->c->system->row_count)
    write_constrained_run(w, &out);
  else
    write_free_run(w, &out);
  add_file(w, "simulate", &out);
}

static void write_results(Writer *w) {
  const ExportContent *c = w->c;
  Text out = text_new(w->arena);
  const char *open = "", *outputs = "", *members = "", *zeros = "";
  const char *norm = c->system->row_count ? ", norm" : "";
  bool samples = content_samples(c), states = c->system->states > 0;
  const char *inputs = samples && states ? "    u = [held(k, :)'; x(k, 2*n+1:end)'];\n"
                       : samples         ? "    u = held(k, :)';\n"
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
            samples  ? "held"
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
  add_column(c->u, model->inputs.n, &out);
  const char *norm = c->system->row_count ? ", norm" : "";
  const char *held = content_samples(c) ? ", held" : "";
  text_addf(&out,
            ";\n[t, x%s%s] = simulate(p, u);\nwrite_results('octave.csv', t, x, %s, p%s);\n\n",
            norm, held, *held ? "held" : "u", norm);
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
  if (c->system->row_count) write_saddle(&w);
  write_accelerations(&w);
  write_rhs(&w);
  write_simulate(&w);
  write_results(&w);
  write_main(&w);
}
