// What to write instead of what other notations have.
#ifndef QDOT_LANG_PARSE_CURE_H
#define QDOT_LANG_PARSE_CURE_H

#include <stddef.h>

// For the character at the beginning of n bytes; NULL when nobody is known to mean something by it.
const char *cure_for_sign(const char *at, size_t n);
// For a word behind a backslash.
const char *cure_for_command(const char *word, size_t n);
// The expression that a function of another program stands for.
const char *cure_for_function(const char *name);
// For a name that other programs know without being told.
const char *cure_for_constant(const char *name);
// For the first word of a line.
const char *cure_for_beginning(const char *word);

#endif
