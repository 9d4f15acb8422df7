// The drawing of a mechanism while it is made.
// Sources: drive_draw.c, element_draw.c, face_draw.c, mechanism_draw.c
#ifndef QDOT_MODEL_SKETCH_H
#define QDOT_MODEL_SKETCH_H

#include "model/mechanism.h"
#include "model/request.h"

typedef struct Sketch {
  Context *cx;
  const Mechanism *m;
  Requests *out;
  Symbol part; // what is being drawn
} Sketch;

// A shape with so many points, all still open. body: whose part it is, or GROUND.
DrawRequest *sketch_add(Sketch *sketch, DrawShape shape, uint32_t points, uint32_t body);

// A line without ends along which a body moves, and whose it is.
typedef struct TrackLine {
  uint32_t body, rider; // or GROUND
  Expr origin[2], direction;
  Expr follower[2]; // what moves along it
  Expr radius;      // of the follower; 0 for a point
} TrackLine;
// The points of a face's second line are still open.
DrawRequest *sketch_track(Sketch *sketch, TrackStyle style, const TrackLine *line);

// ---- Faces: lines of bodies along which others slide or roll

typedef struct SketchFace {
  Anchor base; // a point of the line, of the ground or of a body
  Expr axis;   // its direction in that frame
  Anchor rider;
  Expr radius; // of the rider; 0 for a point
} SketchFace;
// A line of the ground; else the solid between the face and what its body slides on, or a rod.
void sketch_face(Sketch *sketch, const SketchFace *face);
// Is the body drawn by its faces alone?
bool sketch_is_solid(const Sketch *sketch, uint32_t body);

// ---- Joints: the pictures that joints.def names

void sketch_bearing(Sketch *sketch, const Joint *joint);
void sketch_rail(Sketch *sketch, const Joint *joint);
void sketch_slot(Sketch *sketch, const Joint *joint);
void sketch_distance(Sketch *sketch, const Joint *joint);
void sketch_rolling(Sketch *sketch, const Joint *joint);
void sketch_pair(Sketch *sketch, const Joint *joint); // of gears, or of wheels under a belt
void sketch_rack(Sketch *sketch, const Joint *joint);

// ---- Elements: the pictures that elements.def names

void sketch_bushing(Sketch *sketch, const Element *element);
void sketch_rope(Sketch *sketch, const Element *element);
void sketch_cylinder(Sketch *sketch, const Element *element);
void sketch_unbalance(Sketch *sketch, const Element *element);
void sketch_tyre(Sketch *sketch, const Element *element);
void sketch_cam(Sketch *sketch, const Element *element);
void sketch_backlash(Sketch *sketch, const Element *element);
// A support, one only where several parts hang on the same point of the ground.
void sketch_support(Sketch *sketch, const Anchor *fixed);

// ---- Drives: gears, belts, racks, rolling, motors

// Is it a wheel of a gear, belt or rack, or does it roll, so that its size is known from there?
bool sketch_is_wheel(const Sketch *sketch, uint32_t body);
void sketch_motor(Sketch *sketch, const Motor *motor);
void sketch_surface(Sketch *sketch, const Surface *surface);
void sketch_torsion(Sketch *sketch, const Spring *spring);

#endif
