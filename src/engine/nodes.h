// A machine at several states at once: what measures look at within a step.
//
// Numbers stand in rows of MACHINE_NODES, one for each state. A node has the bits that machine_run
// gives for its state, whether its programs run in lanes or one after the other.
#ifndef QDOT_ENGINE_NODES_H
#define QDOT_ENGINE_NODES_H

#include "engine/machine.h"

enum { MACHINE_NODES = STEPPER_MOST_TIMES };

// The rows of the inputs that differ from node to node, those of t, q, q', states, q'' and lambda,
// by their places in the layout. All other inputs are those of the machine.
double *machine_node_rows(Machine *machine, uint32_t place);

// Runs a part for the nodes in the set `which`, and returns the rows of its outputs, until it is
// run again; those of other nodes are left open.
const double *machine_run_nodes(Machine *machine, EquationPart part, uint32_t which);

#endif
