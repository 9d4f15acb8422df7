// Bodies, joints and what acts between them: the words of a drawing.
//
// Everything is planar. A body's pose is three symbols, name.x, name.y, name.theta: the position of
// its centre of mass and its angle. Points of a body are given in its own frame, whose origin is
// the centre of mass. Expressions of a mechanism are in these symbols until a formulation replaces
// them.
// Sources: element.c, joint.c
#ifndef QDOT_MODEL_MECHANISM_H
#define QDOT_MODEL_MECHANISM_H

#include "expr/node.h"
#include "model/start.h"

#define GROUND UINT32_MAX // the number of the body that does not move

typedef enum BodyShape { BODY_PLAIN, BODY_ROD, BODY_DISC, BODY_PLATE, BODY_POINT } BodyShape;

typedef struct Body {
  Symbol name;
  Expr mass, inertia; // of parameters
  BodyShape shape;
  Expr size[2];        // length; radius; width and height; 0 if not given
  Expr pose[3];        // symbols x, y, theta
  Initial start[3];    // of x, y, theta
  Initial velocity[3]; // of x', y', theta'
  const char *unit[3]; // of x, y, theta as they were written; NULL where nobody did
  Span span;
} Body;

// A point that moves with a body; one of the ground may move as a function of time.
typedef struct Anchor {
  uint32_t body; // or GROUND
  Expr at[2];    // in the body's frame, of parameters; on the ground also of t
  Span span;
} Anchor;

typedef enum JointKind {
#define JOINT(kind, ...) JOINT_##kind,
#include "model/joints.def"
#undef JOINT
  JOINT_KINDS
} JointKind;

// What holds between two bodies. axis: the angle of a slide, slot or line in the frame of the first
// body, of a rack in that of the second. ratio: gear, belt (the second turns by ratio times the
// first). radius: rolling and rack. pressure: the angle between the teeth's force and their motion.
typedef struct Joint {
  Symbol name;
  JointKind kind;
  Anchor first, second;
  Expr axis, length, ratio, radius; // 0 where the kind has none
  Expr pressure;                    // of a gear or rack; 0 if not given
  Expr tension;                     // of a belt, in each strand at rest; 0 if not given
  Expr friction;                    // viscous, of the relative motion; 0 if not given
  Expr mu_rest, mu;                 // Coulomb's; 0 if not given
  Expr press, rub;                  // symbols: what presses it, and the friction force
  Expr rolling;                     // of a wheel: the lever by which it resists; 0 if not given
  Symbol rolls;                     // what its rolling is called: A.rolling
  Expr roll_press, roll_torque;     // symbols, as above
  uint32_t carrier;                 // of a gear: its arm, or GROUND
  Expr reaction[3];                 // symbols: force x, y and torque of the first on the second
  bool is_measured;                 // somebody asks for them
  Span span, power_use;             // power_use: where somebody asks for its power, else empty
} Joint;

// A spring and damper between two points, or between the angles of two bodies.
typedef struct Spring {
  Symbol name;
  bool is_torsional;
  Anchor first, second;
  Expr stiffness, length, damping, preload; // length: at rest, or the angle at rest; 0 if not given
  Span span;
} Spring;

typedef struct Motor {
  Symbol name;
  uint32_t joint; // revolute or prismatic
  bool is_speed;  // else torque or force
  Expr value;
  Span span;
} Motor;

// What a point of a body touches: the left side of a line, or a circle from outside.
typedef struct Surface {
  Anchor anchor;
  Anchor base;       // a point of the line, or the centre: of the ground or of another body
  Expr axis;         // of the line, in the frame of its body
  Expr radius, ring; // of the body at its point, and of the circle
  bool is_circle;
} Surface;

typedef enum ElementKind {
#define ELEMENT(kind, ...) ELEMENT_##kind,
#include "model/elements.def"
#undef ELEMENT
  ELEMENT_KINDS
} ElementKind;

enum { ELEMENT_PROPERTIES = 6, ELEMENT_MEMBERS = 7 };

// What one can ask of an element by its name: b.F_x.
typedef struct ElementMember {
  const char *word; // NULL behind the last one
  Expr value;       // in pose symbols and multipliers
  int8_t unit[3];   // powers of kg, m, s
} ElementMember;

// What acts between two bodies, or on one (then both anchors are its own).
typedef struct Element {
  Symbol name;
  ElementKind kind;
  Anchor first, second;
  Expr values[ELEMENT_PROPERTIES][3]; // of the properties of its type; 0 where not given
  ElementMember members[ELEMENT_MEMBERS + 1];
  Expr lever[2]; // mass times distance, in the world: what gravity pulls on; 0 where nothing
  Span span;
} Element;

struct Sketch;

typedef struct Mechanism {
  VEC(Body) bodies;
  VEC(Joint) joints;
  VEC(Spring) springs;
  VEC(Motor) motors;
  VEC(Surface) surfaces;
  VEC(Element) elements;
  Expr gravity[2]; // 0 (no expression) when there is none
  Span gravity_span;
} Mechanism;

// ---- Kinds of joints

// World position of an anchor, and of the angle of a body, in pose symbols.
void anchor_point(Context *cx, const Mechanism *m, const Anchor *anchor, Expr out[2]);
Expr body_angle(Context *cx, const Mechanism *m, uint32_t body);

