// What the verbs about small motions share.
#ifndef QDOT_APP_VIBRATION_H
#define QDOT_APP_VIBRATION_H

#include "session.h"

// Linearizes about the point that --at names, or the first one.
qdot_status linearize_at_line(Session *session, qdot_system *system, qdot_linear **out);
// Writes about every linearize line of the model, or the one that --at names; several as a list in
// JSON. *out: the first of them.
typedef qdot_status LinearWriter(qdot_linear *linear, const qdot_write_options *style,
                                 qdot_sink sink);
qdot_status write_points(Session *session, qdot_system *system, LinearWriter *write,
                         const qdot_write_options *style, qdot_linear **out);

// --sweep NAME=A..B: how frequencies and stability move with a parameter.
qdot_status locus_and_write(Session *session, qdot_system *system, const qdot_write_options *style);
// The folder for files, and the line that names them; NULL when only JSON is asked for.
const char *vibration_folder(const Session *session, const qdot_write_options *style, char *room,
                             size_t size);
// Draws mode `number` (from 1) into the session's folder, or all of them for 0, and names the files
// if it tells. formats: 0 for GIF and SVG.
qdot_status draw_modes(Session *session, qdot_linear *linear, size_t number, unsigned formats,
                       bool tells);

#endif
