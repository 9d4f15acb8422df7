// One mode of vibration, drawn on the mechanism: a motion without curves.
#include "client.h"

static qdot_status find_view(const Request *r, qdot_context *cx, qdot_view **out) {
  const char *name = *r->file ? r->file : "untitled.qdot";
  qdot_model *model;
  qdot_system *system;
  qdot_linear *linear;
  qdot_status status = qdot_model_parse(cx, name, r->text, r->text_length, NULL, &model);
  if (status == QDOT_OK) status = qdot_system_derive(model, &system);
  if (status == QDOT_OK) status = qdot_system_linearize(system, 0, &linear);
  return status == QDOT_OK ? qdot_mode_view(linear, r->number, NULL, out) : status;
}

void mode_answer(Client *client, Worker *worker, const Request *request) {
  qdot_view *view;
  if (find_view(request, worker->cx, &view) != QDOT_OK) {
    size_t n = qdot_diagnostic_count(worker->cx);
    const qdot_diagnostic *last = n ? qdot_diagnostic_at(worker->cx, n - 1) : NULL;
    client_refuse(client, request, last ? last->text : "there is no such mode");
    return;
  }
  size_t rows, width;
  const double *numbers = qdot_view_numbers(view, &rows, &width);
  Answer answer;
  answer_open(&answer, "mode", request->id);
  answer_number(&answer, "number", request->number);
  answer_number(&answer, "rows", (double)rows);
  answer_number(&answer, "width", (double)width);
  answer_json(&answer, "view", qdot_view_json(view));
  answer_section(&answer, "numbers", numbers, rows * width * sizeof *numbers);
  outbox_put(&client->outbox, &answer, false);
}
