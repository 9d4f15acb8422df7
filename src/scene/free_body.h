// Free-body diagrams: every body of a mechanism by itself, with all that acts on it.
#ifndef QDOT_SCENE_FREE_BODY_H
#define QDOT_SCENE_FREE_BODY_H

#include "result/result.h"

// One group with the id "body-NAME" a body in FOLDER/free-body.svg, in the pose of the labelled
// still picture. Components of joints point in their positive direction, on the first body in the
// opposite one; weights, springs and applied forces in the direction that they have in this pose.
// Lengths of arrows mean nothing; each tells its name and value. QDOT_BAD_MODEL where there are no
// bodies of the plane.
Status draw_free_bodies(Context *cx, const Result *result, const char *folder);

#endif
