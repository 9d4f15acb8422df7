// Checkpoints of a run: all that it needs to continue as if nothing had happened.
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "engine/run/run.h"
#include "solve/checkpoint.h"

// A hundred checkpoints in a run, on rows.
double run_next_checkpoint(const Run *run, double t) {
  if (!run->o->checkpoint) return INFINITY;
  double rows = ceil(run->o->t_end / run->o->every), stride = fmax(1, ceil(rows / 100));
  int64_t k = (int64_t)floor(t / (stride * run->o->every) + 1e-6) + 1;
  return run_row_time(run, (int64_t)((double)k * stride));
}

static uint32_t hash_double(uint32_t hash, double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return hash_word64(hash, bits);
}

enum { VERSION = 7 }; // of the file

// What must be the same for a state to be taken up: the plan and the options.
static uint64_t run_key(uint32_t plan_key, const SimOptions *options) {
  const MethodOptions *o = &options->method;
  uint32_t hash = plan_key;
  const double asked[] = {options->t_end,
                          options->every,
                          (double)o->method,
                          o->rtol,
                          o->atol,
                          o->step,
                          o->beta,
                          o->gamma,
                          o->rho,
                          o->order,
                          (double)o->stabilize,
                          o->baumgarte_alpha,
                          o->baumgarte_beta,
                          (double)options->event_rows + 2 * (double)options->row_stride};
  for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) hash = hash_double(hash, asked[i]);
  return (uint64_t)hash << 16 | VERSION;
}

// One list of all values, walked in the same order to write and to read.
typedef struct KeptTape {
  Arena *arena;
  VEC(double) values;
  bool writing, damaged; // damaged: too short, or a value that cannot be
  uint32_t at;
} KeptTape;

static void tape_double(KeptTape *tape, double *value) {
  if (tape->writing) {
    vec_push(tape->arena, &tape->values, *value);
  } else if (tape->at < tape->values.n) {
    *value = tape->values.at[tape->at++];
  } else {
    tape->damaged = true;
  }
}

static void tape_doubles(KeptTape *tape, double *values, int n) {
  for (int i = 0; i < n; i++) tape_double(tape, &values[i]);
}

// Whole numbers between the limits, exact as doubles.
#define TAPE_AS(name, type, least, most)                                                           \
  static void name(KeptTape *tape, type *value) {                                                  \
    double x = (double)*value;                                                                     \
    tape_double(tape, &x);                                                                         \
    if (x >= (double)(least) && x <= (double)(most))                                               \
      *value = (type)x;                                                                            \
    else                                                                                           \
      tape->damaged = true;                                                                        \
  }
TAPE_AS(tape_whole, int64_t, 0, (int64_t)1 << 53)
TAPE_AS(tape_int, int, -1, INT_MAX)
TAPE_AS(tape_count, uint32_t, 0, UINT32_MAX)
#undef TAPE_AS

static void tape_flags(KeptTape *tape, bool *flags, int n) {
  for (int i = 0; i < n; i++) {
    double x = flags[i];
    tape_double(tape, &x);
    flags[i] = x != 0;
  }
}

static void tape_worst(KeptTape *tape, Worst *worst) {
  tape_double(tape, &worst->value);
  tape_double(tape, &worst->t);
  tape_int(tape, &worst->row);
}

static void tape_monitor(KeptTape *tape, Monitor *m) {
  double *values[] = {&m->E_start, &m->V_start,   &m->imbalance,   &m->imbalance_t, &m->exchanged,
                      &m->impacts, &m->gain,      &m->penetration, &m->pull,        &m->pressed,
                      &m->grip,    &m->projected, &m->missed,      &m->rest};
  for (size_t i = 0; i < sizeof values / sizeof *values; i++) tape_double(tape, values[i]);
  tape_worst(tape, &m->position);
  tape_worst(tape, &m->velocity);
  tape_worst(tape, &m->acceleration);
}

static void tape_slips(KeptTape *tape, Slip *slips, int n) {
  for (int i = 0; i < n; i++) {
    int state = (int)slips[i].state;
    tape_int(tape, &state);
    tape_double(tape, &slips[i].direction);
    tape_double(tape, &slips[i].unit);
    tape_double(tape, &slips[i].moves);
    tape_double(tape, &slips[i].force);
    tape_double(tape, &slips[i].slack);
    if (state < SLIP_FREE || state > SLIP_SLIDES) tape->damaged = true;
    if (!tape->damaged) slips[i].state = (SlipState)state;
  }
}

