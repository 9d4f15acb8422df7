// One page: its connection, what waits to be sent to it, and those who work for it.
#ifndef STUDIO_CLIENT_H
#define STUDIO_CLIENT_H

#include "outbox.h"
#include "server.h"
#include "worker.h"

struct Client {
  Server *server;
  Client *next;
  Outbox outbox;
  Worker workers[ROOM_COUNT];  // but not for ROOM_HERE
  char file[LONGEST_NAME + 1]; // that it shows; guarded by the server's lock
};

// Serves a page until its connection ends; refuses where there are too many. The file stays the
// caller's.
void client_serve(Server *server, int fd, const char *early, size_t early_length);
// Ends all connections.
void clients_end(Server *server);

void client_refuse(Client *client, const Request *request, const char *why);

// ---- Those who answer

// Requests about files, at once, by the connection's own thread.
void desk_answer(Client *client, const Request *request);
// Keeps the text before anything else, and tells the other pages that show it.
void desk_keep(Client *client, const Request *request);
// These are called by workers.
void compute_answer(void *client, Worker *worker, const Request *request);
void language_answer(void *client, Worker *worker, const Request *request);
void export_answer(void *client, Worker *worker, const Request *request);
// One mode of vibration, drawn on the mechanism.
void mode_answer(Client *client, Worker *worker, const Request *request);
// The motion of a text that is neither kept nor shown, for comparison.
void run_answer(Client *client, Worker *worker, const Request *request);

#endif
