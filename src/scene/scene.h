// The mechanism's drawing: shapes whose points move, from draw lines or guessed from definitions.
// Sources: applied.c, scene.c, scene_guess.c
#ifndef QDOT_SCENE_SCENE_H
#define QDOT_SCENE_SCENE_H

#include "chart/palette.h"
#include "result/sampler.h"

#define NO_SIGNAL UINT32_MAX
#define NO_PARTNER UINT32_MAX

// Numbers of signals; a point has three, one after the other.
typedef struct SceneShape {
  DrawShape shape;
  uint32_t point_count;
  uint32_t points;                               // first signal of the first point
  uint32_t radius, width, angle, size_a, size_b; // NO_SIGNAL if not given
  bool has_colour;
  Colour colour;
  const char *text;      // of a label
  const char *subscript; // of a label that is a symbol; NULL of a text
  bool was_guess;
  bool has_joints;  // a line whose pieces turn against each other
  bool hangs;       // a support above what it carries
  bool is_pointer;  // of a dial: it rests in no support
  bool is_guess;    // a link that may turn out to be a rod, a spring or nothing
  bool is_hidden;   // what a guess turned out not to be
  uint32_t group;   // shapes of one body share their colour
  uint32_t body;    // whose part it is, from 1; 0 where nobody says
  const char *part; // of the mechanism that is drawn so, by its name; NULL of others
  Span line;        // the draw line of the model's own text; empty of others
  // Of a track, whose points do not count as points: metres along it where it begins and ends.
  TrackStyle track;
  double low, high;
  uint32_t rider;  // of a rail or a face: the body that slides along it, from 1
  int beside;      // of a spring or damper: on which side of the line between its ends, or 0
  bool is_beneath; // a rail whose slider has no size of its own, so that it lies some pixels lower
  // Of what meshes, see teeth.h.
  uint32_t teeth;   // all around; 1 of a rack, 0 of what has none
  double pitch;     // metres from one to the next
  bool is_ring;     // they point inwards
  uint32_t partner; // the shape after which they stand, or NO_PARTNER
  uint32_t train;   // of wheels whose teeth are of one size: the same number, from 1
  double ahead;     // radians from its own angle to the middle of a tooth
} SceneShape;

typedef struct Scene {
  Context *cx;
  Arena *arena;
  const Result *result;
  VEC(Signal) signals;
  VEC(SceneShape) shapes;
  VEC(uint32_t) hinges; // first signals of points where parts meet
  bool is_spatial;
  bool is_guessed;
  const char *unit; // of its lengths; "" where they mean nothing
} Scene;

// From the model's draw lines; guessed where it has none. The arena must outlive the scene.
Scene scene_from_result(Context *cx, Arena *arena, const Result *result);

// ---- For those who make scenes

uint32_t scene_signal(Scene *scene, Expr value);
// Three signals; z 0 is none.
uint32_t scene_point(Scene *scene, Expr x, Expr y, Expr z);
SceneShape shape_at(DrawShape shape, uint32_t points, uint32_t count);
void scene_add(Scene *scene, SceneShape shape);
void scene_add_hinge(Scene *scene, uint32_t point);
void scene_guess(Scene *scene);
// A DRAW_FORCE for every applied force of the plane and a DRAW_TURN for every applied torque on a
// body; none where draw lines have arrows of their own. Before the poses are read.
void scene_add_applied(Scene *scene);
// The only parameter that is a force in an applied force, as in (-F, 0), or NULL.
const char *applied_name(const Scene *scene, const SceneShape *force);
// Where a track begins (end 0) and ends (1) in a pose.
void track_end(const SceneShape *track, const double *pose, int end, double out[3]);
// The foot of such an end on the second line of a face.
void face_foot(const SceneShape *face, const double *pose, int end, double out[3]);

#endif
