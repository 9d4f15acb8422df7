// Is there a spring between the origin and a point?
#ifndef QDOT_SCENE_SPRING_GUESS_H
#define QDOT_SCENE_SPRING_GUESS_H

#include "scene/scene.h"

// Does a term of a potential energy depend on the distance of the point alone? Proved by numbers at
// random states.
bool spring_may_hold(const Scene *scene, Expr x, Expr y, Expr z);

#endif