static void tape_contacts(KeptTape *tape, Contacts *c) {
  tape_double(tape, &c->speed);
  tape_double(tape, &c->acceleration);
  tape_double(tape, &c->reach);
  tape_doubles(tape, c->last_impact, c->count);
  tape_doubles(tape, c->parted, c->count);
  tape_doubles(tape, c->rounding, c->count);
  tape_doubles(tape, c->bend, c->count);
  tape_doubles(tape, c->largest, c->count > 0 ? c->machine->n : 0);
}

static void tape_touches(KeptTape *tape, Run *run) {
  tape_flags(tape, &run->touches.has_begun, 1);
  for (int i = 0; i < run->touches.count; i++) {
    KnownContact *k = &run->touches.known[i];
    tape_flags(tape, &k->is_closed, 1);
    tape_flags(tape, &k->parts, 1);
    tape_flags(tape, &k->turns, 1);
    tape_double(tape, &k->slides);
    tape_double(tape, &k->side);
    tape_double(tape, &k->t);
  }
}

static void tape_events(KeptTape *tape, Run *run) {
  SimSummary *s = run->summary;
  uint32_t count = s->events.n;
  tape_count(tape, &count);
  if (!tape->writing) s->events.n = 0;
  for (uint32_t i = 0; i < count && !tape->damaged; i++) {
    SimEvent event = {0};
    if (tape->writing) event = s->events.at[i];
    uint32_t kind = (uint32_t)event.kind;
    tape_double(tape, &event.t);
    tape_count(tape, &event.number);
    tape_count(tape, &kind);
    tape_double(tape, &event.before);
    tape_double(tape, &event.after);
    tape_flags(tape, &event.closes, 1);
    event.kind = (SimEventKind)kind;
    if (!tape->writing) vec_push(&run->cx->keep, &s->events, event);
  }
}

static void tape_enum(KeptTape *tape, uint32_t *value, uint32_t count) {
  tape_count(tape, value);
  if (*value < count) return;
  *value = 0;
  tape->damaged = true;
}

static void tape_remark(KeptTape *tape, Remark *remark) {
  uint32_t id = (uint32_t)remark->id;
  tape_enum(tape, &id, REMARK_COUNT);
  remark->id = (RemarkId)id;
  tape_doubles(tape, remark->number, REMARK_NUMBERS);
}

// Its length and letters; that of no text is 0, that of an empty one 1.
static void tape_text(KeptTape *tape, Arena *keep, const char **text) {
  uint32_t n = *text ? (uint32_t)strlen(*text) + 1 : 0;
  tape_count(tape, &n);
  if (!tape->writing && n > tape->values.n - tape->at) tape->damaged = true;
  if (tape->damaged) return;
  char *letters = tape->writing || n == 0 ? NULL : arena_array(keep, char, n);
  for (uint32_t i = 0; i + 1 < n; i++) {
    uint32_t letter = tape->writing ? (unsigned char)(*text)[i] : 0;
    tape_enum(tape, &letter, UCHAR_MAX + 1);
    if (letters) letters[i] = (char)letter;
  }
  if (!tape->writing) *text = letters;
}

static void tape_field(KeptTape *tape, Arena *keep, SimSummary *s, const SummaryField *field) {
  void *at = summary_at(s, field);
  switch (field->kind) {
  case SUMMARY_TEXT: tape_text(tape, keep, at); break;
  case SUMMARY_REMARK: tape_remark(tape, at); break;
  case SUMMARY_FLAG: tape_flags(tape, at, 1); break;
  case SUMMARY_NUMBER:
  case SUMMARY_MAYBE: tape_double(tape, at); break;
  case SUMMARY_WHOLE: tape_whole(tape, at); break;
  case SUMMARY_COUNT:
  case SUMMARY_COORDINATE: tape_count(tape, at); break;
  case SUMMARY_WORST: tape_worst(tape, at); break;
  case SUMMARY_STOP: {
    uint32_t stopped = (uint32_t) * (Stopped *)at;
    tape_enum(tape, &stopped, STOPPED_BLOW_UP + 1);
    *(Stopped *)at = (Stopped)stopped;
    break;
  }
  default: break;
  }
}

static void tape_summary(KeptTape *tape, Arena *keep, SimSummary *s) {
  for (int i = 0; i < SUMMARY_FIELDS; i++) tape_field(tape, keep, s, &summary_fields[i]);
}

static void tape_extremes(KeptTape *tape, Run *run) {
  Extremes *e = run->summary->extremes;
  for (uint32_t i = 0; e && i < run->rows.columns; i++) {
    tape_double(tape, &e[i].least);
    tape_double(tape, &e[i].t_least);
    tape_double(tape, &e[i].most);
    tape_double(tape, &e[i].t_most);
  }
}

