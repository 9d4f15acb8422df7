// What the parts of a drawing mean: which coordinate turns which piece, by the motion itself. A
// relation counts when it holds in every pose of a motion that would show otherwise.
#ifndef QDOT_SCENE_MEANING_H
#define QDOT_SCENE_MEANING_H

#include "scene/poses.h"

// A straight piece of the drawing: first signals of its ends, and the group that has its colour.
typedef struct ScenePiece {
  uint32_t from, to;
  uint32_t shape, group;
} ScenePiece;
typedef VEC(ScenePiece) ScenePieces;
// Of all lines and springs that are shown; in the scene's arena.
ScenePieces scene_pieces(const Scene *scene);

// Signals of the coordinates, one after the other behind those of the drawing: added before the
// poses are read, so that they can be compared. Returns the first.
uint32_t scene_add_coordinates(Scene *scene);

// A coordinate that is an angle of the drawing: sign * (direction of the arm - direction of the
// base) + offset. The base is a piece, or, NO_SIGNAL, the x axis.
typedef struct SceneAngle {
  uint32_t coordinate;
  uint32_t arm;  // number of a piece
  uint32_t base; // number of a piece, or NO_SIGNAL
  int sign;
  bool is_flipped; // the arm points from its second end to its first
  double zero;     // direction from the base at which the angle is 0
} SceneAngle;
typedef VEC(SceneAngle) SceneAngles;
SceneAngles scene_angles(const Scene *scene, const Poses *poses, const ScenePieces *pieces,
                         uint32_t first_coordinate);

// The group whose colour a coordinate has, or NO_SIGNAL: of the piece that it turns, else of the
// part that it moves with the fewest others.
uint32_t scene_group_of(const Scene *scene, const ScenePieces *pieces, const SceneAngles *angles,
                        uint32_t coordinate);

// The place of every coordinate in the palette: that of its part; -1 where a draw line chose
// another colour for it. In the scene's arena.
const int *scene_coordinate_places(const Scene *scene, const ScenePieces *pieces,
                                   const SceneAngles *angles);
// The colour itself.
Colour scene_coordinate_colour(const Scene *scene, const ScenePieces *pieces,
                               const SceneAngles *angles, uint32_t coordinate, int place);
// The same for a result, in the arena; NULL without rows.
const int *scene_palette_places(Context *cx, Arena *arena, const Result *result);

#endif
