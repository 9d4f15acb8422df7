// An edit: text -> diagnostics -> equations -> motion -> small vibrations. Each is an answer of its
// own, sent as soon as it is there.
#include <stdlib.h>
#include <string.h>

#include "client.h"
#include "diagnosis.h"
#include "view_add.h"

static const size_t MOTION_MEMORY = (size_t)256 << 20;
static const double PROGRESS_AFTER = 0.2, PROGRESS_EVERY = 0.1; // seconds

typedef struct Edit {
  Client *client;
  Worker *worker;
  const Request *request;
  qdot_context *cx;
  qdot_model *model;
  double began, told; // when progress was last told
} Edit;

static void put(const Edit *e, Answer *answer) { outbox_put(&e->client->outbox, answer, true); }

static bool is_cancelled(const Edit *e) { return e->worker->stop != 0; }

static const char *name_of(const Request *r) { return *r->file ? r->file : "untitled.qdot"; }

static void tell_diagnostics(const Edit *e) {
  Answer answer;
  answer_open(&answer, "diagnosed", e->request->id);
  diagnosis_add(&answer, e->cx, name_of(e->request));
  put(e, &answer);
}

static void tell_stage(const Edit *e, const char *stage, double part) {
  Answer answer;
  answer_open(&answer, "progress", e->request->id);
  answer_text(&answer, "stage", stage);
  answer_number(&answer, "part", part);
  put(e, &answer);
}

// ---- Equations

static void tell_equations(const Edit *e) {
  qdot_system *system;
  if (qdot_system_derive(e->model, &system) != QDOT_OK) return;
  qdot_system_write_options options = qdot_system_write_defaults();
  options.format = QDOT_FORMAT_HTML;
  options.steps = 1;
  Bytes html = {0};
  if (qdot_system_write(system, &options, bytes_sink(&html)) == QDOT_OK && html.at) {
    Answer answer;
    answer_open(&answer, "equations", e->request->id);
    answer_text(&answer, "title", qdot_model_title(e->model));
    answer_number(&answer, "seconds", qdot_system_seconds(system));
    answer_section(&answer, "html", html.at, html.n);
    put(e, &answer);
  }
  free(html.at);
}

// ---- Motion

static void tell_progress(void *user, double t, double t_end, int64_t steps) {
  Edit *e = user;
  double now = seconds_now();
  (void)steps;
  if (now - e->began < PROGRESS_AFTER || now - e->told < PROGRESS_EVERY) return;
  e->told = now;
  tell_stage(e, "simulate", t_end > 0 ? t / t_end : 0);
}

static void add_certificate(Answer *answer, qdot_result *result) {
  const qdot_certificate *c = qdot_result_certificate(result);
  Bytes text = {0};
  if (!c) return;
  answer_begin(answer, "certificate", '{');
  answer_text(answer, "method", c->method);
  answer_number(answer, "rtol", c->rtol);
  answer_number(answer, "steps", (double)c->steps);
  answer_number(answer, "rejected", (double)c->rejected);
  answer_number(answer, "energy", c->energy_drift);
  answer_number(answer, "position", c->position_residual);
  answer_number(answer, "velocity", c->velocity_residual);
  answer_number(answer, "seconds", c->run_seconds);
  answer_number(answer, "t_end", c->t_end);
  answer_number(answer, "stop", c->stop);
  if (qdot_result_write(result, NULL, bytes_sink(&text)) == QDOT_OK && text.at)
    answer_bytes(answer, "text", text.at, text.n);
  answer_end(answer, '}');
  free(text.at);
}

static void add_measures(Answer *answer, qdot_result *result) {
  answer_begin(answer, "measures", '[');
  for (size_t i = 0; i < qdot_result_measure_count(result); i++) {
    const qdot_measure *measure = qdot_result_measure_at(result, i);
    answer_begin(answer, NULL, '{');
    answer_text(answer, "name", measure->name);
    answer_text(answer, "unit", measure->unit);
    answer_number(answer, "value", measure->value);
    answer_end(answer, '}');
  }
  answer_end(answer, ']');
}

