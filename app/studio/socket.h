// One WebSocket after its handshake: frames in and out, until either side ends it.
#ifndef STUDIO_SOCKET_H
#define STUDIO_SOCKET_H

#include <stdbool.h>
#include <stddef.h>

enum { LARGEST_MESSAGE = 4 << 20 };

typedef struct SocketUser {
  void *user;
  // A whole message of the other side, text or binary; false ends the connection.
  bool (*take)(void *user, const char *bytes, size_t length);
  // The next message to send, to be freed; NULL where there is none.
  char *(*next)(void *user, size_t *length);
  // Called at least once a second; milliseconds until it wants to be called again, below 0 to end.
  int (*tick)(void *user);
} SocketUser;

// Serves the connection; returns when it has ended. A byte on `wake` says that there is something
// to send. early: bytes that came with the handshake.
void socket_serve(int fd, int wake, const char *early, size_t early_length, const SocketUser *user);

#endif
