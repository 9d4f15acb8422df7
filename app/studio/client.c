// One page.
#include "client.h"

#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "socket.h"

void client_refuse(Client *client, const Request *request, const char *why) {
  Answer answer;
  answer_open(&answer, "refused", request->id);
  answer_text(&answer, "why", why);
  outbox_put(&client->outbox, &answer, false);
}

// ---- Messages

static bool take_message(void *user, const char *bytes, size_t length) {
  Client *client = user;
  const char *why;
  Request *request = request_read(bytes, length, &why);
  if (!request) {
    client_refuse(client, &(Request){0}, why);
    return true;
  }
  Room room = request_room(request);
  if (request->verb == VERB_stop) {
    worker_cancel(&client->workers[ROOM_COMPUTE]);
    worker_cancel(&client->workers[ROOM_EXPORT]);
  }
  if (request->verb == VERB_edit) desk_keep(client, request);
  if (room == ROOM_HERE) {
    desk_answer(client, request);
    request_free(request);
  } else {
    worker_submit(&client->workers[room], request);
  }
  return true;
}

static char *next_message(void *user, size_t *length) {
  return outbox_next(&((Client *)user)->outbox, length);
}

static int tick(void *user) {
  Client *client = user;
  bool waits = false;
  for (int room = ROOM_COMPUTE; room < ROOM_COUNT; room++)
    waits = worker_hurry(&client->workers[room]) || waits;
  pthread_mutex_lock(&client->server->lock);
  bool ends = client->server->is_ending;
  pthread_mutex_unlock(&client->server->lock);
  return ends || client->outbox.is_full ? -1 : waits ? 20 : 1000;
}

// ---- Who is there

static bool enter(Client *client) {
  Server *server = client->server;
  pthread_mutex_lock(&server->lock);
  bool may = server->client_count < MOST_PAGES && !server->is_ending;
  if (may) {
    client->next = server->clients, server->clients = client;
    server->client_count++, server->was_used = true;
  }
  pthread_mutex_unlock(&server->lock);
  return may;
}

static void leave(Client *client) {
  Server *server = client->server;
  pthread_mutex_lock(&server->lock);
  for (Client **at = &server->clients; *at; at = &(*at)->next) {
    if (*at != client) continue;
    *at = client->next;
    break;
  }
  server->client_count--;
  server->left = seconds_now();
  pthread_mutex_unlock(&server->lock);
}

void clients_end(Server *server) {
  pthread_mutex_lock(&server->lock);
  server->is_ending = true;
  for (Client *client = server->clients; client; client = client->next)
    outbox_wake(&client->outbox);
  pthread_mutex_unlock(&server->lock);
}

void client_serve(Server *server, int fd, const char *early, size_t early_length) {
  static Work *const work[ROOM_COUNT] = {[ROOM_COMPUTE] = compute_answer,
                                         [ROOM_LANGUAGE] = language_answer,
                                         [ROOM_EXPORT] = export_answer};
  Client *client = calloc(1, sizeof *client);
  if (!client) return;
  client->server = server;
  bool is_open = outbox_open(&client->outbox);
  for (int room = ROOM_COMPUTE; room < ROOM_COUNT; room++)
    worker_open(&client->workers[room], work[room], client, room != ROOM_COMPUTE);
  if (is_open && enter(client)) {
    SocketUser user = {client, take_message, next_message, tick};
    socket_serve(fd, client->outbox.wake, early, early_length, &user);
    leave(client);
  }
  for (int room = ROOM_COMPUTE; room < ROOM_COUNT; room++) worker_close(&client->workers[room]);
  outbox_close(&client->outbox);
  free(client);
}
