// Who makes many runs.
#include "ask/runs.h"
#include "sim/run_source.h"

Status runs_open(Runs *r, System *system, const SimOptions *options, uint32_t lanes) {
  *r = (Runs){.most_lanes = lanes > 0 ? lanes : packed_most_lanes()};
  Status status = rerun_open(&r->rerun, system, options);
  if (status == QDOT_OK) r->rerun.simulation.run.machine.node_lanes = r->most_lanes;
  return status;
}

void runs_close(Runs *r) {
  if (r->lanes) lanes_close(r->lanes);
  rerun_close(&r->rerun);
}

static void need_lanes(Runs *r, uint64_t count) {
  if (r->lanes || r->most_lanes < 2 || count < r->most_lanes) return;
  r->lanes = lanes_open(&r->rerun, r->most_lanes);
  r->most_lanes = 1;
}

void runs_make(Runs *r, uint64_t count, void (*work)(void *user, Rerun *rerun), void *user) {
  need_lanes(r, count);
  if (r->lanes)
    lanes_run(r->lanes, work, user);
  else
    work(user, &r->rerun);
}

const char *runs_backend(Runs *r, uint64_t count) {
  need_lanes(r, count);
  return !r->lanes ? "scalar" : r->lanes->width == 8 ? "avx512" : "avx2";
}
