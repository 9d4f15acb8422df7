// Frequency responses and root loci for a terminal.
#include "print/linear/response_text.h"

#include <math.h>

static const char *title_of(const System *system) {
  return system->model->title[0] ? system->model->title : "Untitled model";
}

enum { MOST_SHOWN = 8 };

static void add_resonance(const Extremum *e, Text *out) {
  if (e->is_unlimited) {
    text_addf(out, "  resonance    unbounded at %.6g Hz: undamped\n", e->hz);
    return;
  }
  text_addf(out, "  resonance   %12.6g at %.6g Hz, phase %.4g deg", e->gain, e->hz, e->phase_deg);
  if (isfinite(e->low) && isfinite(e->high))
    text_addf(out, ", half power from %.6g to %.6g Hz", e->low, e->high);
  text_add(out, "\n");
}

// Where the gain is zero, or smallest between two resonances.
static void add_antiresonance(const Extremum *e, Text *out) {
  text_addf(out, "  %-13s %10.6g at %.6g Hz", e->gain > 0 ? "minimum" : "antiresonance", e->gain,
            e->hz);
  if (e->gain > 0) text_addf(out, ", phase %.4g deg", e->phase_deg);
  text_add(out, "\n");
}

static void add_extrema(const ExtremumList *list, const char *name,
                        void (*add)(const Extremum *, Text *), Text *out) {
  for (uint32_t k = 0; k < list->n && k < MOST_SHOWN; k++) add(&list->at[k], out);
  if (list->n > MOST_SHOWN)
    text_addf(out, "  and %u more %ss; the JSON output has all of them\n", list->n - MOST_SHOWN,
              name);
}

static void add_crossings(const Extrema *extrema, Text *out) {
  for (uint32_t k = 0; k < extrema->gain_crossings.n && k < MOST_SHOWN; k++) {
    const Crossing *c = &extrema->gain_crossings.at[k];
    text_addf(out,
              "  gain 1 (SI)            at %.6g Hz, phase %.4g deg (of an open loop: phase margin "
              "%.4g deg)\n",
              c->hz, c->phase_deg, crossing_phase_margin(c));
  }
  for (uint32_t k = 0; k < extrema->phase_crossings.n && k < MOST_SHOWN; k++) {
    const Crossing *c = &extrema->phase_crossings.at[k];
    text_addf(out, "  phase -180  %12.6g at %.6g Hz (of an open loop: gain margin %.6g)\n", c->gain,
              c->hz, crossing_gain_margin(c));
  }
}

static void add_pair(const Response *r, uint32_t o, uint32_t i, Text *out) {
  const Extrema *extrema = response_extrema(r, o, i);
  double rest = r->rest[(size_t)o * r->task.input_count + i];
  text_addf(out, "\n%s / %s\n", r->task.outputs[o].name, r->task.inputs[i].name);
  if (isfinite(rest))
    text_addf(out, "  at rest     %12.6g\n", rest + 0.0);
  else
    text_add(out, "  at rest     unbounded: there is a rigid-body motion\n");
  add_extrema(&extrema->resonances, "resonance", add_resonance, out);
  add_extrema(&extrema->antiresonances, "minimum", add_antiresonance, out);
  add_crossings(extrema, out);
  text_addf(out, "  at %8.4g Hz %10.6g, phase %.4g deg\n", r->hz[r->n - 1],
            response_gain(r, r->n - 1, o, i), response_phase(r, r->n - 1, o, i));
}

// Modes that the range leaves out.
static void add_outside(const Response *r, Text *out) {
  uint32_t outside = 0;
  for (uint32_t k = 0; k < r->modes->count; k++) {
    const Mode *mode = &r->modes->mode[k];
    double hz = mode->im / (2 * M_PI);
    if (mode->kind != MODE_OSCILLATION || (hz >= r->task.from && hz <= r->task.to)) continue;
    if (outside < MOST_SHOWN)
      text_addf(out, "%s%.6g", outside ? ", " : "outside this range: modes at ", hz);
    outside++;
  }
  if (outside > MOST_SHOWN) text_addf(out, " and %u more", outside - MOST_SHOWN);
  if (outside) text_add(out, " Hz\n");
}

void response_text(const Linearized *l, const Response *r, Text *out) {
  if (l->sampled)
    text_addf(out, "%s: a loop sampled every %.6g s; what acts is held for as long\n",
              title_of(l->system), r->modes->period);
  text_addf(out, "%s: frequency response from %.4g to %.4g Hz\n", title_of(l->system), r->task.from,
            r->task.to);
  add_outside(r, out);
  for (uint32_t o = 0; o < r->task.output_count; o++)
    for (uint32_t i = 0; i < r->task.input_count; i++) add_pair(r, o, i, out);
}

// ---- Root loci

static void add_step(const LocusStep *step, Text *out) {
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
    case MODE_EXPONENTIAL: text_addf(out, m->period > 0 ? "  z = %.4g" : "  exp(%.4g t)", mode->re);
    }
  }
  text_add(out, m->count > 6 ? "  ...\n" : "\n");
}

void locus_text(const System *system, const Locus *s, Text *out) {
  Context *cx = system->cx;
  const char *name = symbol_text(cx, symbol_name(cx, s->parameter));
  text_addf(out, "%s: %s from %.6g to %.6g; natural frequencies with damping ratios\n\n",
            title_of(system), name, s->step[0].value, s->step[s->n - 1].value);
  uint32_t stride = s->n > 13 ? (s->n - 1 + 11) / 12 : 1;
  for (uint32_t i = 0; i < s->n; i++)
    if (i % stride == 0 || i + 1 == s->n) add_step(&s->step[i], out);
  for (uint32_t i = 0; i < s->changes.n; i++)
    text_addf(out, "%s%s above %s = %.9g\n", i ? "" : "\n",
              s->changes.at[i].becomes_unstable ? "unstable" : "stable", name,
              s->changes.at[i].value);
}
