// The processes of a job that share a sweep by messages: the first hands out blocks, keeps what
// comes, and works, too; the others ask, work, and send.
//
//   others            first
//   TAKE         ->
//                <-   MAKE block, or NOTHING
//   ROWS, BLOCK  ->   kept as files
//   FAILED       ->   ends all
//   GOODBYE      ->   what it had is made by the first
#include <string.h>
#include <unistd.h>

#include "api/ask/sweep_make.h"
#include "api/ask/sweep_rows.h"
#include "base/host/folder.h"

typedef enum MessageKind { TAKE = 1, MAKE, NOTHING, ROWS, BLOCK, FAILED, GOODBYE } MessageKind;

typedef struct Message {
  uint64_t kind, number; // number: of a block, of a case for ROWS, of a status for FAILED
} Message;

// Ever longer, up to a time that nobody notices: waiting takes no core.
static void pause_a_little(uint32_t *idle) {
  enum { SHORTEST = 50, DOUBLINGS = 5 }; // microseconds
  usleep(SHORTEST << *idle);
  if (*idle < DOUBLINGS) ++*idle;
}

static Status send(const Making *m, Arena *arena, uint32_t to, MessageKind kind, uint64_t number,
                   const void *bytes, size_t n) {
  Message head = {kind, number};
  char *all = arena_array(arena, char, sizeof head + n);
  memcpy(all, &head, sizeof head);
  if (n > 0) memcpy(all + sizeof head, bytes, n);
  return m->peers->send(m->peers->user, to, all, sizeof head + n) == 0 ? QDOT_OK : QDOT_IO;
}

static Status send_short(const Making *m, uint32_t to, MessageKind kind, uint64_t number) {
  Message head = {kind, number};
  return m->peers->send(m->peers->user, to, &head, sizeof head) == 0 ? QDOT_OK : QDOT_IO;
}

// ---- Who asks

// What the first process answers; NOTHING where it does not.
static Message await_answer(const Making *m, const CrewMember *member) {
  const qdot_peers *p = m->peers;
  Message answer = {.kind = NOTHING};
  uint32_t idle = 0, from;
  while (!crew_is_stopped(member)) {
    size_t n = p->look(p->user, &from);
    if (n == sizeof answer) return p->take(p->user, from, &answer, n) == 0 ? answer : (Message){0};
    pause_a_little(&idle);
  }
  return answer;
}

bool peers_next(Making *m, const CrewMember *member, uint64_t *block) {
  pthread_mutex_lock(&m->talk);
  Message answer = {.kind = NOTHING};
  if (send_short(m, 0, TAKE, 0) == QDOT_OK) answer = await_answer(m, member);
  pthread_mutex_unlock(&m->talk);
  *block = answer.number;
  return answer.kind == MAKE;
}

static Status send_rows(const Making *m, Context *cx, uint64_t number) {
  const char *bytes, *name = sweep_rows_name(&cx->scratch, number);
  size_t n;
  Status status = folder_read(cx, &cx->scratch, m->folder, name, &bytes, &n);
  if (status == QDOT_OK) status = send(m, &cx->scratch, 0, ROWS, number, bytes, n);
  unlink(folder_path(&cx->scratch, m->folder, name));
  return status;
}

Status peers_deliver(Making *m, Context *cx, const SweepBlock *b) {
  Status status = QDOT_OK;
  pthread_mutex_lock(&m->talk);
  for (uint32_t i = 0; i < b->kept.n && status == QDOT_OK; i++) {
    Mark mark = arena_mark(&cx->scratch);
    status = send_rows(m, cx, b->first + b->kept.at[i]);
    arena_release(&cx->scratch, mark);
  }
  Mark mark = arena_mark(&cx->scratch);
  size_t n;
  const char *bytes = sweep_block_pack(&cx->scratch, m->sweep, b, &n);
  if (status == QDOT_OK) status = send(m, &cx->scratch, 0, BLOCK, b->number, bytes, n);
  arena_release(&cx->scratch, mark);
  pthread_mutex_unlock(&m->talk);
  return status;
}

void peers_say_goodbye(Making *m) {
  Context *cx = m->sweep->cx;
  Mark mark = arena_mark(&cx->scratch);
  pthread_mutex_lock(&m->talk);
  if (m->is_broken) send(m, &cx->scratch, 0, FAILED, m->status, m->why, strlen(m->why) + 1);
  send_short(m, 0, GOODBYE, 0);
  pthread_mutex_unlock(&m->talk);
  arena_release(&cx->scratch, mark);
}

// ---- Who answers

typedef struct Given {
  uint32_t rank; // who makes it; GONE: nobody
  uint64_t block;
  double since;
} Given;

enum { GONE = 0 };

typedef struct Serving {
  Making *m;
  const CrewMember *own;
  SweepWorker *worker;
  SweepStore store;
  VEC(Given) given;
  uint32_t gone; // processes that have said goodbye
  double news;   // when something last happened
} Serving;

static void forget(Serving *s, uint32_t i) { s->given.at[i] = s->given.at[--s->given.n]; }

static void count_stored(Serving *s, const SweepBlock *b) {
  making_count(s->m, &s->own->cx->scratch, b, true);
}

