// Motions beside the one that is shown: a mode of vibration, drawn on the mechanism without curves,
// and that of another text.
#include "client.h"
#include "view_add.h"

static qdot_status view_of_mode(const Request *r, qdot_context *cx, qdot_view **out) {
  const char *name = *r->file ? r->file : "untitled.qdot";
  qdot_model *model;
  qdot_system *system;
  qdot_linear *linear;
  qdot_status status = qdot_model_parse(cx, name, r->text, r->text_length, NULL, &model);
  if (status == QDOT_OK) status = qdot_system_derive(model, &system);
  if (status == QDOT_OK) status = qdot_system_linearize(system, 0, &linear);
  return status == QDOT_OK ? qdot_mode_view(linear, r->number, NULL, out) : status;
}

static void refuse(Client *client, qdot_context *cx, const Request *request, const char *why) {
  size_t n = qdot_diagnostic_count(cx);
  const qdot_diagnostic *last = n ? qdot_diagnostic_at(cx, n - 1) : NULL;
  client_refuse(client, request, last ? last->text : why);
}

void mode_answer(Client *client, Worker *worker, const Request *request) {
  qdot_view *view;
  if (view_of_mode(request, worker->cx, &view) != QDOT_OK) {
    refuse(client, worker->cx, request, "there is no such mode");
    return;
  }
  Answer answer;
  answer_open(&answer, "mode", request->id);
  answer_number(&answer, "number", request->number);
  view_add(&answer, view, false);
  outbox_put(&client->outbox, &answer, false);
}

static qdot_status view_of_run(const Request *r, Worker *worker, qdot_view **out) {
  const char *name = *r->file ? r->file : "untitled.qdot";
  qdot_model *model;
  qdot_result *result;
  qdot_run_options options = qdot_run_defaults();
  options.memory = (size_t)256 << 20;
  options.stop = &worker->stop;
  qdot_status status = qdot_model_parse(worker->cx, name, r->text, r->text_length, NULL, &model);
  if (status == QDOT_OK) status = qdot_model_simulate(model, &options, &result);
  return status == QDOT_OK ? qdot_result_view(result, NULL, out) : status;
}

void run_answer(Client *client, Worker *worker, const Request *request) {
  qdot_view *view;
  if (view_of_run(request, worker, &view) != QDOT_OK) {
    refuse(client, worker->cx, request, "it cannot be computed");
    return;
  }
  Answer answer;
  answer_open(&answer, "ran", request->id);
  view_add(&answer, view, true);
  outbox_put(&client->outbox, &answer, false);
}
