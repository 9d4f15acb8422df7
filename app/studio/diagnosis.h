// Diagnostics of a context as members of an answer.
#ifndef STUDIO_DIAGNOSIS_H
#define STUDIO_DIAGNOSIS_H

#include "answer.h"
#include "qdot/qdot.h"

// own: the name of the text that is shown; what is in another file has its name and line.
void diagnosis_add(Answer *answer, qdot_context *cx, const char *own);
// A sink that adds to bytes.
qdot_sink bytes_sink(Bytes *bytes);

#endif
