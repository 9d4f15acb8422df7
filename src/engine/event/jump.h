// Velocities that jump: a drive whose speed switches, or a given motion whose rate does, acts by an
// impulse. Momentum decides what the other velocities do.
#ifndef QDOT_ENGINE_EVENT_JUMP_H
#define QDOT_ENGINE_EVENT_JUMP_H

#include "engine/machine.h"

// What the equations ask of a state on one side of the switches. In the arena.
typedef struct JumpSide {
  double *Phi, *Phi_dot; // by place of the row, closed contacts too; 0 where there is none
  double *momentum;      // dT/dq' by coordinate; zeros where time does not act in T,
  double *force;         // and with which it changes
  bool *is_there;        // by place: is it a row of the equations?
} JumpSide;

JumpSide jump_side(Arena *arena, Machine *machine, double t, const double *q, const double *qd);

typedef enum JumpKind { JUMP_NONE, JUMP_SURFACE, JUMP_SPEED, JUMP_PLACE } JumpKind;

// Compares two sides at a state, the second being the machine's present one: JUMP_SURFACE where
// nothing but the surface of a closed contact bends or falls away, JUMP_PLACE for a given position
// that jumps itself, which nothing can follow; *who is the place of the row, or the number of
// constraints and the coordinate behind them.
JumpKind jump_between(Machine *machine, double t, const double *q, const double *qd,
                      const JumpSide *before, const JumpSide *after, uint32_t *who);

// New velocities on the present side, with all contacts of the machine open.
Status jump_velocities(Machine *machine, double t, const double *q, double *qd,
                       const JumpSide *before, const JumpSide *after);

#endif
