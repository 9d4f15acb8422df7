// What a model asks for: simulate, linearize, plot and draw lines as records with spans.
#ifndef QDOT_MODEL_REQUEST_H
#define QDOT_MODEL_REQUEST_H

#include "expr/node.h"
#include "model/excitation.h"
#include "model/infer.h"
#include "model/plot_kind.h"
#include "model/question.h"
#include "program/reduction.h"

// A named value in the brackets behind a method: rtol = 1e-9. Only parameters occur in it.
typedef struct Option {
  Symbol name;
  Expr value;
  bool is_measured;    // it was written with a unit, or its dimension is known otherwise
  Dimension dimension; // when it is measured
  Span span;           // of the name
} Option;

// A word with its options: newmark(beta = 1/4, step = 1 [ms]). name 0 when nobody chose.
typedef struct Choice {
  Symbol name;
  VEC(Option) options;
  Span span;
} Choice;

// simulate to END every STEP using METHOD(...) stabilize WAY(...)
typedef struct SimulateRequest {
  bool is_given;
  Expr end;   // seconds; 0 if not given
  Expr every; // seconds; 0 if not given
  Choice method, stabilize;
  Span span, end_span, every_span;
} SimulateRequest;

typedef enum LinearizeKind {
  LINEARIZE_EQUILIBRIUM, // the equilibrium nearest to the start; the points are better guesses
  LINEARIZE_POINT,       // exactly there, what is not named at its initial value
  LINEARIZE_MOTION       // a steady motion with these velocities or positions
} LinearizeKind;

// One coordinate, velocity or input and its value.
typedef struct PointValue {
  Expr symbol; // 0 for a name that only a formulation makes a coordinate: rail.s
  Expr value;
  Symbol name;     // of that coordinate
  uint32_t primes; // 1 for its velocity
  Span span;
} PointValue;

// A coordinate that only a formulation makes one.
typedef struct PartName {
  Symbol name;
  bool is_coordinate; // of the formulation at hand; then it is in `independent`
  Span span;
} PartName;

typedef struct LinearizeRequest {
  LinearizeKind kind;
  VEC(PointValue) point;
  Span span;
} LinearizeRequest;

// An expression of the state, accelerations, multipliers and outputs, with the text it had.
typedef struct Curve {
  Expr value;
  const char *label;
  Measure measure;
  Span span;
} Curve;

typedef struct PlotRequest {
  PlotKind kind;
  VEC(Curve) curves;      // pairs and rates alternate abscissa, ordinate
  VEC(uint32_t) contacts; // numbers of contacts
  bool is_all;            // phase portraits of every coordinate: there are no curves
  Span span;
} PlotRequest;

typedef enum DrawShape {
#define SHAPE(name, word, least, most, takes) DRAW_##name,
#include "model/shapes.def"
#undef SHAPE
  DRAW_SHAPES, // so many have a word; the others come from joints, motors and contacts alone
  DRAW_TRACK = DRAW_SHAPES, // a line without ends: a point, one further on, what moves along it
  DRAW_POST,                // a round thing that stands fast: radius, negative for a ring
  DRAW_BELT,   // between two centres: size is both radii, one negative where it crosses
  DRAW_TURN,   // what drives a pin: angle has its sign
  DRAW_PUSH,   // what drives a slide, towards a second point: angle has its sign
  DRAW_FORCE,  // applied at a point: size is the force, its arrow has one length whatever it is
  DRAW_SPIRAL, // a spring that turns about a point
} DrawShape;

typedef enum TrackStyle {
  TRACK_FIXED,
  TRACK_MOVING,
  TRACK_TOOTHED,
  TRACK_RAIL, // of the ground, as long as what slides on it needs
  TRACK_FACE  // of a body that fills what is between it and a second line: two points more
} TrackStyle;

// draw SHAPE POINT POINT ... radius R width W angle A size (a, b) colour "red". 0 if not given.
typedef struct DrawRequest {
  DrawShape shape;
  uint32_t dimensions; // 2 or 3 for every point
  uint32_t point_count;
  Expr (*points)[3];
  Expr radius, width, angle;
  Expr size[2];
  const char *colour;
  const char *text; // of a label
  TrackStyle track;
  uint32_t body;  // whose part it is, from 1; 0 for none
  uint32_t rider; // of a rail or face: the body that slides along it, from 1
  int beside;     // of a spring and its damper: -1 and 1, side by side between the same ends
  Symbol part;    // what draws itself so: a body, joint, spring, ...; 0 of a draw line
  Span span;      // of a draw line
} DrawRequest;

// derive using FORMULATION
typedef struct DeriveRequest {
  Symbol formulation; // 0 if not given
  Span span;
} DeriveRequest;

// What is made of a whole run; `max` and `min` share their names with functions of numbers.
// max(x) or its like, inside a measure.
typedef struct Reduction {
  ReductionKind kind;
  Expr symbol;    // stands for it in the values of measures
  Expr value;     // of the motion; 0 for count
  Expr condition; // of first, last and count; 0 for the others
  Expr from;      // seconds, of parameters; 0: the whole run
  Span span;
} Reduction;

// measure NAME = VALUE [from T]
typedef struct Measurement {
  Symbol name;
  Expr value; // of parameters, inputs and reductions
  Measure measure;
  const char *description; // or NULL
  Span span;
} Measurement;

typedef struct Requests {
  SimulateRequest simulate;
  VEC(Reduction) reductions;
  VEC(Measurement) measurements;
  ToleranceRequest tolerance;
  SensitivityRequest sensitivity;
  FitRequest fit;
  FindRequest find;
  OrbitRequest orbit;
  SweepRequest sweep;
  VEC(RandomLine) randoms;
  VEC(ComfortLine) comforts;
  SynchronousRequest synchronous;
  VEC(LinearizeRequest) linearizations;
  VEC(uint32_t) independent;       // numbers of coordinates
  VEC(PartName) independent_parts; // of bodies and joints, until they are coordinates
  Span independent_span;
  VEC(PlotRequest) plots;
  VEC(DrawRequest) draws;
  DeriveRequest derive;
} Requests;

#endif
