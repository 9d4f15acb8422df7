// Fibers, and who goes on when.
#include "engine/lanes/lanes.h"

#include <string.h>

// ---- Opening and closing

// Within a fiber its stack cannot be given back: who has resumed it does that.
static void close_all(void *object) {
  Lanes *all = object;
  if (all->current) return;
  for (uint32_t i = 0; i < all->width; i++) {
    fiber_close(&all->at[i].fiber);
    arena_close(&all->at[i].scratch);
  }
  all->width = all->sets.n = 0;
}

static bool run_part(MachineLane *lane, Machine *machine, EquationPart part, double *out);
static void ride(struct StepLane *steps, Stepper *stepper, double limit);

static bool open_lane(Lanes *all, Rerun *first) {
  Context *cx = all->cx;
  Lane *l = &all->at[all->width];
  *l = (Lane){.lanes = all, .number = all->width, .rerun = all->width == 0 ? first : &l->own};
  if (!fiber_open(&l->fiber)) return false;
  if (all->width > 0 && rerun_open_beside(&l->own, first) != QDOT_OK) {
    fiber_close(&l->fiber);
    return false;
  }
  l->rerun->simulation.run.machine.node_lanes = all->wanted;
  l->machine = (MachineLane){.run = run_part, .steps = &l->steps};
  l->steps = (struct StepLane){.user = l, .ride = ride, .lane = (int)l->number};
  arena_open(&l->scratch, &cx->memory, &cx->guard);
  all->width++;
  return true;
}

// Machine code gives the accelerations, from which a method takes explicit steps.
static bool is_good_for(const Rerun *first) {
  const Equations *e = first->simulation.run.machine.set->equations;
  const Method *method = method_get(first->simulation.options.method.method);
  return method->kind == METHOD_EXPLICIT && e->has_forward &&
         compiled_is_machine_code(&e->parts[PART_FORWARD]);
}

Lanes *lanes_open(Rerun *first, uint32_t width) {
  Context *cx = first->simulation.run.cx;
  uint32_t most = packed_most_lanes();
  if (width > most) width = most;
  width = width >= 8 ? 8 : width >= 4 ? 4 : 1;
  if (width < 2 || !fiber_available() || !is_good_for(first)) return NULL;
  Lanes *all = arena_new(&cx->keep, Lanes);
  *all = (Lanes){.cx = cx, .wanted = width};
  guard_register(&cx->guard, &all->handle, all, close_all);
  while (all->width < width && open_lane(all, first)) continue;
  if (all->width == width) return all;
  lanes_close(all);
  return NULL;
}

void lanes_close(Lanes *all) {
  for (uint32_t i = all->width; i-- > 1;) rerun_close(&all->at[i].own);
  guard_close(&all->cx->guard, &all->handle);
}

// ---- Within a lane

static void wait_for(Lane *l, LaneWant want) {
  l->wants = want;
  l->since = l->lanes->served;
  fiber_yield(&l->fiber);
}

static bool run_part(MachineLane *lane, Machine *m, EquationPart part, double *out) {
  Lane *l = (Lane *)lane;
  LaneSet *set = lane_set_of(l->lanes, m);
  if (lane->equations != set->equations) lane->equations = set->equations, lane->alone = 0;
  if (!lane_set_has(set, part)) {
    lane->alone |= UINT64_C(1) << part;
    return false;
  }
  l->set = set, l->part = part, l->out = out;
  wait_for(l, WANTS_PART);
  return true;
}

static void ride(struct StepLane *steps, Stepper *s, double limit) {
  Lane *l = steps->user;
  const Machine *m = &l->rerun->simulation.run.machine;
  LaneSet *set = lane_set_of(l->lanes, m);
  (void)s;
  if (!lane_set_take(set, l->number, limit)) return;
  l->set = set;
  steps->rows = set->rows;
  wait_for(l, WANTS_STEP);
  steps->has_step = true;
}

static void lane_main(void *argument) {
  Lane *l = argument;
  if (setjmp(l->target) == 0)
    l->lanes->work(l->lanes->user, l->rerun);
  else
    l->has_escaped = true;
}

// ---- Outside

static void swap_contexts(Lane *l) {
  Context *cx = l->lanes->cx;
  Arena scratch = cx->scratch;
  Diagnostics diagnostics = cx->diagnostics;
  cx->scratch = l->scratch, cx->diagnostics = l->diagnostics;
  l->scratch = scratch, l->diagnostics = diagnostics;
}

// What ends everything comes out of the fiber first, and goes on from here.
static void go_on(Lane *l) {
  Lanes *all = l->lanes;
  Guard *guard = &all->cx->guard;
  jmp_buf *target = guard->target;
  l->wants = WANTS_NOTHING;
  all->current = l;
  guard->target = &l->target;
  swap_contexts(l);
  fiber_resume(&l->fiber);
  swap_contexts(l);
  guard->target = target;
  all->current = NULL;
  if (!l->has_escaped) return;
  close_all(all);
  guard_escape(guard, guard->status);
}

// The lanes that wait for the same as one of them.
static uint32_t company_of(const Lanes *all, const Lane *l) {
  uint32_t which = 0;
  for (uint32_t i = 0; i < all->width; i++) {
    const Lane *other = &all->at[i];
    bool same = other->wants == l->wants && other->set == l->set &&
                (l->wants != WANTS_PART || other->part == l->part);
    if (same) which |= 1u << i;
  }
  return which;
}

// Programs before steps: so lanes come to their next step together. Of steps in several sets the
// one that waits longest.
static const Lane *next_served(const Lanes *all) {
  const Lane *next = NULL;
  int most = 0;
  bool any_part = false;
  for (uint32_t i = 0; i < all->width; i++) any_part |= all->at[i].wants == WANTS_PART;
  for (uint32_t i = 0; i < all->width && any_part; i++) {
    const Lane *l = &all->at[i];
    if (l->wants != WANTS_PART) continue;
    int company = __builtin_popcount(company_of(all, l));
    if (company > most) next = l, most = company;
  }
  for (uint32_t i = 0; i < all->width && most == 0; i++) {
    const Lane *l = &all->at[i];
    if (l->wants == WANTS_STEP && (!next || l->since < next->since)) next = l;
  }
  return next;
}

static void serve(Lanes *all) {
  const Lane *l = next_served(all);
  if (!l) return;
  uint32_t which = company_of(all, l);
  all->served++;
  if (l->wants == WANTS_PART)
    lane_set_run(l->set, l->part, which);
  else
    which = lane_set_step(l->set, which);
  for (uint32_t i = 0; i < all->width; i++)
    if (which >> i & 1) go_on(&all->at[i]);
}

static bool any_waits(const Lanes *all) {
  for (uint32_t i = 0; i < all->width; i++)
    if (all->at[i].wants != WANTS_NOTHING) return true;
  return false;
}

void lanes_run(Lanes *all, void (*work)(void *user, Rerun *rerun), void *user) {
  all->work = work, all->user = user;
  for (uint32_t i = 0; i < all->width; i++) {
    Lane *l = &all->at[i];
    l->rerun->simulation.run.machine.lane = &l->machine;
    l->diagnostics = (Diagnostics){0};
    fiber_begin(&l->fiber, lane_main, l);
    go_on(l);
  }
  while (any_waits(all)) serve(all);
  for (uint32_t i = 0; i < all->width; i++) all->at[i].rerun->simulation.run.machine.lane = NULL;
}
