// What `qdot conserved` prints.
// Sources: integrals_text.c, integrals_json.c
#ifndef QDOT_PRINT_INTEGRALS_TEXT_H
#define QDOT_PRINT_INTEGRALS_TEXT_H

#include "derive/roads/claim.h"
#include "derive/roads/integral.h"
#include "print/terminal_page.h"

// values: of each integral at the start, NaN where it is not known.
typedef struct ShownIntegrals {
  Context *cx;
  const System *system;
  const Integrals *found;
  const double *values;
  Claims claims; // of the model's author
} ShownIntegrals;

void integrals_text(const ShownIntegrals *shown, const TextStyle *style, Text *out);
void integrals_json(const ShownIntegrals *shown, Text *out);

#endif
