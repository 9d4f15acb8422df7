// What a search has found, as text and as the contract's JSON.
#ifndef QDOT_PRINT_ASK_FIND_TEXT_H
#define QDOT_PRINT_ASK_FIND_TEXT_H

#include "ask/find.h"

void find_text(const Find *find, Text *out);
void find_json(const Find *find, Text *out);

#endif
