// The finish of a picture that gnuplot drew: words for those who cannot see it, and a dark side.
#ifndef QDOT_CHART_SVG_H
#define QDOT_CHART_SVG_H

#include "base/text.h"

// Appends the picture with its description, ids that begin with name (so that several pictures can
// stand in one page), and colours that follow the reader's choice of light or dark.
void svg_finish(const char *svg, const char *name, const char *description, Text *out);

// The style that gives colours of light paper those of dark paper, for attributes stroke and fill.
void svg_add_dark_side(Text *out);

#endif
