// Along an edge beyond which runs tell nothing: they fail, or a condition is broken without slope.
#ifndef QDOT_ASK_FIND_EDGE_H
#define QDOT_ASK_FIND_EDGE_H

#include "ask/find_run.h"

// The best lies between the best so far, which meets the conditions, and search->beyond, which
// tells no way back: by halves.
void find_halve(FindSearch *search);
// Where the best so far breaks a condition by little: Newton's steps onto it.
void find_mend(FindSearch *search);
// From the best so far, which meets the conditions, by steps that stay on this side; true if the
// slopes lead nowhere from where it ends.
bool find_walk_edge(FindSearch *search);
// The same without slopes, by looking around: for values that jump and runs that fail.
void find_look_around(FindSearch *search);

#endif
