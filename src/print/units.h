// Units as people write them, made ready for print.
#ifndef QDOT_PRINT_UNITS_H
#define QDOT_PRINT_UNITS_H

#include <stdbool.h>

#include "base/text.h"

// "N*m/s^2" and "deg" become "N m/s²" and "°".
void unit_add_pretty(Text *out, const char *unit);
// The same behind a number: " mm", "°"; nothing for "".
void unit_add_behind(Text *out, const char *unit);
// The same inside of a LaTeX formula; also for what is pretty already.
void unit_add_latex(Text *out, const char *unit);
// Does it follow its number without a blank?
bool unit_is_joined(const char *unit);

#endif
