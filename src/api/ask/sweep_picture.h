// The picture of a sweep, and what its measures amount to.
#ifndef QDOT_API_ASK_SWEEP_PICTURE_H
#define QDOT_API_ASK_SWEEP_PICTURE_H

#include "ask/sweep_table.h"
#include "print/ask/sweep_text.h"

// Collects all cases, unless they are too many to be drawn: percentiles of the measures for the
// story, where values are drawn at random, and sweep.svg. QDOT_NO_PROGRAM where there is none.
Status sweep_picture(const Sweep *sweep, const SweepStore *stores, uint32_t count,
                     const char *folder, SweepStory *story);

#endif
