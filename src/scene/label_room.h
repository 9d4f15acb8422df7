// Where symbols stand in a drawing: within it, apart from each other, and beside what is drawn
// where there is room.
#ifndef QDOT_SCENE_LABEL_ROOM_H
#define QDOT_SCENE_LABEL_ROOM_H

#include "scene/view.h"

typedef struct LabelBox {
  Place2 centre;
  double half_width, half_height;
} LabelBox;

typedef struct LabelLine {
  Place2 from, to;
} LabelLine;

typedef struct LabelRoom {
  Arena *arena;
  double width, height;
  VEC(LabelLine) lines; // better not crossed
  VEC(LabelBox) boxes;  // taken
} LabelRoom;

// With the outlines of all parts in a pose.
LabelRoom label_room(Arena *arena, const Scene *scene, const View *view, const double *pose);
void room_add_lines(LabelRoom *room, const Place2 *points, size_t n);
// How many lines cross the box.
uint32_t room_lines_across(const LabelRoom *room, const LabelBox *box);
bool room_is_free(const LabelRoom *room, const LabelBox *box);
// The first of the places wanted, or of the places near them, that is free and crosses the fewest
// lines: it becomes places[0] and is taken. false where there is none.
bool room_place(LabelRoom *room, LabelBox *places, size_t n);

#endif
