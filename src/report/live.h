// The live part of a page: what its scripts need to play a motion, show its curves and, where the
// exported equations can, compute it anew.
// Sources: live.c, live_curves.c, live_forces.c, live_json.c, live_motion.c, live_scene.c
#ifndef QDOT_REPORT_LIVE_H
#define QDOT_REPORT_LIVE_H

#include "export/js.h"
#include "print/typeset.h"
#include "report/document/language.h"
#include "result/result.h"
#include "scene/labels.h"

typedef struct Live {
  Context *cx;
  Arena *arena; // not scratch
  System *system;
  const Result *result;
  const Language *language;
  const Result *all_motions; // by which the drawing decides what parts are; NULL: by this one
  bool has_no_curves;
  double magnify; // how many times larger the motion is drawn; 0 chooses
  double begin, end;
  Scene scene;
  Poses poses;
  double magnified; // the factor, or 0 where nothing moves
  View view;
  uint32_t drawn; // signals of the drawing; others are for comparison
  ScenePieces pieces;
  SceneAngles angles;
  const int *places; // of the coordinates in the palette
  SceneLabels labels;
  VEC(Expr) curves;         // in the order of the page
  VEC(const char *) joints; // whose forces are known
  VEC(Expr) forces;         // x, y, F_x, F_y of each of these
} Live;

// Appends the script elements of a result: data, model, and the page's own scripts. Nothing where
// there are no rows. cx, system, result, language and magnify are the caller's, below arena, too.
void live_write(Live *live, Text *out);

// Finds out what there is to draw; false where there are no rows.
bool live_open(Live *live);
// The drawing and the curves as JSON, without the motion; fills live->curves.
void live_write_view(Live *live, Text *out);
// The motion, about so many samples, one row each: t, the numbers of the drawing, the coordinates,
// the curves, the forces that were found. After live_write_view.
const double *live_numbers(Live *live, uint32_t samples, uint32_t *count, uint32_t *width);

// ---- Parts, as members of one JSON object

// Shapes and hinges; signals are numbered as in the scene.
void live_write_scene(Live *live, Text *out);
// The motion as the exported functions read it; or, for a page whose model has none, as numbers.
void live_write_motion(Live *live, Text *out);
void live_write_numbers(Live *live, Text *out);
// Panels and curves; fills live->curves.
void live_write_curves(Live *live, Text *out);
// The joints whose forces can be shown: fills live->joints and live->forces; those whose values are
// not kept leave again.
void live_find_forces(Live *live);
void live_keep_forces(Live *live, bool (*keeps)(const Live *live, const Expr *values, uint32_t n));
void live_write_forces(const Live *live, Text *out);

// ---- JSON: a comma before everything that is not the first

void live_key(Text *out, const char *key);
void live_item(Text *out);
void live_text(Text *out, const char *key, const char *value);
void live_number(Text *out, const char *key, double value); // null where it is not finite
void live_add_base64(Text *out, const unsigned char *bytes, size_t n);

#endif
