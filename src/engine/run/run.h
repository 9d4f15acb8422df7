// A run under way; what the files of the loop share.
// Sources: run.c, run_break.c, run_events.c, run_gauges.c, run_jumps.c, run_keep.c, run_nodes.c,
// run_occasions.c, run_progress.c, run_rest.c, run_rows.c, run_slides.c, run_stretch.c,
// run_summary.c, run_switches.c, run_touches.c
#ifndef QDOT_ENGINE_RUN_RUN_H
#define QDOT_ENGINE_RUN_RUN_H

#include <stdint.h>

#include "engine/contact/contact.h"
#include "engine/event/forcing.h"
#include "engine/event/knots.h"
#include "engine/event/stick.h"
#include "engine/machine.h"
#include "engine/run/gauges.h"
#include "engine/run/monitor.h"
#include "engine/run/sampling.h"
#include "engine/run_options.h"
#include "solve/event.h"

enum { COUNT_STEPS, COUNT_REJECTED, COUNT_EVALUATIONS, COUNT_KINDS };

// ---- The records of a run

typedef struct RunMemory {
  Arena *found;  // of the lists of the summary
  Arena *room;   // of the arrays of the run
  Arena stepper; // emptied when the set of closed contacts changes
  Handle arena_handle, stepper_handle;
} RunMemory;

// Moments that are known before a step reaches them, and functions of time that it must not miss.
typedef struct RunMoments {
  Forcing forcing;
  Knots knots;
  SampleLines samplers;
} RunMoments;

// What is solved for beside the equations.
typedef struct RunFriction {
  Sticking sticking;
  PressImpulses stepped; // joints that rub, where the method steps over them
  int slips;             // of contacts, where any has friction that events treat; else 0
  bool told_impulse;     // the warning that joints give no impulse where drives jump
} RunFriction;

// Switches of the equations, `count` of each list.
typedef struct RunSwitching {
  int count;
  double *side;     // of its guard, -1 or 1; 0: it sticks
  double *reach;    // the largest absolute value of the guard so far
  double *slack;    // added to the guard of one that has just let go, until it has left zero
  bool *may_stick;  // its guard is at zero at the present event
  bool *is_stepped; // it is decided within the method's steps, by joints that rub
  uint32_t *mover;  // [switches, then slides] the first coordinate that moves it
  bool *was_stuck;  // [switches, then slides] at rest just before the present event
} RunSwitching;

// Slides: directions v/norm(v) of dry friction in a plane, `count` of each list.
typedef struct RunSliding {
  int count;
  bool *holds;              // it rests
  double *overloaded_since; // s; of one that rests: its load is more than it holds. INFINITY: not
  bool *starts;             // it has just been let go,
  double *start_change;     // [slides x n] and moves by this change of velocities
  double *start_speed;      // times this; 0: by next to nothing
  double *start_since;      // s; the time from which it creeps
  double *lock;             // [slides x MOST_COMPONENTS] direction of one that slides
  double *grip;             // the change of du/dt by friction, when last known
  double *speed;            // |u| when the direction was last locked
  double *reach;            // the largest |u| so far
} RunSliding;

// Events of the model's own, `count` of each list.
typedef struct RunOwnEvents {
  int count;
  double *side;  // of zero on which its function is; 0: not known yet
  double *last;  // s; when the function was last at zero
  double *slack; // how far the function of one that rests at zero must leave it to change sides
  // events that came ever sooner after each other: how many; in s: the last, the time between the
  // last two, and the longest such time
  int sooner;
  double last_of_all, interval, longest;
} RunOwnEvents;

// A contact that the method steps over: what the events so far say of it.
typedef struct KnownContact {
  bool is_closed;
  double slides; // -1, 0, 1: to which side
  // what the last step saw for the first time, and when it ended: apart without pressing, or
  // sliding to another side
  bool parts, turns;
  double side, t;
} KnownContact;

typedef struct RunTouches {
  KnownContact *known; // of contacts, then of joints that rub
  int count;           // 0: nobody wants to know
  bool has_begun;      // their states at the start are known
} RunTouches;

