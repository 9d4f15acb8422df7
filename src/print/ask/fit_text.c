// What a fit has found.
#include "print/ask/fit_text.h"

#include <math.h>
#include <string.h>

#include "print/ask/asked_unit.h"
#include "print/quantity.h"
#include "print/units.h"
#include "result/json.h"

// ---- Text

static void add_result(const Fit *f, uint32_t j, int width, Text *out) {
  const FitResult *r = &f->results[j];
  UnitScale in = varied_scale(f->cx, &fit_sought(f, j)->by);
  text_addf(out, "  %-*s %12.6g", width, fit_name(f, j), r->value / in.factor);
  unit_add_behind(out, in.unit);
  if (r->is_undetermined)
    text_add(out, "; not determined by the data");
  else if (!isnan(r->low))
    text_addf(out, "; 95 %%: %.6g to %.6g", r->low / in.factor, r->high / in.factor);
  else
    text_add(out, !f->converged  ? "; how well is not known before it has converged"
                  : !f->is_noise ? "; how well is not known: what is left is no noise"
                                 : "; how well is not known: there are no more data than unknowns");
  if (r->at_bound) text_add(out, "; at its bound");
  text_add_char(out, '\n');
}

static void add_correlations(const Fit *f, Text *out) {
  bool any = false;
  for (uint32_t i = 0; i < f->count; i++)
    for (uint32_t j = 0; j < i; j++) {
      double r = f->correlation[i * f->count + j];
      if (!(fabs(r) > 0.9)) continue;
      text_addf(out, "%s %s with %s %.3f", any ? "," : "strongly correlated:", fit_name(f, j),
                fit_name(f, i), r);
      any = true;
    }
  if (any) text_add_char(out, '\n');
}

static void add_undetermined(const Fit *f, Text *out) {
  if (f->rank >= f->count) return;
  text_addf(out, "of %u unknowns the data determine %u", f->count, f->rank);
  for (uint32_t i = 0; i < f->determined.n; i++)
    text_addf(out, "%s %s", i ? "," : ": only", f->determined.at[i]);
  text_add(out, f->determined.n ? " can be found\n" : "\n");
}

// Files are often several experiments, which rarely begin alike.
static void tell_shared_starts(const Fit *f, Text *out) {
  for (uint32_t j = 0; f->request->files.n > 1 && j < f->count; j++) {
    const Sought *u = fit_sought(f, j);
    if (!u->by.varied.is_start || u->is_each) continue;
    const char *name = fit_name(f, j);
    text_addf(out, "%s is one start for all files; 'each %s' gives every file its own\n", name,
              name);
  }
}

static const char *plural(uint32_t n) { return n == 1 ? "" : "s"; }

// ---- What may be wrong with the data

// A column without a unit that is far larger than the motion, and does not follow it.
static bool lacks_unit(const Fit *f, const FitCurve *curve) {
  const FitSignal *signal = &f->request->signals.at[curve->signal];
  uint32_t rows = f->request->files.at[curve->file].rows;
  double squares = 0;
  for (uint32_t i = 0; i < rows; i++)
    if (!isnan(curve->measured[i])) squares += curve->measured[i] * curve->measured[i];
  return !signal->measure.is_given && signal->measure.is_known && curve->ratio > 15 &&
         curve->ratio < 1e4 && curve->rms * curve->rms * curve->count > 0.05 * squares;
}

static void add_unit_hint(const Fit *f, const FitCurve *curve, Text *out) {
  const FitSignal *signal = &f->request->signals.at[curve->signal];
  const Dimension d = signal->measure.dimension;
  text_addf(out, "the data of %s have no unit and are %.3g times the motion", signal->label,
            curve->ratio);
  bool is_angle = dimension_is_pure(d), is_length = dimension_is_equal(d, dimension_base(0, 1, 0));
  text_addf(out, ": a unit behind the column, such as %s, says what they are in",
            is_angle    ? "[deg]"
            : is_length ? "[mm]"
                        : "[kN] or [mm]");
}

// Data that begin long after the motion, by more than they last.
static bool begins_late(const Fit *f) { return f->begins > f->ends - f->begins; }

static void add_late_hint(const Fit *f, Text *out) {
  text_addf(out,
            "the data begin at t = %.6g s, the motion at 0: subtract %.6g s from their times if it "
            "began with them",
            f->begins, f->begins);
}

// Residuals that follow each other.
static void add_noise_hint(const Fit *f, const FitCurve *curve, Text *out) {
  text_addf(out,
            "what is left of %s is no noise: %u runs of one sign where noise has about %.0f, "
            "Durbin-Watson %.2g where it has 2; the model lacks something",
            f->request->signals.at[curve->signal].label, curve->runs, curve->expected_runs,
            curve->durbin_watson);
  text_add(out, f->request->is_global ? ""
                                      : ", or a better fit lies elsewhere: 'global' behind the "
                                        "request searches all of the ranges");
}

static void add_hints(const Fit *f, Text *out) {
  for (uint32_t c = 0; c < f->curves.n; c++) {
    if (f->curves.at[c].is_noise) continue;
    add_noise_hint(f, &f->curves.at[c], out);
    text_add_char(out, '\n');
  }
  for (uint32_t c = 0; c < f->curves.n; c++) {
    if (!lacks_unit(f, &f->curves.at[c])) continue;
    add_unit_hint(f, &f->curves.at[c], out);
    text_add_char(out, '\n');
  }
  if (!begins_late(f)) return;
  add_late_hint(f, out);
  text_add_char(out, '\n');
}

// ---- The whole

