// From one place to the best nearby, by sequential quadratic programming.
#ifndef QDOT_ASK_FIND_DESCENT_H
#define QDOT_ASK_FIND_DESCENT_H

#include "ask/find_run.h"

// From x; search->kept is the best on the way, without x where no run was whole.
void find_descend(FindSearch *search, const double *x);

#endif
