// What `qdot bracket` prints.
#ifndef QDOT_PRINT_BRACKET_TEXT_H
#define QDOT_PRINT_BRACKET_TEXT_H

#include "derive/roads/bracket.h"
#include "print/terminal_page.h"

// f, g: as they were written.
void bracket_text(Context *cx, const Bracket *bracket, const char *f, const char *g,
                  const TextStyle *style, Text *out);
void bracket_json(Context *cx, const Bracket *bracket, Text *out);

#endif
