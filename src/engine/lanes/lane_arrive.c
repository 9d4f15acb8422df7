// States of several runs onto their constraints.
#include <math.h>
#include <string.h>

#include "engine/lanes/lanes.h"

static void take_out(const double *rows, uint32_t lanes, uint32_t lane, uint32_t n, double *to) {
  for (uint32_t i = 0; i < n; i++) to[i] = rows[i * lanes + lane];
}

static void add_to(double *rows, uint32_t lanes, uint32_t lane, uint32_t n, const double *from) {
  for (uint32_t i = 0; i < n; i++) rows[i * lanes + lane] += from[i * lanes + lane];
}

// ---- The end of a step, as project_state does it

// A round for a lane whose change and residuals have been put out.
static ProjectRound move_position(LaneSet *set, uint32_t lane, int round, double *left) {
  const Equations *e = set->equations;
  const LanePart *p = &set->parts[PART_PROJECT_POSITION];
  ProjectPositionBlocks at = project_position_blocks(&e->extents, p->out);
  Projector *projector = &set->rows->stepper[lane]->projector;
  uint32_t lanes = set->lanes->width;
  if (!lane_set_trusts(set, lane, p->out + (at.loss - p->out) * lanes,
                       p->out + (at.slack - p->out) * lanes))
    return ROUND_FAILS;
  take_out(p->out, lanes, lane, e->n, projector->dq);
  take_out(p->out + (at.Phi - p->out) * lanes, lanes, lane, e->holonomic, projector->removed);
  take_out(set->system.y, lanes, lane, e->n, projector->kept);
  ProjectRound next = projector_judge(projector, round, set->rows->t_end[lane], projector->kept,
                                      projector->dq, left);
  if (next != ROUND_FAILS) add_to(set->system.y, lanes, lane, e->n, p->out);
  return next;
}

static uint32_t move_positions(LaneSet *set, uint32_t which) {
  const LanePart *p = &set->parts[PART_PROJECT_POSITION];
  uint32_t open = set->equations->holonomic > 0 ? which : 0;
  double left[MOST_LANES];
  for (uint32_t lane = 0; lane < MOST_LANES; lane++) left[lane] = INFINITY;
  for (int round = 0; open; round++) {
    packed_run(p->packed, set->in, p->out, p->work);
    for (uint32_t lane = 0; lane < set->lanes->width; lane++) {
      if (!(open >> lane & 1)) continue;
      ProjectRound next = move_position(set, lane, round, &left[lane]);
      if (next != ROUND_AGAIN) open &= ~(1u << lane);
      if (next == ROUND_FAILS) which &= ~(1u << lane);
    }
  }
  return which;
}

static uint32_t move_velocities(LaneSet *set, uint32_t which) {
  const Equations *e = set->equations;
  const LanePart *p = &set->parts[PART_PROJECT_VELOCITY];
  ProjectVelocityBlocks at = project_velocity_blocks(&e->extents, p->out);
  uint32_t lanes = set->lanes->width;
  const double *loss = p->out + (at.loss - p->out) * lanes;
  const double *slack = p->out + (at.slack - p->out) * lanes;
  const double *squares = p->out + (at.squares - p->out) * lanes;
  packed_run(p->packed, set->in, p->out, p->work);
  for (uint32_t lane = 0; lane < lanes; lane++) {
    if (!(which >> lane & 1)) continue;
    Projector *projector = &set->rows->stepper[lane]->projector;
    if (!lane_set_trusts(set, lane, loss, slack)) {
      which &= ~(1u << lane);
      continue;
    }
    for (uint32_t r = 0; r < e->m; r++) {
      double square = squares[r * lanes + lane];
      projector->norm[r] = square > 0 ? sqrt(square) : 0;
    }
    add_to(set->system.y + e->n * lanes, lanes, lane, e->n, p->out);
    projector_learn(projector);
  }
  return which;
}

uint32_t lane_set_arrive(void *user, uint32_t which) {
  LaneSet *set = user;
  LaneRows *rows = set->rows;
  size_t row = set->lanes->width * sizeof(double), moves = 2 * set->equations->n * row;
  which = lane_rows_good(rows, which);
  for (uint32_t lane = 0; lane < set->lanes->width; lane++)
    if (which >> lane & 1 &&
        (!rows->stepper[lane]->lane->is_free || lane_set_machine(set, lane)->met_dead))
      which &= ~(1u << lane);
  if (!which) return 0;
  set->arrived = which;
  lane_set_keep(set, which, set->attempted);
  memcpy(set->y_attempted, rows->y_new, moves);
  memcpy(set->system.y, rows->y_new, (size_t)rows->acting * row);
  memcpy(set->system.t, rows->t_end, row);
  which = move_positions(set, which);
  if (which) which = move_velocities(set, which);
  memcpy(rows->y_new, set->system.y, moves);
  return which;
}

// Runs take over a whole step that is stable and far from dead positions.
static bool is_whole(const LaneSet *set, uint32_t lane) {
  const LaneRows *rows = set->rows;
  return rows->dense >> lane & 1 && rows->fast_error[lane] <= 1 &&
         !lane_set_machine(set, lane)->met_dead;
}

