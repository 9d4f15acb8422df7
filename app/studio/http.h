// The server's HTTP side: the page's files, and the way to its WebSocket.
#ifndef STUDIO_HTTP_H
#define STUDIO_HTTP_H

#include "server.h"

typedef struct Http Http;

// A socket that listens on the loopback interface; port 0 takes a free one, *port is the one that
// was taken. -1 where it cannot.
int http_listen(unsigned *port);
// Serves on it, once the server is ready; NULL where it cannot.
Http *http_open(Server *server, int listening);
// After clients_end: waits for those who are still there, but not for ever; false where some stay.
bool http_close(Http *http);

#endif
