// A point that only its kinetic energy tells of.
#ifndef QDOT_SCENE_POLAR_H
#define QDOT_SCENE_POLAR_H

#include "scene/scene.h"

// Is the kinetic energy that of one mass in polar coordinates, m (r'^2 + r^2 phi'^2)/2, with a
// coordinate or parameter r? Then its place, with phi = 0 where the potential energy says: down
// where that is least, up where it is greatest, else to the right. Proved by numbers at random
// values of all parameters.
bool scene_polar_point(const Scene *scene, Expr out[2]);

#endif
