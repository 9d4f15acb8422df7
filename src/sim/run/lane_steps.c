// Steps of several runs at once.
#include <string.h>

#include "code/eliminate.h"
#include "sim/run/lanes.h"

static Run *run_of(const LaneSet *set, uint32_t lane) {
  return &set->lanes->at[lane].rerun->simulation.run;
}

// ---- Derivatives

// For the Problem's derivative, or forward where there are rows.
static uint32_t derivative(void *user, uint32_t which, double *k) {
  LaneSet *set = user;
  const Equations *e = set->equations;
  const LanePart *forward = &set->parts[PART_FORWARD];
  uint32_t lanes = forward->packed->lanes, good = 0;
  size_t row = lanes * sizeof *k, n = e->n, rates = e->system->states + POWER_KINDS;
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
  for (uint32_t lane = 0; lane < lanes; lane++) {
    if (!(which >> lane & 1)) continue;
    for (uint32_t r = 0; r < e->m; r++) set->slack[r] = slack[r * lanes + lane];
    bool trusted = e->m == 0 ? loss[lane] < ELIMINATION_MOST_LOSS
                             : machine_trusts(lane_set_machine(set, lane), loss[lane], set->slack);
    if (trusted) good |= 1u << lane;
  }
  return good;
}

// Evaluations teach a machine how large the pivots of its rows are: what a step in vain has taught
// it, it learns again from the step alone.
static void keep_learned(LaneSet *set, uint32_t which, bool back) {
  for (uint32_t lane = 0; lane < set->lanes->width; lane++) {
    Machine *m = lane_set_machine(set, lane);
    size_t rows = (size_t)(m->rows + m->contacts), bytes = rows * sizeof(double);
    LaneLearned *kept = &set->learned[lane];
    if (!(which >> lane & 1)) continue;
    if (bytes > 0) memcpy(back ? m->slack : kept->slack, back ? kept->slack : m->slack, bytes);
    if (back)
      m->nearest_dead = kept->nearest_dead, m->met_dead = kept->met_dead;
    else
      kept->nearest_dead = m->nearest_dead, kept->met_dead = m->met_dead;
  }
}

// ---- What follows a step

static bool has_part(LaneSet *set, EquationPart part, uint32_t lane) {
  if (!lane_set_part(set, part)->packed) return false;
  lane_set_fill(set, part, lane);
  return true;
}

// A run whose steps are followed in lanes, if there are the programs for that.
static bool begin_following(LaneSet *set, uint32_t lane, const Run *run) {
  uint32_t lanes = set->lanes->width;
  if (run->gauges.n == 0) return true;
  if (!has_part(set, PART_SIGNALS, lane)) return false;
  if (run->gauges.guards > 0 && !has_part(set, PART_WATCH, lane)) return false;
  if (!set->follow) set->follow = lane_follow_new(&set->lanes->cx->keep, lanes, run, set->in);
  lane_follow_take(set->follow, lanes, lane, run);
  return true;
}

// The accelerations at the states that are placed; the lanes that have them.
static uint32_t give_forces(LaneSet *set, uint32_t which) {
  const Equations *e = set->equations;
  const LanePart *forward = &set->parts[PART_FORWARD];
  uint32_t lanes = forward->packed->lanes, good = 0;
  packed_run(forward->packed, set->in, forward->out, forward->work);
  const double *loss =
      forward->out + (forward_blocks(&e->extents, forward->out).loss - forward->out) * lanes;
  memcpy(set->in + e->layout.qdd * lanes, forward->out, e->n * lanes * sizeof(double));
  for (uint32_t lane = 0; lane < lanes; lane++)
    if (which >> lane & 1 && loss[lane] < ELIMINATION_MOST_LOSS) good |= 1u << lane;
  return good;
}

// Guards and signals at all nodes of the steps.
static uint32_t look_at_nodes(LaneSet *set, uint32_t which) {
  LaneFollow *f = set->follow;
  const LanePart *watch = &set->parts[PART_WATCH], *signals = &set->parts[PART_SIGNALS];
  uint32_t lanes = set->lanes->width;
  for (uint32_t k = 0; k < GAUGE_NODES && which; k++) {
    lane_follow_place(f, set->rows, k);
    if (f->needs_forces) which = give_forces(set, which);
    if (f->guards > 0)
      packed_run(watch->packed, set->in, f->watched + (size_t)k * f->guards * lanes, watch->work);
    packed_run(signals->packed, set->in, f->values + (size_t)k * 2 * f->n * lanes, signals->work);
  }
  return which;
}

static uint32_t follow(void *user, uint32_t which) {
  LaneSet *set = user;
  for (uint32_t lane = 0; lane < set->lanes->width; lane++)
    if (which >> lane & 1 && run_must_look_up(run_of(set, lane))) which &= ~(1u << lane);
  if (!set->follow || !which) return which;
  which = look_at_nodes(set, which);
  return which ? lane_follow_watch(set->follow, set->rows, which) : 0;
}

// ---- Steps

void lane_set_open_steps(LaneSet *set, const Machine *m) {
  Equations *e = set->equations;
  uint32_t lanes = set->lanes->width;
  Arena *arena = &set->lanes->cx->keep;
  bool works = e->m > 0 || !machine_keeps_energy(m);
  set->slack = arena_array(arena, double, e->m);
  for (uint32_t lane = 0; lane < lanes; lane++)
    set->learned[lane].slack = arena_array(arena, double, m->rows + m->contacts);
  set->rows = lane_rows_new(arena, (int)lanes, &m->problem, works);
  set->system = (LaneSystem){.user = set,
                             .t = set->in + e->layout.t * lanes,
                             .y = set->in + e->layout.q * lanes,
                             .derivative = derivative,
                             .follow = follow};
}

bool lane_set_take(LaneSet *set, uint32_t lane, double limit) {
  Run *run = run_of(set, lane);
  if (!machine_is_plain(&run->machine) || !lane_set_part(set, PART_FORWARD)->packed) return false;
  if (!lane_rows_take(set->rows, (int)lane, run->stepper, limit)) return false;
  lane_set_fill(set, PART_FORWARD, lane);
  struct StepLane *steps = run->stepper->lane;
  steps->is_free = run_is_free(run) && begin_following(set, lane, run);
  return true;
}

uint32_t lane_set_step(LaneSet *set, uint32_t which) {
  keep_learned(set, which, false);
  lane_rows_step(set->rows, &set->system, which, set->equations->m == 0);
  keep_learned(set, which & ~set->rows->done, true);
  uint32_t leaves = which & ~lane_rows_settle(set->rows, &set->system, which);
  for (uint32_t lane = 0; lane < set->lanes->width; lane++) {
    if (!(leaves >> lane & 1) || !(set->rows->moved >> lane & 1)) continue;
    lane_rows_give(set->rows, (int)lane);
    if (set->follow) lane_follow_give(set->follow, set->lanes->width, lane, run_of(set, lane));
  }
  return leaves;
}
