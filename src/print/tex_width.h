// How wide LaTeX sets a formula.
#ifndef QDOT_PRINT_TEX_WIDTH_H
#define QDOT_PRINT_TEX_WIDTH_H

// The width of a displayed formula in points, in Computer Modern (or Latin Modern) of 11pt, from
// the widths of its letters. For the LaTeX that latex_face writes; what it does not know counts as
// upright letters.
double tex_width(const char *markup);

#endif
