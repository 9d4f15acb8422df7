// Frequency responses and sweeps for a terminal.
#include "print/linear/response_text.h"

#include <math.h>

static const char *title_of(const System *system) {
  return system->model->title[0] ? system->model->title : "A model without title";
}

static void add_pair(const Response *r, uint32_t o, uint32_t i, Text *out) {
  enum { MOST = 8 };
  uint32_t at[MOST], peaks = response_peaks(r, o, i, at, MOST);
  double rest = r->rest[(size_t)o * r->task.input_count + i];
  text_addf(out, "\n%s / %s\n", r->task.outputs[o].name, r->task.inputs[i].name);
  if (isfinite(rest))
    text_addf(out, "  at rest     %12.6g\n", rest + 0.0);
  else
    text_add(out, "  at rest     no limit: a rigid motion follows\n");
  for (uint32_t k = 0; k < peaks; k++) {
    if (response_is_unlimited(r, at[k]))
      text_addf(out, "  resonance    without limit at %.6g Hz: undamped\n", r->hz[at[k]]);
    else
      text_addf(out, "  resonance   %12.6g at %.6g Hz, phase %.4g deg\n",
                response_gain(r, at[k], o, i), r->hz[at[k]], response_phase(r, at[k], o, i));
  }
  text_addf(out, "  at %8.4g Hz %10.6g, phase %.4g deg\n", r->hz[r->n - 1],
            response_gain(r, r->n - 1, o, i), response_phase(r, r->n - 1, o, i));
}

void response_text(const Linearized *l, const Response *r, Text *out) {
  text_addf(out, "%s: frequency response from %.4g to %.4g Hz\n", title_of(l->system), r->task.from,
            r->task.to);
  for (uint32_t o = 0; o < r->task.output_count; o++)
    for (uint32_t i = 0; i < r->task.input_count; i++) add_pair(r, o, i, out);
}

// ---- Sweeps

static void add_step(const SweepStep *step, Text *out) {
  text_addf(out, "%12.6g  ", step->value);
  if (!step->is_found) {
    text_add(out, "no equilibrium found\n");
    return;
  }
  const Modes *m = &step->modes;
  text_addf(out, "%-8s", m->stability == STABILITY_UNSTABLE ? "unstable" : "stable");
  for (uint32_t k = 0; k < m->count && k < 6; k++) {
    const Mode *mode = &m->mode[k];
    switch (mode->kind) {
    case MODE_RIGID: text_add(out, "  0 Hz"); break;
    case MODE_OSCILLATION:
      text_addf(out, "  %.5g Hz", mode->hz);
      if (fabs(mode->damping) > 1e-12) text_addf(out, " (%.3g)", mode->damping);
      break;
    case MODE_EXPONENTIAL: text_addf(out, "  exp(%.4g t)", mode->re);
    }
  }
  text_add(out, m->count > 6 ? "  ...\n" : "\n");
}

void sweep_text(const System *system, const Sweep *s, Text *out) {
  Context *cx = system->cx;
  const char *name = symbol_text(cx, symbol_name(cx, s->parameter));
  text_addf(out, "%s: %s from %.6g to %.6g; frequencies with damping ratios\n\n", title_of(system),
            name, s->step[0].value, s->step[s->n - 1].value);
  uint32_t stride = s->n > 13 ? (s->n - 1 + 11) / 12 : 1;
  for (uint32_t i = 0; i < s->n; i++)
    if (i % stride == 0 || i + 1 == s->n) add_step(&s->step[i], out);
  for (uint32_t i = 0; i < s->changes.n; i++)
    text_addf(out, "%s%s above %s = %.9g\n", i ? "" : "\n",
              s->changes.at[i].becomes_unstable ? "unstable" : "stable", name,
              s->changes.at[i].value);
}
