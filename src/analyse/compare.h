// One mechanism in all formulations: equations proved equal, motions beside each other.
#ifndef QDOT_ANALYSE_COMPARE_H
#define QDOT_ANALYSE_COMPARE_H

#include "analyse/road_compare.h"
#include "derive/agreement.h"
#include "derive/formulate.h"
#include "sim/sim.h"

// How far a motion is from that of the first formulation that ran.
typedef struct Deviation {
  double position, angle; // largest, in m and rad
  double at;              // when the larger of the two was met
  Symbol where;           // crank.theta
  bool is_angle;
  double energy; // largest difference of E_tot, in J
  double start;  // largest in the first row, of the size of the mechanism there
} Deviation;

typedef struct FormulationRun {
  const char *name;      // "newton-euler"
  const char *refusal;   // why it does not apply, or why its run failed; else NULL
  double derive_seconds; // formulation and equations
  uint32_t n, rows;      // coordinates and constraints
  bool is_reference;     // the others are compared with it
  Agreement agreement;   // its equations with those of the reference
  bool has_run;          // simulated, perhaps not to the end
  SimSummary summary;
  Deviation deviation;
  const double *distance; // of each row: the larger of position and angle
  uint32_t distance_count;
} FormulationRun;

typedef struct Comparison {
  Context *cx;
  const Model *model;    // of bodies; of energies there are no runs, but
  RoadComparison *roads; // its roads, else NULL
  FormulationRun runs[FORMULATIONS];
  const double *t; // of the rows
  uint32_t row_count;
  const Symbol *coordinates; // of the reference
  uint32_t coordinate_count;
  bool is_proved;  // all that apply
  bool is_stopped; // by the user
} Comparison;

typedef enum CompareStage { COMPARE_DERIVE, COMPARE_PROVE, COMPARE_SIMULATE } CompareStage;

typedef struct CompareOptions {
  SimOverrides overrides;
  const volatile int *stop; // or NULL
  void (*progress)(void *user, double t, double t_end, long steps);
  void *progress_user;
  void (*stage)(void *user, const char *formulation, CompareStage stage);
  void *stage_user;
} CompareOptions;

// model: read, not formulated. In the keep arena.
Status compare_formulations(Context *cx, const Model *model, const CompareOptions *options,
                            Comparison *out);

#endif
