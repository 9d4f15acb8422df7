// Who makes the runs of a sweep: the threads of this process, and the other processes of its job.
// Sources: sweep_make.c, sweep_peers.c
#ifndef QDOT_API_ASK_SWEEP_MAKE_H
#define QDOT_API_ASK_SWEEP_MAKE_H

#include <stdatomic.h>

#include "api/ask/crew.h"
#include "ask/sweep_block.h"

typedef struct Making {
  const qdot_sweep_options *o;
  const Sweep *sweep;
  const char *folder;      // or NULL; of who sends its blocks to another: of rows, for a moment
  const qdot_peers *peers; // or NULL
  _Atomic uint64_t next;   // block that is handed out
  _Atomic uint64_t blocks; // that are done
  _Atomic uint64_t done, failed, kept; // cases
  atomic_uint busy;                    // threads of this process that make one
  double longest;                      // seconds that a block has taken
  pthread_mutex_t lock;                // of the caller's function, of the reason, of the longest
  pthread_mutex_t talk;                // of messages
  atomic_bool is_broken;
  Status status; // why it is
  char why[256];
} Making;

void making_open(Making *making, const qdot_sweep_options *options, const Sweep *sweep);
// Makes all blocks that are this process's to make, and waits for those of others where it is the
// first of a job; `own` and `worker` are the caller's. making->is_broken says that it failed, with
// the first reason of all.
void making_run(Making *making, Model *model, const qdot_run_options *run, uint32_t threads,
                const CrewMember *own, SweepWorker *worker);

// ---- What both sources share

bool making_sends(const Making *making); // its blocks are kept by another process
// The first mistake of any thread ends all; its words outlive its context.
void making_give_up(Making *making, Status status, const char *why);
void making_fail(Making *making, Context *cx, Status status); // by the newest diagnostic
// Makes a block here and keeps it.
Status making_block(Making *making, const SweepStore *store, SweepWorker *worker, uint64_t block);
void making_note_time(Making *making, double seconds);
// Counts a block that is kept, and hands it to the caller.
void making_count(Making *making, Arena *arena, const SweepBlock *block, bool tells);
// Is it there from an earlier call, with its rows? Then it is the worker's block.
bool making_has(Making *making, const SweepStore *store, Arena *arena, uint64_t block,
                SweepBlock *out);

// ---- Messages (sweep_peers.c)

// Of who asks the first process for work: false when there is none left.
bool peers_next(Making *making, const CrewMember *member, uint64_t *block);
// Sends the worker's block and the rows of its chosen cases to the first process.
Status peers_deliver(Making *making, Context *cx, const SweepBlock *block);
// Nobody here asks or sends any more.
void peers_say_goodbye(Making *making);
// Of the first process, by one thread while others work: hands out blocks and keeps what comes,
// until all are done. Blocks of processes that hang or leave are made here.
void peers_serve(Making *making, const CrewMember *own, SweepWorker *worker);

#endif
