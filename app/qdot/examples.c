// The models that travel inside the command; the build writes examples.def.
#include "examples.h"

const Example examples[] = {
#define MODEL(name, comment, text, data) {name, comment, text, data},
#include "examples.def"
#undef MODEL
};

const size_t example_count = sizeof examples / sizeof *examples;
