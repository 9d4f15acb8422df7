// Motions that are too small to be seen, drawn larger about their mean.
#ifndef QDOT_SCENE_MAGNIFY_H
#define QDOT_SCENE_MAGNIFY_H

#include "scene/poses.h"

// What decides about the factor, in parts of the drawing's larger side where it is a length; a page
// that computes a motion anew goes by the same numbers.
#define MAGNIFY_VISIBLE 0.004 // nothing is magnified where something moves as far as this
#define MAGNIFY_REAL 1e-9     // what moves less than this may be rounding
#define MAGNIFY_SHIFT 0.1     // so far things move then, at most
#define MAGNIFY_TURN 0.35     // radians: so far they turn, or parts of a length they are stretched
#define MAGNIFY_PIECE 0.01    // shorter pieces are not asked how far they turn
#define MAGNIFY_DOT 0.015     // how far discs and boxes without a size reach
#define MAGNIFY_BOX 0.05

// The round factor that shows a motion which nobody would see: 1, 2 or 5 times a power of ten. 1
// where something moves visibly, or where contacts open and close, whose gaps keep their size; 0
// where nothing moves.
double magnify_factor(const Scene *scene, const Poses *poses);

// Every place and angle of a settled scene goes so many times as far from its mean. Linear, so that
// what is joined stays joined; arrows keep their length, wheels and boxes their size.
void magnify_poses(Scene *scene, Poses *poses, double factor);

// A factor as people write it, in the place of {0} of a sentence.
const char *factor_words(Arena *arena, const char *sentence, double factor, char decimal_sign);

#endif
