// The live part of a page: what its scripts need to play a motion, show its curves and, where the
// exported equations can, compute it anew.
// Sources: live.c, live_curves.c, live_scene.c
#ifndef QDOT_REPORT_LIVE_H
#define QDOT_REPORT_LIVE_H

#include "export/js.h"
#include "print/typeset.h"
#include "report/language.h"
#include "result/result.h"
#include "scene/labels.h"

typedef struct Live {
  Context *cx;
  Arena *arena; // not scratch
  System *system;
  const Result *result;
  const Language *language;
  Scene scene;
  Poses poses;
  View view;
  uint32_t drawn; // signals of the drawing; others are for comparison
  ScenePieces pieces;
  SceneAngles angles;
  SceneLabels labels;
  VEC(Expr) curves; // in the order of the page
} Live;

// Appends the script elements of a result: data, model, and the page's own scripts. Nothing where
// there are no rows.
void live_write(Context *cx, System *system, const Result *result, const Language *language,
                Text *out);

// ---- Parts, as members of one JavaScript object

// Shapes and hinges; signals are numbered as in the scene.
void live_write_scene(Live *live, Text *out);
// Panels and curves; fills live->curves.
void live_write_curves(Live *live, Text *out);

#endif
