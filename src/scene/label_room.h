// The room that a drawing leaves for symbols: within the picture, apart from all lines and from
// each other.
#ifndef QDOT_SCENE_LABEL_ROOM_H
#define QDOT_SCENE_LABEL_ROOM_H

#include "scene/view.h"

typedef struct LabelBox {
  Place2 centre;
  double half_width, half_height;
} LabelBox;

typedef struct LabelLine {
  Place2 from, to;
  double half; // pixels: of its thickness
} LabelLine;

// The inside of a plate or wheel, convex or not.
typedef struct LabelArea {
  uint32_t first, count; // corners
  uint32_t owner;        // first signal of the part's point
} LabelArea;

typedef struct LabelRoom {
  Arena *arena;
  double width, height;
  VEC(LabelLine) lines; // not to be covered
  VEC(LabelBox) boxes;  // taken
  VEC(LabelArea) areas; // better avoided
  VEC(Place2) corners;  // of the areas
} LabelRoom;

// With all parts in a pose.
LabelRoom label_room(Arena *arena, const Scene *scene, const View *view, const double *pose);
// Lines from point to point, and how thick they are on either side.
void room_add_lines(LabelRoom *room, const Place2 *points, size_t n, double half);
// How many lines reach into the box.
uint32_t room_lines_across(const LabelRoom *room, const LabelBox *box);
// Is the box within the picture and apart from the boxes that are taken?
bool room_is_apart(const LabelRoom *room, const LabelBox *box);
// And does no line reach into it?
bool room_is_free(const LabelRoom *room, const LabelBox *box);
// In how many areas of parts other than the owner's does a place lie?
uint32_t room_areas_at(const LabelRoom *room, Place2 at, uint32_t owner);
// How many lines does a thin line cross, and how many boxes that are taken?
uint32_t room_crossings(const LabelRoom *room, Place2 from, Place2 to);
uint32_t room_boxes_across(const LabelRoom *room, Place2 from, Place2 to);

#endif
