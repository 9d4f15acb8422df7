// Doubles as decimal digits and back: the fewest that read back, and what strtod reads, only
// faster.
#ifndef QDOT_BASE_WORDS_DIGITS_H
#define QDOT_BASE_WORDS_DIGITS_H

#include <stddef.h>

#define DIGITS_ROOM 32

// Writes the fewest digits that read back as the same double, at most 17, in the form of "%.17g":
// fixed from 1e-4 to below 1e17, else with an exponent; without a zero byte, always with '.'.
// Returns how many characters.
size_t digits_write(double value, char out[DIGITS_ROOM]);
// The double nearest to value rounded to so many digits, at most 15, by its decimal expansion: what
// lies half way goes to the even digit, so that 4.0875 becomes 4.088 although the double lies
// below. For
// "%.4g" and its like, which round the binary value.
double digits_rounded(double value, int digits);
// A bound of so many digits: not below value with side 1, not above with side -1, except by slack.
double digits_bound(double value, int digits, int side, double slack);
// What strtod reads, also "nan" and "inf"; *end is where it stopped, text when there is no number.
double digits_read(const char *text, const char **end);

#endif
