// Positions of a driven mechanism, and what they amount to.
#ifndef QDOT_PRINT_ASK_POSITIONS_TEXT_H
#define QDOT_PRINT_ASK_POSITIONS_TEXT_H

#include "ask/positions.h"
#include "base/text.h"

void positions_text(const Positions *positions, Text *out); // extents of outputs and names of parts
void positions_json(const Positions *positions, Text *out);
void positions_csv(const Positions *positions, Text *out); // all rows

#endif
