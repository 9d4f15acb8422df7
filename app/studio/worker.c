// A thread that works for one page.
#include "worker.h"

#include <stdlib.h>
#include <time.h>

// Long enough that slides of a heavy model still show a result now and then.
static const double PATIENCE = 0.25, LITTLE_PATIENCE = 0.03;
static const size_t MOST_MEMORY = (size_t)1 << 30;
static const double MOST_SECONDS = 120;

double seconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void worker_open(Worker *worker, Work *work, void *user, bool keeps_all) {
  *worker = (Worker){.work = work, .user = user, .keeps_all = keeps_all};
  pthread_mutex_init(&worker->lock, NULL);
  pthread_cond_init(&worker->change, NULL);
}

// ---- Working

static qdot_context *open_context(void) {
  qdot_limits limits = qdot_limits_defaults();
  limits.memory_bytes = MOST_MEMORY;
  limits.seconds = MOST_SECONDS;
  limits.own_folder = 1; // a model that somebody sent must not look around
  return qdot_context_open(&limits);
}

static Request *take_first(Worker *worker) {
  Request *first = worker->waiting[0];
  worker->waiting_count--;
  for (size_t i = 0; i < worker->waiting_count; i++) worker->waiting[i] = worker->waiting[i + 1];
  return first;
}

// Between two requests the lock is held, so that nobody cancels a context that is closed.
static void *work_for_ever(void *argument) {
  Worker *worker = argument;
  pthread_mutex_lock(&worker->lock);
  while (!worker->is_ending) {
    if (worker->waiting_count == 0) {
      pthread_cond_wait(&worker->change, &worker->lock);
      continue;
    }
    Request *request = take_first(worker);
    qdot_context *cx = worker->cx = open_context();
    worker->is_busy = true, worker->stop = 0;
    worker->since = seconds_now(), worker->patience = PATIENCE;
    pthread_mutex_unlock(&worker->lock);
    if (cx) worker->work(worker->user, worker, request);
    pthread_mutex_lock(&worker->lock);
    worker->cx = NULL, worker->is_busy = false;
    pthread_mutex_unlock(&worker->lock);
    qdot_context_close(cx);
    request_free(request);
    pthread_mutex_lock(&worker->lock);
  }
  pthread_mutex_unlock(&worker->lock);
  return NULL;
}

// ---- Asking

static void cancel_locked(Worker *worker) {
  worker->stop = 1;
  if (worker->cx) qdot_context_cancel(worker->cx);
}

static void forget_waiting(Worker *worker) {
  while (worker->waiting_count > 0) request_free(take_first(worker));
}

void worker_submit(Worker *worker, Request *request) {
  pthread_mutex_lock(&worker->lock);
  if (!worker->keeps_all) forget_waiting(worker);
  if (worker->waiting_count == MOST_WAITING) request_free(take_first(worker));
  worker->waiting[worker->waiting_count++] = request;
  if (!worker->is_started)
    worker->is_started = pthread_create(&worker->thread, NULL, work_for_ever, worker) == 0;
  pthread_cond_signal(&worker->change);
  pthread_mutex_unlock(&worker->lock);
}

void worker_cancel(Worker *worker) {
  pthread_mutex_lock(&worker->lock);
  forget_waiting(worker);
  cancel_locked(worker);
  pthread_mutex_unlock(&worker->lock);
}

bool worker_may_linger(Worker *worker) {
  pthread_mutex_lock(&worker->lock);
  bool is_alone = worker->waiting_count == 0 && !worker->stop;
  worker->since = seconds_now(), worker->patience = LITTLE_PATIENCE;
  pthread_mutex_unlock(&worker->lock);
  return is_alone;
}

bool worker_hurry(Worker *worker) {
  pthread_mutex_lock(&worker->lock);
  bool waits = worker->is_busy && worker->waiting_count > 0;
  if (waits && !worker->keeps_all && seconds_now() - worker->since > worker->patience)
    cancel_locked(worker);
  pthread_mutex_unlock(&worker->lock);
  return waits;
}

void worker_close(Worker *worker) {
  pthread_mutex_lock(&worker->lock);
  worker->is_ending = true;
  forget_waiting(worker);
  cancel_locked(worker);
  pthread_cond_signal(&worker->change);
  pthread_mutex_unlock(&worker->lock);
  if (worker->is_started) pthread_join(worker->thread, NULL);
  pthread_mutex_destroy(&worker->lock);
  pthread_cond_destroy(&worker->change);
}
