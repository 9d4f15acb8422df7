// Slopes of a run along directions of parameters: forward sensitivities.
//
// S = dx/dp of the state x obeys S' = A S + B along the motion. It is integrated beside the run, by
// a stepper of its own whose steps end where those of the motion do, so that the motion is the same
// to the last bit whether anybody asks for slopes or not. At events S jumps (slope_jumps.c), and
// what the measures do with the motion is differentiated with it (slope_marks.c).
// Sources: slope_actions.c, slope_blows.c, slope_jumps.c, slope_marks.c, slope_moves.c,
// slope_results.c, slope_signals.c, slope_starts.c, slopes.c
#ifndef QDOT_ENGINE_SLOPES_SLOPES_H
#define QDOT_ENGINE_SLOPES_SLOPES_H

#include <stdint.h>

#include "engine/run/run.h"

// How the moment of a cut depends on the directions.
typedef enum Mover { MOVES_NOT, MOVES_BY_GUARD, MOVES_BY_EVENT, MOVES_BY_FROM, MOVES_BY_END } Mover;

typedef struct Cut {
  double t;
  Mover mover;
  uint32_t number; // of the guard
} Cut;

// A part of a step on which all that measures look at is smooth.
typedef struct SmoothPiece {
  Cut begin, end;
  uint32_t signs; // place of the signs of its guards
} SmoothPiece;

typedef enum MarkKind {
  MARK_EXTREME,
  MARK_SUM,      // weight times the slope of the integrand is a part of an integral
  MARK_BOUNDARY, // weight, -1 or 1, times the integrand at an end that moves
  MARK_MET,
  MARK_LEFT,
  MARK_FIRST,
  MARK_LOOK // at the times of SlopeLook
} MarkKind;

// A moment at which slopes of what measures look at are wanted.
typedef struct SlopeMark {
  double t, weight, value;
  MarkKind kind;
  uint32_t reduction; // of a look: its number
  uint32_t piece;     // NO_PIECE where measures do not look
  Cut cut;            // where it is one
  bool is_late;       // waits until it is known how the event moves
  bool is_inner;      // of an extreme: between the ends of its piece
} SlopeMark;

enum { NO_PIECE = UINT32_MAX };

// Slopes of one reduction, by direction; see Gauge.
typedef struct GaugeSlopes {
  double *extreme, *sum, *first, *met, *left;
  double best, best_at;  // the extreme that `extreme` belongs to
  bool is_passing;       // a value on its way, where one step ended
  const char *undefined; // why it has no slopes; NULL: it has
  double undefined_at;
} GaugeSlopes;

// An event, from when it is found until what it does to S is known.
typedef struct SlopeEvent {
  bool is_open;                    // it is not over
  bool is_known;                   // there has been one: t is that of the last
  bool is_struck;                  // the impulses of its contacts are done
  double t;                        // s
  double *shift;                   // [directions] how t moves
  double *S;                       // before it, then behind it
  double *x_before, *rates_before; // state and its derivative before the event
  double *x_after, *rates_after;   // and behind it
} SlopeEvent;

// What is assigned, by samples and by events of the model.
typedef struct SlopeActions {
  bool has_held;     // inputs are assigned
  bool samples_move; // directions move the times of samples
  SampleWatch watch;
} SlopeActions;

// The pieces of the last step, and the moments in them at which slopes are wanted.
typedef struct SlopeMarks {
  VEC(SmoothPiece) pieces;
  VEC(double) signs; // of guards, piece after piece
  VEC(SlopeMark) list;
  uint32_t next;      // of the list, that has not been taken
  uint32_t next_look; // of SlopeLook.times
  Cut last_cut;       // where the next piece begins
} SlopeMarks;

// Slopes of what measures have seen so far.
typedef struct SlopeSums {
  GaugeSlopes *gauges; // by reduction
  Gauge *before;       // the gauges before the last step
  double *row;         // [directions] room: slopes of a moment
  double *moved;       // [directions] how the moment of a mark moves
  double *reductions;  // [reductions x directions] at the end of the run
} SlopeSums;

// Values and slopes at one moment: [reductions] and [guards], slopes by direction.
typedef struct SlopeValues {
  double *values, *value_slopes, *value_rates;
  double *guard_slopes, *guard_rates;
} SlopeValues;

typedef struct RunSlopes {
  Run *run;
  Machine *machine;
  uint32_t count, state; // directions; q, q' and the states
  double *unit;          // [directions] a change of the parameter is measured by this
  double *along;         // [directions x values] changes of parameters and inputs, as they are now
  double *S;             // [directions x state] where the run is
  double *balance;       // [state] what forces that hold each other would move it within a row
  double *reach;         // [state] how far it goes within a row
  double *widest;        // [contacts] the gap, since it last touched
  Problem problem;       // of S
  Stepper *stepper;
  bool must_start, has_begun; // the stepper, at a new piece; at all
  int64_t tries;              // steps and rejections of the stepper
  double *x;                  // a state of the motion
  double *in_kept;            // [values] parameters and inputs that are set aside
  double *room;               // three states
  const char *undefined;      // why nothing has slopes from the next time on; NULL: all have
  double undefined_at;        // s
  SlopeEvent event;
  SlopeActions actions;
  SlopeMarks marks;
  SlopeSums sums;
  SlopeValues look;
} RunSlopes;

