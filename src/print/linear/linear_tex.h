// A linearization as LaTeX equations.
#ifndef QDOT_PRINT_LINEAR_LINEAR_TEX_H
#define QDOT_PRINT_LINEAR_LINEAR_TEX_H

#include "analyse/linear/linearize.h"

// Needs amsmath.
void linear_tex(const Linearized *l, Text *out);

#endif
