// Standard output, with the reason remembered when it cannot be written.
#ifndef QDOT_APP_OUTPUT_H
#define QDOT_APP_OUTPUT_H

#include <stdbool.h>

#include "qdot/qdot.h"

// A sink that writes to stdout.
qdot_sink output_sink(void);
// Writes out what is buffered; text on stdout then stands before what follows on stderr.
void output_flush(void);
// It could not all be written so far.
bool output_has_failed(void);
// Ends the output: a reader that has seen enough (a closed pipe) is not a failure, a full disk is
// one, which is explained. Returns false for a failure.
bool output_end(void);

#endif
