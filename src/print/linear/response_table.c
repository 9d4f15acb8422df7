// Frequency responses and root loci as CSV files.
#include "print/linear/response_table.h"

#include <math.h>

#include "result/csv.h"

Status response_csv(Context *cx, const Response *r, const char *path) {
  Mark mark = arena_mark(&cx->scratch);
  const ResponseTask *task = &r->task;
  uint32_t columns = 1 + 2 * task->output_count * task->input_count, at = 1;
  const char **names = arena_array(&cx->scratch, const char *, columns);
  double *row = arena_array(&cx->scratch, double, columns);
  names[0] = "frequency_hz";
  for (uint32_t o = 0; o < task->output_count; o++)
    for (uint32_t i = 0; i < task->input_count; i++) {
      const char *y = task->outputs[o].name, *u = task->inputs[i].name;
      names[at++] = text_format(&cx->scratch, "gain(%s/%s)", y, u);
      names[at++] = text_format(&cx->scratch, "phase_deg(%s/%s)", y, u);
    }
  CsvWriter writer;
  Status status = csv_writer_open(cx, path, names, columns, &writer);
  if (status == QDOT_OK) {
    for (uint32_t k = 0; k < r->n && status == QDOT_OK; k++) {
      at = 0;
      row[at++] = r->hz[k];
      for (uint32_t o = 0; o < task->output_count; o++)
        for (uint32_t i = 0; i < task->input_count; i++) {
          row[at++] = response_gain(r, k, o, i);
          row[at++] = response_phase(r, k, o, i);
        }
      status = csv_writer_row(&writer, row);
    }
    Status finished = csv_writer_finish(&writer);
    if (status == QDOT_OK) status = finished;
  }
  arena_release(&cx->scratch, mark);
  return status;
}

Status random_csv(Context *cx, const Response *r, const RandomResponse *random, const char *path) {
  Mark mark = arena_mark(&cx->scratch);
  uint32_t outputs = random->output_count;
  const char **names = arena_array(&cx->scratch, const char *, outputs + 1);
  double *row = arena_array(&cx->scratch, double, outputs + 1);
  names[0] = "frequency_hz";
  for (uint32_t o = 0; o < outputs; o++) {
    const char *weight = random->outputs[o].weight;
    names[o + 1] = text_format(&cx->scratch, "density(%s%s%s)", random->outputs[o].name,
                               weight ? " " : "", weight ? weight : "");
  }
  CsvWriter writer;
  Status status = csv_writer_open(cx, path, names, outputs + 1, &writer);
  if (status == QDOT_OK) {
    for (uint32_t k = 0; k < r->n && status == QDOT_OK; k++) {
      row[0] = r->hz[k];
      for (uint32_t o = 0; o < outputs; o++) row[o + 1] = random->density[(size_t)k * outputs + o];
      status = csv_writer_row(&writer, row);
    }
    Status finished = csv_writer_finish(&writer);
    if (status == QDOT_OK) status = finished;
  }
  arena_release(&cx->scratch, mark);
  return status;
}

static uint32_t most_modes(const Locus *s, uint32_t *eigenvalues) {
  uint32_t most = 0;
  *eigenvalues = 0;
  for (uint32_t i = 0; i < s->n; i++) {
    if (s->step[i].modes.count > most) most = s->step[i].modes.count;
    if (s->step[i].modes.eigenvalue_count > *eigenvalues)
      *eigenvalues = s->step[i].modes.eigenvalue_count;
  }
  return most;
}

static void fill_row(const LocusStep *step, uint32_t modes, uint32_t eigenvalues, double *row) {
  const Modes *m = &step->modes;
  *row++ = step->value;
  *row++ = step->is_found ? m->stability == STABILITY_UNSTABLE : NAN;
  for (uint32_t k = 0; k < modes; k++) {
    bool there = step->is_found && k < m->count;
    *row++ = there ? m->mode[k].hz : NAN;
    *row++ = there ? m->mode[k].damping : NAN;
  }
  for (uint32_t k = 0; k < eigenvalues; k++) {
    bool there = step->is_found && k < m->eigenvalue_count;
    *row++ = there ? m->eigenvalue[k][0] : NAN;
    *row++ = there ? m->eigenvalue[k][1] : NAN;
  }
}

Status locus_csv(Context *cx, const Locus *s, const char *path) {
  Mark mark = arena_mark(&cx->scratch);
  uint32_t eigenvalues, modes = most_modes(s, &eigenvalues);
  uint32_t columns = 2 + 2 * modes + 2 * eigenvalues, at = 2;
  const char **names = arena_array(&cx->scratch, const char *, columns);
  double *row = arena_array(&cx->scratch, double, columns);
  names[0] = symbol_text(cx, symbol_name(cx, s->parameter));
  names[1] = "unstable";
  for (uint32_t k = 1; k <= modes; k++) {
    names[at++] = text_format(&cx->scratch, "hz_%u", k);
    names[at++] = text_format(&cx->scratch, "damping_%u", k);
  }
  for (uint32_t k = 1; k <= eigenvalues; k++) {
    names[at++] = text_format(&cx->scratch, "re_%u", k);
    names[at++] = text_format(&cx->scratch, "im_%u", k);
  }
  CsvWriter writer;
  Status status = csv_writer_open(cx, path, names, columns, &writer);
  if (status == QDOT_OK) {
    for (uint32_t i = 0; i < s->n && status == QDOT_OK; i++) {
      fill_row(&s->step[i], modes, eigenvalues, row);
      status = csv_writer_row(&writer, row);
    }
    Status finished = csv_writer_finish(&writer);
    if (status == QDOT_OK) status = finished;
  }
  arena_release(&cx->scratch, mark);
  return status;
}
