// Events of the model's own in the exported Octave functions: resets and stops.
#include "export/octave_parts.h"
#include "export/template.h"

// @ stands for the number of coordinates.
static const char *const finding =
    "function [g, holds] = values_at(t, x, u, p)\n"
    "% All functions, and whether their conditions hold.\n"
    "  n = @;\n"
    "  v = events(t, x(1:n), x(n+1:2*n), [u; x(2*n+1:end)], p);\n"
    "  g = v(1:end/2);\n"
    "  holds = v(end/2+1:end) ~= 0;\n"
    "end\n\n"
    "function [side, e] = side_of(e, i, g)\n"
    "% -1, 1, or 0 where functions i are small beside what they have been.\n"
    "  e.most(i) = max(e.most(i), abs(g(i)));\n"
    "  side = sign(g(i)).*(abs(g(i)) > 1e-9*e.most(i));\n"
    "end\n\n"
    "function e = settle(e, t, x, u, p, norm)\n"
    "% On which side all functions are; where one is zero, where it goes next.\n"
    "  n = @;\n"
    "  now = values_at(t, x, u, p);\n"
    "  [side, e] = side_of(e, 1:numel(now), now);\n"
    "  known = side ~= 0 | ~e.is_condition;\n"
    "  e.side(known) = side(known);\n"
    "  if all(e.side ~= 0), return; end\n"
    "  rate = rhs(t, x, u, p, norm);\n"
    "  ahead = x + e.h*rate;\n"
    "  ahead(1:n) = ahead(1:n) + e.h^2/2*rate(n+1:2*n);\n"
    "  [after, holds] = values_at(t + e.h, ahead, u, p);\n"
    "  for i = find(e.side == 0)'\n"
    "    if after(i) ~= now(i)\n"
    "      e.side(i) = sign(after(i) - now(i));\n"
    "    elseif e.is_condition(i)\n"
    "      e.side(i) = 2*holds(i) - 1;\n"
    "    end\n"
    "  end\n"
    "end\n\n"
    "function hit = crossed(e, g, among)\n"
    "  hit = among & e.side ~= 0 & g.*e.side <= 0;\n"
    "end\n\n";

static const char *const locating =
    "function [e, to, hit] = find_event(e, left, to, inside, u, p)\n"
    "% The first moment of a step at which functions cross zero, and which; else the step's end.\n"
    "  for at = [left + (to - left)*(1:7)/8, to]\n"
    "    g = values_at(at, inside(at), u, p);\n"
    "    hit = crossed(e, g, e.moves);\n"
    "    if any(hit), break; end\n"
    "    unknown = e.moves & e.side == 0;\n"
    "    [side, e] = side_of(e, unknown, g);\n"
    "    e.side(unknown) = side;\n"
    "    left = at;\n"
    "  end\n"
    "  if ~any(hit), return; end\n"
    "  to = at;\n"
    "  among = hit;\n"
    "  while true\n"
    "    middle = left + (to - left)/2;\n"
    "    if ~(middle > left && middle < to), return; end\n"
    "    some = crossed(e, values_at(middle, inside(middle), u, p), among);\n"
    "    if any(some)\n"
    "      to = middle;\n      hit = some;\n"
    "    else\n"
    "      left = middle;\n"
    "    end\n"
    "  end\n"
    "end\n\n";

static const char *const resetting =
    "function [x, u] = reset(e, i, t, x, u, p)\n"
    "% New values, all from those before; the rest meets the constraints.\n"
    "  n = @;\n"
    "  value = resets(t, x(1:n), x(n+1:2*n), [u; x(2*n+1:end)], p);\n"
    "  free = true(size(x));\n"
    "  for k = e.first(i) + (1:e.number(i))\n"
    "    if ~isfinite(value(k)), error('an event gives a value that is not a number at t = %g', "
    "t); "
    "end\n"
    "    if e.targets(k) < 0\n"
    "      u(-e.targets(k)) = value(k);\n"
    "    else\n"
    "      x(e.targets(k)) = value(k);\n"
    "      free(e.targets(k)) = false;\n"
    "    end\n"
    "  end\n";

static const char *const fitting =
    "  if e.is_moving(i), x = fit(t, x, u, free, p); end\n"
    "end\n\n"
    "function x = fit(t, x, u, free, p)\n"
    "% The least change of what is free that meets the constraints.\n"
    "  n = @;\n"
    "  q = x(1:n);\n  qd = x(n+1:2*n);\n  u = [u; x(2*n+1:end)];\n"
    "  before = Inf;\n"
    "  for turn = 0:30\n"
    "    off = Phi(t, q, p);\n"
    "    now = max(abs(off));\n"
    "    if now == 0 || (turn > 1 && now >= before/2 && now < 1e-9*numel(off)), break; end\n"
    "    if turn == 30 || ~all(isfinite(off)), misfit(t); end\n"
    "    before = now;\n"
    "    q = q - least(Phi_q(t, q, p), free(1:n), off);\n"
    "  end\n"
    "  for turn = 1:2\n"
    "    qd = qd - least(Phi_q(t, q, p), free(n+1:2*n), Phi_dot(t, q, qd, u, p));\n"
    "  end\n"
    "  if ~(max(abs(Phi_dot(t, q, qd, u, p))) <= 1e-6*(1 + max(abs(qd)))), misfit(t); end\n"
    "  x(1:2*n) = [q; qd];\n"
    "end\n\n"
    "function change = least(slope, free, off)\n"
    "  slope = slope*diag(free);\n"
    "  change = pinv(slope, 1e-9*max(svd(slope)))*off;\n"
    "end\n\n"
    "function misfit(t)\n"
    "  error('what an event assigns does not fit the constraints, t = %g', t);\n"
    "end\n\n";

