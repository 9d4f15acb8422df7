// The function simulate() of the exported Octave functions: free, on constraints, sampled, with
// events.
#include <string.h>

#include "export/octave_parts.h"
#include "export/template.h"

bool octave_holds_inputs(const ExportContent *c) {
  return content_samples(c) || content_has_events(c);
}

void add_octave_column(const double *values, uint32_t n, Text *out) {
  text_add_char(out, '[');
  for (uint32_t i = 0; i < n; i++) {
    text_add(out, i ? "; " : "");
    emit_number(DIALECT_OCTAVE, values[i], out);
  }
  text_add_char(out, ']');
}

void add_octave_text(const ExportContent *c, const char *text, Text *out) {
  static const char norm[] = ", norm";
  const char *next;
  for (; c->system->row_count == 0 && (next = strstr(text, norm)); text = next + strlen(norm))
    text_add_bytes(out, text, (size_t)(next - text));
  text_add(out, text);
}

static void add_setting(const char *name, double value, Text *out) {
  text_addf(out, "  %s = ", name);
  emit_number(DIALECT_OCTAVE, value, out);
  text_add(out, ";\n");
}

static void write_tolerances(const ExportContent *c, Text *out) {
  if (c->system->row_count) text_addf(out, "  norm = zeros(%u, 1);\n", c->system->row_count);
  add_setting("rtol", c->rtol, out);
  add_setting("atol", c->atol, out);
}

static void write_head(const ExportContent *c, Text *out) {
  text_addf(out, "function [t, x%s%s] = simulate(p, u, final, every)\n",
            c->system->row_count ? ", norm" : "", octave_holds_inputs(c) ? ", held" : "");
  text_add(out, "% The motion from the model's initial state; all arguments may be left out.\n"
                "  if nargin < 1, p = parameters(); end\n  if nargin < 2, u = ");
  add_octave_column(c->u, c->system->model->inputs.n, out);
  text_add(out, "; end\n  if nargin < 3, final = ");
  emit_number(DIALECT_OCTAVE, c->end, out);
  text_add(out, "; end\n  if nargin < 4, every = ");
  emit_number(DIALECT_OCTAVE, c->every, out);
  text_add(out, "; end\n  q = ");
  add_octave_column(c->q, c->system->n, out);
  text_add(out, ";\n  qd = ");
  add_octave_column(c->qd, c->system->n, out);
  if (c->system->states) {
    text_add(out, ";\n  states = ");
    add_octave_column(c->states, c->system->states, out);
  }
  text_addf(out,
            ";\n  first = [q; qd%s];\n  times = 0:every:final;\n"
            "  times = [times(times < final - 1e-9*every), final];\n",
            c->system->states ? "; states" : "");
}

static const char *const tell_contact =
    "\nfunction tell_contact(gaps, t)\n"
    "  [~, i] = max(gaps);\n"
    "  fprintf(stderr, 'contact %d closes at t = %g; qdot export c goes on\\n', i, t);\n"
    "end\n";