// Of more rows than fit, a part that does.
static qdot_status simulate(const Edit *e, qdot_run_options *options, qdot_result **out) {
  enum { MANY_ROWS = 100000 };
  qdot_status status = qdot_model_simulate(e->model, options, out);
  const qdot_certificate *c = status == QDOT_OK ? qdot_result_certificate(*out) : NULL;
  double bytes = c ? (double)c->rows * (double)qdot_result_column_count(*out) * sizeof(double) : 0;
  if (bytes < (double)MOTION_MEMORY / 2 || is_cancelled(e)) return status;
  qdot_result_close(*out);
  options->rough = MANY_ROWS;
  return qdot_model_simulate(e->model, options, out);
}

static void tell_motion(Edit *e) {
  qdot_run_options options = qdot_run_defaults();
  options.memory = MOTION_MEMORY;
  if (e->request->is_slide) options.rough = ROUGH_ROWS;
  options.stop = &e->worker->stop;
  options.progress = tell_progress, options.progress_user = e;
  qdot_result *result;
  qdot_view *view;
  if (simulate(e, &options, &result) != QDOT_OK) return;
  qdot_view_options view_options = qdot_view_defaults();
  if (e->request->is_slide) view_options.samples = ROUGH_ROWS;
  if (qdot_result_view(result, &view_options, &view) != QDOT_OK) return;
  Answer answer;
  answer_open(&answer, "motion", e->request->id);
  answer_flag(&answer, "slide", e->request->is_slide);
  add_certificate(&answer, result);
  add_measures(&answer, result);
  view_add(&answer, view, e->request->is_slide);
  put(e, &answer);
}

// ---- Small vibrations

// Where there are no modes, writing them says why.
static bool find_modes(const Edit *e, qdot_linear **linear, const char **stability) {
  qdot_system *system;
  Bytes nobody = {0};
  if (qdot_system_derive(e->model, &system) != QDOT_OK ||
      qdot_system_linearize(system, 0, linear) != QDOT_OK)
    return false;
  if (qdot_linear_stability(*linear, stability) != QDOT_STABILITY_UNKNOWN ||
      qdot_mode_count(*linear) > 0)
    return true;
  bool done = qdot_modes_write(*linear, NULL, bytes_sink(&nobody)) == QDOT_OK;
  free(nobody.at);
  return done;
}

static void tell_modes(const Edit *e) {
  qdot_linear *linear;
  const char *stability;
  Answer answer;
  bool done = find_modes(e, &linear, &stability);
  if (is_cancelled(e)) return;
  answer_open(&answer, "modes", e->request->id);
  answer_begin(&answer, "modes", '[');
  for (size_t i = 0; done && i < qdot_mode_count(linear); i++) {
    const qdot_mode *mode = qdot_mode_at(linear, i);
    answer_begin(&answer, NULL, '{');
    answer_number(&answer, "re", mode->re);
    answer_number(&answer, "im", mode->im);
    answer_number(&answer, "hz", mode->hz);
    answer_number(&answer, "damping", mode->damping);
    answer_number(&answer, "kind", mode->kind);
    answer_end(&answer, '}');
  }
  answer_end(&answer, ']');
  if (done) {
    answer_text(&answer, "stability", stability);
  } else {
    size_t n = qdot_diagnostic_count(e->cx);
    const qdot_diagnostic *last = n ? qdot_diagnostic_at(e->cx, n - 1) : NULL;
    answer_text(&answer, "why", last ? last->text : "there is no point to linearize about");
  }
  put(e, &answer);
}

// ---- The whole

// The equations first for those who type, the motion first for those who slide.
static void tell_all(Edit *e) {
  if (!e->request->is_slide) tell_equations(e);
  if (!is_cancelled(e)) tell_motion(e);
  if (!is_cancelled(e)) tell_diagnostics(e);
  if (worker_may_linger(e->worker)) tell_modes(e);
}

void compute_answer(void *client, Worker *worker, const Request *request) {
  Edit e = {.client = client, .worker = worker, .request = request, .cx = worker->cx};
  e.began = seconds_now();
  qdot_status status =
      qdot_model_parse(e.cx, name_of(request), request->text, request->text_length, NULL, &e.model);
  if (is_cancelled(&e)) return;
  tell_diagnostics(&e);
  if (status == QDOT_OK) tell_all(&e);
  Answer answer;
  answer_open(&answer, "done", request->id);
  answer_flag(&answer, "stopped", is_cancelled(&e));
  put(&e, &answer);
}
