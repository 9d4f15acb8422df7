// Names with the prefix of a part that another file describes: left.rod of `use ... as left`.
#ifndef QDOT_MODEL_PART_NAME_H
#define QDOT_MODEL_PART_NAME_H

#include "base/context.h"

// prefix.name
Symbol part_symbol(Context *cx, Symbol prefix, Symbol name);
// From now on it is a prefix.
void part_mark(Context *cx, Symbol prefix);
// The bytes of a name that are prefixes of parts, the dot behind them included: 10 of
// left.knee.pin, 0 of rod.mass.
size_t part_prefix_length(const Context *cx, const char *name);

#endif
