// HTTP by libmicrohttpd.
#include "http.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include "assets.h"
#include "client.h"
#include "handshake.h"

enum { MOST_CONNECTIONS = 100, SECONDS_TO_ASK = 15, HEADER_BYTES = 16 << 10 };

struct Http {
  Server *server;
  struct MHD_Daemon *daemon;
  atomic_int visits; // WebSockets
};

// ---- Answers

// What every answer says: this page talks to this server, shows itself in no frame, runs no script
// but its own.
static void add_rules(struct MHD_Response *response, const Server *server, const char *nonce) {
  char policy[600];
  snprintf(policy, sizeof policy,
           "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-%s'; style-src-attr "
           "'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self' "
           "ws://127.0.0.1:%u ws://localhost:%u; base-uri 'none'; form-action 'none'; "
           "frame-ancestors 'none'",
           nonce, server->gate.port, server->gate.port);
  MHD_add_response_header(response, "Content-Security-Policy", policy);
  MHD_add_response_header(response, "X-Content-Type-Options", "nosniff");
  MHD_add_response_header(response, "X-Frame-Options", "DENY");
  MHD_add_response_header(response, "Referrer-Policy", "no-referrer");
  MHD_add_response_header(response, "Cross-Origin-Opener-Policy", "same-origin");
  MHD_add_response_header(response, "Cross-Origin-Resource-Policy", "same-origin");
  MHD_add_response_header(response, "Cache-Control", "no-store");
}

static enum MHD_Result finish(struct MHD_Connection *connection, unsigned status,
                              struct MHD_Response *response) {
  enum MHD_Result result = MHD_queue_response(connection, status, response);
  MHD_destroy_response(response);
  return result;
}

static enum MHD_Result say(struct MHD_Connection *connection, const Server *server, unsigned status,
                           const char *words) {
  struct MHD_Response *response =
      MHD_create_response_from_buffer(strlen(words), (void *)words, MHD_RESPMEM_PERSISTENT);
  if (!response) return MHD_NO;
  add_rules(response, server, "none");
  MHD_add_response_header(response, "Content-Type", "text/plain; charset=utf-8");
  return finish(connection, status, response);
}

