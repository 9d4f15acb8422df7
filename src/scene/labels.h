// What names the symbols in a drawing: angles, lengths, masses, springs, coordinates, gravity. Each
// is proved by numbers (the motion, or energies at random states) or left out.
// Sources: labels.c, labels_draw.c, labels_energy.c, labels_figure.c, labels_layout.c,
// labels_length.c, labels_place.c, labels_state.c
#ifndef QDOT_SCENE_LABELS_H
#define QDOT_SCENE_LABELS_H

#include "scene/label_room.h"
#include "scene/meaning.h"

typedef enum LabelKind {
  LABEL_ANGLE,    // between the base (or a fixed direction) and the arm
  LABEL_LENGTH,   // of the way from one point to another
  LABEL_MASS,     // in the middle of two points, which may be one
  LABEL_SPRING,   // likewise
  LABEL_POSITION, // of a point along x or y, from where the coordinate is 0
  LABEL_RADIUS,   // of a disc, whose signal is `value`
  LABEL_GRAVITY,  // a direction
  LABEL_AXES      // of the plane, x and y
} LabelKind;

enum { MOST_SLOTS = 4, LABEL_ARCS = 3 };

typedef struct SceneLabel {
  LabelKind kind;
  const char *name;             // of the symbol, as the model has it
  const char *text, *subscript; // as it is drawn; the latter may be empty
  uint32_t from, to;            // first signals of points; the arm of an angle
  uint32_t base_from, base_to;  // of an angle: NO_SIGNAL for a fixed direction
  int sign;                     // of an angle
  double zero;                  // of an angle: its direction at 0, from the base
  bool is_dimension;            // of a length: nothing is drawn along it but a line with arrows
  int axis;                     // of a position: 0 or 1; its coordinate's signal is `value`
  uint32_t value;               // signal of an angle's or position's coordinate, or of a radius
  double way[2];                // of gravity
  Colour colour;                // of the part that it belongs to, or of dimensions
  // Chosen once for a motion: which radius an arc has, which direction a radius, how far aside a
  // dimension stands; and the numbers of places for the symbol, in the order in which they are
  // tried.
  uint32_t aside, slot_count, slots[MOST_SLOTS];
} SceneLabel;
typedef VEC(SceneLabel) SceneLabels;

// first_coordinate: from scene_add_coordinates, before the poses were read. Nothing in space.
SceneLabels scene_labels(const Scene *scene, const Poses *poses, uint32_t first_coordinate);
// Lengths of pieces and distances of supports, where they are a parameter or a coordinate.
void add_length_labels(const Scene *scene, const Poses *poses, const ScenePieces *pieces,
                       uint32_t first_coordinate, SceneLabels *out);
// Masses, springs and gravity, by the model's energies.
void add_energy_labels(const Scene *scene, const Poses *poses, const ScenePieces *pieces,
                       uint32_t first_coordinate, SceneLabels *out);

// The first pose in which angles are large enough to be seen, neighbouring parts stand well apart
// and coordinates are positive; where there is none, the pose that comes nearest to it.
uint32_t labels_best_pose(const Scene *scene, const SceneLabels *labels, const Poses *poses);
// Sees that pose alone, with the places from which coordinates are measured.
View labels_view(const Scene *scene, const Poses *poses, const SceneLabels *labels, uint32_t pose,
                 uint32_t most);

// Where a label stands in a picture, in pixels.
typedef struct PlacedLabel {
  const SceneLabel *label;
  bool is_shown;   // not where its symbol would cover something
  LabelBox symbol; // its letters
  Place2 from, to; // of lengths, positions and gravity: the ends of the arrow or of the way
  Place2 feet[2]; // of a dimension: the points whose distance it is; of a position: 0 and its value
  double zero, sweep, radius; // of an angle, whose vertex is `from`
  double arrow;    // of an angle: how far the arrow turns from zero, in its positive direction
  double gap;      // of a length: pixels between its way and its symbol
  double reach[2]; // of a mass: half the width and height of its part
  Place2 anchor;   // what the symbol belongs to
  bool has_leader; // a thin line from the symbol to the anchor, which begins at `leader`
  Place2 leader;
} PlacedLabel;
typedef VEC(PlacedLabel) PlacedLabels;
#define SYMBOL_SIZE 19.0 // pixels: of letters
#define SYMBOL_HALF 10.0 // from the middle of a symbol to its upper and lower end
#define SYMBOL_FOOT 4.0  // from its middle down to the line on which it stands
Place2 on_arc(const PlacedLabel *angle, double direction);

// What a label draws beside its symbol in a pose; and its lines, for the room of others.
void label_figure(const Scene *scene, const View *view, const double *pose, const SceneLabel *label,
                  PlacedLabel *out);
void label_figure_lines(const PlacedLabel *placed, LabelRoom *room);
// How many arrangements `aside` chooses between.
uint32_t label_asides(const SceneLabel *label);
// How many places there are for its symbol, and one of them. Beside what it names come first, those
// with a leader last.
uint32_t label_slots(const SceneLabel *label);
void label_take_slot(const View *view, PlacedLabel *placed, uint32_t slot);
// May the symbol stand where it is?
bool label_is_free(const LabelRoom *room, const PlacedLabel *placed);

// Chooses `aside` and slots of all labels, so that they stand where they are in as many of these
// poses as can be.
void labels_place(const Scene *scene, const View *view, const Poses *poses, SceneLabels *labels);

// In the first of its slots that is free. The canvas says how wide letters are; in the arena.
PlacedLabels labels_layout(Canvas *canvas, Arena *arena, const Scene *scene, const View *view,
                           const SceneLabels *labels, const double *pose);
void labels_draw(Canvas *canvas, const Scene *scene, const View *view, const SceneLabels *labels,
                 const double *pose);

// For those who find labels: a new one, with the symbol's name as it is drawn.
SceneLabel scene_label(const Scene *scene, LabelKind kind, const char *name);
bool labels_have(const SceneLabels *labels, const char *name);
bool measure_is(const Measure *measure, int kg, int m, int s);

// ---- Values by symbol to try a relation with, other ones for every number, in the scene's arena;
// NULL where the model has none

// Coordinates and their rates at random, whatever ties them.
double *state_random(const Scene *scene, const Poses *poses, uint32_t first_coordinate, int number);
// All parameters a little changed and a position near to one of the motion which constraints then
// allow, if there is one.
double *state_nearby(const Scene *scene, const Poses *poses, uint32_t first_coordinate, int number);

#endif
