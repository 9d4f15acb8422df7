// Contacts that reach each other, directly or through others; what is apart is solved apart.
#ifndef QDOT_SOLVE_TOUCH_TOUCH_ISLANDS_H
#define QDOT_SOLVE_TOUCH_TOUCH_ISLANDS_H

#include "solve/touch/touch.h"

typedef struct TouchIsland {
  Touches touches; // of its velocities alone
  int *contact;    // by its contacts: which of all,
  int *velocity;   // and by its velocities
} TouchIsland;

// In the arena, with all that the touches say; how many. The touches are told their islands.
int touch_islands(const Touches *touches, Arena *arena, TouchIsland **out);
// What an island has found, into all.
void touch_island_give(const TouchIsland *island, Touches *touches);

#endif