static void give(Serving *s, uint32_t rank) {
  Making *m = s->m;
  Arena *scratch = &s->own->cx->scratch;
  uint64_t block;
  SweepBlock stored;
  for (;;) {
    block = m->is_broken ? m->sweep->blocks : atomic_fetch_add(&m->next, 1);
    if (block >= m->sweep->blocks) {
      send_short(m, rank, NOTHING, 0);
      return;
    }
    Mark mark = arena_mark(scratch);
    bool has = making_has(m, &s->store, scratch, block, &stored);
    if (has) count_stored(s, &stored);
    arena_release(scratch, mark);
    if (!has) break;
  }
  Given given = {rank, block, context_seconds()};
  vec_push(&s->own->cx->keep, &s->given, given);
  send_short(m, rank, MAKE, block);
}

static void keep_block(Serving *s, uint32_t rank, uint64_t block, const char *bytes, size_t n) {
  Making *m = s->m;
  Context *cx = s->own->cx;
  uint32_t i = 0;
  while (i < s->given.n && (s->given.at[i].rank != rank || s->given.at[i].block != block)) i++;
  if (i == s->given.n) return; // it came too late
  Status status = sweep_store_put(&s->store, block, bytes, n);
  SweepBlock kept;
  if (status == QDOT_OK && !making_has(m, &s->store, &cx->scratch, block, &kept)) status = QDOT_IO;
  if (status == QDOT_OK) {
    making_note_time(m, context_seconds() - s->given.at[i].since);
    forget(s, i);
    count_stored(s, &kept);
  } else if (status == QDOT_BAD_ARGUMENT) {
    making_give_up(m, status, "a process of the job has another model or other options");
  } else {
    making_fail(m, cx, status);
  }
}

static void keep_rows(Serving *s, uint64_t number, const char *bytes, size_t n) {
  Context *cx = s->own->cx;
  const char *folder = s->m->folder;
  Status status = folder_make(cx, folder_path(&cx->scratch, folder, "rows"));
  if (status == QDOT_OK)
    status = folder_write(cx, folder, sweep_rows_name(&cx->scratch, number), bytes, n);
  if (status != QDOT_OK) making_fail(s->m, cx, status);
}

static void let_go(Serving *s, uint32_t rank) {
  s->gone++;
  for (uint32_t i = 0; i < s->given.n; i++)
    if (s->given.at[i].rank == rank) s->given.at[i].rank = GONE;
}

// Treats one message, if there is one.
static bool answer(Serving *s) {
  const qdot_peers *p = s->m->peers;
  Arena *scratch = &s->own->cx->scratch;
  uint32_t from;
  size_t n = p->look(p->user, &from);
  if (n < sizeof(Message)) return false;
  Mark mark = arena_mark(scratch);
  char *bytes = arena_array(scratch, char, n + 1);
  Message head = {0};
  if (p->take(p->user, from, bytes, n) == 0) memcpy(&head, bytes, sizeof head);
  const char *rest = bytes + sizeof head;
  size_t left = n - sizeof head;
  switch (head.kind) {
  case TAKE: give(s, from); break;
  case ROWS: keep_rows(s, head.number, rest, left); break;
  case BLOCK: keep_block(s, from, head.number, rest, left); break;
  case FAILED: making_give_up(s->m, (Status)head.number, rest); break;
  case GOODBYE: let_go(s, from); break;
  default: making_give_up(s->m, QDOT_IO, "a message of a process of the job is lost"); break;
  }
  arena_release(scratch, mark);
  s->news = context_seconds();
  return true;
}

// A block of somebody who has left, or of whom nothing is heard since long.
static int find_lost(const Serving *s) {
  const Making *m = s->m;
  for (uint32_t i = 0; i < s->given.n; i++)
    if (s->given.at[i].rank == GONE) return (int)i;
  bool waits = s->given.n > 0 && m->next >= m->sweep->blocks && m->busy == 0;
  return waits && context_seconds() - s->news > 3 + 20 * m->longest ? 0 : -1;
}

static void make_lost(Serving *s, uint32_t i) {
  Making *m = s->m;
  uint64_t block = s->given.at[i].block;
  forget(s, i);
  Status status = making_block(m, &s->store, s->worker, block);
  if (status == QDOT_OK) making_count(m, &s->worker->arena, &s->worker->block, true);
  if (status != QDOT_OK && status != QDOT_STOPPED) making_fail(m, s->own->cx, status);
}

// All ask once more, and hear that nothing is left.
static void dismiss(Serving *s) {
  enum { PATIENCE = 2 }; // seconds
  Making *m = s->m;
  uint32_t idle = 0, others = m->peers->ranks - 1;
  atomic_store(&m->next, m->sweep->blocks);
  s->news = context_seconds();
  while (s->gone < others && context_seconds() - s->news < PATIENCE) {
    if (answer(s))
      idle = 0;
    else
      pause_a_little(&idle);
  }
  if (s->gone < others && !m->is_broken && !crew_is_stopped(s->own))
    diag_warning_plain(s->own->cx,
                       "%u of %u processes did not answer any more; the others made "
                       "what they had",
                       others - s->gone, m->peers->ranks);
}

void peers_serve(Making *m, const CrewMember *own, SweepWorker *worker) {
  Serving s = {.m = m, .own = own, .worker = worker, .news = context_seconds()};
  s.store = sweep_store(own->cx, m->sweep, m->folder);
  uint32_t idle = 0;
  while (m->blocks < m->sweep->blocks && !m->is_broken && !crew_is_stopped(own)) {
    int lost = find_lost(&s);
    if (m->busy > 0) s.news = context_seconds();
    if (lost >= 0) make_lost(&s, (uint32_t)lost);
    if (lost >= 0 || answer(&s))
      idle = 0;
    else
      pause_a_little(&idle);
  }
  dismiss(&s);
}