void lane_set_take_back(LaneSet *set, uint32_t which) {
  uint32_t lanes = set->lanes->width;
  LaneRows *rows = set->rows;
  which &= set->arrived;
  lane_set_restore(set, which & set->looked, set->whole);
  for (uint32_t lane = 0; lane < lanes; lane++)
    if (which >> lane & 1 && is_whole(set, lane)) which &= ~(1u << lane);
  lane_set_restore(set, which, set->attempted);
  rows->ended &= ~which, rows->dense &= ~which;
  for (uint32_t lane = 0; lane < lanes; lane++)
    for (uint32_t i = 0; which >> lane & 1 && i < 2 * set->equations->n; i++)
      rows->y_new[i * lanes + lane] = set->y_attempted[i * lanes + lane];
}

// ---- The nodes of a step, as run_place_nodes does it

static double *states_at(const LaneSet *set, uint32_t k) {
  return set->follow->nodes + (size_t)k * (size_t)set->rows->acting * set->lanes->width;
}

static bool is_good(LaneSet *set, uint32_t lane, const double *loss, const double *slack) {
  return lane_set_trusts(set, lane, loss, slack) && !lane_set_machine(set, lane)->met_dead;
}

static void load_node(LaneSet *set, uint32_t k) {
  lane_follow_time(set->follow, set->rows, k);
  memcpy(set->system.y, states_at(set, k),
         (size_t)set->rows->acting * set->lanes->width * sizeof(double));
}

// A round for the lanes in *open at node k, of which those stay that need another one. Returns
// those that fail.
static uint32_t move_node(LaneSet *set, uint32_t k, uint32_t *open) {
  const Equations *e = set->equations;
  const LanePart *p = &set->parts[PART_PROJECT_POSITION];
  ProjectPositionBlocks at = project_position_blocks(&e->extents, p->out);
  uint32_t lanes = set->lanes->width, again = 0, fails = 0;
  const double *loss = p->out + (at.loss - p->out) * lanes;
  const double *slack = p->out + (at.slack - p->out) * lanes;
  load_node(set, k);
  packed_run(p->packed, set->in, p->out, p->work);
  for (uint32_t lane = 0; lane < lanes; lane++) {
    if (!(*open >> lane & 1)) continue;
    Projector *projector = &set->rows->stepper[lane]->projector;
    take_out(p->out + (at.Phi - p->out) * lanes, lanes, lane, e->holonomic, projector->removed);
    bool good = is_good(set, lane, loss, slack);
    double left = projector_share(projector, projector->removed);
    if (!good || isnan(left)) fails |= 1u << lane;
    if (left > PROJECT_NEAR) again |= 1u << lane;
    add_to(states_at(set, k), lanes, lane, e->n, p->out);
  }
  *open = again;
  return fails;
}

static uint32_t move_nodes(LaneSet *set, uint32_t which) {
  uint32_t open[GAUGE_NODES], any = set->equations->holonomic > 0 ? which : 0;
  for (uint32_t k = 0; k < GAUGE_NODES; k++) open[k] = any;
  for (int round = 0; any & which; round++) {
    if (round == PROJECT_NEAR_ROUNDS) return which & ~any;
    any = 0;
    for (uint32_t k = 0; k < GAUGE_NODES; k++) {
      open[k] &= which;
      if (open[k]) which &= ~move_node(set, k, &open[k]);
      any |= open[k];
    }
  }
  return which;
}

static uint32_t move_node_velocities(LaneSet *set, uint32_t which) {
  const Equations *e = set->equations;
  const LanePart *p = &set->parts[PART_PROJECT_VELOCITY];
  ProjectVelocityBlocks at = project_velocity_blocks(&e->extents, p->out);
  uint32_t lanes = set->lanes->width;
  for (uint32_t k = 0; k < GAUGE_NODES && which; k++) {
    load_node(set, k);
    packed_run(p->packed, set->in, p->out, p->work);
    for (uint32_t lane = 0; lane < lanes; lane++)
      if (which >> lane & 1 && !is_good(set, lane, p->out + (at.loss - p->out) * lanes,
                                        p->out + (at.slack - p->out) * lanes))
        which &= ~(1u << lane);
    double *qd = states_at(set, k) + e->n * lanes;
    for (uint32_t i = 0; i < e->n * lanes; i++) qd[i] += p->out[i];
  }
  return which;
}

uint32_t lane_set_project_nodes(LaneSet *set, uint32_t which) {
  size_t bytes = (size_t)set->rows->acting * set->lanes->width * sizeof(double);
  for (uint32_t k = 0; k < GAUGE_NODES; k++) {
    lane_follow_place(set->follow, set->rows, k);
    memcpy(states_at(set, k), set->system.y, bytes);
  }
  which = move_nodes(set, which);
  return which ? move_node_velocities(set, which) : 0;
}

void lane_set_load_node(LaneSet *set, uint32_t k) { load_node(set, k); }
