// What one right-hand side of a model costs, and what must be paid before the first.
#ifndef QDOT_BENCH_FORWARD_COST_H
#define QDOT_BENCH_FORWARD_COST_H

#include "text_model.h"

typedef struct ForwardCost {
  double steps;      // of the program; 0 where there is none
  double evaluation; // seconds
  double setup;      // CPU seconds from equations to machine code
} ForwardCost;

// Inside the model's guard.
ForwardCost forward_cost(TextModel *model);

#endif
