// Models from files, for measurements.
#include "text_model.h"

#include <stdio.h>
#include <stdlib.h>

#include "expr/value/eval.h"
#include "lang/read.h"
#include "qdot/qdot.h"

typedef struct Job {
  TextModel *model;
  const char *path;
  int links;
  Formulation formulation;
  Status (*work)(TextModel *model, void *argument);
  void *argument;
} Job;

static char *read_whole(Context *cx, const char *path, size_t *length) {
  FILE *file = fopen(path, "rb");
  if (!file) return NULL;
  fseek(file, 0, SEEK_END);
  size_t size = (size_t)ftell(file);
  rewind(file);
  char *text = arena_alloc(&cx->keep, size + 1);
  *length = fread(text, 1, size, file);
  fclose(file);
  return text;
}

static Status build(void *argument) {
  Job *job = argument;
  Context *cx = job->model->cx;
  size_t length;
  char *text = read_whole(cx, job->path, &length), setting[32];
  if (!text) return QDOT_IO;
  snprintf(setting, sizeof setting, "N=%d", job->links);
  const char *settings[] = {setting};
  ReadOptions options = {.overrides = settings, .override_count = job->links > 0};
  double began = context_seconds();
  Model *model;
  Status status = model_read(cx, job->path, text, length, &options, &model);
  if (status == QDOT_OK) status = model_formulate(cx, model, job->formulation, &model);
  if (status == QDOT_OK) status = derive_system(cx, model, DERIVE_BASIC, &job->model->system);
  job->model->seconds = context_seconds() - began;
  if (status == QDOT_OK && job->work) status = job->work(job->model, job->argument);
  return status;
}

bool text_model_open(TextModel *model, const char *path, int links,
                     Status (*work)(TextModel *model, void *argument), void *argument) {
  return text_model_open_as(model, path, links, FORMULATION_LAGRANGE, work, argument);
}

bool text_model_open_as(TextModel *model, const char *path, int links, Formulation formulation,
                        Status (*work)(TextModel *model, void *argument), void *argument) {
  Limits limits = limits_defaults();
  Memory memory = memory_defaults();
  *model = (TextModel){.cx = context_open(&limits, &memory)};
  Job job = {model, path, links, formulation, work, argument};
  return model->cx && guard_run(&model->cx->guard, build, &job) == QDOT_OK;
}

void text_model_close(TextModel *model) {
  if (model->cx) context_close(model->cx);
}

double *text_model_values(const TextModel *model) {
  Context *cx = model->cx;
  const Model *from = model->system.model;
  double *values = arena_array(&cx->keep, double, cx->exprs->symbols.n + 1);
  for (uint32_t i = 0; i < from->parameters.n; i++)
    values[symbol_variable(cx, from->parameters.at[i].symbol)] =
        expr_eval(cx, from->parameters.at[i].value, values);
  return values;
}
