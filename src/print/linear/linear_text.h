// Linearizations, modes and equilibria for a terminal.
#ifndef QDOT_PRINT_LINEAR_LINEAR_TEXT_H
#define QDOT_PRINT_LINEAR_LINEAR_TEXT_H

#include "analyse/vibration/frequency_form.h"
#include "analyse/vibration/stationary.h"
#include "print/terminal_page.h"

// The point, the independent coordinates, M^, C^, K^, what constraints add, eigenvalues. modes may
// be NULL where there are none.
void linear_text(const Linearized *l, const Modes *modes, const TextStyle *style, Text *out);
// A table of modes with their shapes; forms may be NULL.
void modes_text(const Linearized *l, const Modes *modes, const FrequencyForms *forms,
                const TextStyle *style, Text *out);
// stationary: the motions that these are of the reduced system, or NULL.
void equilibria_text(const System *system, const Equilibria *equilibria,
                     const Stationary *stationary, const TextStyle *style, Text *out);

#endif
