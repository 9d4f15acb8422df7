// Which shapes are one part, by the motion: they share a colour, which their coordinate has, too.
#ifndef QDOT_SCENE_GROUPS_H
#define QDOT_SCENE_GROUPS_H

#include "scene/poses.h"

// Numbers the groups of all shapes of a settled scene: a body of the model's keeps its number,
// other parts have the numbers behind these, in the order in which they are drawn.
void scene_settle_groups(Scene *scene, const Poses *poses);

// Does a coordinate move or turn it?
bool shape_depends(const Scene *scene, const SceneShape *shape, Expr q);

#endif
