// Parts of the exported Octave functions.
// Sources: octave_events.c, octave_run.c
#ifndef QDOT_EXPORT_OCTAVE_PARTS_H
#define QDOT_EXPORT_OCTAVE_PARTS_H

#include "export/content.h"

// Do inputs change in the motion, by samples or events? Then simulate() gives them row by row.
bool octave_holds_inputs(const ExportContent *content);
// The function simulate().
void write_octave_simulate(const ExportContent *content, Text *out);
// The functions for events, behind simulate().
void write_octave_events(const ExportContent *content, Text *out);

// "[1; 2.5]"
void add_octave_column(const double *values, uint32_t n, Text *out);
// Adds the text, without ", norm" where there are no constraints.
void add_octave_text(const ExportContent *content, const char *text, Text *out);

#endif
