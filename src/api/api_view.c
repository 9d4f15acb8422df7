// A run as numbers, for programs that draw it themselves.
#include "api/api_view.h"
#include "api/api_call.h"
#include "api/api_options.h"
#include "api/api_result.h"
#include "derive/formulate.h"

#define USUAL_SAMPLES 1200

struct qdot_view {
  Object object;
  Text json;
  uint32_t count, width;
  const double *numbers;
};

typedef struct Viewing {
  qdot_result *result;
  const qdot_view_options *o;
  qdot_view *view;
} Viewing;

Status api_view(Live *live, const qdot_view_options *options, qdot_view **out) {
  qdot_view *view = *out = object_new(live->cx, sizeof *view);
  live->arena = &view->object.arena;
  if (!live_open(live))
    return diag_error_plain(live->cx, QDOT_BAD_FILE,
                            "there is nothing to draw: the result has no rows");
  view->json = text_new(live->arena);
  live_write_view(live, &view->json);
  view->numbers = live_numbers(live, options->samples ? options->samples : USUAL_SAMPLES,
                               &view->count, &view->width);
  return QDOT_OK;
}

static Status make_view(void *argument) {
  Viewing *v = argument;
  Context *cx = v->result->cx;
  Live live = {.cx = cx, .result = v->result->result};
  Status status = result_need_rows(v->result);
  if (status == QDOT_OK) status = result_language(cx, v->o->language, &live.language);
  if (status == QDOT_OK) status = model_system(v->result->model, DERIVE_BASIC, &live.system);
  return status == QDOT_OK ? api_view(&live, v->o, &v->view) : status;
}

qdot_status qdot_result_view(qdot_result *result, const qdot_view_options *options,
                             qdot_view **out) {
  if (out) *out = NULL;
  if (!result || !out) return QDOT_BAD_ARGUMENT;
  qdot_view_options own;
  if (!api_options(options, &own, sizeof own)) return QDOT_BAD_ARGUMENT;
  Viewing viewing = {.result = result, .o = &own};
  Status status = api_call(result->cx, make_view, &viewing);
  *out = object_of(result->cx, status, viewing.view);
  return status;
}

void qdot_view_close(qdot_view *view) { object_close(view); }

const char *qdot_view_json(const qdot_view *view) {
  if (!view) return NULL;
  return view->json.at;
}

const double *qdot_view_numbers(const qdot_view *view, size_t *rows, size_t *width) {
  if (!view) return NULL;
  *rows = view->count, *width = view->width;
  return view->numbers;
}
