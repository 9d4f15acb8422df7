// qdot response MODEL: frequency response with CSV and Bode plot.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "output.h"
#include "session.h"
#include "vibration.h"

// A..B in Hz; false when it is none.
static bool read_range(const char *text, double *from, double *to) {
  const char *dots = strstr(text, "..");
  char *end;
  if (!dots) return false;
  *from = strtod(text, &end);
  if (end != dots && !(end == dots + 1)) return false;
  *to = strtod(dots + 2, &end);
  return *end == 0 && *from > 0 && *to > *from && isfinite(*to);
}

static qdot_status respond(Session *session, qdot_system *system,
                           const qdot_response_options *wishes, const qdot_style *style) {
  qdot_linear *linear;
  qdot_status status = linearize_at_wish(session, system, &linear);
  if (status == QDOT_OK) status = qdot_response_write(linear, wishes, style, output_sink());
  if (status == QDOT_OK && wishes->folder && style->format == QDOT_TEXT &&
      !session_is_quiet(session))
    printf("\n%s/response.csv\n%s/response.svg\n", wishes->folder, wishes->folder);
  return status;
}

int cmd_response(const Options *options) {
  qdot_style style = session_style(options);
  qdot_response_options wishes = qdot_response_defaults();
  wishes.inputs = options->value[OPTION_INPUT];
  wishes.outputs = options->value[OPTION_OUTPUT];
  wishes.points = option_count(options, OPTION_POINTS, 2, 1000000, wishes.points);
  const char *range = options->value[OPTION_RANGE];
  if (range && !read_range(range, &wishes.from, &wishes.to)) {
    fprintf(stderr, "qdot response: '%s' is no range of frequencies: --range 0.1..100\n", range);
    return EXIT_USAGE;
  }
  Session session;
  int status = session_open(options, &session);
  if (status != EXIT_DONE) return status;
  char room[4096];
  wishes.folder = vibration_folder(&session, &style, room, sizeof room);
  qdot_system *system;
  qdot_status done = qdot_system_derive(session.model, &system);
  if (done == QDOT_OK)
    done = option_given(options, OPTION_SWEEP) ? sweep_and_write(&session, system, &style)
                                               : respond(&session, system, &wishes, &style);
  return session_close(&session, done);
}
