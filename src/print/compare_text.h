// Formulations side by side: for a terminal and as JSON.
// Sources: compare_json.c, compare_text.c
#ifndef QDOT_PRINT_COMPARE_TEXT_H
#define QDOT_PRINT_COMPARE_TEXT_H

#include "analyse/compare.h"
#include "print/terminal_page.h"

// "the masses are constant ...": a clause behind "since".
const char *road_reason_text(Arena *arena, const Comparison *comparison);
void compare_text(const Comparison *comparison, const TextStyle *style, Text *out);
void compare_json(const Comparison *comparison, Text *out);

// "equal", "different" or "undecided".
const char *agreement_text(Equality equality);
// What it rests on.
void agreement_evidence(const Agreement *agreement, Text *out);

#endif
