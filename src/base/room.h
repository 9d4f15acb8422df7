// A room is a context within the context of a caller: one model and all that is made from it. Its
// memory can be given back early; its diagnostics go to the owner.
#ifndef QDOT_BASE_ROOM_H
#define QDOT_BASE_ROOM_H

#include "base/context.h"

// Takes its memory from the owner, with the owner's limits and log. NULL when there is none left.
Context *room_open(Context *owner);
void room_close(Context *room);

// Hands the diagnostics of the room to its owner, with the texts that they point into.
void room_report(Context *room);
// Forgets all diagnostics of an owner, and the texts.
void room_forget_reports(Context *owner);

#endif
