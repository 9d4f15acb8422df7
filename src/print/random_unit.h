// Units of what random inputs lead to.
#ifndef QDOT_PRINT_RANDOM_UNIT_H
#define QDOT_PRINT_RANDOM_UNIT_H

#include "analyse/excited/random_response.h"

// "N", "m/s²": of an output, from what is known of its parts; "" where that is nothing.
const char *random_unit(const Linearized *l, const RandomOutput *output);

#endif
