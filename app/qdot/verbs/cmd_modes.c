// qdot modes MODEL: natural frequencies, damping and shapes, also over a parameter.
#include <stdio.h>

#include "commands.h"
#include "vibration.h"

// Those of a sampled loop belong into the unit circle, which a picture shows.
static qdot_status draw_eigenvalues(Session *session, qdot_linear *linear,
                                    const qdot_write_options *style) {
  char room[4096];
  const char *folder = vibration_folder(session, style, room, sizeof room);
  if (!folder || !(qdot_linear_sample_time(linear) > 0)) return QDOT_OK;
  qdot_status status = qdot_eigenvalues_draw(linear, folder);
  if (status == QDOT_OK && style->format == QDOT_FORMAT_TEXT && !session_is_quiet(session))
    printf("\n%s/eigenvalues.svg\n", folder);
  return status;
}

int cmd_modes(const Arguments *arguments) {
  option_needs(arguments, OPTION_LANG, OPTION_ANIMATE);
  qdot_write_options style = session_style(arguments);
  Session session;
  int status = session_open(arguments, &session);
  if (status != EXIT_DONE) return status;
  qdot_system *system;
  qdot_linear *linear;
  qdot_status done = qdot_system_derive(session.model, &system);
  if (done == QDOT_OK && option_given(arguments, OPTION_SWEEP))
    return session_close(&session, locus_and_write(&session, system, &style));
  if (done == QDOT_OK) done = write_points(&session, system, qdot_modes_write, &style, &linear);
  if (done == QDOT_OK) done = draw_eigenvalues(&session, linear, &style);
  if (done == QDOT_OK && option_given(arguments, OPTION_ANIMATE)) {
    bool tells = style.format == QDOT_FORMAT_TEXT && !session_is_quiet(&session);
    if (tells) puts("");
    done = draw_modes(&session, linear, 0, 0, tells);
  }
  return session_close(&session, done);
}
