// What the command finds in the plugin for Open MPI.
#ifndef QDOT_APP_MPI_PEERS_H
#define QDOT_APP_MPI_PEERS_H

#include "qdot/qdot.h"

// Begins MPI; NULL where it cannot. Several threads may use it, one at a time.
const qdot_peers *mpi_peers_join(void);
// Waits for the others and ends MPI; the first process waits a few seconds only, and ends those
// that do not come.
void mpi_peers_leave(int status);

#endif
