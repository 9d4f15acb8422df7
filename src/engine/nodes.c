// Programs at several states at once: in 8 lanes, in 4 twice, or one after the other.
#include "engine/nodes.h"

#include <string.h>

enum { HALF = MACHINE_NODES / 2 };

typedef struct NodePart {
  const Packed *packed; // NULL: one node after the other
  double *out, *work;
  double *half_out;  // rows of 4
  uint32_t lanes;    // Machine.node_lanes for which it was made
  uint32_t prepared; // for which Machine.prepared; 0: not yet
} NodePart;

struct NodeSet {
  double *rows;
  double *half; // rows of 4
  NodePart *parts[EQUATION_PARTS];
};

static struct NodeSet *nodes_of(Machine *m) {
  MachineSet *set = m->set;
  if (set->nodes) return set->nodes;
  uint32_t inputs = set->equations->layout.count;
  set->nodes = arena_new(&m->arena, struct NodeSet);
  set->nodes->rows = packed_rows(&m->arena, MACHINE_NODES, inputs);
  set->nodes->half = packed_rows(&m->arena, HALF, inputs);
  return set->nodes;
}

double *machine_node_rows(Machine *m, uint32_t place) {
  return nodes_of(m)->rows + (size_t)place * MACHINE_NODES;
}

static NodePart *part_of(Machine *m, EquationPart part) {
  NodePart **at = &nodes_of(m)->parts[part];
  if (*at && (*at)->lanes == m->node_lanes) return *at;
  machine_need(m, part);
  NodePart *p = *at = arena_new(&m->arena, NodePart);
  p->lanes = m->node_lanes;
  uint32_t outputs = (uint32_t)part_size(part, &m->set->equations->extents);
  p->packed = equations_packed(m->set->equations, part, m->node_lanes);
  p->out = packed_rows(&m->arena, MACHINE_NODES, outputs);
  if (!p->packed) return p;
  p->work = packed_rows(&m->arena, p->packed->lanes, packed_work_rows(p->packed));
  if (p->packed->lanes == HALF) p->half_out = packed_rows(&m->arena, HALF, outputs);
  return p;
}

// ---- One after the other

static void run_alone(Machine *m, EquationPart part, uint32_t which, const double *rows,
                      double *out) {
  MachineSet *set = m->set;
  uint32_t inputs = set->equations->layout.friction;
  uint32_t outputs = (uint32_t)part_size(part, &set->equations->extents);
  double *one = set->out[part];
  for (uint32_t k = 0; k < MACHINE_NODES; k++) {
    if (!(which >> k & 1)) continue;
    for (uint32_t i = 0; i < inputs; i++) m->in[i] = rows[(size_t)i * MACHINE_NODES + k];
    if (set->base)
      combination_evaluate(m, part, one);
    else
      compiled_run(&set->equations->parts[part], m->in, one, set->work[part]);
    for (uint32_t i = 0; i < outputs; i++) out[(size_t)i * MACHINE_NODES + k] = one[i];
  }
}

// ---- In lanes

// What is the same at all nodes: what is fixed, when that has changed, and what may change.
static void take_common(const Machine *m, EquationPart part, NodePart *p, double *rows) {
  const Packed *packed = p->packed;
  uint32_t lanes = packed->lanes, first = m->set->equations->layout.friction;
  if (p->prepared != m->prepared)
    packed_prepare_all(packed, &m->set->equations->parts[part], m->in, m->set->work[part], rows,
                       p->work);
  p->prepared = m->prepared;
  for (uint32_t i = packed->moving_count; i-- > 0 && packed->moving[i] >= first;)
    for (uint32_t lane = 0; lane < lanes; lane++)
      rows[(size_t)packed->moving[i] * lanes + lane] = m->in[packed->moving[i]];
}

static void run_halves(const Machine *m, const NodePart *p, uint32_t which) {
  const struct NodeSet *nodes = m->set->nodes;
  const Packed *packed = p->packed;
  uint32_t first = m->set->equations->layout.friction;
  for (uint32_t at = 0; at < MACHINE_NODES; at += HALF) {
    if (!(which >> at & ((1u << HALF) - 1))) continue;
    for (uint32_t i = 0; i < packed->moving_count && packed->moving[i] < first; i++)
      memcpy(nodes->half + (size_t)packed->moving[i] * HALF,
             nodes->rows + (size_t)packed->moving[i] * MACHINE_NODES + at,
             HALF * sizeof *nodes->half);
    packed_run(packed, nodes->half, p->half_out, p->work);
    for (uint32_t i = 0; i < packed->program->output_count; i++)
      memcpy(p->out + (size_t)i * MACHINE_NODES + at, p->half_out + (size_t)i * HALF,
             HALF * sizeof *p->out);
  }
}

const double *machine_run_nodes(Machine *m, EquationPart part, uint32_t which) {
  NodePart *p = part_of(m, part);
  struct NodeSet *nodes = m->set->nodes;
  if (!p->packed) {
    run_alone(m, part, which, nodes->rows, p->out);
  } else if (p->packed->lanes == HALF) {
    take_common(m, part, p, nodes->half);
    run_halves(m, p, which);
  } else {
    take_common(m, part, p, nodes->rows);
    packed_run(p->packed, nodes->rows, p->out, p->work);
  }
  return p->out;
}
