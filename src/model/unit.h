// Units: SI and common engineering units with prefixes, and the parser of a unit's text.
#ifndef QDOT_MODEL_UNIT_H
#define QDOT_MODEL_UNIT_H

#include "expr/node.h"
#include "model/dimension.h"

typedef struct Unit {
  Dimension dimension;
  Expr factor;      // one of it in SI units, exact
  const char *text; // as written, in the keep arena
} Unit;

// Reads the text between the brackets of a unit: "N*m*s", "kg m²/s²", "1/min". '*' or a blank
// multiplies, '/' divides the next factor only. Mistakes are reported with spans inside of span.
Status unit_parse(Context *cx, const char *text, size_t length, Span span, Unit *out);
// Is this the name of one unit, with or without prefix?
bool unit_is_known(Context *cx, const char *text);
// Does a unit of angles, or of their rates, occur in the text of a unit: "N m/rad", "rpm", "°/s"?
bool unit_names_angle(const char *text);

// The names of units without prefixes, one after the other; NULL behind the last.
const char *unit_name_at(size_t i);

#endif
