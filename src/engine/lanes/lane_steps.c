// Steps of several runs at once.
#include <string.h>

#include "engine/lanes/lanes.h"

// ---- Derivatives

bool lane_set_trusts(LaneSet *set, uint32_t lane, const double *loss, const double *slack) {
  if (set->equations->m == 0) return loss[lane] < ELIMINATION_MOST_LOSS;
  return machine_trusts(lane_set_machine(set, lane), loss[lane], slack + lane, set->lanes->width);
}

// For the Problem's derivative, or forward where there are rows.
static uint32_t derivative(void *user, uint32_t which, double *k) {
  LaneSet *set = user;
  const Equations *e = set->equations;
  const LanePart *forward = &set->parts[PART_FORWARD];
  uint32_t lanes = forward->packed->lanes, good = 0;
  size_t row = lanes * sizeof *k, n = e->n, rates = e->states + POWER_KINDS;
  memcpy(k, set->in + e->layout.qd * lanes, n * row);
  double *out = e->m == 0 ? k + n * lanes : forward->out;
  packed_run(forward->packed, set->in, out, forward->work);
  ForwardBlocks at = forward_blocks(&e->extents, forward->out);
  const double *loss = out + (at.loss - forward->out) * lanes; // blocks as rows
  const double *slack = out + (at.slack - forward->out) * lanes;
  if (e->m > 0) {
    memcpy(k + n * lanes, out, n * row);
    memcpy(k + 2 * n * lanes, out + (at.rates - forward->out) * lanes, rates * row);
  }
  for (uint32_t lane = 0; lane < lanes; lane++)
    if (which >> lane & 1 && lane_set_trusts(set, lane, loss, slack)) good |= 1u << lane;
  return good;
}

// ---- What is learned

void lane_set_keep(const LaneSet *set, uint32_t which, LaneLearned *learned) {
  for (uint32_t lane = 0; lane < set->lanes->width && set->equations->m > 0; lane++) {
    const Machine *m = lane_set_machine(set, lane);
    LaneLearned *l = &learned[lane];
    if (!(which >> lane & 1)) continue;
    memcpy(l->slack, m->slack, (size_t)(m->rows + m->contacts) * sizeof *l->slack);
    l->nearest_dead = m->nearest_dead, l->met_dead = m->met_dead;
    projector_keep(&set->rows->stepper[lane]->projector, l->projector);
  }
}

void lane_set_restore(const LaneSet *set, uint32_t which, const LaneLearned *learned) {
  for (uint32_t lane = 0; lane < set->lanes->width && set->equations->m > 0; lane++) {
    Machine *m = lane_set_machine(set, lane);
    const LaneLearned *l = &learned[lane];
    if (!(which >> lane & 1)) continue;
    memcpy(m->slack, l->slack, (size_t)(m->rows + m->contacts) * sizeof *l->slack);
    m->nearest_dead = l->nearest_dead, m->met_dead = l->met_dead;
    projector_restore(&set->rows->stepper[lane]->projector, l->projector);
  }
}

static void open_learned(Arena *arena, const Machine *m, LaneLearned *learned, uint32_t lanes) {
  for (uint32_t lane = 0; lane < lanes; lane++) {
    learned[lane].slack = arena_array(arena, double, m->rows + m->contacts);
    learned[lane].projector = arena_array(arena, double, 3 * m->problem.m);
  }
}

// ---- Steps

void lane_set_open_steps(LaneSet *set, const Machine *m) {
  const Equations *e = set->equations;
  uint32_t lanes = set->lanes->width;
  Arena *arena = &set->lanes->cx->keep;
  bool works = e->m > 0 || !machine_keeps_energy(m);
  open_learned(arena, m, set->before, lanes);
  open_learned(arena, m, set->attempted, lanes);
  open_learned(arena, m, set->whole, lanes);
  if (e->m > 0) set->y_attempted = packed_rows(arena, lanes, 2 * (size_t)e->n);
  set->rows = lane_rows_new(arena, (int)lanes, &m->problem, works);
  set->system = (LaneSystem){.user = set,
                             .t = set->in + e->layout.t * lanes,
                             .y = set->in + e->layout.q * lanes,
                             .derivative = derivative,
                             .arrive = e->m > 0 ? lane_set_arrive : NULL,
                             .follow = lane_set_follow};
}

bool lane_set_take(LaneSet *set, uint32_t lane, double limit) {
  Run *run = lane_set_run_of(set, lane);
  if (!machine_is_plain(&run->machine) || !lane_set_part(set, PART_FORWARD)->packed) return false;
  if (!lane_rows_take(set->rows, (int)lane, run->stepper, limit)) return false;
  lane_set_fill(set, PART_FORWARD, lane);
  run->stepper->lane->is_free = run_is_free(run) && lane_set_watch(set, lane, run);
  return true;
}

// Evaluations teach a machine how large the pivots of its rows are: what a step in vain has taught
// it, it learns again from the step alone.
uint32_t lane_set_step(LaneSet *set, uint32_t which) {
  set->arrived = set->looked = 0;
  lane_set_keep(set, which, set->before);
  lane_rows_step(set->rows, &set->system, which);
  lane_set_restore(set, which & ~set->rows->done, set->before);
  uint32_t leaves = which & ~lane_rows_settle(set->rows, &set->system, which);
  lane_set_take_back(set, leaves & set->rows->done);
  for (uint32_t lane = 0; lane < set->lanes->width; lane++) {
    if (!(leaves >> lane & 1) || !(set->rows->moved >> lane & 1)) continue;
    lane_rows_give(set->rows, (int)lane);
    if (set->follow)
      lane_follow_give(set->follow, set->lanes->width, lane, lane_set_run_of(set, lane));
  }
  return leaves;
}
