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

// Which of the candidates, whose guards are zero, stay there: their side becomes 0. The others get
// the side to which they go; where the side makes no difference to that, they keep theirs. Slides
// with rest[i].holds are candidates, too; of those that do not stay rest[i].starts is set, with the
// direction in w.
Status sticking_settle(Sticking *sticking, double t, const double *q, const double *qd,
                       const bool *candidates, double *side);

// Makes the machine's problem the one in which the switches with side 0 and the slides in `holds`
// stick. To be called before a stepper is opened; without such ones nothing changes.
void sticking_begin(Sticking *sticking, const double *side, const bool *holds);

// The same for a mechanism whose every motion is given: nothing sticks, and what does not move,
// side 0, does not rub.
void sticking_follow(Sticking *sticking, const double *side);

// Takes away what u of a slide has, as far as constraints let it.
void sticking_stop(Sticking *sticking, int slide, double t, const double *q, double *qd);

// What friction at rest carries, of the last evaluation, shared so that the one that is used most
// is used least: machine->slips[].force, and with it lambda of the problem's rows, which it
// changes.
void sticking_share(Sticking *sticking, double *lambda);
// The same, where it matters: not where the shares of least size hold anyway. Says what is left
// until no share holds: sticking->left.
void sticking_share_if_needed(Sticking *sticking, double *lambda);

// Does the friction of a joint allow several motions, as where it grows by as much as it takes?
// The joint, as a place in the model's presses; else -1.
int sticking_find_ambiguity(Sticking *sticking, double t, const double *q, const double *qd);
// A wheel that nothing presses on its line, by the number of its press, or -1.
int sticking_find_unpressed(Sticking *sticking, double t, const double *q, const double *qd);

// The mixture at a state, with what presses joints.
Status sticking_evaluate(Sticking *sticking, double t, const double *q, const double *qd);

// What is known of what presses joints, put aside and taken back.
void sticking_put_aside(Sticking *sticking);
void sticking_take_back(Sticking *sticking);

// Outputs see the mixture of the last evaluation.
void sticking_show(Sticking *sticking, const double *side);

#endif
