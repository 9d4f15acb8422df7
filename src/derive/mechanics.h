// A mechanism in the pose symbols of its bodies, before coordinates are chosen.
// Sources: assembly.c, idle_angles.c, maximal.c, mechanics.c, natural.c, newton_euler.c,
//   pose_coordinates.c, reaction.c, tree.c, tree_coordinates.c
#ifndef QDOT_DERIVE_MECHANICS_H
#define QDOT_DERIVE_MECHANICS_H

#include "model/model.h"

#define NO_JOINT UINT32_MAX

// How a body hangs in the spanning tree.
typedef struct Branch {
  uint32_t joint;   // NO_JOINT for a body that floats
  bool is_reversed; // the body is the joint's first one
  uint32_t parent;  // or GROUND
} Branch;

typedef struct Placement {
  Expr pose[3]; // what stands for x, y, theta of a body
} Placement;

// A constraint in pose symbols.
typedef struct PoseRow {
  Symbol name;
  Expr phi;
  Expr plain;            // the same where the joints of the tree hold, unless 0
  uint32_t length_power; // phi, or what it is the rate of, is a length to this power
  bool is_nonholonomic;
  Expr defines;   // see Constraint
  uint32_t joint; // NO_JOINT for a motor
  uint32_t row;   // of the joint
  Span span;
} PoseRow;

// What a joint transmits, in pose symbols and multipliers.
typedef struct Reaction {
  uint32_t joint;
  Expr value[3]; // force x and y, torque
} Reaction;

typedef struct Mechanics {
  Context *cx;
  const Model *model;
  const Mechanism *m;
  uint32_t n;          // bodies
  Branch *branches;    // by body
  uint32_t *order;     // bodies, parents before children
  bool *is_tree_joint; // by joint
  StartPose *start;    // by body
  StartPose *rate;     // by body: x', y', theta' there, as far as they are said
  VEC(Energy) energies;
  VEC(PointForce) forces;
  VEC(Press) presses;
  Placement *placements;   // by body, once they are known
  VEC(PoseRow) rows;       // of all joints, tree joints too, then motors
  bool *is_idle;           // by body: without inertia, and nobody asks for its angle
  VEC(Reaction) reactions; // of the joints whose reactions somebody asks for
  VEC(Load) loads;         // see Model; empty unless somebody asks and there are loops
  bool has_pressure;       // teeth that push their wheels apart
  bool cuts_loops;         // natural coordinates with two points for a pin that closes a loop
} Mechanics;

// Everything but the coordinates; mistakes are diagnosed.
Status mechanics_open(Context *cx, const Model *model, Mechanics *out);

void mechanics_tree(Mechanics *mech);       // branches, order, start
Status mechanics_elements(Mechanics *mech); // energies and forces
Status mechanics_rows(Mechanics *mech);     // constraints
void mechanics_shorten(Mechanics *mech);    // rows, once reactions are known and pins no rows
void mechanics_find_idle(Mechanics *mech);  // is_idle
bool mechanics_use_idle(const Mechanics *mech, Expr e); // an angle that is not a coordinate

// In poses, with the rows as they are now.
const Assembly *mechanics_assembly(Mechanics *mech);

// Does any energy, force, constraint, output or plot contain the angle of a body?
bool mechanics_use_angle(const Mechanics *mech, uint32_t body);

// Reactions in terms of the rows as they are now. all_are_rows: no joint is made superfluous by the
// choice of coordinates; else those of the spanning tree are, whether their rows are kept or not.
void mechanics_reactions(Mechanics *mech, bool all_are_rows);

// Where an anchor is at the start, and how it moves there.
void mechanics_start_point(Mechanics *mech, const Anchor *anchor, Expr at[2], Expr rate[2]);
// A pose as it was said, else where the joints put the body: a guess.
Initial mechanics_start(const Mechanics *mech, uint32_t body, int k);
// A velocity as it was said, else what the start makes of it: a guess, none where it is 0.
Initial mechanics_start_rate(const Mechanics *mech, uint32_t body, int k);

// The two anchors of the joint that carries a body, the parent's first.
void branch_anchors(const Mechanics *mech, uint32_t body, Anchor *parent, Anchor *child);

// ---- Putting expressions in place of poses

// Fills a model without bodies: what the user wrote with every pose symbol replaced, energies,
// forces and rows of the mechanism added. Coordinates are the caller's to add first; keeps tells
// which rows stay.
Status mechanics_place(Mechanics *mech, Model *out, const Placement *placements,
                       bool (*keeps)(const Mechanics *mech, const PoseRow *row));

// Adds a coordinate, or a definition, with its name.
Expr model_add_coordinate(Model *model, Symbol name, bool is_angle, Initial position,
                          Initial velocity, Span span);
// The same with what it stands for, in pose symbols.
Expr model_add_meaning(Model *model, Symbol name, bool is_angle, Initial position, Initial velocity,
                       Span span, Expr meaning);
Expr model_add_definition(Model *model, Symbol name, Expr body, bool is_angle, Span span);

Status formulate_maximal(Mechanics *mech, Model *out);
Status formulate_lagrange(Mechanics *mech, Model *out);
Status formulate_newton_euler(Mechanics *mech, Model *out);
Status formulate_natural(Mechanics *mech, Model *out);

// e in pose symbols with the placements put in; for whole lists at once.
void mechanics_put_poses(const Mechanics *mech, const Expr *in, size_t n, Expr *out);

#endif
