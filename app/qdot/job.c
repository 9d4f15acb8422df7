// The job that this process belongs to.
#include "job.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A number that who started us has put into the environment, or -1.
static long from_environment(const char *name) {
  const char *text = getenv(name);
  char *end;
  long value = text ? strtol(text, &end, 10) : -1;
  return text && *text && *end == 0 ? value : -1;
}

// ---- Open MPI

static void (*leave)(int status);

// Beside the library, wherever that is.
static void *open_plugin(void) {
  Dl_info library;
  if (!dladdr((void *)(size_t)qdot_version, &library)) return NULL;
  const char *end = strrchr(library.dli_fname, '/');
  char path[4096];
  snprintf(path, sizeof path, "%.*slibqdot-mpi.so", end ? (int)(end + 1 - library.dli_fname) : 0,
           library.dli_fname);
  return dlopen(path, RTLD_NOW | RTLD_GLOBAL); // global: so that Open MPI finds itself
}

static const qdot_peers *join_mpi(void) {
  if (from_environment("OMPI_COMM_WORLD_SIZE") < 2) return NULL;
  void *plugin = open_plugin();
  if (!plugin) return NULL;
  const qdot_peers *(*join)(void);
  *(void **)&join = dlsym(plugin, "mpi_peers_join");
  *(void **)&leave = dlsym(plugin, "mpi_peers_leave");
  const qdot_peers *peers = join && leave ? join() : NULL;
  if (peers && peers->ranks > 1) return peers;
  if (peers) leave(0); // mpirun's words, but not its child
  leave = NULL;
  return NULL;
}

void job_leave(int status) {
  if (leave) leave(status);
}

// ---- Others

// Names in the environment: rank, ranks, job.
static bool join_by_folder(qdot_sweep_options *options) {
  static const char *const names[][3] = {
      {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_MCA_ess_base_jobid"},
      {"PMI_RANK", "PMI_SIZE", "PMI_JOBID"},
      {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "SLURM_JOB_ID"},
  };
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    long rank = from_environment(names[i][0]), ranks = from_environment(names[i][1]);
    const char *job = getenv(names[i][2]);
    if (rank < 0 || ranks < 2 || rank >= ranks || !job || strpbrk(job, "/ ")) continue;
    options->job = job;
    options->rank = (uint32_t)rank, options->ranks = (uint32_t)ranks;
    return true;
  }
  return false;
}

uint32_t job_join(qdot_sweep_options *options) {
  options->peers = join_mpi();
  if (!options->peers && !join_by_folder(options)) return 0;
  if (options->threads == 0) options->threads = 1; // a process for every core
  return options->peers ? options->peers->rank : options->rank;
}
