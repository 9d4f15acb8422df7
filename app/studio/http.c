// HTTP as far as one page needs it: GET, one request a connection, no body.
#include "http.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include "assets.h"
#include "client.h"
#include "handshake.h"
#include "http_head.h"

enum { MOST_CONNECTIONS = 100 };
static const double SECONDS_TO_ASK = 15, SECONDS_TO_READ = 20;

struct Http {
  Server *server;
  int listening;
  pthread_t thread;
  atomic_int visits;
};

typedef struct Visit {
  Http *http;
  int fd;
  char bytes[LONGEST_HEAD + 1];
  size_t length;
} Visit;

// ---- Bytes

// False when the time is over or the other side has gone.
static bool wait_for(const Visit *visit, short events, double until) {
  struct pollfd file = {.fd = visit->fd, .events = events};
  double left = until - seconds_now();
  return left > 0 && poll(&file, 1, (int)(1000 * left) + 1) > 0;
}

// Until the whole head is there; its length, or 0.
static size_t receive_head(Visit *visit) {
  double until = seconds_now() + SECONDS_TO_ASK;
  while (visit->length < LONGEST_HEAD && wait_for(visit, POLLIN, until)) {
    ssize_t n = recv(visit->fd, visit->bytes + visit->length, LONGEST_HEAD - visit->length, 0);
    if (n < 0 && (errno == EAGAIN || errno == EINTR)) continue;
    if (n <= 0) return 0;
    visit->length += (size_t)n;
    size_t length = head_length(visit->bytes, visit->length);
    if (length > 0) return length;
  }
  return 0;
}

static bool transmit(const Visit *visit, const char *bytes, size_t length) {
  double until = seconds_now() + SECONDS_TO_READ;
  while (length > 0) {
    ssize_t n = send(visit->fd, bytes, length, MSG_NOSIGNAL);
    if (n > 0) {
      bytes += n, length -= (size_t)n;
      continue;
    }
    bool waits = n < 0 && (errno == EAGAIN || errno == EINTR);
    if (!waits || !wait_for(visit, POLLOUT, until)) return false;
  }
  return true;
}

// ---- Answers

// What every answer says: this page talks to this server, shows itself in no frame, runs no script
// but its own.
static void add_rules(Bytes *out, const Server *server, const char *nonce) {
  bytes_addf(out,
             "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self' "
             "'nonce-%s'; style-src-attr 'unsafe-inline'; img-src 'self' data: blob:; font-src "
             "'self' data:; connect-src 'self' ws://127.0.0.1:%u ws://localhost:%u; base-uri "
             "'none'; form-action 'none'; frame-ancestors 'none'\r\n",
             nonce, server->gate.port, server->gate.port);
  bytes_addf(out, "X-Content-Type-Options: nosniff\r\n"
                  "X-Frame-Options: DENY\r\n"
                  "Referrer-Policy: no-referrer\r\n"
                  "Cross-Origin-Opener-Policy: same-origin\r\n"
                  "Cross-Origin-Resource-Policy: same-origin\r\n"
                  "Cache-Control: no-store\r\n"
                  "Connection: close\r\n");
}

// status: "200 OK"; more: header lines of its own, or "".
typedef struct Reply {
  const char *status, *type, *more, *nonce;
  const char *body;
  size_t length;
} Reply;

static void send_reply(const Visit *visit, const Reply *reply) {
  Bytes out = {0};
  bytes_addf(&out, "HTTP/1.1 %s\r\nContent-Type: %s\r\nContent-Length: %zu\r\n%s", reply->status,
             reply->type, reply->length, reply->more ? reply->more : "");
  add_rules(&out, visit->http->server, reply->nonce ? reply->nonce : "none");
  bytes_add(&out, "\r\n", 2);
  bytes_add(&out, reply->body, reply->length);
  if (!out.is_lost) transmit(visit, out.at, out.n);
  free(out.at);
}

