// A context owns all memory, names, sources and diagnostics of one model's life. One per thread.
// Sources: clock.c, context.c
#ifndef QDOT_BASE_CONTEXT_H
#define QDOT_BASE_CONTEXT_H

#include "base/arena.h"
#include "base/diag.h"
#include "base/intern.h"
#include "base/limits.h"
#include "base/log.h"
#include "base/source.h"
#include "base/stage.h"
#include "qdot/diagnostic.h"

struct qdot_context {
  Memory memory;
  Guard guard;
  Arena keep;     // lives as long as the context: nodes, names, records
  Arena scratch;  // the work of one call: mark on entry, release on return
  Arena *results; // what the present call finds: keep, or the memory of the object it makes
  Interner names;
  Sources sources;
  Diagnostics diagnostics;
  qdot_diagnostic *shown; // as the public interface hands them out, MOST_DIAGNOSTICS of them
  Log log;
  Limits limits;
  double deadline;         // on the clock of context_seconds; 0 for none
  volatile int cancelled;  // set from outside (a signal handler, another thread)
  bool is_patient;         // no poll escapes: what is at work looks at context_due itself
  uint32_t polls_left;     // tests cancel at the poll that makes it 0
  struct ExprStore *exprs; // the expression layer's tables
  StageClock stages;       // of an owner: also of its rooms
  // see room.h
  Context *owner;             // of a room
  Context *rooms, *next_room; // of an owner
  Arena told;                 // what rooms have reported,
  uint32_t reports;           // since it was last forgotten
  bool is_full;               // a room has made all the nodes that are allowed
};

// A context whose memory is taken from the given source; NULL when there is none.
Context *context_open(const Limits *limits, const Memory *memory);
void context_close(Context *cx);

Symbol symbol_from_text(Context *cx, const char *text);
const char *symbol_text(const Context *cx, Symbol symbol);
// The same text, kept once as long as the context lives.
const char *context_text(Context *cx, const char *text);

// Monotonic seconds.
double context_seconds(void);
// Starts the time limit of one call.
void context_start_clock(Context *cx);
// QDOT_TIMEOUT when time is over, QDOT_CANCELLED when the context was cancelled, else QDOT_OK.
Status context_due(Context *cx);
// Escapes when one of them holds; call it in every long loop, where nothing is half made: the
// context can be used afterwards.
void context_poll(Context *cx);
// See guard_abandon; its rooms, too.
void context_abandon(const Context *cx);

// A stage of the work begins, or is gone on with, which does not count it once more; both return
// the stage that is interrupted.
WorkStage context_enter_stage(Context *cx, WorkStage stage);
WorkStage context_resume_stage(Context *cx, WorkStage stage);
void context_leave_stage(Context *cx, WorkStage interrupted);

#endif
