// What a public linearization consists of.
// Sources: api_equilibria.c, api_response.c
#ifndef QDOT_API_ANALYSE_API_ANALYSE_H
#define QDOT_API_ANALYSE_API_ANALYSE_H

#include "analyse/vibration/plant.h"
#include "api/api_files.h"
#include "api/api_object.h"
#include "qdot/qdot.h"

struct qdot_linear {
  Object object;
  Linearized linearized;
  qdot_system *whole;        // of which it is
  size_t line;               // of the linearize line
  const Linearized *printed; // with names and units for numbers, once made
  double *printed_values;
  bool has_modes;
  Modes modes;
  qdot_mode *shown; // the modes as callers see them
  double *values;   // of parameters and inputs, by variable
  FileList files;   // drawn
};

qdot_stability api_stability(const Modes *modes);
// Why a linearization has no modes.
Status api_no_modes(const qdot_linear *linear, const char *what);

typedef VEC(ResponseOutput) OutputList;
// Outputs and expressions in a list with commas; without one the outputs of the model, or these
// coordinates where it has none.
Status api_outputs(Context *cx, const Model *model, const char *names, const uint32_t *coordinates,
                   uint32_t count, OutputList *list);

#endif
