// A mechanism in coordinates: bodies and joints become coordinates, energies and constraints, in
// one of several ways that describe the same motion.
#ifndef QDOT_DERIVE_FORMULATE_H
#define QDOT_DERIVE_FORMULATE_H

#include "model/model.h"

typedef enum Formulation {
  FORMULATION_LAGRANGE,     // a spanning tree of joints, loops closed by constraints
  FORMULATION_NEWTON_EULER, // the same coordinates, equations from momentum balances
  FORMULATION_MAXIMAL,      // x, y, theta of every body, all joints as constraints
  FORMULATION_NATURAL,      // points and unit vectors shared between bodies
  FORMULATIONS
} Formulation;

const char *formulation_text(Formulation formulation); // "newton-euler"
bool formulation_from_text(const char *text, Formulation *out);

// A model without bodies, equivalent to the given one; the model itself when it has no bodies. The
// named numbers of its parts are put in: its equations cost what they would without names.
Status model_formulate(Context *cx, const Model *model, Formulation formulation, Model **out);

// The same of a model whose numbers of parts stay under their names.
Status model_formulate_named(Context *cx, const Model *model, Formulation formulation, Model **out);

// Natural coordinates of the spanning tree alone: a pin that closes a loop has a point on each of
// its bodies, which constraints bring together. What proofs go through.
Status model_formulate_cut(Context *cx, const Model *model, Model **out);

// The model from bodies that are written otherwise, with more names or more questions, in the same
// coordinates; numbers keep the names that they have there. NULL where that makes another one.
Model *model_twin(const Model *model, const Model *written);

// The model as a reader sees it: the same coordinates and equations with the numbers of its parts
// under their names (rod.mass), which are parameters here. Made once; the model itself where it
// has no such numbers, or where its equations are the same only as numbers.
Model *model_named(Model *model);
// The same for whoever only prints it: numbers of its expressions keep their units, too. 2 [kg] is
// a parameter of that name, which no table lists.
Model *model_shown(Model *model);

#endif