// Rows, and the motion between them.
typedef struct RunRows {
  uint32_t columns;
  int64_t next;       // number of the next regular row
  double *row;        // [columns] the last one; between rows also room for rates of states
  double *held;       // [columns] of the state before an event that may come to nothing
  bool leaves_last;   // the row at the end of the step waits for the samples there
  bool owes_event;    // a row of the state behind an event, once its piece has begun
  double *cells;      // [STRETCH_MOST_NODES x columns] the rows of a stretch
  double *sizes;      // [columns] what errors of a stretch are measured by
  double spare_parts; // how many more parts steps may be cut into
  bool jumped;        // an event lies behind the last stretch
} RunRows;

// Does the run get on?
typedef struct RunProgress {
  int64_t counted[COUNT_KINDS]; // of steppers already closed
  int64_t tries_seen;           // steps and rejections when progress was last measured,
  double t_seen;                // and the time in s to which the run had come
  int slow;              // measurements in a row that were small where velocities divide by rest
  int creeping;          // measurements in a row that were small beside earlier ones
  int switched;          // events of switches since the last row,
  double switched_since; // from this time on, s
  double last_event;     // s
  int events_at_once;    // events before it at the same time
  int impacts;           // in the present block of impacts, see check_progress
  double impacts_since;  // s; when that block began
  int fast_blocks;       // blocks in a row at a rate at which the end is never reached
  double since;          // wall time from which the integration has gone on; see run_pause
} RunProgress;

typedef struct RunKeeping {
  bool has_kept;      // a state is on disk,
  double t;           // that of this time, in s,
  double at, seconds; // since this wall time, and writing it took so long
} RunKeeping;

// The event at hand.
typedef struct RunEvent {
  bool is_found;      // run->t is that of an event within the last step
  bool is_struck;     // it has changed velocities by an impact
  bool rests_anew;    // something has begun to stick at it
  bool is_still;      // the whole mechanism stands still from it on, until the next event
  bool owes_settling; // contacts have changed: some may have to pull in the new set
  double *qd_before;  // velocities and states before a blow
  double *greatest;   // [functions of events] largest absolute value since the last checkpoint
} RunEvent;

typedef struct RunEnd {
  bool has_stopped;           // an event of the model has ended the run
  const char *why, *why_note; // why it breaks down, where it is known better than by a status
  uint32_t errors_before;     // errors of the context when the run began
} RunEnd;

// Room that many share, and what is set aside for a moment.
typedef struct RunWork {
  double *zero_velocity; // [q' and states] zeros
  double *y;             // a state with works
  double *qdd, *lambda;  // of the last evaluation
  double *largest;       // [acting] of the states so far, see stepper_measure
  // while the run looks aside: sizes of the solver's rows, evaluations, and Machine.jammed
  double *row_scale;
  int64_t evaluations_kept;
  int jammed_kept;
} RunWork;

typedef struct Run {
  Context *cx;
  const SimOptions *o;
  RowSink *sink;
  SimSummary *summary;
  RunMemory memory;
  Machine machine;
  Contacts contacts;
  Monitor monitor;
  Stepper *stepper;
  Events events;
  RunMoments moments;
  RunFriction friction;
  Gauges gauges;            // what the measures have seen
  struct RunSlopes *slopes; // along directions, see slopes.h; NULL where nobody asks
  int n, acting;            // coordinates; q, q' and the states
  double t, *q, *qd, *w;    // where a piece between events begins; states stand behind qd
  RunSwitching switching;
  RunSliding sliding;
  RunOwnEvents own;
  RunTouches touches;
  RunRows rows;
  RunProgress progress;
  RunKeeping keeping;
  RunEvent event;
  RunEnd end;
  RunWork work;
} Run;

// ---- The loop (run.c)

