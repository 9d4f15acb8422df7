// How far lines reach along which something moves: grounds, rails, racks, faces of wedges.
#ifndef QDOT_SCENE_TRACKS_H
#define QDOT_SCENE_TRACKS_H

#include "scene/poses.h"

// Lows and highs of all tracks, by the motion. Faces of a body that are one line become one.
void scene_settle_tracks(Scene *scene, const Poses *poses);

#endif
