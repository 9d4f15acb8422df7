// Mechanisms that textbooks and papers print the equations of, as model texts.
#ifndef QDOT_TESTS_TEXTBOOK_H
#define QDOT_TESTS_TEXTBOOK_H

#include "derive/system.h"

// LagranTexPac's triple pendulum arm (angles from the upward vertical) and telescopic robot.
extern const char textbook_triple_arm[], textbook_polar_robot[];
extern const char textbook_spherical_pendulum[];
// A cart with two links, each angle relative to the link before.
extern const char textbook_cart_double_pendulum[];
// Free rotation in Euler angles z-x-z with principal moments.
extern const char textbook_euler_body[];
// N links with masses at their ends and angles from the vertical; N = 3 unless overridden.
extern const char textbook_chain[];
// A mass on a spring that swings; the spring's length is a root of the coordinates.
extern const char textbook_spring_pendulum[];
// The same with two springs whose lengths have names.
extern const char textbook_two_springs[];

typedef struct Textbook {
  Model *model;
  System system; // with M and h
} Textbook;

// override: NULL or one "NAME=VALUE".
Textbook textbook_derive(Context *cx, const char *text, const char *override);
// An expression in the model's names.
Expr textbook_expr(Context *cx, const Textbook *book, const char *text);

#endif