static void write_free_run(const ExportContent *c, Text *out) {
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

// Rows before a moment of samples or events show what was held, the row at it what they assign.
static const char *const stepped_run =
    "  u = u(:);\n"
    "  t = times(:);\n"
    "  x = zeros(numel(times), numel(y));\n"
    "  held = zeros(numel(times), numel(u));\n"
    "  soon = 1e-9*every;\n"
    "%s" // the first samples
    "%s" // on which side events are
    "  x(1, :) = y';\n  held(1, :) = u';\n"
    "  at = 0;\n  h = 1e-3*every;\n  row = 2;\n"
    "  while row <= numel(times)\n"
    "    limit = %s;\n"
    "    last = at + 1.01*h >= limit;\n"
    "    step = h;\n"
    "    if last, step = limit - at; end\n"
    "    [next, k, wrong] = attempt(at, y, step, u, p, norm, rtol, atol);\n"
    "    if ~(wrong <= 1)\n"
    "      h = step*max(0.2, 0.9*max(wrong, 1)^-0.2);\n"
    "      if ~(h > 1e-14*abs(final)), error('the equations cannot be solved beyond t = %%g', at); "
    "end\n"
    "      continue\n"
    "    end\n"
    "    to = at + step;\n"
    "    if last, to = limit; end\n"
    "%s" // the first event
    "    while row <= numel(times) && times(row) < to - soon\n"
    "      state = within((times(row) - at)/step, y, next, step, k);\n"
    "%s" // onto the constraints
    "      x(row, :) = state';\n      held(row, :) = u';\n"
    "      row = row + 1;\n"
    "    end\n"
    "    at = to;\n"
    "    y = %s;\n"
    "%s" // onto the constraints
    "%s" // the event
    "%s" // samples
    "%s" // a stop
    "    if row <= numel(times) && times(row) <= at + soon\n"
    "      x(row, :) = y';\n      held(row, :) = u';\n"
    "      row = row + 1;\n"
    "    end\n"
    "    h = max(h, step*min(5, 0.9*(wrong + 1e-10)^-0.2));\n"
    "    if step == h, h = step*min(5, 0.9*(wrong + 1e-10)^-0.2); end\n"
    "  end\nend\n\n";

static const char *const search =
    "    inside = @(moment) within((moment - at)/step, y, next, step, k);\n"
    "    [e, to, hit] = find_event(e, at, to, inside, u, p);\n";

// What samples assign may make conditions true.
static const char *const sampling = "    if at >= next_moment(moments) - soon\n"
                                    "      [u, moments] = act(moments, at, y, u, p);\n"
                                    "    end\n";

static const char *const sampling_with_events =
    "    if ~ends && at >= next_moment(moments) - soon\n"
    "      [u, moments] = act(moments, at, y, u, p);\n"
    "      [y, u, e, ends] = treat(e, at, y, u, p, [], norm);\n"
    "    end\n";

static const char *const treatment =
    "    ends = false;\n"
    "    if any(hit), [y, u, e, ends] = treat(e, at, y, u, p, hit, norm); end\n";

static const char *const stop =
    "    if ends\n"
    "      if at > t(row-1)\n"
    "        t(row) = at;\n        x(row, :) = y';\n        held(row, :) = u';\n"
    "        row = row + 1;\n"
    "      end\n"
    "      t = t(1:row-1);\n      x = x(1:row-1, :);\n      held = held(1:row-1, :);\n"
    "      return\n"
    "    end\n";

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

static void write_sampler(const ExportContent *c, Text *out) {
  const Model *model = c->system->model;
  Text lines = text_new(c->arena), targets = text_new(c->arena);
  for (uint32_t i = 0; i < model->samplings.n; i++)
    text_addf(&lines, "%s%u, %u", i ? "; " : "", model->samplings.at[i].first,
              model->samplings.at[i].count);
  for (uint32_t i = 0; i < model->assignments.n; i++)
    text_addf(&targets, "%s%u", i ? ", " : "", c->sample_target[i] + 1);
  template_add(out, sampler,
               text_format(c->arena, "%u;\n  lines = [%s];\n  targets = [%s]", c->system->n,
                           lines.at, targets.at));
}

static void write_stepped_run(const ExportContent *c, Text *out) {
  bool samples = content_samples(c), events = content_has_events(c),
       constrained = c->system->row_count > 0;
  write_tolerances(c, out);
  text_add(out, constrained ? "  [y, norm] = project(0, first, u, p, norm);\n" : "  y = first;\n");
  const char *run = text_format(
      c->arena, stepped_run,
      samples ? "  moments = sampler(p);\n  [u, moments] = act(moments, 0, y, u, p);\n" : "",
      events ? "  e = settle(happenings(every), 0, y, u, p, norm);\n" : "",
      samples ? "min(next_moment(moments), final)" : "final", events ? search : "",
      constrained ? "      state = project(times(row), state, u, p, norm);\n" : "",
      events ? "inside(to)" : "next",
      constrained ? "    [y, norm] = project(at, y, u, p, norm);\n" : "", events ? treatment : "",
      !samples ? ""
      : events ? sampling_with_events
               : sampling,
      events ? stop : "");
  add_octave_text(c, run, out);
  add_octave_text(c, steps, out);
  if (samples) {
    text_add(out, "\n");
    write_sampler(c, out);
  }
  if (events) {
    text_add(out, "\n");
    write_octave_events(c, out);
  }
}

// ode45 cannot put a step's end onto the constraints.
static void write_constrained_run(const ExportContent *c, Text *out) {
  write_tolerances(c, out);
  text_add(out, constrained_run);
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

void write_octave_simulate(const ExportContent *c, Text *out) {
  write_head(c, out);
  if (octave_holds_inputs(c))
    write_stepped_run(c, out);
  else if (c->system->row_count)
    write_constrained_run(c, out);
  else
    write_free_run(c, out);
}
