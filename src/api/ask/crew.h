// Threads that make runs of one model, each with a context, the model and its equations of its own.
//
// Who makes which run shows in no result: work is handed out by whoever hires, and every run is a
// function of its own values alone.
#ifndef QDOT_API_ASK_CREW_H
#define QDOT_API_ASK_CREW_H

#include <pthread.h>

#include "base/context.h"
#include "model/model.h"
#include "qdot/qdot.h"
#include "sim/sim.h"

enum { MOST_THREADS = 256 };

// What a thread works with.
typedef struct CrewMember {
  Context *cx;
  Model *model;
  struct System *system;
  SimOptions options;       // without progress
  const volatile int *stop; // set where the hirer's own call has failed; NULL for the hirer
} CrewMember;

// Works until nothing is left to do, or *stop is set.
typedef Status CrewWork(void *user, const CrewMember *member);

typedef struct Crew {
  Model *model;
  const qdot_run_options *run;
  CrewWork *work;
  void *user;
  volatile int stop; // set where the hirer's own call has failed
  uint32_t count;
  pthread_t threads[MOST_THREADS];
  Handle handle;
} Crew;

// The hirer's own share of the work needs these as well.
Status crew_member_open(Model *model, const qdot_run_options *run, CrewMember *out);

// So many threads as are wanted (0: one for every core), at most `most`.
uint32_t crew_size(uint32_t wanted, uint64_t most);
// Starts all but one of `size` threads: the last is the caller, who works too. A thread that cannot
// work leaves it to the others. In the keep arena of the model's context.
Crew *crew_hire(Model *model, const qdot_run_options *run, uint32_t size, CrewWork *work,
                void *user);
// Waits until all have come to an end.
void crew_wait(Crew *crew);
// Work is to end: whoever hired has failed, or the run's own stop is set.
bool crew_is_stopped(const CrewMember *member);

#endif
