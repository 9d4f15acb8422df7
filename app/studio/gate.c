// Who may come in.
#include "gate.h"

#include <stdio.h>
#include <string.h>
#include <sys/random.h>

static bool random_secret(char out[SECRET_LENGTH + 1]) {
  unsigned char bytes[SECRET_LENGTH / 2];
  if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes) return false;
  for (size_t i = 0; i < sizeof bytes; i++) snprintf(out + 2 * i, 3, "%02x", bytes[i]);
  return true;
}

bool gate_open(Gate *gate, unsigned port) {
  *gate = (Gate){.port = port};
  pthread_mutex_init(&gate->lock, NULL);
  snprintf(gate->cookie_name, sizeof gate->cookie_name, "qdot_studio_%u", port);
  return random_secret(gate->cookie) && random_secret(gate->token);
}

bool gate_renew(Gate *gate, char token[SECRET_LENGTH + 1]) {
  pthread_mutex_lock(&gate->lock);
  bool done = random_secret(gate->token);
  memcpy(token, gate->token, SECRET_LENGTH + 1);
  pthread_mutex_unlock(&gate->lock);
  return done;
}

// Takes the same time wherever they differ.
static bool is_secret(const char *secret, const char *given, size_t length) {
  unsigned char difference = 0;
  if (length != SECRET_LENGTH || !*secret) return false;
  for (size_t i = 0; i < SECRET_LENGTH; i++) difference |= (unsigned char)(secret[i] ^ given[i]);
  return difference == 0;
}

bool gate_take_token(Gate *gate, const char *token) {
  pthread_mutex_lock(&gate->lock);
  bool is_right = is_secret(gate->token, token, strlen(token));
  if (is_right) gate->token[0] = 0;
  pthread_mutex_unlock(&gate->lock);
  return is_right;
}

bool gate_knows_cookie(const Gate *gate, const char *header) {
  size_t name = strlen(gate->cookie_name);
  while (header && *header) {
    header += strspn(header, " ;");
    size_t length = strcspn(header, ";");
    if (length > name && strncmp(header, gate->cookie_name, name) == 0 && header[name] == '=' &&
        is_secret(gate->cookie, header + name + 1, length - name - 1))
      return true;
    header += length;
  }
  return false;
}

bool gate_is_host(const Gate *gate, const char *host) {
  static const char *const names[] = {"127.0.0.1", "localhost"};
  char allowed[32];
  for (size_t i = 0; host && i < sizeof names / sizeof *names; i++) {
    snprintf(allowed, sizeof allowed, "%s:%u", names[i], gate->port);
    if (strcmp(host, allowed) == 0) return true;
  }
  return false;
}

bool gate_is_origin(const Gate *gate, const char *origin, const char *host) {
  static const char scheme[] = "http://";
  return origin && gate_is_host(gate, host) && strncmp(origin, scheme, strlen(scheme)) == 0 &&
         strcmp(origin + strlen(scheme), host) == 0;
}
