// A scene's numbers at equally spaced times, read from the rows of a result.
// Sources: poses.c, scene_settle.c
#ifndef QDOT_SCENE_POSES_H
#define QDOT_SCENE_POSES_H

#include "scene/scene.h"

typedef struct Poses {
  uint32_t count; // times
  uint32_t width; // values at each
  double begin, step;
  double *values;
} Poses;

static inline const double *pose_at(const Poses *poses, uint32_t i) {
  return poses->values + (size_t)poses->width * i;
}

// The times of the first and last row; false when there are no rows.
bool result_times(Context *cx, const Result *result, double *begin, double *end);

// Poses from begin on, step apart, at most `most`. Between rows positions follow the cubic through
// their velocities, everything else a straight line.
Poses poses_read(const Scene *scene, Arena *into, double begin, double end, double step,
                 uint32_t most);
// Poses at rows themselves, evenly chosen, at most `most`: what is rigid is rigid in all of them.
// Their times are not told.
Poses poses_of_rows(const Scene *scene, Arena *into, uint32_t most);

// Decides by the motion what the scene leaves open: whether a guessed link is a rod, a spring or
// nothing, where lines have joints, and which ends rest in supports. Once, before it is drawn.
void scene_settle(Scene *scene, const Poses *poses);

#endif
