// Values of parameters and inputs that a caller may change; what is computed from them follows.
#ifndef QDOT_ENGINE_SETTINGS_H
#define QDOT_ENGINE_SETTINGS_H

#include "engine/plan.h"
#include "native/compiled.h"

// A place is the number of a parameter, or that of an input behind all parameters.
typedef struct Settings {
  uint32_t count, parameters;
  const char **names; // by place
  double *values;
  bool *is_given; // by the caller: no longer computed from others
  const PlanFollow *plan;
  Compiled follow, slope; // its programs
  double *work, *next;
  double *slope_work, *slope_values;
} Settings;

// Values as the model gives them, in the arena, of a plan that says how they follow each other;
// settings_close gives the machine code back.
void settings_open(Settings *settings, Context *cx, const Plan *plan, Arena *arena);
void settings_close(Settings *settings);

// The place of a name, or -1.
int settings_find(const Settings *settings, const char *name);
// Everything that depends on it and was not given follows. Allocates nothing.
void settings_set(Settings *settings, uint32_t place, double value);
// Writes all values to where tapes find them.
void settings_fill(const Settings *settings, const PlanVariables *at, double *by_variable);
// slopes: rows x parameters, derivatives by each parameter with all others kept. Adds what goes
// through parameters that are computed from others.
void settings_chain(Settings *settings, double *slopes, uint32_t rows);

#endif