// Arrays, initial state, contacts that touch, and a stepper; the machine is open, with all contacts
// open.
Status run_begin(Run *run);
// A stepper for the present set of contacts, in place of the one before.
Status run_begin_stepper(Run *run);
// Lets go of contacts that would have to pull in the present set (run_events.c).
Status run_settle_forces(Run *run);
void run_end_stepper(Run *run);
// What run_end_stepper leaves for the next run, where there are many.
void run_close_arena(Run *run);
// From the state where it begins to the end, with all that the summary says; failures that keep
// what there is are QDOT_OK.
Status run_completely(Run *run);
// Takes over a state of the stepper, or one found inside its last step.
void run_take_state(Run *run, double t, const double *y);
// What qd was before a blow.
void run_note_velocities(Run *run);
// How far the next step may go, see also forcing.h and knots.h.
double run_step_limit(Run *run, double limit);
// Starts the stepper at the run's state, with slides aimed and events armed; then one step, at most
// to the limit, and the first event in it.
Status run_start_piece(Run *run);
Status run_make_step(Run *run, double limit, bool *found, double *t_event);
// Does nothing but run_watch_step and the energies follow a step that does not reach its limit?
bool run_is_free(const Run *run);
// Such a step is to be looked at all the same: a stop is asked for, or progress to be measured.
bool run_must_look_up(const Run *run);
// Is the stepper where something is sampled?
bool run_samples_now(const Run *run);
// Samples and sides of events, from a state at t on.
Status run_begin_actions(Run *run, double t);
// A step may have come to a knot of a table of time, or to a sample: the stepper continues after
// it; *restarts: an event has changed the run's state, from which a new piece begins.
Status run_pass_moments(Run *run, bool *restarts);
// The time of the integration alone stands still between these two.
void run_pause(Run *run);
void run_go_on(Run *run);

// Does a contact overlap that was not felt? Then the run cannot continue, and run->end.why says
// why.
Status run_check_overlap(Run *run);

// Do contacts open and close within the method's steps, not at events?
bool run_steps_contacts(const Run *run);
// Why the method goes as it does, if it says so.
void run_note_reason(Run *run);

// ---- Rows (run_rows.c)

double run_row_time(const Run *run, int64_t k);
bool run_writes_row(const Run *run, int64_t k);
// Rows and events lie on the constraints, as the steps do.
bool run_keeps_constraints(const Run *run);
// All rows up to `until`, which is inside the stepper's last step or its end.
Status run_write_rows(Run *run, double until);
// A row beside the regular ones, at the beginning of a piece.
Status run_write_event_row(Run *run, double t, const double *q, const double *qd);
// The row of the state before an event, which is given only if something happens there.
Status run_hold_event_row(Run *run, double t);
Status run_give_held_row(Run *run);
// The one of the state behind an event, at the beginning of its piece; the run goes the same way.
Status run_write_row_behind(Run *run);
// Accelerations, multipliers and friction at a state on the constraints: inputs of the machine, for
// programs that read them, until the run goes on, when run_forget_forces must have been called.
Status run_find_forces(Run *run, double t, const double *y);
void run_forget_forces(Run *run);
// All columns at a state of the present piece, which is put onto the constraints first.
Status run_fill_row(Run *run, double t, double *y, double *row);

// ---- The motion between them (run_stretch.c)

enum { MOST_SPARE_PARTS = 1024 };

// The motion of the stepper's last step up to `until`, for those who want all of it.
Status run_write_stretch(Run *run, double until);

// Looking at the motion within the last step changes nothing of how it continues: between these two
// time stands still, and nothing is learned.
void run_look_aside(Run *run);
void run_look_back(Run *run);
// A state between the steps that cannot be evaluated, as next to a dead position, does not end a
// run whose steps are good.
bool run_is_numeric(Status status);

// ---- Several moments at once (run_nodes.c)

// Puts the states at up to MACHINE_NODES moments of the last step into the rows of the machine's
// nodes (nodes.h), on the constraints, with accelerations and multipliers where these are asked
// for. False where that is not so easy, as near a dead position: each has to be looked at alone.
bool run_place_nodes(Run *run, const double *times, uint32_t count, bool with_forces);

// ---- Measures (run_gauges.c)

