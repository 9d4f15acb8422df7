// What the verbs about small motions share.
#include "vibration.h"

#include <stdio.h>

#include "output.h"

const char *vibration_folder(const Session *session, const qdot_write_options *style, char *room,
                             size_t size) {
  if (style->format == QDOT_FORMAT_JSON && !option_given(session->arguments, OPTION_OUT))
    return NULL;
  session_folder(session, room, size);
  return room;
}

// The place of the line that --at names.
static size_t chosen_line(const Arguments *arguments) {
  return option_count(arguments, OPTION_AT, 1, 1000000, 1) - 1;
}

qdot_status linearize_at_line(Session *session, qdot_system *system, qdot_linear **out) {
  return qdot_system_linearize(system, chosen_line(session->arguments), out);
}

qdot_status write_points(Session *session, qdot_system *system, LinearWriter *write,
                         const qdot_write_options *style, qdot_linear **out) {
  size_t first = chosen_line(session->arguments), count = qdot_system_point_count(system);
  bool one = count < 2 || option_given(session->arguments, OPTION_AT);
  size_t end = one ? first + 1 : count;
  bool is_list = !one && style->format == QDOT_FORMAT_JSON;
  if (is_list) puts("[");
  qdot_status status = QDOT_OK;
  for (size_t i = first; i < end && status == QDOT_OK; i++) {
    qdot_linear *linear;
    if (i > first) puts(is_list ? "," : "");
    status = qdot_system_linearize(system, i, &linear);
    if (status == QDOT_OK) status = write(linear, style, output_sink());
    if (i == first && status == QDOT_OK) *out = linear;
  }
  if (is_list) puts("]");
  return status;
}

qdot_status locus_and_write(Session *session, qdot_system *system,
                            const qdot_write_options *style) {
  char room[4096];
  qdot_locus_options options = qdot_locus_defaults();
  options.range = session->arguments->value[OPTION_SWEEP];
  options.steps = option_count(session->arguments, OPTION_POINTS, 2, 1000000, 121);
  options.folder = vibration_folder(session, style, room, sizeof room);
  qdot_locus *locus;
  qdot_status status = qdot_system_locus(system, &options, &locus);
  if (status == QDOT_OK) status = qdot_locus_write(locus, style, output_sink());
  if (status == QDOT_OK && options.folder && style->format == QDOT_FORMAT_TEXT &&
      !session_is_quiet(session))
    printf("\n%s/sweep.csv\n%s/sweep.svg\n", options.folder, options.folder);
  return status;
}

qdot_status draw_modes(Session *session, qdot_linear *linear, size_t number, unsigned formats,
                       bool tells) {
  char room[4096];
  session_folder(session, room, sizeof room);
  qdot_mode_picture_options options = qdot_mode_picture_defaults();
  options.folder = room;
  options.formats = formats;
  options.language = session->arguments->value[OPTION_LANG];
  size_t first = number ? number - 1 : 0, end = number ? number : qdot_mode_count(linear);
  qdot_status status = QDOT_OK;
  for (size_t i = first; i < end && status == QDOT_OK; i++)
    status = qdot_mode_draw(linear, i, &options);
  const qdot_file *file;
  for (size_t i = 0; tells && (file = qdot_linear_file_at(linear, i)); i++) puts(file->path);
  return status;
}
