// Runs a model's text and keeps its rows.
#include "support/motion.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "derive/roads/moving.h"
#include "lang/read.h"

void motion_explain(const Motion *motion) {
  Text text = text_new(&motion->cx->keep);
  for (uint32_t i = 0; i < motion->cx->diagnostics.list.n; i++)
    diag_print(&motion->cx->sources, &motion->cx->diagnostics.list.at[i], false, &text);
  print_error("%s\n", text.at);
}

// With data files beside path.
static Motion load(Context *cx, const char *path, const char *text, const char *const *set,
                   Formulation formulation) {
  Motion motion = {.cx = cx};
  ReadOptions read = {.overrides = set};
  while (set && set[read.override_count]) read.override_count++;
  Model *model = NULL;
  Status status = model_read(cx, path, text, strlen(text), &read, &model);
  if (status == QDOT_OK) status = model_formulate(cx, model, formulation, &model);
  if (status == QDOT_OK) model = model_moving(model);
  if (status == QDOT_OK) status = derive_system(cx, model, DERIVE_BASIC, &motion.system);
  if (status == QDOT_OK) status = sim_options(cx, model, &motion.options);
  if (status != QDOT_OK) motion_explain(&motion);
  assert_int_equal(status, QDOT_OK);
  motion.columns = sim_columns(cx, &motion.system);
  return motion;
}

Motion motion_load_as(Context *cx, const char *text, const char *const *set,
                      Formulation formulation) {
  return load(cx, "test.qdot", text, set, formulation);
}

Motion motion_load(Context *cx, const char *text, const char *const *set) {
  return motion_load_as(cx, text, set, FORMULATION_LAGRANGE);
}

static char *file_text(Context *cx, const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file) print_error("cannot read %s\n", path);
  assert_non_null(file);
  Text text = text_new(&cx->keep);
  int byte;
  while ((byte = fgetc(file)) != EOF) text_add_char(&text, (char)byte);
  fclose(file);
  return text.at;
}

Motion motion_load_file_as(Context *cx, const char *path, Formulation formulation) {
  return load(cx, path, file_text(cx, path), NULL, formulation);
}

Motion motion_load_file(Context *cx, const char *path, const char *const *set) {
  return load(cx, path, file_text(cx, path), set, FORMULATION_LAGRANGE);
}

static Status take_row(void *user, const double *values, uint32_t n) {
  Motion *motion = user;
  assert_int_equal(n, motion->columns.n);
  for (uint32_t i = 0; i < n; i++) vec_push(&motion->cx->keep, &motion->values, values[i]);
  motion->rows++;
  return QDOT_OK;
}

static Status take_stretch(void *user, const Stretch *stretch) {
  Motion *motion = user;
  Stretch kept = *stretch;
  size_t count = (size_t)stretch->nodes * stretch->columns;
  double *cells = arena_array(&motion->cx->keep, double, count);
  memcpy(cells, stretch->cells, count * sizeof *cells);
  kept.cells = cells;
  vec_push(&motion->cx->keep, &motion->stretches, kept);
  return QDOT_OK;
}

void motion_run(Motion *motion) {
  RowSink sink = {.user = motion, .row = take_row};
  if (motion->keeps_stretches) sink.stretch = take_stretch;
  motion->values.n = motion->rows = motion->stretches.n = 0;
  motion->status = sim_run(motion->cx, &motion->system, &motion->options, &sink, &motion->summary);
}

Motion motion_of(Context *cx, const char *text) {
  Motion motion = motion_load(cx, text, NULL);
  motion_run(&motion);
  if (motion.status != QDOT_OK) motion_explain(&motion);
  assert_int_equal(motion.status, QDOT_OK);
  return motion;
}

Motion motion_to_end(Context *cx, const char *text) {
  Motion motion = motion_of(cx, text);
  bool is_whole = motion.summary.stopped == STOPPED_NOT;
  if (!is_whole) print_message("%s\n", text);
  if (!is_whole) motion_explain(&motion);
  assert_true(is_whole);
  return motion;
}

const SimEvent *motion_event(const Motion *motion, uint32_t i, SimEventKind kind) {
  assert_true(i < motion->summary.events.n);
  assert_int_equal(motion->summary.events.at[i].kind, kind);
  return &motion->summary.events.at[i];
}

uint32_t motion_column(const Motion *motion, const char *column) {
  uint32_t n = motion->columns.n, place = n;
  for (uint32_t i = 0; i < n; i++)
    if (strcmp(motion->columns.at[i].name, column) == 0) place = i;
  if (place == n) print_error("no column %s\n", column);
  assert_true(place < n);
  return place;
}

double motion_at(const Motion *motion, double t, const char *column) {
  uint32_t n = motion->columns.n, best = 0, place = motion_column(motion, column);
  for (uint32_t i = 0; i < motion->rows; i++)
    if (fabs(motion->values.at[i * n] - t) < fabs(motion->values.at[best * n] - t)) best = i;
  return motion->values.at[best * n + place];
}

Motion motion_in_balance(Context *cx, const char *text, Formulation formulation, double t_end,
                         double every) {
  Motion motion = motion_load_as(cx, text, NULL, formulation);
  motion.options.t_end = t_end;
  motion.options.every = every;
  motion.options.method.rtol = 1e-10;
  motion_run(&motion);
  if (motion.status != QDOT_OK) motion_explain(&motion);
  assert_int_equal(motion.status, QDOT_OK);
  assert_true(motion.summary.energy_drift < 1e-6);
  return motion;
}
