// A linearization as LaTeX equations.
#ifndef QDOT_SHOW_LINEAR_TEX_H
#define QDOT_SHOW_LINEAR_TEX_H

#include "analyse/linearize.h"

// Needs amsmath.
void linear_tex(const Linearized *l, Text *out);

#endif
