// A model without any place in the plane shows its coordinates one by one.
#ifndef QDOT_SCENE_DIALS_H
#define QDOT_SCENE_DIALS_H

#include "scene/scene.h"

void scene_show_coordinates(Scene *scene);

#endif
