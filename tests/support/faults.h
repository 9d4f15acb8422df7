// Fault injection: every allocation of a piece of work fails once in turn.
#ifndef QDOT_TESTS_FAULTS_H
#define QDOT_TESTS_FAULTS_H

#include "base/context.h"

// Runs work in a fresh context once undisturbed, then in fresh contexts whose n-th allocation
// fails, for every n (for a sample of them where there are more than some thousands). Fails the
// test unless each failing run ends with QDOT_NO_MEMORY and gives all memory back. The undisturbed
// run must return expected. Returns how many allocations the work makes.
size_t fail_each_allocation(Status (*work)(Context *cx, void *argument), void *argument,
                            Status expected);

#endif
