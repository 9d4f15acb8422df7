// What names the symbols in a drawing: angles, lengths, masses, springs, coordinates, gravity. Each
// is proved by numbers (the motion, or energies at random states) or left out.
// Sources: labels.c, labels_draw.c, labels_energy.c, labels_layout.c, labels_length.c,
// labels_state.c
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
  LABEL_GRAVITY   // a direction
} LabelKind;

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
  bool is_shown;   // not where its symbol would cover another
  LabelBox symbol; // its letters
  Place2 from, to; // of lengths, positions and gravity: the ends of the arrow or of the way
  Place2 feet[2]; // of a dimension: the points whose distance it is; of a position: 0 and its value
  double zero, sweep, radius; // of an angle, whose vertex is `from`
  double arrow; // of an angle: how far the arrow turns from zero, in its positive direction
  double gap;   // of a length: pixels between its way and its symbol
} PlacedLabel;
typedef VEC(PlacedLabel) PlacedLabels;
typedef struct LabelLayout {
  PlacedLabels labels;
  Place2 axes; // where the arrows of x and y begin
} LabelLayout;
#define SYMBOL_SIZE 19.0 // pixels: of letters
#define SYMBOL_HALF 10.0 // from the middle of a symbol to its upper and lower end
#define SYMBOL_FOOT 4.0  // from its middle down to the line on which it stands
Place2 on_arc(const PlacedLabel *angle, double direction);
// The canvas says how wide letters are; in its arena.
LabelLayout labels_layout(Canvas *canvas, Arena *arena, const Scene *scene, const View *view,
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
