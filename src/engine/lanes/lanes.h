// Several runs of one model in one thread, side by side: what they evaluate is evaluated together.
//
// Every run is a fiber that goes its own way, by the same code as a run alone, until it asks for a
// program or a step; when all wait, those that ask for the same get it in one go, each in a lane of
// the machine's vectors. A lane has the bits that its run would have alone.
// Sources: lanes.c, lane_sets.c, lane_steps.c, lane_arrive.c, lane_watch.c
#ifndef QDOT_ENGINE_RUN_LANES_H
#define QDOT_ENGINE_RUN_LANES_H

#include "base/host/fiber.h"
#include "engine/lanes/lane_follow.h"
#include "engine/run/rerun.h"
#include "native/packed.h"
#include "solve/step_lanes.h"

// A program in lanes.
typedef struct LanePart {
  bool is_known;        // has been looked at
  bool is_asked_for;    // is it worth its while to wait for the others?
  const Packed *packed; // NULL: none
  double *out, *work;
  uint32_t prepared[MOST_LANES]; // for which Machine.prepared of each lane; 0: not yet
} LanePart;

// What evaluations have taught a machine and a projector, see there.
typedef struct LaneLearned {
  double *slack, nearest_dead, *projector;
  bool met_dead;
} LaneLearned;

// The programs of one set of closed contacts.
typedef struct LaneSet {
  Equations *equations;
  double *in;
  LanePart parts[EQUATION_PARTS];
  LaneRows *rows;
  LaneFollow *follow; // NULL: nobody has measures yet
  bool keeps_balance; // of energies
  LaneSystem system;
  // Before the step at hand, after its attempt, and after all of it but what follows.
  LaneLearned before[MOST_LANES], attempted[MOST_LANES], whole[MOST_LANES];
  double *y_attempted; // rows: its positions and velocities
  uint32_t arrived;    // lanes that went on from the attempt,
  uint32_t looked;     // and were looked at when it was whole
  struct Lanes *lanes;
} LaneSet;

typedef enum LaneWant { WANTS_NOTHING, WANTS_PART, WANTS_STEP } LaneWant;

typedef struct Lane {
  MachineLane machine; // first, as is the one of steps: who asks is found by them
  struct StepLane steps;
  struct Lanes *lanes;
  uint32_t number;
  Rerun *rerun, own;
  Fiber fiber;
  // of the context while it goes on
  Arena scratch;
  Diagnostics diagnostics;
  jmp_buf target;
  bool has_escaped;
  // what it waits for
  LaneWant wants;
  uint64_t since;
  LaneSet *set;
  EquationPart part;
  double *out;
} Lane;

typedef struct Lanes {
  Context *cx;
  Handle handle;
  uint32_t width, wanted; // lanes, and how many there are when all are open
  Lane at[MOST_LANES];
  Lane *current; // that goes on; NULL: none
  VEC(LaneSet *) sets;
  uint64_t served;
  void (*work)(void *user, Rerun *rerun);
  void *user;
} Lanes;

// Up to `width` lanes beside the rerun, which is that of the first; NULL where there is only one.
// In the keep arena; closes before the rerun.
Lanes *lanes_open(Rerun *first, uint32_t width);
void lanes_close(Lanes *lanes);

// Calls work(user, rerun) in every lane, with a rerun of its own; returns when all have come back.
void lanes_run(Lanes *lanes, void (*work)(void *user, Rerun *rerun), void *user);

// ---- The programs (lane_sets.c)

static inline Machine *lane_set_machine(const LaneSet *set, uint32_t lane) {
  return &set->lanes->at[lane].rerun->simulation.run.machine;
}

// That of the machine's present set, made on first use.
LaneSet *lane_set_of(Lanes *lanes, const Machine *machine);
// Is the program there, and worth waiting for?
bool lane_set_has(LaneSet *set, EquationPart part);
// Runs it for the lanes in `which`, each with its machine's inputs and to its out.
void lane_set_run(LaneSet *set, EquationPart part, uint32_t which);
LanePart *lane_set_part(LaneSet *set, EquationPart part);
// The inputs of a lane for a program that is there.
void lane_set_fill(LaneSet *set, EquationPart part, uint32_t lane);

static inline Run *lane_set_run_of(const LaneSet *set, uint32_t lane) {
  return &set->lanes->at[lane].rerun->simulation.run;
}

// ---- Steps (lane_steps.c)

void lane_set_open_steps(LaneSet *set, const Machine *machine);
// The stepper of a lane's run is about to make a step, at most to the limit; false: it has to be
// made alone.
bool lane_set_take(LaneSet *set, uint32_t lane, double limit);
// What has been learned, to and from there, by the lanes in `which`.
void lane_set_keep(const LaneSet *set, uint32_t which, LaneLearned *learned);
void lane_set_restore(const LaneSet *set, uint32_t which, const LaneLearned *learned);
// Makes the steps of the lanes in `which`; returns those whose runs have to look at them.
uint32_t lane_set_step(LaneSet *set, uint32_t which);

// ---- Constraints (lane_arrive.c)

// See LaneSystem; and takes back what lanes that leave have learned and done beyond what their runs
// take over.
uint32_t lane_set_arrive(void *set, uint32_t which);
void lane_set_take_back(LaneSet *set, uint32_t which);
// Puts the states at the nodes of the steps onto the constraints; returns the lanes for which that
// was easy.
uint32_t lane_set_project_nodes(LaneSet *set, uint32_t which);
// And puts those at node k into the inputs.
void lane_set_load_node(LaneSet *set, uint32_t k);
// May what a program has put out for a lane be trusted? loss, slack: where they stand.
bool lane_set_trusts(LaneSet *set, uint32_t lane, const double *loss, const double *slack);

// ---- What follows a step (lane_watch.c)

// The run of a lane begins to be followed; false where there are not the programs for that.
bool lane_set_watch(LaneSet *set, uint32_t lane, const Run *run);
// See LaneSystem.
uint32_t lane_set_follow(void *set, uint32_t which);

#endif
