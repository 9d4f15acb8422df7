// The stages from a model's text to its results: how often each was done, and how long it took.
//
// The time of a stage within another one counts for the inner one alone, so the times add up to the
// whole. Contexts keep the clock; rooms count for their owner.
#ifndef QDOT_BASE_STAGE_H
#define QDOT_BASE_STAGE_H

#include <stdint.h>

typedef enum WorkStage {
  STAGE_NONE,
#define STAGE(KEY, name) STAGE_##KEY,
#include "base/stages.def"
#undef STAGE
  STAGES
} WorkStage;

typedef struct StageClock {
  uint32_t times[STAGES];
  double seconds[STAGES];
  WorkStage now;
  double since; // on the clock of context_seconds
} StageClock;

const char *stage_text(WorkStage stage);
// Goes over to another stage at a time; returns the one before.
WorkStage stage_change(StageClock *clock, WorkStage stage, double now);

#endif
