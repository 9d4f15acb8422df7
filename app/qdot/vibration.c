// What the verbs about small motions share.
#include "vibration.h"

#include <stdio.h>

#include "output.h"

const char *vibration_folder(const Session *session, const qdot_style *style, char *room,
                             size_t size) {
  if (style->format == QDOT_JSON && !option_given(session->options, OPTION_OUT)) return NULL;
  session_folder(session, room, size);
  return room;
}

qdot_status sweep_and_write(Session *session, qdot_system *system, const qdot_style *style) {
  char room[4096];
  qdot_sweep_options wishes = qdot_sweep_defaults();
  wishes.range = session->options->value[OPTION_SWEEP];
  wishes.steps = (uint32_t)option_number(session->options, OPTION_POINTS, wishes.steps);
  wishes.folder = vibration_folder(session, style, room, sizeof room);
  qdot_status status = qdot_sweep_write(system, &wishes, style, output_sink());
  if (status == QDOT_OK && wishes.folder && style->format == QDOT_TEXT &&
      !session_is_quiet(session))
    printf("\n%s/sweep.csv\n%s/sweep.svg\n", wishes.folder, wishes.folder);
  return status;
}
