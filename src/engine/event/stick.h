// What sticks. Where the equations on either side of a switch push its guard back to zero, as dry
// friction does at rest, the guard stays there, and what acts is the mixture of both sides that
// keeps it there (Filippov's solution). It continues where that mixture would be more than one side
// alone. A slide (friction in a plane) rests in the same way with a vector w for its direction, as
// long as that is not longer than 1.
// Sources: stick_directions.c, stick_press.c, stick_settle.c, stick_share.c
#ifndef QDOT_ENGINE_EVENT_STICK_H
#define QDOT_ENGINE_EVENT_STICK_H

#include "engine/event/stick_mix.h"

// For the machine's present set of contacts; lives in the arena, from which it takes more.
void sticking_open(Sticking *sticking, Arena *arena, Machine *machine, int switches, double pull);

// What joints hold, as the machine's values give it now.
void sticking_renew(Sticking *sticking);

// Decides which candidates (switches whose guards are 0) stick: their side becomes 0. The others
// get the side of their acceleration; where the guard's acceleration does not depend on the side,
// they keep theirs. Slides with rest[i].holds are candidates, too; those that do not stick get
// rest[i].starts, and the direction of their motion in w.
Status sticking_settle(Sticking *sticking, double t, const double *q, const double *qd,
                       const bool *candidates, double *side);

// Makes the machine's problem the one in which the switches with side 0 and the slides in `holds`
// stick. To be called before a stepper is opened; without such ones nothing changes.
void sticking_begin(Sticking *sticking, const double *side, const bool *holds);

// The same for a mechanism whose every motion is given: nothing sticks, and what does not move,
// side 0, does not rub.
void sticking_follow(Sticking *sticking, const double *side);

// Removes the sliding velocity u of a slide, as far as the constraints allow it.
void sticking_stop(Sticking *sticking, int slide, double t, const double *q, double *qd);

// Divides the load of friction at rest, as of the last evaluation, so that the largest ratio of
// force to what friction can hold is as small as possible: machine->slips[].force, and lambda of
// the problem's rows, which follow.
void sticking_share(Sticking *sticking, double *lambda);
// The same unless the least forces hold anyway. Sets sticking->left, the distance from slipping.
void sticking_share_if_needed(Sticking *sticking, double *lambda);

// A joint whose load has several solutions, because friction adds as much load as it takes away:
// its place among the model's presses; -1: there is none.
int sticking_find_ambiguity(Sticking *sticking, double t, const double *q, const double *qd);
// The press of a wheel without load on its line; -1: there is none.
int sticking_find_unpressed(Sticking *sticking, double t, const double *q, const double *qd);

// The mixture at a state, with the loads of joints that belong to it.
Status sticking_evaluate(Sticking *sticking, double t, const double *q, const double *qd);

// The loads of joints and the search's slopes of them, put aside and taken back.
void sticking_put_aside(Sticking *sticking);
void sticking_take_back(Sticking *sticking);

// Puts the mixture of the last evaluation into the inputs of the programs, for outputs.
void sticking_show(Sticking *sticking, const double *side);

#endif
