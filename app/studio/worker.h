// A thread that works for one page, off the connection's own. A newer request takes the place of
// one that waits, and after a little patience also of the one being worked on.
#ifndef STUDIO_WORKER_H
#define STUDIO_WORKER_H

#include <pthread.h>
#include <stdbool.h>

#include "page_request.h"
#include "qdot/qdot.h"

enum { MOST_WAITING = 16 };

typedef struct Worker Worker;
// Does what is asked with a context that is opened before and closed behind it.
typedef void Work(void *user, Worker *worker, const Request *request);

struct Worker {
  Work *work;
  void *user;
  bool keeps_all; // in order; else only the newest waits
  pthread_t thread;
  pthread_mutex_t lock;
  pthread_cond_t change;
  Request *waiting[MOST_WAITING];
  size_t waiting_count;
  bool is_started, is_ending, is_busy;
  double since;      // it works on the present request, or on what is not so important of it
  double patience;   // seconds after which others need not wait any longer
  qdot_context *cx;  // while it works
  volatile int stop; // for runs
};

void worker_open(Worker *worker, Work *work, void *user, bool keeps_all);
// Cancels what it does and waits for its end.
void worker_close(Worker *worker);
// Takes the request.
void worker_submit(Worker *worker, Request *request);
// Ends the present request now.
void worker_cancel(Worker *worker);
// What follows is less important: false where others wait already, else it ends soon for them.
bool worker_may_linger(Worker *worker);
// Ends it if others wait for longer than they should have to; true where somebody waits.
bool worker_hurry(Worker *worker);

double seconds_now(void);

#endif
