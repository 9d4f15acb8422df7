// How steps go through dead positions, in exported programs, too.
#ifndef QDOT_SOLVE_DEAD_POSITION_H
#define QDOT_SOLVE_DEAD_POSITION_H

// A row whose pivot is so much below its largest is near a dead position. Pivots are squares: its
// slope s is a twentieth there, and an acceleration off by eps/s^3 (see explicit.c) by 2e-12, which
// is nothing beside any tolerance. Farther away no step is to blame on the position.
#define DEAD_NEAR 400

// A step through a dead position is tried at other sizes: each moves its stages by more than they
// lie apart near the end of a step (a tenth of it), and no power of the one factor is one of the
// other, so that a size is not tried twice. 0.8^5 is a third, what a rejection takes away at most:
// beyond that it would have been the better choice.
#define DEAD_EVASIONS 5
#define DEAD_OTHER_STAGES 0.8
#define DEAD_OTHER_END 0.7
// Exported programs do no more than that. Here, after so many of them, a dead position that stages
// are too near to is looked for and put into a gap between them, and stages are taken onto the
// constraints: TRIES in all.
#define DEAD_BLIND 2
#define DEAD_TRIES 7
// It is looked for up to so many sizes of the step ahead. The step may become so much longer; where
// its stages would come nearer than CLEAR, it ends LEAVE before the dead position, unless it would
// be shorter than LEAST, all in sizes of the step that was tried first.
#define DEAD_AHEAD 1.5
#define DEAD_LONGER 1.2
#define DEAD_CLEAR 0.06
#define DEAD_LEAVE 0.45
#define DEAD_LEAST 0.05

// And of its error the projection may take away so many tolerances: rows within the step show it,
// and are to be good to a millionth at the usual tolerance of 1e-8. It counts where the projection
// leaves less than this part of it.
#define DEAD_TAKEN_AWAY 100
#define DEAD_LEFT_OVER 0.1
// With stages on the constraints it may be so large, relative to the state: its square, which is
// what the projection leaves in the motion, is rounding.
#define DEAD_BESIDE 1e-6

#endif
