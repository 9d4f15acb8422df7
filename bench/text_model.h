// Reads and derives a model file for a measurement, inside a guard of its own.
#ifndef QDOT_BENCH_TEXT_MODEL_H
#define QDOT_BENCH_TEXT_MODEL_H

#include "derive/formulate.h"
#include "derive/system.h"

typedef struct TextModel {
  Context *cx;
  System system;
  double seconds; // from text to equations
} TextModel;

// links is what `count N` becomes; 0 leaves it. work, called inside the guard, may be NULL. False
// when something went wrong; close in any case.
bool text_model_open(TextModel *model, const char *path, int links,
                     Status (*work)(TextModel *model, void *argument), void *argument);
// The same for bodies in a formulation.
bool text_model_open_as(TextModel *model, const char *path, int links, Formulation formulation,
                        Status (*work)(TextModel *model, void *argument), void *argument);
void text_model_close(TextModel *model);

// Values of parameters, by symbol_variable, in the keep arena.
double *text_model_values(const TextModel *model);

#endif