void run_open_gauges(Run *run);
// What the stepper's last step up to `until` adds to the measures.
Status run_watch_step(Run *run, double until);
// The last moment of a run, behind the samples and events at it.
Status run_watch_end(Run *run);
// Do measures look at forces, in what is closed and sticks by now?
bool run_needs_forces(const Run *run);
// Their values, into the summary.
void run_finish_gauges(Run *run);

// ---- Slopes along directions (slopes.c)

// Takes part in a run whose machine has directions; from the run's room. Fails with a diagnostic
// where slopes cannot be computed.
Status slopes_open(Run *run);
// The slopes of the initial state.
Status slopes_start(Run *run);
// Contacts that touch at the start have struck and closed.
Status slopes_touch(Run *run);
// A piece of the motion begins: after an event, S jumps.
Status slopes_begin_piece(Run *run);
// The motion has come to `until`, at an event or not; measures have looked at it.
Status slopes_follow(Run *run, double until, bool is_event);
// The derivatives of the motion have jumped where it is, at samples what is held, but not the
// motion.
Status slopes_go_on(Run *run);
// An event of the model's own is about to assign, at the run's state.
Status slopes_reset(Run *run, const PlanOccasion *occasion);
// Slopes of the measures, into the summary.
void slopes_finish(Run *run);
// From here on nothing has slopes: why.
void slopes_lose(struct RunSlopes *slopes, double t, const char *why);
// Of reduction i of a whole run, by direction.
void slopes_of_reduction(const struct RunSlopes *slopes, uint32_t i, double *out);

// Measures begin to look at a step; they have found a smooth part of it; it ends where a guard
// crosses zero.
void slopes_begin_looking(Run *run);
void slopes_note_piece(Run *run, double a, double b);
void slopes_note_crossing(Run *run, uint32_t guard);

// ---- The model's own events (run_occasions.c)

// How many functions are watched: contacts, switches, slides, friction, then these.
int run_function_count(const Run *run);
// What must be known of them before a run; a message where they ask for what cannot be done.
Status run_open_occasions(Run *run);
// The sides of all of them at the run's state, which has just begun or jumped.
Status run_side_occasions(Run *run);
void run_arm_occasions(Run *run);
// Their functions, moved by what they may move at rest.
void run_watch_zeros(const Run *run, double *g);
// After a step: those that were at zero may have left it.
void run_watch_occasions(Run *run);
// Those that are zero now because something has come to rest are hit, too; true where any is.
bool run_hit_zeros(Run *run, double t);
// Those whose functions have crossed zero; *changed: the state is another one.
Status run_treat_occasions(Run *run, double t, bool *changed);
// A sample may have made conditions true.
Status run_recheck_occasions(Run *run, double t, bool *changed);
// One more at t: have they begun to come without end?
bool run_piles_up(Run *run, double t);
// What an event makes of the run's state, with the values before it; inputs stay as they are.
Status run_reset_state(Run *run, const PlanOccasion *occasion);
// The run's state is the last one.
Status run_stop_here(Run *run);

// ---- Events (run_events.c)

// Gaps or forces of the contacts, then guards of the switches.
Status run_event_functions(void *run, double t, const double *q, const double *qd, double *g);
// From which side every function is watched.
void run_arm_events(Run *run);
// The energies of what contacts have just done, from run->event.qd_before on.
void run_count_impact(Run *run, double t);
// What was found happens: impacts, contacts, switches. *new_set: other contacts are closed.
Status run_treat_event(Run *run, double t, bool *new_set);

// ---- Switches (run_switches.c)

