// The letters of formulas.
#ifndef QDOT_SCENE_LETTERS_H
#define QDOT_SCENE_LETTERS_H

#include "base/arena.h"

// A name as formulas have it: a letter that stands alone is an italic one of mathematics (U+1D434
// to U+1D714), words and digits stay upright.
const char *formula_letters(Arena *arena, const char *name);
// Does it begin with a letter that formula_letters would change?
bool is_lone_letter(const char *name);

#endif
