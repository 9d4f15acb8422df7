// How far springs and dampers run inside the parts that they hold: there they are thin stems.
#ifndef QDOT_SCENE_STEMS_H
#define QDOT_SCENE_STEMS_H

#include "scene/scene.h"

// Parts of the way between the two ends of a spring or damper, at its first and at its second end:
// 0 where it begins outside. What is left between them is at least a quarter of the way.
void stems_of(const Scene *scene, const double *pose, const SceneShape *spring, double out[2]);

#endif