static const char *header(struct MHD_Connection *connection, const char *name) {
  return MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

// ---- The page

// The token becomes a cookie, and the page is loaded without it in its address.
static enum MHD_Result exchange_token(struct MHD_Connection *connection, Server *server,
                                      const char *token) {
  if (!gate_take_token(&server->gate, token))
    return say(connection, server, MHD_HTTP_FORBIDDEN,
               "This link has been used. Open the page in the browser where it was used, or start "
               "'qdot studio' again.\n");
  struct MHD_Response *response = MHD_create_response_from_buffer(0, "", MHD_RESPMEM_PERSISTENT);
  char cookie[200];
  if (!response) return MHD_NO;
  snprintf(cookie, sizeof cookie, "%s=%s; HttpOnly; SameSite=Strict; Path=/",
           server->gate.cookie_name, server->gate.cookie);
  add_rules(response, server, "none");
  MHD_add_response_header(response, "Set-Cookie", cookie);
  MHD_add_response_header(response, "Location", "/");
  return finish(connection, MHD_HTTP_SEE_OTHER, response);
}

// The editor's styles carry a number that is used once: NONCE in the file stands for it.
static enum MHD_Result send_page(struct MHD_Connection *connection, const Server *server,
                                 const Asset *asset) {
  static const char mark[] = "NONCE";
  unsigned char random[12];
  char nonce[2 * sizeof random + 1];
  if (getrandom(random, sizeof random, 0) != (ssize_t)sizeof random) return MHD_NO;
  for (size_t i = 0; i < sizeof random; i++) snprintf(nonce + 2 * i, 3, "%02x", random[i]);
  const char *at = strstr(asset->bytes, mark);
  Bytes page = {0};
  size_t before = at ? (size_t)(at - asset->bytes) : asset->length;
  bytes_add(&page, asset->bytes, before);
  if (at) bytes_addf(&page, "%s", nonce);
  if (at) bytes_add(&page, at + strlen(mark), asset->length - before - strlen(mark));
  struct MHD_Response *response =
      page.at ? MHD_create_response_from_buffer(page.n, page.at, MHD_RESPMEM_MUST_FREE) : NULL;
  if (!response) return MHD_NO;
  add_rules(response, server, nonce);
  MHD_add_response_header(response, "Content-Type", asset->type);
  return finish(connection, MHD_HTTP_OK, response);
}

static enum MHD_Result send_asset(struct MHD_Connection *connection, const Server *server,
                                  const Asset *asset) {
  const char *accepted = header(connection, "Accept-Encoding");
  bool is_packed = asset->packed && accepted && strstr(accepted, "gzip");
  struct MHD_Response *response = MHD_create_response_from_buffer(
      is_packed ? asset->packed_length : asset->length, is_packed ? asset->packed : asset->bytes,
      MHD_RESPMEM_PERSISTENT);
  if (!response) return MHD_NO;
  add_rules(response, server, "none");
  MHD_add_response_header(response, "Content-Type", asset->type);
  if (is_packed) MHD_add_response_header(response, "Content-Encoding", "gzip");
  return finish(connection, MHD_HTTP_OK, response);
}

// ---- The WebSocket

typedef struct Visit {
  Http *http;
  int fd;
  struct MHD_UpgradeResponseHandle *handle;
  char *early;
  size_t early_length;
} Visit;

static void *serve_visit(void *argument) {
  Visit *visit = argument;
  client_serve(visit->http->server, visit->fd, visit->early, visit->early_length);
  MHD_upgrade_action(visit->handle, MHD_UPGRADE_ACTION_CLOSE);
  visit->http->visits--;
  free(visit->early);
  free(visit);
  return NULL;
}

// Every connection has a thread of its own, so that none waits for another.
static void begin_visit(void *user, struct MHD_Connection *connection, void *context,
                        const char *early, size_t early_length, MHD_socket fd,
                        struct MHD_UpgradeResponseHandle *handle) {
  (void)connection, (void)context;
  Http *http = user;
  Visit *visit = calloc(1, sizeof *visit);
  pthread_t thread;
  int one = 1;
  if (visit) {
    *visit = (Visit){http, fd, handle, early_length ? malloc(early_length) : NULL, early_length};
    if (visit->early) memcpy(visit->early, early, early_length);
    fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    bool is_whole = visit->early || !early_length;
    http->visits++;
    if (is_whole && pthread_create(&thread, NULL, serve_visit, visit) == 0) {
      pthread_detach(thread);
      return;
    }
    http->visits--;
    free(visit->early);
    free(visit);
  }
  MHD_upgrade_action(handle, MHD_UPGRADE_ACTION_CLOSE);
}

static bool has_word(const char *list, const char *word) {
  return list && strcasestr(list, word) != NULL;
}

static enum MHD_Result upgrade(struct MHD_Connection *connection, Http *http, const char *version) {
  const Server *server = http->server;
  const char *key = header(connection, "Sec-WebSocket-Key");
  const char *number = header(connection, "Sec-WebSocket-Version");
  if (!gate_is_origin(&server->gate, header(connection, "Origin"), header(connection, "Host")))
    return say(connection, server, MHD_HTTP_FORBIDDEN, "Only the studio's own page may connect.\n");
  bool is_asked = has_word(header(connection, "Upgrade"), "websocket") &&
                  has_word(header(connection, "Connection"), "upgrade") && number &&
                  strcmp(number, "13") == 0 && key && strlen(key) == 24 &&
                  strcmp(version, MHD_HTTP_VERSION_1_1) == 0;
  if (!is_asked) return say(connection, server, MHD_HTTP_BAD_REQUEST, "This is a WebSocket.\n");
  char accept[ACCEPT_LENGTH + 1];
  handshake_accept(key, accept);
  struct MHD_Response *response = MHD_create_response_for_upgrade(begin_visit, http);
  if (!response) return MHD_NO;
  MHD_add_response_header(response, "Upgrade", "websocket");
  MHD_add_response_header(response, "Sec-WebSocket-Accept", accept);
  return finish(connection, MHD_HTTP_SWITCHING_PROTOCOLS, response);
}

// ---- Requests

static enum MHD_Result count_hosts(void *user, enum MHD_ValueKind kind, const char *key,
                                   const char *value) {
  (void)kind, (void)value;
  if (strcasecmp(key, "Host") == 0) (*(int *)user)++;
  return MHD_YES;
}

static bool is_addressed(struct MHD_Connection *connection, const Server *server) {
  int hosts = 0;
  MHD_get_connection_values(connection, MHD_HEADER_KIND, count_hosts, &hosts);
  const char *host = header(connection, "Host"), *origin = header(connection, "Origin");
  return hosts == 1 && gate_is_host(&server->gate, host) &&
         (!origin || gate_is_origin(&server->gate, origin, host));
}

static enum MHD_Result answer(void *user, struct MHD_Connection *connection, const char *url,
                              const char *method, const char *version, const char *upload,
                              size_t *upload_length, void **state) {
  static int begun;
  Http *http = user;
  Server *server = http->server;
  (void)upload;
  if (!*state) { // the headers are there; a body would follow
    *state = &begun;
    return MHD_YES;
  }
  if (*upload_length > 0) {
    *upload_length = 0;
    return MHD_YES;
  }
  if (!is_addressed(connection, server))
    return say(connection, server, MHD_HTTP_MISDIRECTED_REQUEST, "This server has another name.\n");
  if (strcmp(method, MHD_HTTP_METHOD_GET) != 0)
    return say(connection, server, MHD_HTTP_METHOD_NOT_ALLOWED, "Only GET is answered.\n");
  const char *token = MHD_lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND, "token");
  if (token && strcmp(url, "/") == 0) return exchange_token(connection, server, token);
  if (!gate_knows_cookie(&server->gate, header(connection, "Cookie")))
    return say(connection, server, MHD_HTTP_FORBIDDEN,
               "Open the link that 'qdot studio' printed.\n");
  if (strcmp(url, "/ws") == 0) return upgrade(connection, http, version);
  const Asset *asset = asset_find(url);
  if (!asset) return say(connection, server, MHD_HTTP_NOT_FOUND, "There is nothing here.\n");
  return strcmp(url, "/") == 0 ? send_page(connection, server, asset)
                               : send_asset(connection, server, asset);
}

// ---- The daemon

static void stay_silent(void *user, const char *format, va_list arguments) {
  (void)user, (void)format, (void)arguments;
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
  http->server = server;
  http->daemon = MHD_start_daemon(
      MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_POLL | MHD_ALLOW_UPGRADE | MHD_USE_ERROR_LOG, 0,
      NULL, NULL, answer, http, MHD_OPTION_EXTERNAL_LOGGER, stay_silent, NULL,
      MHD_OPTION_LISTEN_SOCKET, listening, MHD_OPTION_CONNECTION_LIMIT, (unsigned)MOST_CONNECTIONS,
      MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)SECONDS_TO_ASK, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
      (size_t)HEADER_BYTES, MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_END);
  if (http->daemon) return http;
  free(http);
  return NULL;
}

bool http_close(Http *http) {
  for (int i = 0; i < 100 && http->visits > 0; i++) usleep(20000);
  if (http->visits > 0) return false;
  MHD_stop_daemon(http->daemon);
  free(http);
  return true;
}
