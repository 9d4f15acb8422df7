// Samples of a run: values that are assigned at known times and held between them.
#ifndef QDOT_ENGINE_RUN_SAMPLING_H
#define QDOT_ENGINE_RUN_SAMPLING_H

#include "engine/machine.h"

// Who follows the slopes of what is assigned along directions.
typedef struct SampleWatch {
  void *user;
  uint32_t directions;
  // The slopes of what a line is about to assign, at a state: assignments x directions.
  void (*take)(void *user, const PlanSampling *line, double t, const double *q, const double *qd,
               double *slopes);
  // This has been assigned.
  void (*assign)(void *user, const PlanSampling *line, const double *slopes);
} SampleWatch;

// One `sample` line.
typedef struct SampleLine {
  const PlanSampling *line;
  double period, delay;
  double k;        // number of the next sample, which comes at k period
  uint32_t room;   // samples that may wait at once
  uint32_t first;  // of those that wait: its place in the ring,
  uint32_t count;  // and how many there are
  double *due;     // room: when they are delivered
  double *waiting; // room x assignments of the line
  double *slopes;  // the same x directions, where somebody watches
} SampleLine;

typedef struct SampleLines {
  Machine *machine;
  Arena *arena;
  SampleLine *at;
  uint32_t count;
  double next;    // the next moment at which something is sampled or delivered; INFINITY for none
  double *values; // room for the assignments of a line
  const SampleWatch *watch; // NULL: nobody
  double *slopes;           // room for those of a line
} SampleLines;

// A message where a period is not one, or so many samples would wait that memory is not enough.
Status samplers_open(SampleLines *samplers, Arena *arena, Machine *machine);
// From here on somebody watches.
void samplers_watch(SampleLines *samplers, Arena *arena, const SampleWatch *watch);
// Does line i sample or deliver at t?
bool samplers_is_due(const SampleLines *samplers, uint32_t i, double t);
// All that is assigned has the value that the model gives it at the start.
void samplers_reset(SampleLines *samplers);
// A motion begins at t with the values of the model: its first samples are those at t or after it.
// False where a value is not finite.
bool samplers_begin(SampleLines *samplers, double t, const double *q, const double *qd);
// Values have been changed at t: periods and delays that depend on them are others from here on,
// the next samples are the multiples after t. A message where one is not possible; it then stays.
Status samplers_take_values(SampleLines *samplers, double t);
// Goes on as the samples of another run of the same model do.
void samplers_copy(SampleLines *samplers, const SampleLines *from);
// What is due at t, by the state there; lines in their order, each seeing what those before it have
// assigned. False where a value is not finite.
bool samplers_pass(SampleLines *samplers, double t, const double *q, const double *qd);
// The moment that comes next, from what is there: after a checkpoint.
void samplers_find_next(SampleLines *samplers);

// Gives an input its value.
void machine_assign_input(Machine *machine, uint32_t input, double value);

#endif
