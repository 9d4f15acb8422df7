// Tests that go through all examples.
#ifndef QDOT_TESTS_EXAMPLES_H
#define QDOT_TESTS_EXAMPLES_H

#include "base/context.h"

// Runs body for the file of every example, each in a context of its own.
void with_every_example(void (*body)(Context *cx, const char *path));
// What stands in it, in the keep arena.
const char *example_text(Context *cx, const char *path);

#endif
