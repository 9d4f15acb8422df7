// WebSocket frames, by wslay.
#include "socket.h"

#include <errno.h>
#include <poll.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include <wslay/wslay.h>

#include "worker.h"

static const double SLOWEST = 20; // seconds in which a reader must have taken something

typedef struct Socket {
  int fd, wake;
  const char *early;
  size_t early_length;
  const SocketUser *user;
  bool is_over;
  double moved; // when bytes were last taken by the other side, or there were none to take
} Socket;

// ---- Bytes

static ssize_t receive(wslay_event_context_ptr context, uint8_t *into, size_t room, int flags,
                       void *user) {
  Socket *s = user;
  (void)flags;
  if (s->early_length > 0) {
    size_t n = room < s->early_length ? room : s->early_length;
    memcpy(into, s->early, n);
    s->early += n, s->early_length -= n;
    return (ssize_t)n;
  }
  ssize_t n;
  do n = recv(s->fd, into, room, 0);
  while (n < 0 && errno == EINTR);
  if (n > 0) return n;
  bool waits = n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
  wslay_event_set_error(context, waits ? WSLAY_ERR_WOULDBLOCK : WSLAY_ERR_CALLBACK_FAILURE);
  return -1;
}

static ssize_t transmit(wslay_event_context_ptr context, const uint8_t *from, size_t length,
                        int flags, void *user) {
  Socket *s = user;
  (void)flags;
  ssize_t n;
  do n = send(s->fd, from, length, MSG_NOSIGNAL);
  while (n < 0 && errno == EINTR);
  if (n > 0) s->moved = seconds_now();
  if (n >= 0) return n;
  bool waits = errno == EAGAIN || errno == EWOULDBLOCK;
  wslay_event_set_error(context, waits ? WSLAY_ERR_WOULDBLOCK : WSLAY_ERR_CALLBACK_FAILURE);
  return -1;
}

// ---- Messages

static void take_message(wslay_event_context_ptr context,
                         const struct wslay_event_on_msg_recv_arg *message, void *user) {
  Socket *s = user;
  if (wslay_is_ctrl_frame(message->opcode) || s->is_over) return;
  if (!s->user->take(s->user->user, (const char *)message->msg, message->msg_length)) {
    s->is_over = true;
    wslay_event_queue_close(context, WSLAY_CODE_POLICY_VIOLATION, NULL, 0);
  }
}

// One at a time, so that newer ones can take the places of those that wait.
static bool queue_next(Socket *s, wslay_event_context_ptr context) {
  size_t length;
  if (wslay_event_get_queued_msg_count(context) > 0) return true;
  char *bytes = s->user->next(s->user->user, &length);
  if (!bytes) return true;
  s->moved = seconds_now();
  struct wslay_event_msg message = {WSLAY_BINARY_FRAME, (const uint8_t *)bytes, length};
  bool done = wslay_event_queue_msg(context, &message) == 0;
  free(bytes);
  return done;
}

// ---- The connection

static bool wait_for_events(Socket *s, wslay_event_context_ptr context, int milliseconds) {
  struct pollfd files[2] = {{.fd = s->fd}, {.fd = s->wake, .events = POLLIN}};
  if (wslay_event_want_read(context)) files[0].events |= POLLIN;
  if (wslay_event_want_write(context)) files[0].events |= POLLOUT;
  if (s->early_length > 0) milliseconds = 0;
  if (poll(files, 2, milliseconds) < 0 && errno != EINTR) return false;
  uint64_t count;
  if (files[1].revents & POLLIN && read(s->wake, &count, sizeof count) < 0) return false;
  bool readable = files[0].revents & (POLLIN | POLLHUP | POLLERR) || s->early_length > 0;
  if (readable && wslay_event_recv(context) != 0) return false;
  return !wslay_event_want_write(context) || wslay_event_send(context) == 0;
}

static void serve(Socket *s, wslay_event_context_ptr context) {
  while (wslay_event_want_read(context) || wslay_event_want_write(context)) {
    int wait = s->user->tick(s->user->user);
    if (wait < 0 || (!s->is_over && !queue_next(s, context))) return;
    bool is_slow = wslay_event_want_write(context) && seconds_now() - s->moved > SLOWEST;
    if (is_slow || !wait_for_events(s, context, wait < 1000 ? wait : 1000)) return;
  }
}

void socket_serve(int fd, int wake, const char *early, size_t early_length,
                  const SocketUser *user) {
  Socket s = {.fd = fd,
              .wake = wake,
              .early = early,
              .early_length = early_length,
              .user = user,
              .moved = seconds_now()};
  struct wslay_event_callbacks callbacks = {
      .recv_callback = receive, .send_callback = transmit, .on_msg_recv_callback = take_message};
  wslay_event_context_ptr context;
  if (wslay_event_context_server_init(&context, &callbacks, &s) != 0) return;
  wslay_event_config_set_max_recv_msg_length(context, LARGEST_MESSAGE);
  serve(&s, context);
  wslay_event_context_free(context);
}
