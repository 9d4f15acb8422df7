// Doubles in as few digits as read back.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

void text_add_double(Text *text, double value) {
  char digits[40];
  for (int precision = 15; precision <= 17; precision++) {
    snprintf(digits, sizeof digits, "%.*g", precision, value);
    if (strtod(digits, NULL) == value) break;
  }
  text_add(text, digits);
}
