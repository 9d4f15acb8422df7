// Slopes of measures, as text and as the contract's JSON.
#ifndef QDOT_PRINT_ASK_SENSITIVITY_TEXT_H
#define QDOT_PRINT_ASK_SENSITIVITY_TEXT_H

#include "ask/sensitivity.h"

void sensitivity_text(const Sensitivity *sensitivity, Text *out);
void sensitivity_json(const Sensitivity *sensitivity, Text *out);
// The slopes of the motion over time, as a table with headings.
void sensitivity_csv(const Sensitivity *sensitivity, Text *out);

// The relative slope: the part by which the measure changes over that of the parameter; NAN where
// either is zero.
double sensitivity_relative(const Sensitivity *sensitivity, uint32_t measure, uint32_t direction);
// The unit of a measure over that of what is varied: "N/m"; "" for pure numbers.
const char *sensitivity_unit(const Sensitivity *sensitivity, uint32_t measure, uint32_t direction);

#endif
