// All that the program knows of a kind of element; elements.def holds the records.
#ifndef QDOT_MODEL_ELEMENT_TYPE_H
#define QDOT_MODEL_ELEMENT_TYPE_H

#include "model/model.h"

// What a property may contain beside numbers and parameters.
typedef enum ElementContent {
  ELEMENT_FIXED,       // nothing
  ELEMENT_RESTITUTION, // nothing; from 0 to 1
  ELEMENT_RATIO,       // nothing; a pure number that is no angle
  ELEMENT_POSITIVE,    // nothing; above 0
  ELEMENT_SIZE,        // nothing; not negative: what only pulls or presses would do both
  ELEMENT_TIMED,       // the time
  ELEMENT_PLACED,      // the time and the places of bodies
  ELEMENT_LAW          // all that a force may depend on
} ElementContent;

typedef struct ElementProperty {
  const char *word;
  const char *parts[3]; // names of the components of a vector; none for a number
  int8_t unit[3][3];    // powers of kg, m, s, by component
  const char *named;    // as what its number is a parameter; NULL: its word
  ElementContent may_be;
  bool is_needed;
  const char *needs;    // a property without which it says nothing, or NULL
  const char *excludes; // one that it contradicts, or NULL
} ElementProperty;

// What an element adds to the model, in pose symbols; 0 where it does not.
typedef struct ElementEffects {
  Expr kinetic, potential, dissipation;
  PointForce force; // n = 0 for none
  Expr limit;       // a contact of its own: limit <= 0
  bool turns;       // its force is a torque
  Expr restitution; // of that contact
  Expr row;         // a constraint of its own: row = 0
} ElementEffects;

typedef struct ElementView {
  Context *cx;
  const Mechanism *m;
  Element *element; // whose members are filled
  Expr multiplier;  // of its contact or constraint
  Expr from[2], to[2], first, second;
} ElementView;

typedef struct ElementType {
  const char *word, *called;
  int ends; // the bodies that it names
  ElementProperty properties[ELEMENT_PROPERTIES];
  const char *one_of; // properties without any of which it does nothing, or NULL
  void (*act)(const ElementView *view, ElementEffects *out);
  void (*sketch)(struct Sketch *sketch, const Element *element);
  bool holds; // it keeps a body that hangs on it from falling
} ElementType;

const ElementType *element_type(ElementKind kind);
// The members of the element, and what it adds to the model. multiplier: of its contact or
// constraint, should it have one.
void element_act(Context *cx, const Mechanism *m, Element *element, Expr multiplier,
                 ElementEffects *out);
// Does it hold something to the ground?
bool element_holds(const Element *element);

#endif
