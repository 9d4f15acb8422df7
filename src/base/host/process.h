// Other programs: started with their input and their complaints in files, never through a shell.
#ifndef QDOT_BASE_HOST_PROCESS_H
#define QDOT_BASE_HOST_PROCESS_H

#include <stdio.h>
#include <sys/types.h>

#include "base/context.h"

typedef struct Process {
  const char *program;
  pid_t pid;        // 0 when it does not run
  int input;        // where its input is written to, or -1
  FILE *commands;   // its input when that was given as a text
  FILE *complaints; // what it prints
  Handle handle;    // ends it when the guard trips
} Process;

typedef struct ProcessOptions {
  const char *const *arguments; // the first is the program, found by PATH; ended by NULL
  const char *folder;           // where it runs
  const char *commands;         // its whole input; NULL: process_write gives it, or it has none
  bool takes_input;             // process_write will be used
} ProcessOptions;

// Is there a program of this name, by PATH where it is a plain name?
bool process_exists(const char *program);

// Starts it. QDOT_NO_PROGRAM when it is not installed or does not start: no diagnostic yet, the
// caller knows what is lost. QDOT_IO without room for temporary files. Must be closed.
Status process_open(Context *cx, Process *process, const ProcessOptions *options);
// Ends it if it still runs.
void process_close(Context *cx, Process *process);

// False when it no longer reads; never raises a signal.
bool process_write(Process *process, const void *bytes, size_t n);
// Ends its input and waits. QDOT_OK when it ended well; QDOT_TIMEOUT after that many seconds;
// QDOT_NO_PROGRAM when it failed. A cancelled context does not wait.
Status process_wait(Context *cx, Process *process, double seconds);
// The beginning of what it printed, in one line, in the scratch arena.
const char *process_complaints(Context *cx, Process *process);

#endif
