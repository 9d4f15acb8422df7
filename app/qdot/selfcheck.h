// What the checks of a derivation found.
#ifndef QDOT_APP_SELFCHECK_H
#define QDOT_APP_SELFCHECK_H

#include <qdot/qdot.h>

// One line on stdout; also: what else was checked, "units" or "".
void selfcheck_print(const qdot_selfcheck *found, const char *also);

#endif