// ---- Pieces (slope_marks.c)

void slopes_make_marks(RunSlopes *slopes, double until, bool is_event);
// All marks up to a time that the stepper of S has come to; then those that have waited.
Status slopes_take_marks(RunSlopes *slopes, double until);
Status slopes_take_late_marks(RunSlopes *slopes);
// What measures have found behind the samples and events at the end, at which value_slopes are.
void slopes_take_last(RunSlopes *slopes, double t);
void slopes_open_gauges(RunSlopes *slopes, Arena *arena);
void slopes_finish_gauges(RunSlopes *slopes);

// Why a reduction has no slopes.
void slopes_lose_reduction(RunSlopes *slopes, uint32_t i, double t, const char *why);

// Peaks that differ by less than this part of the values are equal.
#define SLOPES_EQUAL_PEAKS 1e-6
// There is no slope where so small a part of a parameter would make an event vanish, or another
// case of it.
#define SLOPES_LEAST_CHANGE 1e-6

// ---- Cuts that move (slope_moves.c)

// How the end of the run, and the beginning of reduction i, move along direction j.
double slopes_end_slope(const RunSlopes *slopes, uint32_t j);
double slopes_from_slope(const RunSlopes *slopes, uint32_t i, uint32_t j);
// Where an event falls on the moment from which a measure counts, they must stay together.
bool slopes_part_from_event(RunSlopes *slopes, const SlopeMark *mark);
// How the cut of a mark, which was looked at with S, moves along the directions: into s->moved.
// Not known where a guard only just crosses and what is measured is not the same to either side.
Status slopes_find_moves(RunSlopes *slopes, const SlopeMark *mark, const double *S, bool *is_known);

// ---- Moments (slope_signals.c)

// Slopes and, if wanted, time derivatives of all values and guards at t, with the signs of a piece:
// into value_slopes, value_rates, guard_slopes and guard_rates.
Status slopes_look(RunSlopes *slopes, double t, const SmoothPiece *piece, const double *S,
                   bool with_rates);
// The same without rates where the motion begins anew, at a moment that moves with the end of the
// run.
Status slopes_look_moved(RunSlopes *slopes, double t, const SmoothPiece *piece);
// Values and guards there, with the signs that were looked with; guards may be NULL.
Status slopes_signals(RunSlopes *slopes, double t, double *values, double *guards);

// ---- Events (slope_jumps.c)

// How the event that was found moves along the directions; then what happens to S at it.
Status slopes_meet_event(RunSlopes *slopes, double t);
Status slopes_jump(RunSlopes *slopes);
// The blows of the event, before the model's own assignments see what they leave.
Status slopes_settle_blow(RunSlopes *slopes);
// What impacts and jumps of drives make of s->jumped (slope_blows.c), from x_before to x_after.
Status slopes_strike(RunSlopes *slopes);
// Contacts that are only just missed between a and b, in the last step of S.
Status slopes_watch_misses(RunSlopes *slopes, double a, double b);

// ---- Starts on contacts (slope_starts.c)

// Pushes of what rests at the start of the run come to rest at once.
Status slopes_rest(RunSlopes *slopes);

// ---- Samples and resets (slope_actions.c)

// Follows what is assigned; in a room of the run.
void slopes_open_actions(RunSlopes *slopes, Arena *room);
// The run has come to samples; how their moment moves.
Status slopes_meet_samples(RunSlopes *slopes);
// Values that have been assigned are those that the others are shifted from.
void slopes_keep_held(RunSlopes *slopes);

// ---- What the files share

// The state at t within the last step; S there.
Status slopes_state_at(RunSlopes *slopes, double t, double *x);
Status slopes_at(RunSlopes *slopes, double t, double *S);
// Puts S into the input array of the programs.
void slopes_put(RunSlopes *slopes, const double *S);
// Parameters moved along a direction, and back.
void slopes_shift_values(RunSlopes *slopes, uint32_t j, double step);
void slopes_restore_values(RunSlopes *slopes);
// How large value i of the state is in this run: what is next to zero so far is rounding beside it.
double slopes_size(const RunSlopes *slopes, uint32_t i);
// How far a direction may be gone so that neither parameter nor state changes by more than a
// thousandth.
double slopes_step(const RunSlopes *slopes, uint32_t j, const double *x, const double *S);
// Are forces solved for beside the equations, as those of friction are? Then slopes of the motion
// are differences along S.
bool slopes_take_differences(const RunSlopes *slopes);
// Can the elimination of a program be relied on, by its loss and the slack of its rows?
bool slopes_are_trusted(const RunSlopes *slopes, double loss, const double *slack);
// Derivative of the state x (q, qd, states) as the run takes it.
Status slopes_motion(RunSlopes *slopes, double t, const double *x, double *rates);

#endif
