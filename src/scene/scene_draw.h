// Shapes of a scene on a canvas.
#ifndef QDOT_SCENE_SCENE_DRAW_H
#define QDOT_SCENE_SCENE_DRAW_H

#include "scene/labels.h"

typedef struct SceneStyle {
  bool has_clock;
  const char *caption;         // where the clock would be, or NULL
  const char *remark;          // in the corner above, or NULL
  double speed;                // shown beside the clock unless 1
  char decimal_sign;           // of the clock
  const char *slower, *faster; // with {0} for the factor
  bool has_scale;              // a line as long as a round number of metres
  uint32_t ghosts;             // earlier poses that are shown faintly
  const SceneLabels *labels;   // what names the symbols, or NULL
} SceneStyle;

// The pose number i of the motion with the trails up to it; fills the whole canvas.
void scene_draw(Canvas *canvas, const Scene *scene, const View *view, const Poses *poses,
                uint32_t number, const SceneStyle *style);

// Does anything move from its place up to this pose, so that earlier poses show it elsewhere?
bool scene_has_ghosts(const Scene *scene, const Poses *poses, uint32_t number);

#endif
