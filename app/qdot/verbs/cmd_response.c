// qdot response MODEL: frequency response with CSV and Bode plot.
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "output.h"
#include "session.h"
#include "vibration.h"

static qdot_status respond(Session *session, qdot_system *system,
                           const qdot_response_options *options, const qdot_write_options *style) {
  qdot_linear *linear;
  qdot_status status = linearize_at_line(session, system, &linear);
  qdot_response *response;
  if (status == QDOT_OK) status = qdot_linear_response(linear, options, &response);
  if (status == QDOT_OK) status = qdot_response_write(response, style, output_sink());
  if (status == QDOT_OK && options->folder && style->format == QDOT_FORMAT_TEXT &&
      !session_is_quiet(session)) {
    printf("\n%s/response.csv\n%s/response.svg\n", options->folder, options->folder);
    if (qdot_random_output_count(response) > 0)
      printf("%s/density.csv\n%s/density.svg\n", options->folder, options->folder);
  }
  return status;
}

static qdot_status turn(Session *session, qdot_system *system, const qdot_response_options *options,
                        const qdot_write_options *style) {
  qdot_synchronous *synchronous;
  qdot_status status = qdot_system_synchronous(system, options, &synchronous);
  if (status == QDOT_OK) status = qdot_synchronous_write(synchronous, style, output_sink());
  if (status == QDOT_OK && options->folder && style->format == QDOT_FORMAT_TEXT &&
      !session_is_quiet(session))
    printf("\n%s/synchronous.csv\n%s/synchronous.svg\n", options->folder, options->folder);
  return status;
}

// A synchronous line is what a model of a rotor asks; --input asks for the frequency response.
static bool asks_synchronous(const Session *session) {
  if (option_given(session->arguments, OPTION_INPUT)) return false;
  for (size_t i = 0; qdot_model_question_at(session->model, i); i++)
    if (strcmp(qdot_model_question_at(session->model, i), "synchronous") == 0) return true;
  return false;
}

int cmd_response(const Arguments *arguments) {
  qdot_write_options style = session_style(arguments);
  qdot_response_options options = qdot_response_defaults();
  options.inputs = arguments->value[OPTION_INPUT];
  options.outputs = arguments->value[OPTION_OUTPUT];
  options.points = option_count(arguments, OPTION_POINTS, 2, 1000000, 400);
  options.range = arguments->value[OPTION_RANGE];
  Session session;
  int status = session_open(arguments, &session);
  if (status != EXIT_DONE) return status;
  char room[4096];
  options.folder = vibration_folder(&session, &style, room, sizeof room);
  qdot_system *system;
  qdot_status done = qdot_system_derive(session.model, &system);
  if (done == QDOT_OK)
    done = option_given(arguments, OPTION_SWEEP) ? locus_and_write(&session, system, &style)
           : asks_synchronous(&session)          ? turn(&session, system, &options, &style)
                                                 : respond(&session, system, &options, &style);
  return session_close(&session, done);
}
