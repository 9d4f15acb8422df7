// A motion that repeats, as text and as the contract's JSON.
#ifndef QDOT_PRINT_ASK_ORBIT_TEXT_H
#define QDOT_PRINT_ASK_ORBIT_TEXT_H

#include "ask/orbit.h"

void orbit_text(const Orbit *orbit, Text *out);
void orbit_json(const Orbit *orbit, Text *out);

#endif
