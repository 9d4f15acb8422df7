// What follows a step, for several runs: measures and energies.
#include <string.h>

#include "engine/lanes/lanes.h"

static bool has_part(LaneSet *set, EquationPart part, uint32_t lane) {
  if (!lane_set_part(set, part)->packed) return false;
  lane_set_fill(set, part, lane);
  return true;
}

bool lane_set_watch(LaneSet *set, uint32_t lane, const Run *run) {
  uint32_t lanes = set->lanes->width;
  bool is_bound = set->equations->m > 0;
  set->keeps_balance = !run->monitor.is_unwatched;
  if (set->keeps_balance && !has_part(set, PART_ENERGY, lane)) return false;
  // who looks at no step evaluates less of it
  if (run->gauges.n == 0) return !is_bound;
  if (!has_part(set, PART_SIGNALS, lane)) return false;
  if (run->gauges.guards > 0 && !has_part(set, PART_WATCH, lane)) return false;
  if (is_bound &&
      (!has_part(set, PART_PROJECT_POSITION, lane) || !has_part(set, PART_PROJECT_VELOCITY, lane)))
    return false;
  if (!set->follow) set->follow = lane_follow_new(&set->lanes->cx->keep, lanes, run, set->in);
  lane_follow_take(set->follow, lanes, lane, run);
  return true;
}

// ---- Measures

// The accelerations and forces at the states that are placed; the lanes that have them.
static uint32_t give_forces(LaneSet *set, uint32_t which) {
  const Equations *e = set->equations;
  const LanePart *forward = &set->parts[PART_FORWARD];
  uint32_t lanes = set->lanes->width;
  size_t row = lanes * sizeof(double);
  ForwardBlocks at = forward_blocks(&e->extents, forward->out);
  const double *loss = forward->out + (at.loss - forward->out) * lanes;
  const double *slack = forward->out + (at.slack - forward->out) * lanes;
  const double *found = forward->out + (at.lambda - forward->out) * lanes;
  packed_run(forward->packed, set->in, forward->out, forward->work);
  memcpy(set->in + e->layout.qdd * lanes, forward->out, e->n * row);
  double *lambda = set->in + e->layout.lambda * lanes;
  memset(lambda, 0, (e->layout.friction - e->layout.lambda) * row);
  for (uint32_t r = 0; r < e->m; r++) memcpy(lambda + e->lambda[r] * lanes, found + r * lanes, row);
  for (uint32_t lane = 0; lane < lanes; lane++)
    if (which >> lane & 1 &&
        (!lane_set_trusts(set, lane, loss, slack) || lane_set_machine(set, lane)->met_dead))
      which &= ~(1u << lane);
  return which;
}

// Guards and signals at all nodes of the steps.
static uint32_t look_at_nodes(LaneSet *set, uint32_t which) {
  LaneFollow *f = set->follow;
  const LanePart *watch = &set->parts[PART_WATCH], *signals = &set->parts[PART_SIGNALS];
  uint32_t lanes = set->lanes->width;
  bool is_bound = set->equations->m > 0;
  if (is_bound) which = lane_set_project_nodes(set, which);
  for (uint32_t k = 0; k < GAUGE_NODES && which; k++) {
    if (is_bound)
      lane_set_load_node(set, k);
    else
      lane_follow_place(f, set->rows, k);
    if (f->needs_forces) which = give_forces(set, which);
    if (f->guards > 0)
      packed_run(watch->packed, set->in, f->watched + (size_t)k * f->guards * lanes, watch->work);
    packed_run(signals->packed, set->in, f->values + (size_t)k * 2 * f->n * lanes, signals->work);
  }
  return which;
}

// ---- Energies

static void note_energies(LaneSet *set, uint32_t which) {
  const LanePart *p = &set->parts[PART_ENERGY];
  const LaneRows *rows = set->rows;
  uint32_t lanes = set->lanes->width;
  EnergyBlocks at = energy_blocks(&set->equations->extents, p->out);
  memcpy(set->system.t, rows->t_end, lanes * sizeof(double));
  memcpy(set->system.y, rows->y_new, (size_t)rows->acting * lanes * sizeof(double));
  packed_run(p->packed, set->in, p->out, p->work);
  for (uint32_t lane = 0; lane < lanes; lane++) {
    if (!(which >> lane & 1)) continue;
    Run *run = lane_set_run_of(set, lane);
    double w[POWER_KINDS];
    for (uint32_t i = 0; i < POWER_KINDS; i++)
      w[i] = rows->moving > rows->acting ? rows->y_new[((uint32_t)rows->acting + i) * lanes + lane]
                                         : run->stepper->y[rows->acting + (int)i];
    monitor_energies(&run->monitor, rows->t_end[lane], p->out[(at.total - p->out) * lanes + lane],
                     p->out[(at.potential - p->out) * lanes + lane], w);
    run->stepper->work_scale = monitor_work_scale(&run->monitor);
  }
}

uint32_t lane_set_follow(void *user, uint32_t which) {
  LaneSet *set = user;
  set->looked = which;
  lane_set_keep(set, which, set->whole);
  for (uint32_t lane = 0; lane < set->lanes->width; lane++) {
    if (!(which >> lane & 1)) continue;
    if (run_must_look_up(lane_set_run_of(set, lane))) which &= ~(1u << lane);
    lane_set_machine(set, lane)->nearest_dead = 0;
  }
  if (set->follow && which) which = look_at_nodes(set, which);
  if (set->follow && which) which = lane_follow_watch(set->follow, set->rows, which);
  if (which && set->keeps_balance) note_energies(set, which);
  return which;
}
