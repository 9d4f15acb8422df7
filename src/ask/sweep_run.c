// The runs of a block of cases.
#include <math.h>
#include <string.h>

#include "ask/sweep.h"

static void close_arena(void *object) { arena_close(object); }

static void open_block(SweepWorker *w) {
  Context *cx = w->rerun.simulation.run.cx;
  arena_open(&w->arena, &cx->memory, &cx->guard);
  guard_register(&cx->guard, &w->handle, &w->arena, close_arena);
}

Status sweep_worker_open(SweepWorker *w, Context *cx, System *system, const SimOptions *options) {
  *w = (SweepWorker){0};
  const Requests *requests = &system->model->requests;
  w->request = &requests->sweep;
  w->at = arena_array(&cx->keep, double, requests->sweep.axes.n);
  w->measures = arena_array(&cx->keep, double, requests->measurements.n);
  Status status = rerun_open(&w->rerun, cx, system, options);
  if (status == QDOT_OK) open_block(w);
  return status;
}

void sweep_worker_close(SweepWorker *w) {
  guard_close(&w->rerun.simulation.run.cx->guard, &w->handle);
  rerun_close(&w->rerun);
}

const char *sweep_reason(const SweepBlock *b, uint32_t i) {
  return b->reason[i] ? b->text.at + b->reason[i] - 1 : NULL;
}

// A reason is kept once for all cases of the block that share it.
static uint32_t place_reason(SweepWorker *w, const char *why) {
  SweepBlock *b = &w->block;
  for (uint32_t at = 0; at < b->text.n; at += (uint32_t)strlen(b->text.at + at) + 1)
    if (strcmp(b->text.at + at, why) == 0) return at + 1;
  uint32_t place = b->text.n + 1;
  for (const char *c = why; *c; c++) vec_push(&w->arena, &b->text, *c);
  vec_push(&w->arena, &b->text, '\0');
  return place;
}

static void begin_block(const Sweep *s, SweepWorker *w, uint64_t number) {
  guard_close(&w->rerun.simulation.run.cx->guard, &w->handle);
  open_block(w);
  w->block = (SweepBlock){
      .number = number, .first = sweep_first(s, number), .count = sweep_count(s, number)};
  w->block.values = arena_array(&w->arena, double, (size_t)w->block.count * s->measures);
  w->block.reason = arena_array(&w->arena, uint32_t, w->block.count);
}

bool sweep_run(const Sweep *s, SweepWorker *w, uint64_t number) {
  begin_block(s, w, number);
  SweepBlock *b = &w->block;
  for (uint32_t i = 0; i < b->count; i++) {
    sweep_values(s, b->first + i, w->at);
    Status status = rerun_measures(&w->rerun, s->places, w->at, s->axes, w->measures);
    if (status == QDOT_STOPPED) return false;
    for (uint32_t k = 0; k < s->measures; k++)
      b->values[(size_t)i * s->measures + k] = w->measures[s->request->measures.at[k]];
    if (status != QDOT_OK) {
      b->failed++;
      b->reason[i] = place_reason(w, w->rerun.why);
    } else if (w->request->keeps && rerun_holds(&w->rerun, w->request->keeps)) {
      vec_push(&w->arena, &b->kept, i);
    }
  }
  return true;
}
