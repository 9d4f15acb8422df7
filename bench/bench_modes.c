// Modes of N masses in a line, from the text to the frequencies, and how the work grows with N;
// beside them SciPy's eigh of the same K and M alone.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analyse/vibration/modes.h"
#include "derive/formulate.h"
#include "lang/read.h"
#include "measure.h"
#include "model/values.h"
#include "qdot/qdot.h"

typedef struct Job {
  Context *cx;
  uint32_t n;
  Status status;
  double worst; // relative error of a frequency
  size_t memory;
} Job;

static const char *line_of_masses(Context *cx, uint32_t n) {
  Text text = text_new(&cx->keep);
  text_add(&text, "param m = 1 [kg], k = 100 [N/m]\n");
  for (uint32_t i = 0; i < n; i++) {
    text_addf(&text, "coord x_%u = 0 [m]\nkinetic = 1/2*m*x_%u'^2\n", i, i);
    if (i > 0) text_addf(&text, "potential = 1/2*k*(x_%u - x_%u)^2\n", i, i - 1);
  }
  text_addf(&text, "potential = 1/2*k*(x_0^2 + x_%u^2)\n", n - 1);
  return text.at;
}

static Status find_modes(void *argument) {
  Job *job = argument;
  Context *cx = job->cx;
  const char *text = line_of_masses(cx, job->n);
  LinearizeOptions options = {.numbers_only = true};
  Model *model;
  System system;
  double *values;
  Linearized l;
  Modes modes;
  Status status = model_read(cx, "bench", text, strlen(text), NULL, &model);
  if (status == QDOT_OK) status = model_formulate(cx, model, FORMULATION_LAGRANGE, &model);
  if (status == QDOT_OK) status = derive_system(cx, model, DERIVE_MATRICES, &system);
  if (status == QDOT_OK) status = model_values(cx, model, &cx->keep, &values);
  if (status == QDOT_OK) status = linearize_system(cx, &system, values, &options, &l);
  if (status == QDOT_OK) status = modes_find(&l, &cx->keep, &modes);
  job->worst = 0;
  for (uint32_t k = 0; status == QDOT_OK && k < modes.count; k++) {
    double omega = 20 * sin((k + 1) * M_PI / (2 * job->n + 2));
    job->worst = fmax(job->worst, fabs(modes.mode[k].omega / omega - 1));
  }
  return status;
}

static void in_fresh_context(void *argument) {
  Job *job = argument;
  Limits limits = limits_defaults();
  Memory memory = memory_defaults();
  job->cx = context_open(&limits, &memory);
  job->status = guard_run(&job->cx->guard, find_modes, job);
  job->memory = job->cx->memory.peak;
  context_close(job->cx);
}

int main(void) {
  static const char *const names[] = {"masses", "text to modes", "growth", "MB",
                                      "error",  "SciPy's eigh",  "ratio",  "cubic at most"};
  static const int widths[] = {8, 14, 8, 8, 10, 14, 8, 14};
  static const uint32_t counts[] = {50, 100, 200, 400};
  Sheet sheet = sheet_begin("modes of N masses in a line", names, widths, 8);
  double eigh[4] = {0}, before = 0;
  size_t known = measure_peer("/usr/bin/python3 bench/peers/scipy_eigh.py 50 100 200 400", eigh, 4);
  bool good = true;
  for (int i = 0; i < 4; i++) {
    char text[16];
    Job job = {.n = counts[i]};
    double mine = measure_work(in_fresh_context, &job);
    double growth = before > 0 ? log2(mine / before) : 0;
    // small ones are dominated by what grows more slowly
    bool met = job.status == QDOT_OK && job.worst < 1e-9 && growth < 3.3;
    good = good && met;
    snprintf(text, sizeof text, "%u", counts[i]);
    sheet_text(&sheet, text);
    sheet_seconds(&sheet, mine);
    before > 0 ? sheet_number(&sheet, "N^%.1f", growth) : sheet_text(&sheet, "-");
    sheet_number(&sheet, "%.0f", (double)job.memory / 1e6);
    sheet_number(&sheet, "%.0e", job.worst);
    known == 4 ? sheet_seconds(&sheet, eigh[i]) : sheet_text(&sheet, "-");
    known == 4 ? sheet_number(&sheet, "%.2g", eigh[i] / mine) : sheet_text(&sheet, "-");
    sheet_met(&sheet, met);
    before = mine;
  }
  measure_summary("modes of 400 masses in a line, from the text", before,
                  known == 4 ? "SciPy's eigh of K and M alone" : NULL, known == 4 ? eigh[3] : 0,
                  "cubic growth at most", good);
  return good ? 0 : 1;
}
