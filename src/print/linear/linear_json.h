// The JSON of `qdot linearize`, `qdot modes` and `qdot equilibrium`.
#ifndef QDOT_PRINT_LINEAR_LINEAR_JSON_H
#define QDOT_PRINT_LINEAR_LINEAR_JSON_H

#include "analyse/vibration/frequency_form.h"
#include "analyse/vibration/stationary.h"

// modes may be NULL where there are none: a mass is missing.
void linear_json(const Linearized *l, const Modes *modes, Text *out);
// forms may be NULL.
void modes_json(const Linearized *l, const Modes *modes, const FrequencyForms *forms, Text *out);
void equilibria_json(const System *system, const Equilibria *equilibria,
                     const Stationary *stationary, Text *out);

#endif