static void say(const Visit *visit, const char *status, const char *words) {
  send_reply(visit, &(Reply){.status = status,
                             .type = "text/plain; charset=utf-8",
                             .body = words,
                             .length = strlen(words)});
}

// ---- The page

// The token becomes a cookie, and the page is loaded without it in its address.
static void exchange_token(const Visit *visit, const char *token) {
  Gate *gate = &visit->http->server->gate;
  if (!gate_take_token(gate, token)) {
    say(visit, "403 Forbidden",
        "This link has been used. Open the page in the browser where it was used, or start 'qdot "
        "studio' again.\n");
    return;
  }
  char more[300];
  snprintf(more, sizeof more,
           "Set-Cookie: %s=%s; HttpOnly; SameSite=Strict; Path=/\r\nLocation: /\r\n",
           gate->cookie_name, gate->cookie);
  send_reply(visit,
             &(Reply){.status = "303 See Other", .type = "text/plain", .more = more, .body = ""});
}

// The editor's styles carry a number that is used once: NONCE in the file stands for it.
static void send_page(const Visit *visit, const Asset *asset) {
  static const char mark[] = "NONCE";
  unsigned char random[12];
  char nonce[2 * sizeof random + 1];
  if (getrandom(random, sizeof random, 0) != (ssize_t)sizeof random) return;
  for (size_t i = 0; i < sizeof random; i++) snprintf(nonce + 2 * i, 3, "%02x", random[i]);
  const char *at = strstr(asset->bytes, mark);
  size_t before = at ? (size_t)(at - asset->bytes) : asset->length;
  Bytes page = {0};
  bytes_add(&page, asset->bytes, before);
  if (at) bytes_addf(&page, "%s", nonce);
  if (at) bytes_add(&page, at + strlen(mark), asset->length - before - strlen(mark));
  if (!page.is_lost)
    send_reply(visit, &(Reply){.status = "200 OK",
                               .type = asset->type,
                               .nonce = nonce,
                               .body = page.at,
                               .length = page.n});
  free(page.at);
}

static void send_asset(const Visit *visit, const Head *head, const Asset *asset) {
  const char *accepted = head_find(head, "Accept-Encoding");
  bool is_packed = asset->packed && head_lists(accepted, "gzip");
  send_reply(visit, &(Reply){.status = "200 OK",
                             .type = asset->type,
                             .more = is_packed ? "Content-Encoding: gzip\r\n" : NULL,
                             .body = is_packed ? asset->packed : asset->bytes,
                             .length = is_packed ? asset->packed_length : asset->length});
}

// ---- The WebSocket

static void upgrade(Visit *visit, const Head *head, size_t length) {
  Server *server = visit->http->server;
  const char *key = head_find(head, "Sec-WebSocket-Key");
  const char *version = head_find(head, "Sec-WebSocket-Version");
  if (!gate_is_origin(&server->gate, head_find(head, "Origin"), head_find(head, "Host"))) {
    say(visit, "403 Forbidden", "Only the studio's own page may connect.\n");
    return;
  }
  bool is_asked = head_lists(head_find(head, "Upgrade"), "websocket") &&
                  head_lists(head_find(head, "Connection"), "upgrade") && version &&
                  strcmp(version, "13") == 0 && key && strlen(key) == 24;
  if (!is_asked) {
    say(visit, "400 Bad Request", "This is a WebSocket.\n");
    return;
  }
  char accept[ACCEPT_LENGTH + 1], answer[200];
  handshake_accept(key, accept);
  int n = snprintf(answer, sizeof answer,
                   "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: "
                   "Upgrade\r\nSec-WebSocket-Accept: %s\r\n\r\n",
                   accept);
  if (transmit(visit, answer, (size_t)n))
    client_serve(server, visit->fd, visit->bytes + length, visit->length - length);
}

// ---- Requests

