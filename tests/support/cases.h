// Tables of small facts: a file that pairs inputs with outputs.
//
//   %% a title             %%FAIL a title
//   the input              the input
//   %%=                    %%=
//   the output             the diagnostics, with their carets
//
// Lines before the first %% are a comment. Each case runs in a fresh context.
#ifndef QDOT_TESTS_CASES_H
#define QDOT_TESTS_CASES_H

#include "base/context.h"

// Answers an input with text from an arena of cx; NULL when it was refused and cx's diagnostics
// say why.
typedef const char *CaseAnswer(Context *cx, const char *input);

// Checks every case of a file below the source tree ("tests/lang/parse.case"). With the
// environment variable QDOT_UPDATE set, writes what comes out into the file instead.
void check_cases(const char *file, CaseAnswer *answer);

// The whole content of a file below the source tree, allocated with malloc.
char *read_source_file(const char *file, size_t *length);

#endif
