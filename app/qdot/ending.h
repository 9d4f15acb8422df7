// How a verb ends before it is done: a signal, or the time limit of the command. What is going on
// is asked to end, and made to if it does not: within a tenth of a second the command is over, with
// what is finished, and nothing half made.
#ifndef QDOT_APP_ENDING_H
#define QDOT_APP_ENDING_H

#include <stdbool.h>

#include "options.h"
#include "qdot/qdot.h"

// From now on SIGINT, SIGTERM and SIGHUP, and the end of so many seconds (0: none), end the work on
// the context.
void ending_begin(const Arguments *arguments, qdot_context *cx, double seconds);
// Before the context is closed.
void ending_end(void);
// Not 0 when a run shall end and keep what it has: for the options of runs.
volatile int *ending_stop(void);
// A run that hears ending_stop goes on now, or no more: its context is cancelled later than that of
// other work.
void ending_spare_run(bool goes_on);

// The user or the time limit has ended the work.
bool ending_is_asked(void);
// It was the time limit.
bool ending_is_by_time(void);
// The exit status of a verb that would have ended with this one, and a line on stderr that says
// why.
int ending_status(int status);

#endif
