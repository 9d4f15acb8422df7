// The script of a chart while it is written.
// Sources: script_curves.c, script_marks.c
#ifndef QDOT_CHART_SCRIPT_H
#define QDOT_CHART_SCRIPT_H

#include "chart/chart_look.h"

typedef struct Script {
  const Chart *chart;
  Text *out;
  double height;
} Script;

// rgb "#222222", and the same behind a word at the end of a line.
void script_colour(Script *s, Colour c);
void script_end_in_colour(Script *s, const char *word, Colour c);
// Pixels as parts of the picture.
void script_place(Script *s, double x, double y);

// Width, dashes and colour of a curve.
void script_pen(Script *s, const ChartPanel *panel, uint32_t i);
// The plot command of a panel whose first block of data it is.
void script_plot(Script *s, const ChartPanel *panel, const PanelBox *box, uint32_t block);
// How many blocks a panel has.
uint32_t script_blocks(const ChartPanel *panel);

// Events, lines and marks: what stands in the axes beside curves.
void script_marks(Script *s, const ChartPanel *panel, const PanelBox *box);

#endif
