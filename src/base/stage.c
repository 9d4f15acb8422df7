// The clock of the stages.
#include "base/stage.h"

const char *stage_text(WorkStage stage) {
  static const char *const names[STAGES] = {
#define STAGE(KEY, name) [STAGE_##KEY] = name,
#include "base/stages.def"
#undef STAGE
  };
  return names[stage];
}

WorkStage stage_change(StageClock *clock, WorkStage stage, double now) {
  WorkStage before = clock->now;
  clock->seconds[before] += now - clock->since;
  clock->now = stage, clock->since = now;
  return before;
}
