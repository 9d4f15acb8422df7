// States at several moments of a step at once, on the constraints, with accelerations and forces.
#include <math.h>
#include <string.h>

#include "engine/nodes.h"
#include "engine/run/run.h"
#include "solve/algebra/dense.h"

// The value of node k in the row of an output, which is a place in the blocks of one evaluation.
static double at_node(const double *rows, const double *output, const double *first, uint32_t k) {
  return rows[(size_t)(output - first) * MACHINE_NODES + k];
}

// Does what a part has put out at a node come from good pivots, far from a dead position?
static bool is_good(Run *run, const double *rows, const double *first, const double *loss,
                    const double *slack, uint32_t k) {
  Machine *m = &run->machine;
  const double *own = rows + (size_t)(slack - first) * MACHINE_NODES + k;
  return machine_trusts(m, at_node(rows, loss, first, k), own, MACHINE_NODES) && !m->met_dead;
}

static void add_rows(int n, const double *rows, uint32_t which, double *to) {
  for (int i = 0; i < n; i++)
    for (uint32_t k = 0; k < MACHINE_NODES; k++)
      if (which >> k & 1) to[i * MACHINE_NODES + (int)k] += rows[i * MACHINE_NODES + (int)k];
}

// A round of project_look for the nodes in *which, of which those stay that need another one.
static bool move_positions(Run *run, uint32_t *which) {
  Machine *m = &run->machine;
  const Equations *e = m->set->equations;
  Projector *projector = &run->stepper->projector;
  const double *rows = machine_run_nodes(m, PART_PROJECT_POSITION, *which);
  const double *first = m->set->out[PART_PROJECT_POSITION];
  ProjectPositionBlocks at = project_position_blocks(&e->extents, first);
  uint32_t again = 0;
  for (uint32_t k = 0; k < MACHINE_NODES; k++) {
    if (!(*which >> k & 1)) continue;
    if (!is_good(run, rows, first, at.loss, at.slack, k)) return false;
    for (uint32_t r = 0; r < e->holonomic; r++)
      projector->removed[r] = at_node(rows, at.Phi + r, first, k);
    double left = projector_share(projector, projector->removed);
    if (isnan(left)) return false;
    if (left > PROJECT_NEAR) again |= 1u << k;
  }
  add_rows(run->n, rows, *which, machine_node_rows(m, e->layout.q));
  *which = again;
  return true;
}

static bool move_velocities(Run *run, uint32_t which) {
  Machine *m = &run->machine;
  const Equations *e = m->set->equations;
  const double *rows = machine_run_nodes(m, PART_PROJECT_VELOCITY, which);
  const double *first = m->set->out[PART_PROJECT_VELOCITY];
  ProjectVelocityBlocks at = project_velocity_blocks(&e->extents, first);
  for (uint32_t k = 0; k < MACHINE_NODES; k++)
    if (which >> k & 1 && !is_good(run, rows, first, at.loss, at.slack, k)) return false;
  add_rows(run->n, rows, which, machine_node_rows(m, e->layout.qd));
  return true;
}

// What project_look does for each of them.
static bool project_nodes(Run *run, uint32_t which) {
  Machine *m = &run->machine;
  if (!m->problem.project_position) return false;
  uint32_t left = m->problem.holonomic > 0 ? which : 0;
  m->met_dead = false;
  for (int round = 0; left != 0; round++)
    if (round == PROJECT_NEAR_ROUNDS || !move_positions(run, &left)) return false;
  return move_velocities(run, which);
}

// Accelerations and multipliers, by the fast way alone.
static bool find_forces(Run *run, uint32_t which) {
  Machine *m = &run->machine;
  const Equations *e = m->set->equations;
  if (!run->stepper->is_plain || !machine_is_plain(m)) return false;
  if (run_steps_contacts(run) && (m->contacts > 0 || m->joints)) return false;
  const double *rows = machine_run_nodes(m, PART_FORWARD, which);
  const double *first = m->set->out[PART_FORWARD];
  ForwardBlocks at = forward_blocks(&e->extents, first);
  m->met_dead = false;
  for (uint32_t k = 0; k < MACHINE_NODES; k++)
    if (which >> k & 1 && !is_good(run, rows, first, at.loss, at.slack, k)) return false;
  size_t row = MACHINE_NODES * sizeof *rows;
  double *lambda = machine_node_rows(m, e->layout.lambda);
  memcpy(machine_node_rows(m, e->layout.qdd), rows, (size_t)run->n * row);
  memset(lambda, 0, (size_t)(m->rows + m->contacts) * row);
  for (uint32_t r = 0; r < e->m; r++)
    memcpy(lambda + (size_t)e->lambda[r] * MACHINE_NODES,
           rows + ((size_t)(at.lambda - first) + r) * MACHINE_NODES, row);
  return true;
}

bool run_place_nodes(Run *run, const double *times, uint32_t count, bool with_forces) {
  Machine *m = &run->machine;
  const InputLayout *at = &m->set->equations->layout;
  uint32_t which = (1u << count) - 1;
  memcpy(machine_node_rows(m, at->t), times, count * sizeof *times);
  double *motion = machine_node_rows(m, at->q);
  if (stepper_dense_many(run->stepper, times, (int)count, motion) != QDOT_OK) return false;
  if (run_keeps_constraints(run) && !project_nodes(run, which)) return false;
  return !with_forces || find_forces(run, which);
}