// Two bodies as their joint sees them, in pose symbols.
typedef struct JointView {
  Context *cx;
  const Mechanism *m;
  const Joint *joint;
  const struct StartPose *start;
  Expr from[2], to[2]; // world positions of the anchors
  Expr first, second;  // angles
  Expr turned;         // second - first, since the start
  Expr direction;      // of the axis, in the world
  Expr along, across;  // of to - from
  Expr along_start;    // where it was at the start
} JointView;

// What a joint that can place a body in a spanning tree leaves free; LEAVES_MORE cannot.
typedef enum JointFreedom { LEAVES_MORE, LEAVES_NOTHING, LEAVES_TURN, LEAVES_SLIDE } JointFreedom;

enum { WHEEL_FIRST = 1, WHEEL_SECOND = 2 };

// All that the program knows of a kind of joint; joints.def holds the records.
typedef struct JointType {
  const char *word;
  const char *others[4];    // what other books and programs call it
  uint32_t row_count;       // of the constraints it imposes
  const char *row_names[3]; // "angle" for a row that keeps an angle; else it keeps a length
  // The constraints phi = 0.
  void (*equations)(const JointView *view, Expr *out);
  JointFreedom leaves;
  bool slides, turns;  // its relative motion is a displacement; it leaves an angle free
  bool holds_point;    // its anchors are where it takes hold of its bodies
  bool joins_points;   // its anchors are one point
  bool axis_on_second; // its axis lies in the frame of the second body, not of the first
  const char *takes;   // its properties, with blanks between them
  bool couples_angles; // and nothing else: the places of its anchors do not matter
  const char *needs;   // the property without which it says nothing, or NULL
  unsigned wheels;     // which of its bodies are wheels whose size is known from it
  int must_turn;       // so many of its bodies, from the first, say nothing unless they can turn
  bool has_teeth;      // and so a pressure angle
  bool has_grip;       // its friction may be Coulomb's
  // Adds its picture to a drawing; NULL when it has none.
  void (*sketch)(struct Sketch *sketch, const Joint *joint);
} JointType;

const JointType *joint_type(JointKind kind);

const char *joint_word(JointKind kind);
uint32_t joint_row_count(JointKind kind);
bool joint_makes_tree(JointKind kind);
// Does it place a body in a spanning tree and leave just this free?
bool joint_leaves(const Joint *joint, JointFreedom freedom);
// The name of one of its rows: A_x; B_x[1] for a joint B[1].
Symbol joint_row_name(Context *cx, const Joint *joint, uint32_t row);

// Is it a length that this row keeps, or an angle?
bool joint_row_is_length(JointKind kind, uint32_t row);

// Where a point of the ground is at t = 0, and how it moves there: of parameters.
void ground_start(Context *cx, const Anchor *anchor, Expr at[2], Expr rate[2]);
// e at t = 0
Expr expr_at_start(Context *cx, Expr e);

// The constraints phi = 0 of a joint in pose symbols. start: x, y, theta of every body as first
// assembled, for joints that remember an angle or a contact point.
typedef struct StartPose {
  Expr at[3]; // of parameters
} StartPose;
void joint_rows(Context *cx, const Mechanism *m, const Joint *joint, const StartPose *start,
                Expr *out);
// The direction, in the world, of its slide, slot or line; of a rack's teeth.
Expr joint_direction(Context *cx, const Mechanism *m, const Joint *joint, const StartPose *start);
// Coulomb's friction of a joint: the way along which it rubs, the force along it, in the symbol of
// what presses; and what presses, in the symbols of its reactions.
Expr joint_slip(Context *cx, const Mechanism *m, const Joint *joint);
Expr joint_friction(Context *cx, const Mechanism *m, const Joint *joint);
// That force by what presses, of parameters: mu, and at a pin or pulley mu r.
Expr joint_grip(Context *cx, const Joint *joint);
// The torque that resists the rolling of a wheel, in its own symbol of what presses.
Expr joint_roll_torque(Context *cx, const Mechanism *m, const Joint *joint);
Expr joint_load(Context *cx, const Mechanism *m, const Joint *joint);
// Is its friction a torque?
bool joint_rubs_by_torque(const Joint *joint);
// The relative motion that friction and motors work on: an angle, or a displacement.
Expr joint_motion(Context *cx, const Mechanism *m, const Joint *joint);
// The torque or force of its motors on the second body.
Expr joint_drive(Context *cx, const Mechanism *m, uint32_t joint);
// What its motor gives to the mechanism, less what its friction takes. A motor with a given speed
// is its multiplier.
Expr joint_power(Context *cx, const Mechanism *m, uint32_t joint);
// lambda_ROW: the multiplier of a row of a joint or motor.
Symbol row_multiplier(Context *cx, Symbol row);
// The same as text: the name of its column too.
#define MULTIPLIER_PREFIX "lambda_"
const char *multiplier_text(const Context *cx, Arena *arena, Symbol row);

// The length of a spring, or how far its second body is turned against its first.
Expr spring_length(Context *cx, const Mechanism *m, const Spring *spring);
// What it pulls with, damping and preload included: k (l - l_0) + F_0 + c l'; a torque for angles.
Expr spring_force(Context *cx, const Mechanism *m, const Spring *spring);
// What it gives to the mechanism: -F l'.
Expr spring_power(Context *cx, const Mechanism *m, const Spring *spring);

// The square of the length by which torques are compared with forces: the mean square distance of
// joints from the middle of those on the same body, the ground among them, for bodies with several.
// Of parameters; 0 where no body has joints at two points.
Expr mechanism_size2(Context *cx, const Mechanism *m);

#endif