static void tape_gauges(KeptTape *tape, Gauges *g) {
  for (uint32_t i = 0; i < g->n; i++) tape_doubles(tape, (double *)&g->at[i], GAUGE_DOUBLES);
  tape_doubles(tape, g->size, (int)g->guards);
  tape_doubles(tape, g->sign, (int)g->guards);
}

static void tape_position(KeptTape *tape, SinkPosition *position) {
  tape_double(tape, &position->rows);
  tape_double(tape, &position->stretches);
}

// Assigned values, what waits, and the sides of the model's events.
static void tape_actions(KeptTape *tape, Run *run) {
  Machine *m = &run->machine;
  for (uint32_t i = 0; i < m->plan->input_count; i++) {
    if (!m->plan->inputs[i].is_assigned) continue;
    double value = m->in[m->set->equations->layout.u + i];
    tape_double(tape, &value);
    machine_assign_input(m, i, value);
  }
  for (uint32_t i = 0; i < run->moments.samplers.count; i++) {
    SampleLine *a = &run->moments.samplers.at[i];
    tape_double(tape, &a->k);
    tape_count(tape, &a->first);
    tape_count(tape, &a->count);
    if (a->first >= a->room || a->count > a->room) tape->damaged = true;
    tape_doubles(tape, a->due, (int)a->room);
    tape_doubles(tape, a->waiting, (int)(a->room * a->line->count));
    if (tape->damaged) a->first = a->count = 0;
  }
  samplers_find_next(&run->moments.samplers);
  tape_doubles(tape, run->own.side, run->own.count);
  tape_doubles(tape, run->own.last, run->own.count);
  tape_doubles(tape, run->own.slack, run->own.count);
  tape_int(tape, &run->own.sooner);
  tape_double(tape, &run->own.last_of_all);
  tape_double(tape, &run->own.interval);
  tape_double(tape, &run->own.longest);
  tape_flags(tape, &run->event.is_still, 1);
}

static void tape_run(KeptTape *tape, Run *run, SinkPosition *position) {
  Machine *m = &run->machine;
  tape_position(tape, position);
  tape_double(tape, &run->t);
  tape_doubles(tape, run->q, run->n);
  tape_doubles(tape, run->qd, run->acting - run->n);
  tape_doubles(tape, run->w, POWER_KINDS);
  tape_doubles(tape, run->work.largest, run->acting);
  tape_doubles(tape, run->switching.side, run->switching.count);
  tape_doubles(tape, run->switching.reach, run->switching.count);
  tape_doubles(tape, run->switching.slack, run->switching.count);
  tape_flags(tape, run->sliding.holds, run->sliding.count);
  tape_doubles(tape, run->sliding.overloaded_since, run->sliding.count);
  tape_doubles(tape, run->sliding.grip, run->sliding.count);
  tape_doubles(tape, run->sliding.reach, run->sliding.count);
  tape_doubles(tape, m->pieces, (int)m->set->equations->table_count);
  tape_doubles(tape, m->scale, m->rows + m->contacts);
  tape_flags(tape, m->closed, m->contacts);
  tape_slips(tape, m->slips, run->friction.slips);
  tape_actions(tape, run);
  tape_whole(tape, &run->rows.next);
  tape_whole(tape, &run->progress.tries_seen);
  tape_double(tape, &run->progress.t_seen);
  tape_int(tape, &run->progress.slow);
  tape_int(tape, &run->progress.switched);
  tape_int(tape, &run->progress.impacts);
  tape_int(tape, &run->progress.fast_blocks);
  tape_double(tape, &run->progress.impacts_since);
  for (int i = 0; i < COUNT_KINDS; i++) tape_whole(tape, &run->progress.counted[i]);
  tape_monitor(tape, &run->monitor);
  tape_contacts(tape, &run->contacts);
  tape_touches(tape, run);
  tape_summary(tape, &run->cx->keep, run->summary);
  tape_flags(tape, &run->rows.jumped, 1);
  tape_double(tape, &run->rows.spare_parts);
  tape_extremes(tape, run);
  tape_gauges(tape, &run->gauges);
  tape_events(tape, run);
}

Status run_keep(Run *run) {
  SinkPosition position = {0};
  Status status = run->sink->keep ? run->sink->keep(run->sink->user, &position) : QDOT_OK;
  if (status != QDOT_OK) return status;
  Arena *scratch = &run->cx->scratch;
  Mark mark = arena_mark(scratch);
  KeptTape tape = {.arena = scratch, .writing = true};
  tape_run(&tape, run, &position);
  status = checkpoint_write(scratch, run->o->checkpoint, run_key(run->machine.plan->key, run->o),
                            tape.values.at, tape.values.n);
  arena_release(scratch, mark);
  if (status != QDOT_OK)
    return diag_error_plain(run->cx, status, "cannot keep the state in '%s'", run->o->checkpoint);
  return QDOT_OK;
}

