// Octave and MATLAB.
#ifndef QDOT_EXPORT_OCTAVE_H
#define QDOT_EXPORT_OCTAVE_H

#include "export/content.h"

void export_octave(const ExportContent *content, Arena *arena, ExportFiles *out);

#endif
