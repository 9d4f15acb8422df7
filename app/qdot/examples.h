// The models that travel inside the command.
#ifndef QDOT_APP_EXAMPLES_H
#define QDOT_APP_EXAMPLES_H

#include <stddef.h>

typedef struct Example {
  const char *name, *comment, *text;
  const char *data; // of NAME.csv beside it; "" where it needs none
} Example;

extern const Example examples[];
extern const size_t example_count;

#endif
