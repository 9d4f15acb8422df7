// The threads that make the runs of a sweep.
#include "api/ask/sweep_make.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "api/ask/sweep_rows.h"

void making_open(Making *m, const qdot_sweep_options *options, const Sweep *sweep) {
  *m = (Making){.o = options, .sweep = sweep, .peers = options->peers};
  pthread_mutex_init(&m->lock, NULL);
  pthread_mutex_init(&m->talk, NULL);
}

void making_note_time(Making *m, double seconds) {
  pthread_mutex_lock(&m->lock);
  m->longest = fmax(m->longest, seconds);
  pthread_mutex_unlock(&m->lock);
}

void making_give_up(Making *m, Status status, const char *why) {
  pthread_mutex_lock(&m->lock);
  if (!m->is_broken) {
    m->status = status;
    snprintf(m->why, sizeof m->why, "%s", why);
    m->is_broken = true;
  }
  pthread_mutex_unlock(&m->lock);
}

void making_fail(Making *m, Context *cx, Status status) {
  const Diagnostics *d = &cx->diagnostics;
  making_give_up(m, status, d->newest ? d->list.at[d->newest - 1].message : "");
}

bool making_sends(const Making *m) { return m->peers && m->peers->rank > 0; }

// ---- One block

static void hand_over(Making *m, Arena *arena, const SweepBlock *b) {
  const Sweep *s = m->sweep;
  if (!m->o->block) return;
  double *values = arena_array(arena, double, (size_t)b->count * s->axes);
  const char **reasons = arena_array(arena, const char *, b->count);
  for (uint32_t i = 0; i < b->count; i++) {
    sweep_values(s, b->first + i, values + (size_t)i * s->axes);
    reasons[i] = sweep_reason(b, i);
  }
  qdot_sweep_block shown = {b->first, b->count, s->axes, s->measures, values, b->values, reasons};
  pthread_mutex_lock(&m->lock);
  m->o->block(m->o->user, &shown);
  pthread_mutex_unlock(&m->lock);
}

void making_count(Making *m, Arena *arena, const SweepBlock *b, bool tells) {
  hand_over(m, arena, b);
  atomic_fetch_add(&m->failed, b->failed);
  atomic_fetch_add(&m->kept, b->kept.n);
  uint64_t done = atomic_fetch_add(&m->done, b->count) + b->count;
  atomic_fetch_add(&m->blocks, 1);
  if (tells && m->o->progress) m->o->progress(m->o->user, done, m->sweep->cases);
}

bool making_has(Making *m, const SweepStore *store, Arena *arena, uint64_t block, SweepBlock *out) {
  return m->folder && sweep_store_read(store, arena, block, out) &&
         sweep_rows_are_there(m->folder, out);
}

Status making_block(Making *m, const SweepStore *store, SweepWorker *w, uint64_t block) {
  if (!sweep_run(m->sweep, w, block)) return QDOT_STOPPED;
  Status status = m->folder ? sweep_keep_rows(m->sweep, w, m->folder) : QDOT_OK;
  if (status != QDOT_OK) return status;
  if (making_sends(m)) return peers_deliver(m, store->cx, &w->block);
  return m->folder ? sweep_store_write(store, &w->block) : QDOT_OK;
}

// ---- All that a thread gets

static bool is_mine(const Making *m, uint64_t block) {
  return m->o->shards < 2 || block % m->o->shards == m->o->shard - 1;
}

static bool next_block(Making *m, const CrewMember *member, uint64_t *block) {
  if (making_sends(m)) return peers_next(m, member, block);
  do *block = atomic_fetch_add(&m->next, 1);
  while (*block < m->sweep->blocks && !is_mine(m, *block));
  return *block < m->sweep->blocks;
}

static void make_blocks(Making *m, const CrewMember *member, SweepWorker *w, bool tells) {
  SweepStore store = {.cx = member->cx};
  if (m->folder) store = sweep_store(member->cx, m->sweep, m->folder);
  uint64_t block;
  while (!crew_is_stopped(member) && !m->is_broken && next_block(m, member, &block)) {
    double began = context_seconds();
    if (making_sends(m) || !making_has(m, &store, &w->arena, block, &w->block)) {
      SweepClaim claim = m->o->job ? sweep_store_claim(&store, block, m->o->job) : CLAIM_OURS;
      if (claim == CLAIM_TAKEN) continue;
      if (claim == CLAIM_ENDED) return;
      atomic_fetch_add(&m->busy, 1);
      Status status = making_block(m, &store, w, block);
      atomic_fetch_sub(&m->busy, 1);
      if (status == QDOT_STOPPED) return;
      if (status != QDOT_OK) {
        making_fail(m, member->cx, status);
        return;
      }
      making_note_time(m, context_seconds() - began);
    }
    making_count(m, &w->arena, &w->block, tells);
  }
}

// The blocks of the other processes of a job that share the folder: waited for without work, unless
// nothing comes any more: then who has them hangs, and they are made here.
static void await_others(Making *m, const CrewMember *member, SweepWorker *w) {
  SweepStore store = sweep_store(member->cx, m->sweep, m->folder);
  double since = context_seconds(), patience = 3 + 20 * m->longest;
  for (uint64_t block = 0; block < m->sweep->blocks && !crew_is_stopped(member);) {
    if (sweep_store_has(&store, block)) {
      since = context_seconds();
      block++;
      continue;
    }
    if (context_seconds() - since > patience) {
      Status status = making_block(m, &store, w, block);
      if (status == QDOT_STOPPED) return;
      if (status != QDOT_OK) {
        making_fail(m, member->cx, status);
        return;
      }
    }
    usleep(20000);
  }
}

// Who comes late finds what is done, and not that nothing is.
static void await_arrivals(Making *m, const CrewMember *member) {
  enum { PATIENCE = 10 }; // seconds
  SweepStore store = sweep_store(member->cx, m->sweep, m->folder);
  double since = context_seconds();
  for (uint32_t rank = 1; rank < m->o->ranks && !crew_is_stopped(member);)
    if (sweep_store_arrived(&store, rank, m->o->job) || context_seconds() - since > PATIENCE)
      rank++;
    else
      usleep(20000);
}

static Status help(void *user, const CrewMember *member) {
  SweepWorker worker;
  Status status = sweep_worker_open(&worker, member->cx, member->system, &member->options,
                                    ((const Making *)user)->o->lanes);
  if (status != QDOT_OK) return status;
  make_blocks(user, member, &worker, false);
  sweep_worker_close(&worker);
  return QDOT_OK;
}

void making_run(Making *m, Model *model, const qdot_run_options *run, uint32_t threads,
                const CrewMember *own, SweepWorker *worker) {
  bool serves = m->peers && m->peers->rank == 0;
  Crew *crew = crew_hire(model, run, threads + serves, help, m);
  if (serves)
    peers_serve(m, own, worker);
  else
    make_blocks(m, own, worker, true);
  crew_wait(crew);
  bool leads = m->o->job && m->o->rank == 0 && !m->is_broken;
  if (leads) await_others(m, own, worker);
  if (leads && !m->is_broken) await_arrivals(m, own);
  if (making_sends(m)) peers_say_goodbye(m);
}
