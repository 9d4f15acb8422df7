// The pictures of elements.
#include "model/sketch.h"

static DrawRequest *between_ends(Sketch *s, DrawShape shape, const Element *e) {
  DrawRequest *draw = sketch_add(s, shape, 2, GROUND);
  anchor_point(s->cx, s->m, &e->first, draw->points[0]);
  anchor_point(s->cx, s->m, &e->second, draw->points[1]);
  if (e->first.body == GROUND || e->second.body == GROUND)
    sketch_support(s, e->first.body == GROUND ? &e->first : &e->second);
  return draw;
}

void sketch_rope(Sketch *s, const Element *e) { between_ends(s, DRAW_LINE, e); }

void sketch_cylinder(Sketch *s, const Element *e) { between_ends(s, DRAW_DAMPER, e); }

// A ring about the pin that it holds softly.
void sketch_bushing(Sketch *s, const Element *e) {
  between_ends(s, DRAW_SPRING, e);
  anchor_point(s->cx, s->m, &e->second, sketch_add(s, DRAW_DISC, 1, GROUND)->points[0]);
}

void sketch_unbalance(Sketch *s, const Element *e) {
  anchor_point(s->cx, s->m, &e->first, sketch_add(s, DRAW_DISC, 1, e->first.body)->points[0]);
}

void sketch_tyre(Sketch *s, const Element *e) {
  DrawRequest *ring = sketch_add(s, DRAW_DISC, 1, e->first.body);
  anchor_point(s->cx, s->m, &e->first, ring->points[0]);
  ring->radius = e->values[2][0];
}

void sketch_cam(Sketch *s, const Element *e) {
  anchor_point(s->cx, s->m, &e->first, sketch_add(s, DRAW_DISC, 1, e->first.body)->points[0]);
}

// A pair of gears; a coupling, whose halves turn about one axis, is a disc.
void sketch_backlash(Sketch *s, const Element *e) {
  if (e->values[0][0]) {
    Joint gears = {.name = e->name,
                   .kind = JOINT_GEAR,
                   .first = e->first,
                   .second = e->second,
                   .carrier = GROUND,
                   .ratio = e->values[0][0],
                   .span = e->span};
    sketch_pair(s, &gears);
  } else {
    anchor_point(s->cx, s->m, &e->second, sketch_add(s, DRAW_DISC, 1, GROUND)->points[0]);
  }
}
