// Diagnostics of a context as members of an answer.
#ifndef STUDIO_DIAGNOSIS_H
#define STUDIO_DIAGNOSIS_H

#include "answer.h"
#include "qdot/qdot.h"

void diagnosis_add(Answer *answer, qdot_context *cx);
// A sink that adds to bytes.
qdot_sink bytes_sink(Bytes *bytes);

#endif
