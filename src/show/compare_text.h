// Formulations side by side: for a terminal, as JSON, and as a picture.
#ifndef QDOT_SHOW_COMPARE_TEXT_H
#define QDOT_SHOW_COMPARE_TEXT_H

#include "analyse/compare.h"
#include "show/chart.h"
#include "show/page.h"

void compare_text(const Comparison *comparison, const TextStyle *style, Text *out);
void compare_json(const Comparison *comparison, Text *out);
// How far the motions are apart over time, on a logarithmic scale; "compare". In the scratch arena.
Chart compare_chart(const Comparison *comparison);

// "equal", "different" or "undecided".
const char *agreement_text(Equality equality);
// What it rests on.
void agreement_evidence(const Agreement *agreement, Text *out);

#endif
