// What the checks of a derivation found.
#ifndef QDOT_APP_CHECKED_H
#define QDOT_APP_CHECKED_H

#include "qdot/qdot.h"

// One line on stdout; also: what else was checked, "units" or "". Nothing where nothing was.
void checked_print(qdot_system *system, const qdot_selfcheck *found, const char *also);

#endif
