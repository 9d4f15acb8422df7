// What the lines of a model ask, answered beside its motion as far as that is soon done.
#include "questions.h"

#include <stdio.h>
#include <string.h>

#include "ending.h"
#include "output.h"
#include "vibration.h"

#define PATIENCE 5.0   // seconds of computing for one question
#define FEWEST_RUNS 20 // that a question takes; where these alone take too long, it is not begun

static bool is_named(const Question *q, const char *name) { return strcmp(q->name, name) == 0; }

static bool is_vibration(const Question *q) {
  return is_named(q, "random") || is_named(q, "synchronous");
}

// ---- Answering

static qdot_status answer_vibration(Session *session, const char *folder, Question *q) {
  qdot_response_options options = qdot_response_defaults();
  options.folder = folder;
  qdot_system *system;
  qdot_linear *linear;
  qdot_status status = qdot_system_derive(session->model, &system);
  if (status == QDOT_OK && is_named(q, "synchronous"))
    return qdot_system_synchronous(system, &options, &q->synchronous);
  if (status == QDOT_OK) status = linearize_at_line(session, system, &linear);
  return status == QDOT_OK ? qdot_linear_response(linear, &options, &q->response) : status;
}

static qdot_status answer_runs(Session *session, const char *folder, double run_seconds,
                               Question *q) {
  TimeLimit limit = {.seconds = PATIENCE};
  qdot_run_options run = running_options(session->arguments);
  run.folder = folder;
  // one run with its derivatives
  if (is_named(q, "sensitivity")) return running_ask(session, q->name, run, NULL, &q->answer);
  q->expected = FEWEST_RUNS * run_seconds;
  q->is_left_out = q->expected > PATIENCE;
  if (q->is_left_out) return QDOT_OK;
  qdot_status status =
      is_named(q, "tolerance")
          ? running_tolerance(session, qdot_tolerance_defaults(), run, &limit, &q->tolerance)
          : running_ask(session, q->name, run, &limit, &q->answer);
  q->is_left_out = limit.is_exceeded, q->expected = limit.expected;
  if (q->is_left_out) q->answer = NULL, q->tolerance = NULL;
  return limit.is_exceeded && status == QDOT_STOPPED ? QDOT_OK : status;
}

qdot_status questions_answer(Session *session, const char *folder, double run_seconds,
                             Questions *out) {
  qdot_status first = QDOT_OK;
  *out = (Questions){0};
  const char *name;
  for (size_t i = 0; (name = qdot_model_question_at(session->model, i)) && out->n < MOST_QUESTIONS;
       i++) {
    Question *q = &out->at[out->n++];
    *q = (Question){.name = name, .verb = name};
    qdot_status status = QDOT_OK;
    if (ending_is_asked()) break;
    if (is_vibration(q))
      q->verb = "response", status = answer_vibration(session, folder, q);
    else if (!is_named(q, "sweep"))
      status = answer_runs(session, folder, run_seconds, q);
    if (first == QDOT_OK) first = status;
  }
  return first;
}

// ---- Telling

static bool is_answered(const Question *q) {
  return q->answer || q->tolerance || q->response || q->synchronous;
}

qdot_status questions_write(const Questions *questions, const qdot_write_options *style) {
  qdot_status status = QDOT_OK;
  for (size_t i = 0; i < questions->n && status == QDOT_OK; i++) {
    const Question *q = &questions->at[i];
    if (!is_answered(q)) continue;
    printf("\n");
    if (q->answer) status = qdot_answer_write(q->answer, style, output_sink());
    if (q->tolerance) status = qdot_tolerance_write(q->tolerance, style, output_sink());
    if (q->response) status = qdot_response_write(q->response, style, output_sink());
    if (q->synchronous) status = qdot_synchronous_write(q->synchronous, style, output_sink());
    printf("\n");
  }
  return status;
}

void questions_list_files(const Questions *questions, const char *folder) {
  for (size_t i = 0; i < questions->n; i++) {
    const Question *q = &questions->at[i];
    size_t files = q->answer ? qdot_answer_file_count(q->answer) : 0;
    for (size_t k = 0; k < files; k++) printf("%s\n", qdot_answer_file_at(q->answer, k)->path);
    if (q->tolerance && qdot_tolerance_is_drawn(q->tolerance)) printf("%s/tolerance.svg\n", folder);
    if (q->response) printf("%s/density.svg\n", folder);
    if (q->synchronous) printf("%s/synchronous.svg\n", folder);
  }
}

static void print_cost(double seconds) {
  if (seconds >= 7200)
    printf(" in about %.2g hours", seconds / 3600);
  else if (seconds >= 100)
    printf(" in about %.2g minutes", seconds / 60);
  else if (seconds > 0)
    printf(" in about %.2g s", seconds);
  else
    printf(" in more than %g s of computing", PATIENCE);
}

void questions_name_others(const Session *session, const Questions *questions) {
  const char *model = session_operand(session->arguments);
  for (size_t i = 0; i < questions->n; i++) {
    const Question *q = &questions->at[i];
    if (is_answered(q)) continue;
    printf("qdot %s %s answers its %s line", q->verb, model, q->name);
    if (q->is_left_out) print_cost(q->expected);
    printf("; qdot report %s then includes it\n", model);
  }
}
