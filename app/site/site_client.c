// The studio's answers inside of a page: requests come from the worker's script, and every answer
// goes to it at once. What is not wanted any more is ended with its worker.
#include <emscripten.h>
#include <stdlib.h>
#include <time.h>

#include "client.h"
#include "site_module.h"

enum { MEGABYTES = 512 };
static const double MOST_SECONDS = 120;

EM_JS(void, site_send, (const char *bytes, size_t n),
      { Module.send(HEAPU8.slice(bytes, bytes + n).buffer); });

// ---- In the places of the server's outbox and threads

void outbox_put(Outbox *outbox, Answer *answer, bool replaces) {
  size_t length;
  char *bytes = answer_finish(answer, &length);
  (void)outbox, (void)replaces;
  if (bytes) site_send(bytes, length);
  free(bytes);
}

void client_refuse(Client *client, const Request *request, const char *why) {
  Answer answer;
  answer_open(&answer, "refused", request->id);
  answer_text(&answer, "why", why);
  outbox_put(&client->outbox, &answer, false);
}

// The page decides: it is told that what follows may be ended soon.
bool worker_may_linger(Worker *worker) {
  (void)worker;
  Answer answer;
  answer_open(&answer, "lingers", 0);
  outbox_put(NULL, &answer, false);
  return true;
}

double seconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// ---- Requests

qdot_context *site_context(void) {
  qdot_limits limits = qdot_limits_defaults();
  limits.memory_bytes = (size_t)MEGABYTES << 20;
  limits.seconds = MOST_SECONDS;
  limits.own_folder = 1;
  return qdot_context_open(&limits);
}

static Work *work_of(const Request *request) {
  switch (request_room(request)) {
  case ROOM_COMPUTE: return compute_answer;
  case ROOM_LANGUAGE: return language_answer;
  case ROOM_EXPORT: return export_answer;
  default: return NULL;
  }
}

// A request as it would come over the wire; returns when all its answers are sent.
EMSCRIPTEN_KEEPALIVE void site_take(const char *bytes, size_t length) {
  static Client client;
  const char *why;
  Request *request = request_read(bytes, length, &why);
  Work *work = request ? work_of(request) : NULL;
  Worker worker = {.cx = work ? site_context() : NULL};
  if (!request)
    client_refuse(&client, &(Request){0}, why);
  else if (worker.cx)
    work(&client, &worker, request);
  else
    client_refuse(&client, request, "there is not enough memory");
  qdot_context_close(worker.cx);
  request_free(request);
}
