// Natural frequencies in closed form, where the characteristic polynomial has one.
#ifndef QDOT_ANALYSE_VIBRATION_FREQUENCY_FORM_H
#define QDOT_ANALYSE_VIBRATION_FREQUENCY_FORM_H

#include "analyse/vibration/modes.h"

// The square of a natural frequency: omega^2 = square.
typedef struct FrequencyForm {
  Expr square;
  double value; // its number
} FrequencyForm;

typedef struct FrequencyForms {
  uint32_t n;
  FrequencyForm *at; // ascending; those that have a short form
} FrequencyForms;

// Is it small and undamped, so that the next function may find something in its exact entries?
bool frequency_forms_may_exist(const Linearized *l);
// Of an undamped system: the roots mu of det(K^ - mu M^) = 0 that belong to factors of degree 1 and
// 2. Nothing for damped, gyroscopic and nonholonomic ones. values: of the parameters, by variable.
// In the keep arena.
FrequencyForms frequency_forms(const Linearized *l, const Modes *modes, const double *values);

#endif