// The side of every switch at a state; where a guard is zero, the side it moves to.
Status run_choose_sides(Run *run, double t, const double *q, double *qd);
// Does any switch stick?
bool run_sticks(const Run *run);
// Is anything solved for beside the equations: what sticks, or the friction of contacts?
bool run_mixes(const Run *run);
// What is hit goes over to its other side, or sticks.
Status run_treat_switches(Run *run, double t, bool *new_set);
// Switches that stick let go: those that are hit, and those that a blow has moved.
void run_let_go(Run *run, const bool *hit, const double *guard, bool is_struck);
// A blow may move what is looked up beyond several knots at once.
void run_follow_blow(Run *run, double t);
// The run ends because a switch comes back to where it has left.
Status run_chattering(Run *run);
// What sticks by now; whether more does; and, as events, what has begun or ceased to do so since.
void run_note_stuck(Run *run);
bool run_sticks_anew(const Run *run);
void run_tell_stuck(Run *run, double t);

// ---- Jumps (run_jumps.c)

// run_treat_switches, and what jumps with them: speeds of drives, surfaces of closed contacts.
Status run_switch_and_jump(Run *run, double t, bool *new_set);
// The run's state before samples or events assign inputs, in the scratch arena; NULL where these
// give no speed. Then the state behind it: *changed where velocities have jumped.
typedef struct InputJump InputJump;
InputJump *run_before_inputs(Run *run, double t);
Status run_after_inputs(Run *run, double t, const InputJump *jump, bool *changed);

// ---- Events of contacts that the method steps over (run_touches.c)

void run_open_touches(Run *run);
// The stepper has started; only the first time counts.
void run_begin_touches(Run *run);
// What the last step did.
void run_tell_touches(Run *run);

// ---- Slides (run_slides.c)

// Before a step: locks those that slide by their direction.
void run_aim_slides(Run *run, double t, const double *q, const double *qd);
// How far a step may go that is not implicit: the direction of what is slow is stiff.
double run_slide_limit(const Run *run, double limit);
// Speeds along these directions; of those that rest, what is left until they hold no more.
void run_watch_slides(Run *run, double t, const double *q, const double *qd, double *g);
// Which rest at a state: candidates for holding. False: none.
bool run_find_rest(Run *run, double t, const double *q, const double *qd);
// The same at an event. What has just more load than it holds creeps at first, as the square of
// time: it starts when that is a speed that a method can start with.
bool run_stop_slides(Run *run, double t, const bool *hit);
// What has been settled: who holds, and who starts in which direction.
void run_start_slides(Run *run, const Sticking *sticking);
// For methods under which nothing can rest.
Status run_refuse_rest(Run *run);
// Gives those that start the speed that they have by now, or next to none but a direction.
void run_push_slides(Run *run);

// ---- Coming to rest (run_rest.c)

// Behind an event something sticks: all that sticks, touches or is constrained has no speed from
// here on, not what the error of the event's time leaves; run->event.is_still where nothing can
// move.
void run_come_to_rest(Run *run, double t);

// ---- Getting on (run_progress.c)

// At this rate the end is never reached; run->end.why says why where it is known.
bool run_makes_no_progress(Run *run);
// After one more step, will that be looked at?
bool run_asks_for_progress(const Run *run);

// ---- What it says of itself (run_summary.c)

// Behind a step: did it pass next to a dead position, did a table of data end?
void run_note_dead(Run *run);
void run_note_data_left(Run *run);
// Settings, counts, measures and errors, once it is over.
void run_finish(Run *run);

// ---- Early ends (run_break.c)

// How far the run has come; an event that breaks it down lies within the last step.
double run_time(const Run *run);
// A sentence where a motion that constraints leave free has next to no mass, else NULL.
const char *run_massless_motion(Run *run);
// A run that breaks down keeps what it has; the cause becomes a warning.
Status run_broken_off(Run *run, Status status);

// ---- Checkpoints (run_keep.c)

// The first time after t at which the state is kept; INFINITY without checkpoints.
double run_next_checkpoint(const Run *run, double t);
// Keeps the state of a run that has just reached a checkpoint.
Status run_keep(Run *run);
// How far the sink had come at the checkpoint of a plan with this key; fails with a diagnostic.
Status run_kept_position(Context *cx, uint32_t plan_key, const SimOptions *options,
                         SinkPosition *position);
// Takes over a kept state. QDOT_IO when there is none.
Status run_take_up(Run *run);

#endif