static void answer(Visit *visit, const Head *head, size_t length) {
  Server *server = visit->http->server;
  const char *host = head_find(head, "Host"), *origin = head_find(head, "Origin");
  static const char token[] = "token=";
  if (!gate_is_host(&server->gate, host) ||
      (origin && !gate_is_origin(&server->gate, origin, host))) {
    say(visit, "421 Misdirected Request", "This server has another name.\n");
  } else if (strcmp(head->method, "GET") != 0) {
    say(visit, "405 Method Not Allowed", "Only GET is answered.\n");
  } else if (strcmp(head->path, "/") == 0 && strncmp(head->query, token, strlen(token)) == 0) {
    exchange_token(visit, head->query + strlen(token));
  } else if (!gate_knows_cookie(&server->gate, head_find(head, "Cookie"))) {
    say(visit, "403 Forbidden", "Open the link that 'qdot studio' printed.\n");
  } else if (strcmp(head->path, "/ws") == 0) {
    upgrade(visit, head, length);
  } else if (!asset_find(head->path)) {
    say(visit, "404 Not Found", "There is nothing here.\n");
  } else if (strcmp(head->path, "/") == 0) {
    send_page(visit, asset_find(head->path));
  } else {
    send_asset(visit, head, asset_find(head->path));
  }
}

// Every connection has a thread of its own, so that none waits for another.
static void *serve_visit(void *argument) {
  Visit *visit = argument;
  Http *http = visit->http;
  Head head;
  size_t length = receive_head(visit);
  if (length > 0 && head_read(visit->bytes, length, &head))
    answer(visit, &head, length);
  else if (visit->length > 0)
    say(visit, "400 Bad Request", "This is not a request.\n");
  shutdown(visit->fd, SHUT_WR);
  close(visit->fd);
  free(visit);
  http->visits--;
  return NULL;
}

// ---- Connections

static void begin_visit(Http *http, int fd) {
  Visit *visit = http->visits < MOST_CONNECTIONS ? calloc(1, sizeof *visit) : NULL;
  pthread_t thread;
  int one = 1;
  if (visit) {
    visit->http = http, visit->fd = fd;
    fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    http->visits++;
    if (pthread_create(&thread, NULL, serve_visit, visit) == 0) {
      pthread_detach(thread);
      return;
    }
    http->visits--;
  }
  free(visit);
  close(fd);
}

// Ends when the listening socket is shut down.
static void *accept_visits(void *argument) {
  Http *http = argument;
  for (;;) {
    int fd = accept4(http->listening, NULL, NULL, SOCK_CLOEXEC);
    if (fd >= 0) {
      begin_visit(http, fd);
    } else if (errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == ENOBUFS) {
      usleep(50000);
    } else if (errno != EINTR && errno != ECONNABORTED) {
      return NULL;
    }
  }
}

int http_listen(unsigned *port) {
  struct sockaddr_in address = {.sin_family = AF_INET,
                                .sin_port = htons((uint16_t)*port),
                                .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t length = sizeof address;
  int one = 1, fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return -1;
  setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
  if (bind(fd, (struct sockaddr *)&address, sizeof address) == 0 && listen(fd, 64) == 0 &&
      getsockname(fd, (struct sockaddr *)&address, &length) == 0) {
    *port = ntohs(address.sin_port);
    return fd;
  }
  close(fd);
  return -1;
}

Http *http_open(Server *server, int listening) {
  Http *http = calloc(1, sizeof *http);
  if (!http) return NULL;
  http->server = server, http->listening = listening;
  if (pthread_create(&http->thread, NULL, accept_visits, http) == 0) return http;
  free(http);
  return NULL;
}

bool http_close(Http *http) {
  shutdown(http->listening, SHUT_RDWR);
  pthread_join(http->thread, NULL);
  for (int i = 0; i < 100 && http->visits > 0; i++) usleep(20000);
  if (http->visits > 0) return false;
  close(http->listening);
  free(http);
  return true;
}
