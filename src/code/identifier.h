// Names that other languages accept, made from the names of a model.
#ifndef QDOT_CODE_IDENTIFIER_H
#define QDOT_CODE_IDENTIFIER_H

#include "base/intern.h"
#include "code/emit.h"

// The identifiers taken in one scope.
typedef struct Identifiers {
  Arena *arena;
  Interner taken;
} Identifiers;

// A scope in which the keywords of the language, and the words given (ended by NULL), are taken.
void identifiers_open(Identifiers *scope, Arena *arena, Dialect dialect, const char *const *words);

// theta_2 stays, theta[2] is theta_2, x' is x_dot, r.x is r_x; other letters are spelled by number.
// A number is appended where the name is taken.
const char *identifier_new(Identifiers *scope, const char *wanted);

// The name of a file or of a whole model: "Double pendulum" is double_pendulum.
const char *identifier_from_title(Arena *arena, const char *title);
// The same from a path: what stands before the ending of its last part, with _ for every letter
// that cannot stand in C. "models/press-2.qdot" is press_2. NULL where nothing is left.
const char *identifier_from_path(Arena *arena, const char *path);

#endif
