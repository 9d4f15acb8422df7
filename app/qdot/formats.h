// Lists of file formats in an option: --format svg,pdf.
#ifndef QDOT_APP_FORMATS_H
#define QDOT_APP_FORMATS_H

#include "options.h"

typedef struct FormatWord {
  const char *word;
  unsigned format; // QDOT_FILE_SVG and its like
} FormatWord;

// The formats that --format lists, 0 if it says nothing; words ends with a NULL word. Others end
// with a message.
unsigned formats_of(const Arguments *arguments, const FormatWord *words);

#endif