void fit_text(const Fit *f, Text *out) {
  text_addf(out, "%u value%s, %u run%s, %s%u start%s, in %.3g s", f->values, plural(f->values),
            f->runs, plural(f->runs), f->starts > 1 ? "best of " : "", f->starts, plural(f->starts),
            f->seconds);
  if (f->failed > 0) text_addf(out, "; %u run%s failed", f->failed, plural(f->failed));
  text_add(out, f->is_stopped  ? "; stopped, the best so far is\n"
                : f->converged ? "\n"
                               : "; it has not converged, the best so far is\n");
  int width = 12;
  for (uint32_t j = 0; j < f->count; j++)
    if ((int)strlen(fit_name(f, j)) > width) width = (int)strlen(fit_name(f, j));
  for (uint32_t j = 0; j < f->count; j++) add_result(f, j, width, out);
  tell_shared_starts(f, out);
  add_undetermined(f, out);
  add_correlations(f, out);
  for (uint32_t c = 0; c < f->curves.n; c++) {
    const FitCurve *curve = &f->curves.at[c];
    const FitSignal *signal = &f->request->signals.at[curve->signal];
    UnitScale in =
        unit_scale(f->cx, &f->cx->scratch, &signal->measure, quantity_of_measure(&signal->measure));
    text_addf(out, "%s of %s: %u value%s, residual %.4g", signal->label,
              f->request->files.at[curve->file].name, curve->count, plural(curve->count),
              curve->rms / in.factor);
    unit_add_behind(out, in.unit);
    text_add(out, " rms");
    uint32_t gaps = f->request->files.at[curve->file].rows - curve->count;
    if (gaps > 0) text_addf(out, "; %u row%s without a value left out", gaps, plural(gaps));
    text_add_char(out, '\n');
  }
  add_hints(f, out);
}

// ---- JSON

void fit_json(const Fit *f, Text *out) {
  Json json;
  json_open(f->cx, &json);
  JsonValue *all = json_add_array(&json, json.root, "parameters");
  for (uint32_t j = 0; j < f->count; j++) {
    const FitResult *r = &f->results[j];
    JsonValue *one = json_add_object(&json, all, NULL);
    json_add_text(&json, one, "name", varied_text(f->cx, &fit_sought(f, j)->by.varied));
    if (r->file != FIT_ALL_FILES)
      json_add_text(&json, one, "file", f->request->files.at[r->file].name);
    json_add_number(&json, one, "value", r->value);
    json_add_text(&json, one, "unit", varied_unit(f->cx, &fit_sought(f, j)->by));
    json_add_number(&json, one, "low", r->low);
    json_add_number(&json, one, "high", r->high);
    json_add_bool(&json, one, "at_bound", r->at_bound);
  }
  JsonValue *matrix = json_add_array(&json, json.root, "correlation");
  for (uint32_t i = 0; i < f->count; i++) {
    JsonValue *row = json_add_array(&json, matrix, NULL);
    for (uint32_t j = 0; j < f->count; j++)
      json_add_number(&json, row, NULL, f->correlation[i * f->count + j]);
  }
  json_add_number(&json, json.root, "rms", f->rms);
  json_add_integer(&json, json.root, "rank", f->rank);
  JsonValue *undetermined = json_add_array(&json, json.root, "undetermined");
  for (uint32_t j = 0; j < f->count; j++)
    if (f->results[j].is_undetermined) json_add_text(&json, undetermined, NULL, fit_name(f, j));
  JsonValue *determined = json_add_array(&json, json.root, "determined");
  for (uint32_t i = 0; i < f->determined.n; i++)
    json_add_text(&json, determined, NULL, f->determined.at[i]);
  json_add_bool(&json, json.root, "converged", f->converged);
  json_add_bool(&json, json.root, "noise", f->is_noise);
  json_add_integer(&json, json.root, "values", f->values);
  json_add_integer(&json, json.root, "runs", f->runs);
  json_add_integer(&json, json.root, "starts", f->starts);
  JsonValue *hints = json_add_array(&json, json.root, "hints");
  for (uint32_t c = 0; c < f->curves.n; c++)
    if (!f->curves.at[c].is_noise) {
      Text hint = text_new(&f->cx->scratch);
      add_noise_hint(f, &f->curves.at[c], &hint);
      json_add_text(&json, hints, NULL, hint.at);
    }
  for (uint32_t c = 0; c < f->curves.n; c++)
    if (lacks_unit(f, &f->curves.at[c])) {
      Text hint = text_new(&f->cx->scratch);
      add_unit_hint(f, &f->curves.at[c], &hint);
      json_add_text(&json, hints, NULL, hint.at);
    }
  if (begins_late(f)) {
    json_add_number(&json, json.root, "begins", f->begins);
    Text hint = text_new(&f->cx->scratch);
    add_late_hint(f, &hint);
    json_add_text(&json, hints, NULL, hint.at);
  }
  JsonValue *signals = json_add_array(&json, json.root, "signals");
  for (uint32_t c = 0; c < f->curves.n; c++) {
    const FitCurve *curve = &f->curves.at[c];
    const FitSignal *signal = &f->request->signals.at[curve->signal];
    JsonValue *one = json_add_object(&json, signals, NULL);
    json_add_text(&json, one, "name", signal->label);
    json_add_text(&json, one, "file", f->request->files.at[curve->file].name);
    json_add_integer(&json, one, "values", curve->count);
    json_add_integer(&json, one, "gaps", f->request->files.at[curve->file].rows - curve->count);
    json_add_number(&json, one, "rms", curve->rms);
    json_add_bool(&json, one, "noise", curve->is_noise);
    json_add_integer(&json, one, "runs_of_sign", curve->runs);
    json_add_number(&json, one, "durbin_watson", curve->durbin_watson);
    if (lacks_unit(f, curve)) json_add_number(&json, one, "times_the_motion", curve->ratio);
  }
  json_print(&json, out);
  json_close(&json);
}
