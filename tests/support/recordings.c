// Recordings: a model's text and a motion given as functions of time, or its own run.
#include "support/recordings.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "derive/formulate.h"
#include "derive/roads/moving.h"
#include "derive/system.h"
#include "lang/read.h"
#include "result/recorder.h"
#include "support/check.h"

typedef struct MovingRows {
  const Model *model;
  Motion *motion;
  uint64_t rows, next;
  double step, *row;
} MovingRows;

static const double *next_row(void *user) {
  MovingRows *m = user;
  if (m->next == m->rows) return NULL;
  double t = m->step * m->next++;
  uint32_t n = m->model->coordinates.n, at = 0;
  m->row[at++] = t;
  for (uint32_t i = 0; i < n; i++) {
    double q[3];
    m->motion(t, i, q);
    for (int k = 0; k < 3; k++) m->row[at + k * n + i] = q[k];
  }
  at += 3 * n;
  for (uint32_t i = 0; i < m->model->constraints.n + m->model->contacts.n; i++)
    m->row[at++] = sin(t * (1 + i));
  m->row[at++] = 2 + sin(t);
  m->row[at++] = 1 - sin(t);
  m->row[at++] = 3 + 1e-9 * t;
  return m->row;
}

static void rewind_rows(void *user) { ((MovingRows *)user)->next = 0; }

Result *recording_of_motion(Context *cx, const char *text, Motion *motion, uint64_t rows,
                            double step) {
  Model *model;
  Status status = model_read(cx, "test.qdot", text, strlen(text), NULL, &model);
  if (status == QDOT_OK) status = model_formulate(cx, model, FORMULATION_LAGRANGE, &model);
  if (status != QDOT_OK) {
    Text out = text_new(&cx->keep);
    diag_print(&cx->sources, &cx->diagnostics.list.at[0], false, &out);
    fail_msg("%s", out.at);
  }
  uint32_t n = model->coordinates.n, forces = model->constraints.n + model->contacts.n;
  uint32_t width = 1 + 3 * n + forces + 3, at = 0;
  const char **columns = arena_array(&cx->keep, const char *, width);
  columns[at++] = "t";
  for (int order = 0; order < 3; order++)
    for (uint32_t i = 0; i < n; i++)
      columns[at++] = text_format(&cx->keep, "%s%.*s",
                                  symbol_text(cx, model->coordinates.at[i].name), order, "''");
  for (uint32_t i = 0; i < forces; i++) {
    bool contact = i >= model->constraints.n;
    Expr lambda = contact ? model->contacts.at[i - model->constraints.n].multiplier
                          : model->constraints.at[i].multiplier;
    columns[at++] = symbol_text(cx, symbol_name(cx, lambda));
  }
  columns[at++] = "E_kin", columns[at++] = "E_pot", columns[at++] = "E_tot";
  MovingRows *moving = arena_new(&cx->keep, MovingRows);
  *moving = (MovingRows){model, motion, rows, 0, step, arena_array(&cx->keep, double, width)};
  Result *result = arena_new(&cx->keep, Result);
  *result = (Result){.model = model,
                     .column_count = width,
                     .columns = columns,
                     .rows = {.user = moving, .next = next_row, .rewind = rewind_rows}};
  result->motion = result->rows;
  return result;
}

void motion_of_sines(double t, uint32_t i, double out[3]) {
  double w = 1 + i;
  out[0] = w * sin(w * t), out[1] = w * w * cos(w * t), out[2] = -w * w * w * sin(w * t);
}

const char *scratch_folder(Context *cx, const char *name) {
  const char *root = getenv("TMPDIR");
  char *path = text_format(&cx->keep, "%s/qdot-%s-XXXXXX", root ? root : "/tmp", name);
  if (!mkdtemp(path)) fail_msg("no folder %s", path);
  return path;
}

void remove_folder(const char *folder) {
  DIR *dir = opendir(folder);
  for (struct dirent *entry; dir && (entry = readdir(dir));) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
    if (entry->d_name[0] != '.') unlink(path);
  }
  if (dir) closedir(dir);
  rmdir(folder);
}

Result *recording_of_run(Context *cx, const char *name, const char *text, double end) {
  Model *model;
  assert_int_equal(model_read(cx, name, text, strlen(text), NULL, &model), QDOT_OK);
  assert_int_equal(model_formulate(cx, model, FORMULATION_LAGRANGE, &model), QDOT_OK);
  if (model->origin) model->formulation = formulation_text(FORMULATION_LAGRANGE);
  model = model_moving(model);
  System *system;
  assert_int_equal(model_system(model, DERIVE_BASIC, &system), QDOT_OK);
  Result *result = result_new(cx, model);
  Columns columns = sim_columns(cx, system);
  const char **names = arena_array(&cx->keep, const char *, columns.n);
  for (uint32_t i = 0; i < columns.n; i++) names[i] = columns.at[i].name;
  result->columns = names, result->column_count = columns.n;
  SimOptions options;
  assert_int_equal(sim_options(cx, model, &options), QDOT_OK);
  options.t_end = fmin(options.t_end, end);
  Recorder recorder;
  RecorderOptions how = {.memory = (size_t)1 << 26};
  assert_int_equal(recorder_open(&recorder, result, &how), QDOT_OK);
  RowSink sink = recorder_sink(&recorder);
  assert_int_equal(sim_run(cx, system, &options, &sink, &result->summary), QDOT_OK);
  assert_int_equal(recorder_finish(&recorder), QDOT_OK);
  return result;
}
