// The job that this process belongs to, if mpirun or srun has started it.
#ifndef QDOT_APP_JOB_H
#define QDOT_APP_JOB_H

#include "qdot/qdot.h"
#include <stdbool.h>

// Who we are: by Open MPI, whose plugin is loaded then; else the processes meet in the folder. One
// thread for each unless more are asked for. Returns the number of this process.
uint32_t job_join(qdot_sweep_options *options);
// Before the process ends with this status.
void job_leave(int status);

#endif