static Status damaged(Context *cx, const SimOptions *o) {
  return diag_error_plain(cx, QDOT_BAD_FILE, "the checkpoint '%s' is damaged", o->checkpoint);
}

// The values of a kept state, or the reason why there are none.
static Status read_kept(Context *cx, uint32_t plan_key, const SimOptions *o, KeptTape *tape) {
  size_t count = 0;
  Status status =
      checkpoint_read(tape->arena, o->checkpoint, run_key(plan_key, o), &tape->values.at, &count);
  tape->values.n = (uint32_t)count;
  if (status == QDOT_IO)
    return diag_error_plain(cx, status, "there is no checkpoint '%s' to resume from",
                            o->checkpoint);
  if (status != QDOT_OK || count == 0)
    return diag_error_plain(cx, QDOT_BAD_FILE,
                            "the checkpoint '%s' is damaged, or of another model or other options",
                            o->checkpoint);
  return QDOT_OK;
}

Status run_kept_position(Context *cx, uint32_t plan_key, const SimOptions *options,
                         SinkPosition *position) {
  Mark mark = arena_mark(&cx->scratch);
  KeptTape tape = {.arena = &cx->scratch};
  Status status = read_kept(cx, plan_key, options, &tape);
  tape_position(&tape, position);
  arena_release(&cx->scratch, mark);
  bool is_sane = position->rows >= 0 && position->rows <= 0x1p53 && position->stretches >= 0 &&
                 position->stretches <= 0x1p53;
  if (status == QDOT_OK && !is_sane) return damaged(cx, options);
  return status;
}

// 0 also where there are no rows at all.
static bool is_row(const Worst *worst, int rows) {
  return worst->row >= 0 && (worst->row < rows || worst->row == 0);
}

static bool are_pieces(const Machine *m) {
  for (uint32_t i = 0; i < m->set->equations->table_count; i++) {
    const TableData *table = m->set->equations->tables[i].table;
    double piece = m->pieces[i];
    bool inside = table->period > 0 ? fabs(piece) < 0x1p50 : piece >= 0 && piece <= table->n;
    if (!inside || piece != floor(piece)) return false;
  }
  return true;
}

static bool is_event(const Run *run, const SimEvent *e) {
  if (e->kind >= SIM_EVENT_KINDS) return false;
  if (sim_event_is_of_model(e->kind)) return e->number < (uint32_t)run->own.count;
  if (sim_event_is_of_contact(e->kind)) return e->number < (uint32_t)run->machine.contacts;
  int rubs = run->machine.slip_count + run->machine.presses;
  int others = e->kind == SIM_JUMP ? run->machine.rows : rubs;
  return e->number < (uint32_t)(run->n + others);
}

// Whatever serves as an index later must be one.
static bool is_sound(const Run *run) {
  const SimSummary *s = run->summary;
  const Monitor *m = &run->monitor;
  int rows = run->machine.rows + run->machine.contacts;
  for (uint32_t i = 0; i < s->events.n; i++)
    if (!is_event(run, &s->events.at[i])) return false;
  return are_pieces(&run->machine) && run->t >= 0 && run->t <= run->o->t_end &&
         run_row_time(run, run->rows.next - 1) <= run->o->t_end * (1 + 1e-12) &&
         s->moved_coordinate < (uint32_t)run->n && s->moved_velocity < (uint32_t)run->n &&
         is_row(&m->position, rows) && is_row(&m->velocity, rows) && is_row(&m->acceleration, rows);
}

Status run_take_up(Run *run) {
  Mark mark = arena_mark(&run->cx->scratch);
  KeptTape tape = {.arena = &run->cx->scratch};
  SinkPosition position = {0}; // of the files, which have found it for themselves
  Status status = read_kept(run->cx, run->machine.plan->key, run->o, &tape);
  run->monitor.machine = &run->machine;
  if (status == QDOT_OK) tape_run(&tape, run, &position);
  arena_release(&run->cx->scratch, mark);
  if (status == QDOT_OK && (tape.damaged || tape.at != tape.values.n || !is_sound(run)))
    return damaged(run->cx, run->o);
  return status;
}

void sim_forget(const SimOptions *options) {
  if (options->checkpoint) remove(options->checkpoint);
}
