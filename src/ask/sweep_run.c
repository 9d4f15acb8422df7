// The runs of a block of cases.
#include <math.h>
#include <string.h>

#include "ask/sweep.h"
#include "sim/plan_source.h"

static void close_arena(void *object) { arena_close(object); }

static void open_block(SweepWorker *w) {
  Context *cx = w->runs.rerun.simulation.run.cx;
  arena_open(&w->arena, &cx->memory, &cx->guard);
  guard_register(&cx->guard, &w->handle, &w->arena, close_arena);
}

Status sweep_worker_open(SweepWorker *w, Context *cx, System *system, const SimOptions *options,
                         uint32_t lanes) {
  *w = (SweepWorker){0};
  const Requests *requests = &system->model->requests;
  w->request = &requests->sweep;
  w->keeps = plan_value_of(cx, cx->results, requests->sweep.keeps);
  w->at = arena_array(cx->results, double, requests->sweep.axes.n);
  w->measures = arena_array(cx->results, double, requests->measurements.n);
  Status status = runs_open(&w->runs, system, options, lanes);
  if (status == QDOT_OK) open_block(w);
  return status;
}

void sweep_worker_close(SweepWorker *w) {
  guard_close(&w->runs.rerun.simulation.run.cx->guard, &w->handle);
  runs_close(&w->runs);
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
  guard_close(&w->runs.rerun.simulation.run.cx->guard, &w->handle);
  open_block(w);
  w->block = (SweepBlock){
      .number = number, .first = sweep_first(s, number), .count = sweep_count(s, number)};
  w->block.values = arena_array(&w->arena, double, (size_t)w->block.count * s->measures);
  w->block.reason = arena_array(&w->arena, uint32_t, w->block.count);
}

// What a case gave, until its block is whole.
typedef struct Case {
  const char *why; // NULL: ok
  bool keeps;
} Case;

typedef struct Making {
  const Sweep *sweep;
  SweepWorker *worker;
  Case *cases;
  uint32_t next;
  bool is_stopped;
} Making;

// Takes cases until none is left.
static void make_cases(void *user, Rerun *rerun) {
  Making *m = user;
  const Sweep *s = m->sweep;
  SweepWorker *w = m->worker;
  SweepBlock *b = &w->block;
  double *at = arena_array(&w->arena, double, s->axes);
  double *measures = arena_array(&w->arena, double, s->model->requests.measurements.n);
  while (m->next < b->count && !m->is_stopped) {
    uint32_t i = m->next++;
    sweep_values(s, b->first + i, at);
    Status status = rerun_measures(rerun, s->places, at, s->axes, measures);
    if (status == QDOT_STOPPED) m->is_stopped = true;
    for (uint32_t k = 0; k < s->measures; k++)
      b->values[(size_t)i * s->measures + k] = measures[s->request->measures.at[k]];
    if (status != QDOT_OK)
      m->cases[i].why = arena_copy(&w->arena, rerun->why, strlen(rerun->why));
    else
      m->cases[i].keeps = w->keeps.is_said && rerun_holds(rerun, &w->keeps);
  }
}

const char *sweep_backend(const Sweep *s, SweepWorker *w) {
  return runs_backend(&w->runs, s->cases < s->block ? s->cases : s->block);
}

bool sweep_run(const Sweep *s, SweepWorker *w, uint64_t number) {
  begin_block(s, w, number);
  SweepBlock *b = &w->block;
  Making making = {.sweep = s, .worker = w, .cases = arena_array(&w->arena, Case, b->count)};
  runs_make(&w->runs, b->count, make_cases, &making);
  if (making.is_stopped) return false;
  for (uint32_t i = 0; i < b->count; i++) {
    const Case *c = &making.cases[i];
    if (c->keeps) vec_push(&w->arena, &b->kept, i);
    if (!c->why) continue;
    b->failed++;
    b->reason[i] = place_reason(w, c->why);
  }
  return true;
}
