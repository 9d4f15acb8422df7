// What tolerances do to measures, as text and as the contract's JSON.
#ifndef QDOT_PRINT_ASK_TOLERANCE_TEXT_H
#define QDOT_PRINT_ASK_TOLERANCE_TEXT_H

#include "ask/tolerance.h"

void tolerance_text(const Tolerance *tolerance, Text *out);
void tolerance_json(const Tolerance *tolerance, Text *out);

#endif
