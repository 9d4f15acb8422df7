// Fixed parts of exported files: text with marks that are filled in.
#ifndef QDOT_EXPORT_TEMPLATE_H
#define QDOT_EXPORT_TEMPLATE_H

#include "base/text.h"

// Adds the text with every '@' replaced.
void template_add(Text *out, const char *text, const char *replacement);

#endif
