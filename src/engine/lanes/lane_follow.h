// What follows a step, for several runs at once: their measures, as long as these need no more than
// what they see at the nodes of the step.
//
// A lane has the bits that run_watch_step would give its run alone; a step with a crossing or an
// extreme inside is left to the run.
#ifndef QDOT_ENGINE_RUN_LANE_FOLLOW_H
#define QDOT_ENGINE_RUN_LANE_FOLLOW_H

#include "engine/run/run.h"
#include "native/packed.h"
#include "solve/step_lanes.h"

typedef struct LaneFollow {
  uint32_t n, guards;
  const PlanReduction *reductions;
  bool needs_forces;
  double *t, *y, *signs;    // rows of inputs of the programs
  double *nodes;            // rows: the states at each node, where they are moved
  double *gauges;           // rows: the doubles of each
  double *size, *size_new;  // rows of the guards
  double *watched, *values; // rows at each node: guards; value and condition of each reduction
  double *least, *most;     // rows of the reductions, at the nodes
} LaneFollow;

// For runs of one model, whose programs take their inputs from the rows `in`.
LaneFollow *lane_follow_new(Arena *arena, uint32_t lanes, const Run *run, double *in);
// A lane begins to go on by itself; and it ends to.
void lane_follow_take(LaneFollow *follow, uint32_t lanes, uint32_t lane, const Run *run);
void lane_follow_give(const LaneFollow *follow, uint32_t lanes, uint32_t lane, Run *run);

// The times and the states at node k of the steps in the rows, into the inputs; and the times
// alone.
void lane_follow_place(const LaneFollow *follow, const LaneRows *rows, uint32_t node);
void lane_follow_time(const LaneFollow *follow, const LaneRows *rows, uint32_t node);
// What guards and signals at all nodes mean for the measures; returns the lanes for which that is
// all there is to be seen, and has been taken.
uint32_t lane_follow_watch(LaneFollow *follow, const LaneRows *rows, uint32_t which);

#endif
