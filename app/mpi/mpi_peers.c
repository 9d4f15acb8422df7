// Processes that mpirun has started, as peers of a sweep: a plugin, so that the command depends on
// no MPI. Nothing here waits with a core: MPI's own calls that wait spin.
#include "mpi_peers.h"

#include <limits.h>
#include <mpi.h>
#include <stdbool.h>
#include <time.h>
#include <unistd.h>

enum { SHORTEST = 50, LONGEST = 10000 }; // microseconds between two looks
enum { PATIENCE = 10 };                  // seconds

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// False where it is not done by then; 0: for ever.
static bool await(MPI_Request *request, double until) {
  int done = 0;
  for (useconds_t pause = SHORTEST;; pause = pause < LONGEST ? 2 * pause : pause) {
    if (MPI_Test(request, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS) return false;
    if (done) return true;
    if (until > 0 && now() > until) return false;
    usleep(pause);
  }
}

static int send_bytes(void *user, uint32_t to, const void *bytes, size_t n) {
  (void)user;
  MPI_Request request;
  if (n > INT_MAX || MPI_Isend(bytes, (int)n, MPI_BYTE, (int)to, 0, MPI_COMM_WORLD, &request))
    return 1;
  return !await(&request, 0);
}

static size_t look(void *user, uint32_t *from) {
  (void)user;
  int found = 0, n = 0;
  MPI_Status status;
  if (MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &found, &status) != MPI_SUCCESS || !found)
    return 0;
  MPI_Get_count(&status, MPI_BYTE, &n);
  *from = (uint32_t)status.MPI_SOURCE;
  return (size_t)n;
}

static int take(void *user, uint32_t from, void *bytes, size_t n) {
  (void)user;
  MPI_Request request;
  if (MPI_Irecv(bytes, (int)n, MPI_BYTE, (int)from, 0, MPI_COMM_WORLD, &request)) return 1;
  return !await(&request, 0);
}

const qdot_peers *mpi_peers_join(void) {
  static qdot_peers peers = {.send = send_bytes, .look = look, .take = take};
  int allowed, rank, ranks;
  if (MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &allowed) != MPI_SUCCESS) return NULL;
  if (allowed < MPI_THREAD_SERIALIZED || MPI_Comm_rank(MPI_COMM_WORLD, &rank) ||
      MPI_Comm_size(MPI_COMM_WORLD, &ranks))
    return NULL;
  peers.rank = (uint32_t)rank, peers.ranks = (uint32_t)ranks;
  return &peers;
}

void mpi_peers_leave(int status) {
  MPI_Request all;
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  bool came = MPI_Ibarrier(MPI_COMM_WORLD, &all) == MPI_SUCCESS &&
              await(&all, rank == 0 ? now() + PATIENCE : 0);
  if (!came) MPI_Abort(MPI_COMM_WORLD, status);
  MPI_Finalize();
}