static const char *const treating =
    "function [found, e] = next_true(e, t, x, u, p)\n"
    "% The first condition that a jump of values has made true, or 0.\n"
    "  [g, holds] = values_at(t, x, u, p);\n"
    "  found = 0;\n"
    "  for i = find(e.is_condition)'\n"
    "    [side, e] = side_of(e, i, g);\n"
    "    if ~e.moves(i)\n"
    "      is_true = holds(i);\n"
    "    elseif side ~= 0\n"
    "      is_true = side > 0;\n"
    "    else\n"
    "      is_true = holds(i) || e.side(i) > 0;\n"
    "    end\n"
    "    if ~is_true\n"
    "      e.side(i) = -1;\n"
    "    elseif e.side(i) <= 0 && found == 0\n"
    "      found = i;\n"
    "    end\n"
    "  end\n"
    "  if found > 0, e.side(found) = 1; end\n"
    "end\n\n"
    "function [x, u, e, ends] = treat(e, t, x, u, p, hit, norm)\n"
    "% Carries out what crossings, or with hit = [] a jump of values, bring about; ends: the "
    "motion "
    "does.\n"
    "  jump = isempty(hit);\n"
    "  changed = false;\n  moved = false;\n  ends = true;\n"
    "  for i = find(hit)'\n"
    "    [g, holds] = values_at(t, x, u, p);\n"
    "    still = true;\n"
    "    if moved\n"
    "      [side, e] = side_of(e, i, g);\n"
    "      still = side == 0;\n"
    "    end\n"
    "    direction = -e.side(i);\n"
    "    e.side(i) = direction;\n"
    "    meant = e.direction(i) == 0 || e.direction(i) == direction;\n"
    "    if ~still || ~meant || ~(e.is_condition(i) || holds(i)), continue; end\n"
    "    if e.stops(i), return; end\n"
    "    [x, u] = reset(e, i, t, x, u, p);\n"
    "    changed = true;\n    moved = moved || e.is_moving(i);\n"
    "  end\n"
    "  turn = 0;\n"
    "  while changed || jump\n"
    "    [found, e] = next_true(e, t, x, u, p);\n"
    "    if found == 0, break; end\n"
    "    if e.stops(found), return; end\n"
    "    turn = turn + 1;\n"
    "    if turn > 1000, error('events follow each other without end at t = %g', t); end\n"
    "    [x, u] = reset(e, found, t, x, u, p);\n"
    "    changed = true;\n"
    "  end\n"
    "  ends = false;\n"
    "  if changed && ~jump, e = note_interval(e, t); end\n"
    "  if changed || jump, e = settle(e, t, x, u, p, norm); end\n"
    "end\n\n"
    "function e = note_interval(e, t)\n"
    "% Events that come ever sooner after each other, as bounces do, end in an error.\n"
    "  interval = t - e.last;\n"
    "  if e.count > 0 && interval < e.interval\n"
    "    e.longest = max(e.longest, interval);\n"
    "    e.count = e.count + 1;\n"
    "  else\n"
    "    e.longest = interval;\n"
    "    e.count = 1;\n"
    "  end\n"
    "  e.interval = interval;\n  e.last = t;\n"
    "  if e.count > 20 && interval < 1e-6*e.longest, error('events pile up at t = %g', t); end\n"
    "end\n";

// ---- What is written

static void write_table(const ExportContent *c, Text *out) {
  const Model *model = c->system->model;
  text_add(out, "function e = happenings(every)\n"
                "% Events, one row each, and what is known of them at the start.\n"
                "  rows = [");
  for (uint32_t i = 0; i < model->occasions.n; i++) {
    const Occasion *o = &model->occasions.at[i];
    text_addf(out, "%s%d, %d, %d, %d, %d, %u, %u", i ? "; ...\n          " : "", o->direction,
              o->is_condition, o->stops, content_event_moves(c, i), content_event_is_moving(c, i),
              o->first, o->count);
  }
  text_add(out, "];\n"
                "  e.direction = rows(:, 1);  % in which its function crosses, 0 for both\n"
                "  e.is_condition = rows(:, 2) == 1;  % it may also become true by a jump\n"
                "  e.stops = rows(:, 3) == 1;  % it ends the run\n"
                "  e.moves = rows(:, 4) == 1;  % its function changes by itself\n"
                "  e.is_moving = rows(:, 5) == 1;  % it moves something\n"
                "  e.first = rows(:, 6);  % its values stand behind this one\n"
                "  e.number = rows(:, 7);  % so many\n"
                "  e.targets = [");
  // the state counts from 1 here
  for (uint32_t i = 0; i < model->assignments.n; i++)
    text_addf(out, "%s%d", i ? ", " : "", c->reset_target[i] + (c->reset_target[i] >= 0));
  text_addf(out,
            "];  %% places in the state, or minus the number of an input\n"
            "  e.side = zeros(%u, 1);\n  e.most = e.side;\n  e.h = 1e-6*every;\n"
            "  e.last = 0;\n  e.interval = 0;\n  e.longest = 0;\n  e.count = 0;\nend\n\n",
            model->occasions.n);
}

void write_octave_events(const ExportContent *c, Text *out) {
  const char *const parts[] = {finding, locating, resetting,
                               c->system->row_count ? fitting : "end\n\n", treating};
  Text text = text_new(c->arena);
  write_table(c, out);
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    template_add(&text, parts[i], text_format(c->arena, "%u", c->system->n));
  add_octave_text(c, text.at, out);
}
