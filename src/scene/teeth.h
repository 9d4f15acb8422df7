// Teeth of gears and racks: which shapes mesh, how many teeth each has, and where these stand.
#ifndef QDOT_SCENE_TEETH_H
#define QDOT_SCENE_TEETH_H

#include "scene/poses.h"

// Gives teeth to wheels that touch where the model has a gear or a rack between them, those of one
// train in proportion to their radii. The model's own numbers, where a ratio is made of them.
void scene_mesh(Scene *scene, const Poses *poses);

// The direction of the middle of one tooth, in radians: that of the wheel's own angle, or the one
// that puts a gap of this wheel at a tooth of its partner.
double teeth_phase(const Scene *scene, const double *pose, uint32_t number);

#endif
