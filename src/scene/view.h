// From a scene's metres to pixels: a camera that sees the whole motion, or follows it.
#ifndef QDOT_SCENE_VIEW_H
#define QDOT_SCENE_VIEW_H

#include "scene/canvas.h"
#include "scene/poses.h"

typedef struct View {
  uint32_t width, height; // pixels
  double scale;           // pixels a metre
  Place2 centre;          // what stands in the middle, in metres as seen
  bool is_spatial;
  bool follows; // the centre moves with the mechanism
  double rod;   // pixels: how thick rods are drawn, everything else fits to it
} View;

// Sees the whole motion of a settled scene within about `most` pixels of width.
View view_of_motion(const Scene *scene, const Poses *poses, uint32_t most);
// Sees one pose, with what else must be in sight, as `more` points in metres; the whole motion
// where that is a speck of it.
View view_of_pose(const Scene *scene, const Poses *poses, uint32_t number, const double (*more)[3],
                  size_t count, uint32_t most);
// For one pose: where the camera stands.
View view_at(const View *view, const Scene *scene, const double *pose);

// The larger side of a pose as the camera sees it, in metres.
double view_size(const Scene *scene, const double *pose);

// A point as the camera sees it, in metres, and in pixels.
Place2 view_flat(const View *view, const double *point);
Place2 view_pixel(const View *view, const double *point);
// Greater is farther away.
double view_depth(const View *view, const double *point);

#endif
